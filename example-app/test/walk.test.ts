import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeIf } from "../../test/support/requirements.js";
import { createClient, insertApiToken } from "./support/api.js";
import { findEvents } from "./support/logs.js";
import { startTestServer } from "./support/server.js";
import { describeStores } from "./support/stores.js";

const README = readFileSync(join(__dirname, "../../README.md"), "utf8");
const WALK = /### A walk through the API[^]*?```sh\n([^]*?)```/.exec(README)?.[1] ?? "";

const HAS_TOOLS = ["bash", "curl"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

const LOGS_PAGE = readFileSync(join(__dirname, "../../docs/api/logs.md"), "utf8");
const FIND_REQUEST = /^\$ (curl [^]*?)\n```/m.exec(LOGS_PAGE)?.[1] ?? "";

describeIf(HAS_TOOLS, "the command of docs/api/logs.md", "bash and curl", () => {
  describeStores((_engine, database) => {
    test("Q3 finds the request, though curl writes a space as +", async () => {
      const { options, ...rest } = await database();
      const server = await startTestServer({ options, ...rest });
      try {
        const client = createClient(server, "demo", await insertApiToken(options, "demo"));
        const id = String((await client.api("/users")).headers["x-svc-request-id"]);
        await findEvents(client, id);
        const script = FIND_REQUEST.replaceAll("8443", String(server.port))
          .replaceAll("data/tls.crt", join(options.dataFolder, "tls.crt"))
          .replaceAll(/"[0-9a-f-]{36}"/g, `"${id}"`);
        const env = { ...process.env, TOKEN: await insertApiToken(options, "demo") };
        const { stdout } = await promisify(execFile)("bash", ["-c", `${script} --silent`], { env });
        expect(JSON.parse(stdout)).toMatchObject([{ transaction: { id }, eventType: "system.api.request" }]);
      } finally {
        await server.close();
      }
    });
  });
});

describeIf(HAS_TOOLS, "the README's walk", "bash and curl", () => {
  describeStores((_engine, database) => {
    test("D2 P3 P4 T3 W4 W10 every step gives what the README says", async () => {
      const { options, ...rest } = await database();
      const server = await startTestServer({ options, ...rest });
      try {
        const token = await insertApiToken(options, "demo");
        const script = WALK.replace("npm start --silent -- token create --org demo", `echo ${token}`)
          .replaceAll("8443", String(server.port))
          .replaceAll("data/tls.crt", join(options.dataFolder, "tls.crt"));
        const { stdout, stderr } = await promisify(execFile)("bash", ["-c", `set -e\n${script}`]);
        expect(stderr).toBe("");

        const answers = stdout.split("\n").filter((line) => /^[{[]/.test(line));
        const [created, changed, refused, listed, rule, webfinger, trace, found, polled, ...others] = answers.map(
          (line) => JSON.parse(line),
        );
        expect(others).toEqual([]);
        expect(stdout).toMatch(/^ETag: W\/"1\.[0-9A-Za-z]{20}\.1"\r$/m);
        expect(created).toMatchObject({ status: "ACTIVE", profile: { lastName: "Lee" } });
        expect(changed).toMatchObject({ id: created.id, profile: { lastName: "Ng", firstName: "Ann" } });
        expect(refused).toMatchObject({ errorCode: "E0000231" });
        expect(listed).toMatchObject([{ id: created.id }]);
        const walked = stdout.split("\n").filter((line) => /^\w+@example\.com$/.test(line));
        expect(walked.toSorted()).toEqual(["ann@example.com", "bob@example.com", "cem@example.com"]);
        expect(rule).toMatchObject({ priority: 1, status: "ACTIVE" });
        expect(webfinger).toMatchObject({ subject: "svc:acct:dan@example.org", links: [{ rel: "svc:idp" }] });
        expect(trace.match).toMatchObject({ id: rule.id });
        expect(trace.links).toEqual(webfinger.links);
        expect(found).toMatchObject([{ outcome: { result: "FAILURE" } }]);
        expect(polled.length).toBeGreaterThan(0);
      } finally {
        await server.close();
      }
    });
  });
});
