import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "../../src/model/records.js";
import { startApi } from "../support/api.js";
import { textOf, zone } from "../support/documents.js";
import { formatQuery } from "../support/logs.js";
import { runProgram } from "../support/server.js";
import { describeStores, makeFolder } from "../support/stores.js";

describeStores((_engine, database) => {
  const folder = makeFolder();

  it("the commands that change or read an org leave events with the actor cli", async () => {
    const data = await database();
    const { server, api } = await startApi(data);
    const { databaseUrl, dataFolder } = data.options;
    const run = async (...args: string[]): Promise<string> => {
      const env = { ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
      const { exit, output } = runProgram([...args, "--data", dataFolder], env);
      expect({ args, code: await exit, stderr: output.stderr }).toEqual({ args, code: 0, stderr: "" });
      return output.stdout;
    };
    const list = async (): Promise<LogEvent[]> =>
      (await api(formatQuery({ filter: 'actor.id eq "cli"', limit: 1_000 }))).body;
    const first = await list();
    expect(first.at(-1)).toMatchObject({
      eventType: "system.api_token.create",
      actor: { displayName: "start" },
      target: [{ type: "ApiToken", displayName: "First start" }],
    });

    const file = join(folder, `${databaseUrl === undefined ? "sqlite" : "postgresql"}.json`);
    writeFileSync(file, textOf({ subdomain: "demo", name: "Demonstration", zones: [zone("Office")] }));
    await run("import", file);
    await run("token", "create", "--org", "demo", "--name", "Nightly job");
    const [id = ""] = /\S+(?= +Nightly job)/.exec(await run("token", "list", "--org", "demo")) ?? [];
    await run("token", "revoke", id, "--org", "demo");
    await run("export");

    const events = (await list()).slice(first.length);
    expect(
      events.map(({ eventType, actor, target }) => [actor.displayName, eventType, target?.[0]?.displayName]),
    ).toEqual([
      ["import", "zone.create", "Office"],
      ["token create", "system.api_token.create", "Nightly job"],
      ["token revoke", "system.api_token.revoke", "Nightly job"],
      ["export", "org.export", "demo"],
    ]);
    expect(events[1]).toMatchObject({
      actor: { id: "cli", type: "Command", alternateId: "cli", detailEntry: null },
      target: [{ id, type: "ApiToken" }],
      transaction: { type: "JOB" },
    });
    expect(new Set(events.map(({ transaction }) => transaction.id)).size).toBe(4);
    await server.close();
  });
});
