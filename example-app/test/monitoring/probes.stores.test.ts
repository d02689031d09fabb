import { openStore } from "../../src/store/store.js";
import { call, startTestServer, type Answer, type TestServer } from "../support/server.js";
import { describePostgres, describeStores } from "../support/stores.js";
import { startTcpProxy } from "../support/tcp-proxy.js";
import { until } from "../../../test/support/until.js";

const running: TestServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(...options: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...options);
  running.push(server);
  return server;
}

describeStores((_engine, database) => {
  test("both probes say ok, with no event and no line in the log", async () => {
    const { options } = await database();
    const server = await start({ options });
    const ids: unknown[] = [];
    for (const path of ["/livez", "/readyz", "/readyz?verbose=1"]) {
      const { status, text, headers } = await call(server, path);
      expect([status, text]).toEqual([200, "ok\n"]);
      expect(headers).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      ids.push(headers["x-svc-request-id"]);
    }
    const head = await call(server, "/readyz", { method: "HEAD" });
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", "3"]);
    const other = await call(server, "/none"); // this one has both
    await server.close();
    running.length = 0;
    expect(server.lines.filter(({ msg }) => msg === "request")).toMatchObject([{ path: "/none" }]);

    const store = await openStore(options);
    const rows = await store.reader.selectFrom("log_events").select("request_id").execute();
    await store.close();
    const recorded = rows.map((row) => row.request_id);
    expect(recorded).toContain(other.headers["x-svc-request-id"]);
    expect(recorded.filter((id) => ids.includes(id))).toEqual([]);
  });
});

describePostgres((_engine, database) => {
  test("a server without its database is alive and not ready, until the database is back", async () => {
    const { options } = await database();
    const url = new URL(String(options.databaseUrl));
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    const databaseUrl = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
    const server = await start({ options: { ...options, databaseUrl } }, { staleLimit: 0 });
    expect((await call(server, "/readyz")).status).toBe(200);
    for (const breakOff of ["cut", "silence"] as const) {
      await proxy[breakOff]();
      const answer = await untilStatus(server, 503);
      expect(answer.text).toBe("the database does not answer\n");
      expect((await call(server, "/livez")).text).toBe("ok\n");
      await proxy.cut();
      await proxy.restore();
      await untilStatus(server, 200);
    }
  });
});

/** The first answer that has this status. */
async function untilStatus(server: TestServer, expected: number): Promise<Answer> {
  let answer: Answer;
  await until(async () => {
    answer = await call(server, "/readyz");
    return answer.status === expected;
  });
  return answer!;
}
