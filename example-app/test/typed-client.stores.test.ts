import { execFile } from "node:child_process";
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { insertApiToken } from "./support/api.js";
import { CONSOLE_TYPES } from "./support/console-types.js";
import { startTestServer } from "./support/server.js";
import { describeStores, makeFolder } from "./support/stores.js";

const run = promisify(execFile);
const ROOT = join(__dirname, "../..");
const SOURCE = join(ROOT, "test/package/consumers/typed-client/client.mts");
const STRICT = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck"];

const folder = makeFolder();

beforeAll(async () => {
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  copyFileSync(SOURCE, join(folder, "client.mts"));
  const node = (file: string, ...args: string[]) =>
    run(process.execPath, [require.resolve(file), ...args], { cwd: folder });
  copyFileSync(CONSOLE_TYPES, join(folder, "openapi.d.mts"));
  const target = ["--target", "es2023", "--module", "nodenext", "--types", "node"];
  await node("typescript/bin/tsc", ...STRICT, ...target, join(folder, "client.mts"));
}, 120_000);

describeStores((_engine, database) => {
  test("a client generated from the description compiles and works", async () => {
    const { options } = await database();
    const server = await startTestServer({ options }, { tlsFiles: undefined });
    try {
      const token = await insertApiToken(options, "demo");
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(options.dataFolder, "tls.crt") };
      const url = `https://localhost:${server.port}`;
      const { stdout } = await run(process.execPath, [join(folder, "client.mjs"), url, token], { env });
      expect(JSON.parse(stdout)).toEqual({
        created: "192.0.2.0/24",
        self: expect.stringContaining("/api/v1/zones/") as string,
        replaced: "Old offices",
        stale: "E0000231",
        rule: [expect.any(String)],
        wrong: "E0000031",
        users: ["ann@example.com"],
        webfinger: "svc:acct:joe",
        removed: 204,
      });
    } finally {
      await server.close();
    }
  });
});
