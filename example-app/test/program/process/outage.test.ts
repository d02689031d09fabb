import { randomUUID } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { until } from "../../../../test/support/until.js";
import { IDPS } from "../../../src/store/records/resource-tables.js";
import { readIdps } from "../../../src/store/records/queries.js";
import { insertApiToken } from "../../support/api.js";
import { samlIdp } from "../../support/documents.js";
import { declarePrograms, type ServerProcess } from "../../support/programs.js";
import { call, importDocument, webfingerPath } from "../../support/server.js";
import { describePostgres, type TestDatabase } from "../../support/stores.js";
import { startTcpProxy, type TcpProxy } from "../../support/tcp-proxy.js";

const JOE = webfingerPath("joe@example.com");

const DOCUMENT = {
  orgs: [
    {
      ...{ subdomain: "demo", name: "Demo", idps: [samlIdp("First")] },
      rules: [
        {
          name: "example",
          conditions: {
            userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "example.com" }] },
          },
          actions: { idp: { providers: [{ idp: "First" }] } },
        },
      ],
    },
    { subdomain: "gone", name: "Suspended", status: "SUSPENDED", domains: ["gone.example"] },
  ],
};

describePostgres((_engine, database) => {
  const programs = declarePrograms();
  let proxy: TcpProxy;
  let settings: string[];
  let base: TestDatabase;

  beforeEach(async () => {
    base = await database();
    const url = new URL(base.options.databaseUrl!);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    const databaseUrl = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
    settings = ["--database-url", databaseUrl];
    await importDocument(base.options, DOCUMENT);
  });
  afterEach(() => proxy.cut());

  const start = (data: string): Promise<ServerProcess> => programs.start(data, ...settings);

  async function readLog() {
    const store = await base.open();
    const rows = store.reader.selectFrom("log_events").select("request_id");
    return (await rows.where("event_type", "=", "system.webfinger.query").execute()).map(({ request_id: id }) => id);
  }

  describe("a start without the database", () => {
    let data: string;
    let token: string;
    const snapshot = (): string => join(data, "snapshot");

    /** A folder with a snapshot, of a process that was killed; the database is away. */
    beforeEach(async () => {
      data = programs.newFolder();
      token = await insertApiToken(base.options, "demo");
      writeFileSync(`${snapshot()}.${randomUUID()}`, "");
      const first = await start(data);
      await until(() => existsSync(snapshot()));
      first.child.kill("SIGKILL");
      await first.exit;
    });

    const askApi = (server: ServerProcess) =>
      call(server, "/api/v1/idps", { headers: { Authorization: `SVC ${token}` } });
    const readiness = async (server: ServerProcess) => {
      const { status, text } = await call(server, "/readyz");
      return [status, text];
    };

    /** What the program says when it does not start. */
    async function refusal(): Promise<string> {
      const program = programs.run(["--port", "0", "--data", data, ...settings]);
      expect(await program.exit).toBe(1);
      return program.output.stderr;
    }

    it.each(["cut", "silence"] as const)("serves discovery, and the rest when it is back: %s", async (breakOff) => {
      await proxy[breakOff]();
      const server = await start(data);
      const { status, body } = await call(server, JOE);
      expect([status, body.links[0].titles.und]).toEqual([200, "First"]);
      const signOn = await call(server, body.links[0].href.replace(/^https:\/\/[^/]*/, ""));
      expect([signOn.status, signOn.headers.location]).toEqual([302, expect.stringMatching(/^https:/)]);
      expect((await call(server, JOE, { headers: { Host: "gone.example" } })).status).toBe(404);
      expect((await call(server, JOE, { headers: { Host: "new.example" } })).status).toBe(503);
      expect(await askApi(server)).toMatchObject({ status: 503, body: { errorCode: "E0009011" } });
      expect(await readiness(server)).toEqual([200, "degraded: the database does not answer\n"]);

      const store = await base.open();
      const org = await store.findOrgBySubdomain("demo");
      const [idp] = await readIdps(store.reader, org!.id);
      await store.write(async (transaction) => {
        await transaction.touch(org!.id);
        await IDPS.update(transaction, org!.id, idp!, { ...idp!, name: "Renamed" });
      });
      await proxy.cut();
      await proxy.restore();
      await until(async () => (await readiness(server))[1] === "ok\n");
      expect((await call(server, JOE)).body.links[0].titles.und).toBe("Renamed");
      expect((await askApi(server)).status).toBe(200);
    });

    it("is refused, with the reason, when the snapshot does not count", async () => {
      await proxy.cut();
      const content = readFileSync(snapshot());
      truncateSync(snapshot(), content.length - 5);
      expect(await refusal()).toMatch(
        /can't be opened: .*; the snapshot is damaged, or was written with another secret/,
      );
      writeFileSync(snapshot(), content);
      settings.push("--secrets", "s".repeat(32));
      expect(await refusal()).toMatch(/the snapshot is damaged, or was written with another secret/);
      settings.splice(-2);
      utimesSync(snapshot(), 0, Date.now() / 1_000 - 86_401);
      expect(await refusal()).toMatch(/; the snapshot of \S+Z is older than --stale-limit/);
      rmSync(snapshot());
      expect(await refusal()).toMatch(/; there is no snapshot/);
    });

    it("can't read the snapshot without the secret, and what was written in part is gone", () => {
      expect(readdirSync(data).filter((name) => name.startsWith("snapshot"))).toEqual(["snapshot", "snapshot.lock"]);
      const text = readFileSync(snapshot(), "latin1");
      expect([text.includes("example.com"), text.includes("First"), statSync(snapshot()).mode & 0o777]).toEqual([
        false,
        false,
        0o600,
      ]);
    });
  });

  it("the events of an outage are in the log once, though the process is killed in it", async () => {
    const data = programs.newFolder();
    const first = await start(data);
    const ask = async () => String((await call(first, JOE)).headers["x-svc-request-id"]);
    const ids = [await ask()];
    await until(async () => (await readLog()).length === 1);
    await proxy.cut();
    for (let i = 0; i < 10; i++) ids.push(await ask());
    const spool = join(data, "spool");
    const size = () => readdirSync(spool).reduce((sum, name) => sum + statSync(join(spool, name)).size, 0);
    await until(() => statSync(spool, { throwIfNoEntry: false }) && size() > 2_000);
    first.child.kill("SIGKILL");
    await first.exit;
    await proxy.restore();
    await start(data);
    await until(async () => (await readLog()).length >= ids.length && readdirSync(spool).length === 0);
    expect((await readLog()).sort()).toEqual(ids.sort());
  });
});
