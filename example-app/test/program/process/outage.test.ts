import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../../test/support/until.js";
import { declarePrograms, type ServerProcess } from "../../support/programs.js";
import { call, importDocument, webfingerPath } from "../../support/server.js";
import { describePostgres, type TestDatabase } from "../../support/stores.js";
import { startTcpProxy, type TcpProxy } from "../../support/tcp-proxy.js";

const JOE = webfingerPath("joe@example.com");

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
    await importDocument(base.options, { orgs: [{ subdomain: "demo", name: "Demo" }] });
  });
  afterEach(() => proxy.cut());

  const start = (data: string): Promise<ServerProcess> => programs.start(data, ...settings);

  async function readLog() {
    const store = await base.open();
    const rows = store.reader.selectFrom("log_events").select("request_id");
    return (await rows.where("event_type", "=", "system.webfinger.query").execute()).map(({ request_id: id }) => id);
  }

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
