import { Client } from "pg";
import { startApi } from "../support/api.js";
import { describePostgres } from "../support/stores.js";
import { startTcpProxy } from "../support/tcp-proxy.js";
import { until } from "../../../test/support/until.js";
import { untilBlocked } from "../support/administrate.js";

const USER = { profile: { login: "ann@example.com", email: "a@b.example", firstName: "Ann", lastName: "Lee" } };

describePostgres((_engine, database) => {
  test("E1 a request whose database goes away in its midst is 503 with the error object, and the server recovers", async () => {
    const { options, ...rest } = await database();
    const databaseUrl = new URL(String(options.databaseUrl));
    const proxy = await startTcpProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port || 5432) });
    const throughProxy = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
    const { server, api } = await startApi({ ...rest, options: { ...options, databaseUrl: throughProxy } });
    const other = new Client({ connectionString: databaseUrl.href });
    await other.connect();
    try {
      expect((await api("/users", { method: "POST", body: USER })).status).toBe(200);

      await other.query("begin; select 1 from users for update");
      const update = { method: "POST", body: { profile: { lastName: "Ng" } } };
      const waiting = api("/users/ann@example.com", update);
      await untilBlocked(databaseUrl.href);
      await proxy.cut();
      const answer = await waiting;
      expect(answer).toMatchObject({ status: 503, body: { errorCode: "E0009011" } });
      expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
      expect(answer.body.errorId).toBe(answer.headers["x-svc-request-id"]);
      // here the token can't be verified
      expect(await api("/users")).toMatchObject({
        status: 503,
        headers: { "retry-after": answer.headers["retry-after"] },
        body: { errorCode: "E0009011" },
      });
      await other.query("rollback");

      await proxy.restore();
      expect(await api("/users/ann@example.com")).toMatchObject({
        status: 200,
        body: { profile: { lastName: "Lee" } },
      });
      expect(await api("/users/ann@example.com", update)).toMatchObject({ status: 200 });

      const filter = encodeURIComponent(`debugContext.debugData.requestId eq "${answer.body.errorId}"`);
      let found: unknown[] = [];
      await until(async () => {
        found = (await api(`/logs?filter=${filter}`)).body;
        return found.length > 0;
      });
      expect(found).toMatchObject([{ outcome: { result: "FAILURE" }, severity: "ERROR" }]);
    } finally {
      await other.end();
      await proxy.restore().catch(() => undefined);
      await server.close();
      await proxy.cut();
    }
  });

  test("E1 a request whose database accepts connections and says nothing is 503, and the server recovers", async () => {
    const { options, ...rest } = await database();
    const databaseUrl = new URL(String(options.databaseUrl));
    const proxy = await startTcpProxy({ host: databaseUrl.hostname, port: Number(databaseUrl.port || 5432) });
    const throughProxy = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
    const { server, api } = await startApi({ ...rest, options: { ...options, databaseUrl: throughProxy } });
    try {
      expect((await api("/users")).status).toBe(200);
      await proxy.silence();
      const answers = await Promise.all(Array.from({ length: 20 }, () => api("/users"))); // the pool has 10
      for (const { status, headers, body } of answers) {
        expect({ status, code: body.errorCode }).toEqual({ status: 503, code: "E0009011" });
        expect(headers["retry-after"]).toMatch(/^\d+$/);
      }
      await proxy.cut();
      await proxy.restore();
      expect((await api("/users")).status).toBe(200);
    } finally {
      await proxy.cut();
      await proxy.restore();
      await server.close();
      await proxy.cut();
    }
  });
});
