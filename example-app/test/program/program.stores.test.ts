import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Store } from "../../src/store/store.js";
import { call, webfingerPath, type Answer, type TestProcess } from "../support/server.js";
import { describeStores, withStore } from "../support/stores.js";
import { until } from "../../../test/support/until.js";
import { untilBlocked } from "../support/administrate.js";
import { accepts } from "../../../test/support/raw-socket.js";
import { declarePrograms, type ServerProcess } from "../support/programs.js";
import { patient } from "../../../test/support/patience.js";

jest.setTimeout(60_000);

const JOE = webfingerPath("joe@example.com");

const HAS_SIGNALS = process.platform !== "win32";

const { newFolder, run, start } = declarePrograms();

/** The tokens in the files that the programs name. */
function firstTokens(...programs: TestProcess[]): string[] {
  return programs.flatMap(({ output }) =>
    [...output.stderr.matchAll(/in the file (.*first-token)$/gm)].map(([, file]) => readFileSync(file!, "utf8").trim()),
  );
}

/** What the API answers to `token` in the demonstration org. */
async function askWith(server: Parameters<typeof call>[0], token: string): Promise<Answer> {
  return call(server, "/api/v1/apiTokens", { headers: { Authorization: `SVC ${token}` } });
}

describeStores((_engine, database) => {
  it("token list shows every token without its secret, and token revoke ends one at once", async () => {
    const { options } = await database();
    const args = options.databaseUrl === undefined ? [] : ["--database-url", options.databaseUrl];
    const server = await start(options.dataFolder, ...args, "--demo");
    const token = async (...words: string[]) => {
      const program = run(["token", ...words, "--org", "demo", "--data", options.dataFolder, ...args]);
      return { code: await program.exit, ...program.output };
    };
    const secret = (await token("create", "--name", "Nightly job", "--expires", "1d", "--scopes", "svc.users.read"))
      .stdout;
    const asked = () => call(server, "/api/v1/users", { headers: { Authorization: `SVC ${secret.trim()}` } });
    expect((await asked()).status).toBe(200);
    const used = (store: Store) =>
      store.reader.selectFrom("api_tokens").select("id").where("last_used", "is not", null).executeTakeFirst();
    await until(() => withStore(options, used));

    const listed = await token("list");
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    const date = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.source;
    const lines = listed.stdout.split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^ID {20}NAME {9}SCOPES +CREATED +EXPIRES +LAST USE$/);
    expect(lines[1]).toMatch(
      new RegExp(`^[0-9A-Za-z]{20}  First start  svc\\.users\\.manage,\\S+  ${date}  ${date}  -$`),
    );
    expect(lines[2]).toMatch(
      new RegExp(`^[0-9A-Za-z]{20}  Nightly job  svc\\.users\\.read +${date}  ${date}  ${date}$`),
    );
    expect(listed.stdout).not.toContain(secret.trim());

    const id = String(lines[2]).slice(0, 20);
    expect(await token("revoke", id)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await asked()).status).toBe(401);
    expect(await token("revoke", id)).toEqual({
      code: 1,
      stdout: "",
      stderr: `etiquette: The org demo has no token with the id "${id}"; token list shows the ids\n`,
    });
    expect(await token("revoke", "'; --")).toMatchObject({ code: 1, stdout: "" });
    expect((await token("list")).stdout.split("\n")).toHaveLength(3);
    const stranger = run(["token", "list", "--org", "nobody", "--data", options.dataFolder, ...args]);
    expect(await stranger.exit).toBe(1);
    expect(stranger.output.stderr).toBe('etiquette: There is no org with the subdomain "nobody"\n');
  });
});

describeStores((engine, database) => {
  it("of several processes that start at once on a new database, one makes a token", async () => {
    const { options } = await database({ bare: true });
    const args = options.databaseUrl === undefined ? [] : ["--database-url", options.databaseUrl];
    const servers = await Promise.all(
      [1, 2, 3].map(() => start(options.dataFolder, ...args, "--demo", "--log-level", "error")),
    );
    const [token = "", ...others] = firstTokens(...servers);
    expect(others).toEqual([]);
    for (const server of servers) {
      expect((await askWith(server, token)).body).toMatchObject([{ name: "First start" }]);
    }
  });

  it("two server processes and an import on one database agree within a second", async () => {
    const { options } = await database();
    const args = options.databaseUrl === undefined ? [] : ["--database-url", options.databaseUrl];
    const servers = [await start(options.dataFolder, ...args, "--demo"), await start(options.dataFolder, ...args)];
    for (const server of servers)
      expect((await call(server, JOE)).body.links[0].titles.und).toBe("Example Corporation");

    const file = join(newFolder(), "demo.json");
    writeFileSync(
      file,
      readFileSync(join(__dirname, "../../demo.json"), "utf8").replaceAll("example.com", "example.org"),
    );
    expect(await run(["import", file, "--data", options.dataFolder, ...args]).exit).toBe(0);
    const deadline = performance.now() + patient(10_000);
    for (const server of servers) {
      let title: unknown;
      do title = (await call(server, JOE)).body.links[0].titles.und;
      while (title !== "Demonstration" && performance.now() < deadline);
      expect(title).toBe("Demonstration");
    }
  });

  if (engine === "PostgreSQL") {
    it("the first start creates nothing without --demo", async () => {
      const { databaseUrl = "", dataFolder } = (await database()).options;
      const server = await start(dataFolder, "--database-url", databaseUrl, "--log-level", "error");
      expect(server.output.stderr).toMatch(/^No org is served on the base domain: /);
      expect((await call(server, JOE)).status).toBe(404);
      expect(existsSync(join(dataFolder, "first-token"))).toBe(false);
    });
  }

  if (engine === "PostgreSQL" && HAS_SIGNALS) {
    describe("a request in flight", () => {
      let server: ServerProcess;
      let locker: Client;
      let answer: Promise<Answer | Error>;

      beforeEach(async () => {
        const { databaseUrl = "", dataFolder } = (await database()).options;
        server = await start(dataFolder, "--database-url", databaseUrl);
        locker = new Client({ connectionString: databaseUrl });
        await locker.connect();
        await locker.query("begin; lock table orgs in access exclusive mode");
        // a host that is not in memory, so that the answer waits for the lock
        answer = call(server, JOE, { headers: { Host: "nobody.localhost" } }).catch((error: unknown) => error as Error);
        await untilBlocked(databaseUrl);
      });
      afterEach(() => locker.end());

      it("is answered after the first signal, while new connections are refused", async () => {
        server.child.kill("SIGTERM");
        await until(async () => !(await accepts(server.port)));
        await expect(call(server, JOE)).rejects.toMatchObject({ code: "ECONNREFUSED" });
        await locker.query("commit");
        expect(await answer).toMatchObject({ status: 404, headers: { connection: "close" } });
        expect(await server.exit).toBe(0);
      });

      it("is cut off by a second signal, at once", async () => {
        server.child.kill("SIGTERM");
        await until(async () => !(await accepts(server.port)));
        await sleep(500); // two signals at once are one
        server.child.kill("SIGTERM");
        expect(await server.exit).toBe(128 + 15);
        expect(await answer).toMatchObject({ code: "ECONNRESET" });
      });
    });
  }
});
