import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import type http from "node:http";
import https from "node:https";
import { describeIf } from "../../../../test/support/requirements.js";
import { programFile, webfingerPath, withoutSettings } from "../../support/server.js";
import { makeFolder } from "../../support/stores.js";

/** Each write to it fails with ENOSPC. */
const FULL = "/dev/full";

const JOE = webfingerPath("joe@example.com");

describeIf(existsSync(FULL), "the program, with a standard error that is full", FULL, () => {
  const folder = makeFolder();

  it("serves, and ends well", async () => {
    const full = openSync(FULL, "w");
    const command = [programFile(), "--port", "0", "--data", folder, "--log-level", "debug"];
    const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", full], env: withoutSettings() });
    closeSync(full);
    const ended = once(child, "close");
    try {
      let text = "";
      for await (const chunk of child.stdout!) {
        text += String(chunk);
        if (text.includes("\n")) break;
      }
      const port = Number(/:(\d+)\n/.exec(text)?.[1]);
      for (let i = 0; i < 3; i++) {
        const request = https.get({ port, path: JOE, rejectUnauthorized: false, agent: false });
        const [response] = (await once(request, "response")) as [http.IncomingMessage];
        expect(response.resume().statusCode).toBe(200);
        await once(response, "end");
      }
      child.kill("SIGTERM");
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
