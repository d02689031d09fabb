import type { Request } from "express";
import type { TurnWatch } from "../../src/pace/turn-watch.js";
import { createLog } from "../../src/program/process/log.js";
import { startServer } from "../../src/server.js";
import { insertApiToken } from "../support/api.js";
import { buildSettings, call, webfingerPath, type Call } from "../support/server.js";
import { describeStores } from "../support/stores.js";

describeStores((engine, database) => {
  test("a request of an org is known through its body and its statements", async () => {
    const seen: string[] = [];
    let who: object | undefined;
    const watch: TurnWatch = {
      get who() {
        return who;
      },
      enter(what, next) {
        who = next;
        const { originalUrl = "" } = (next ?? {}) as Partial<Request>;
        seen.push(`${what} | ${originalUrl.replace(/\?.*$/, "").replace(/[0-9A-Za-z]{20}/, "ID")}`);
      },
      noteLag: () => undefined,
    };
    const data = await database();
    const settings = buildSettings({ secrets: ["s".repeat(32)], trustedProxies: ["loopback"] });
    const log = createLog("silent");
    const server = await startServer({
      settings,
      store: await data.open({ watch }),
      certificate: undefined,
      log,
      watch,
    });
    const target = { port: server.port, ca: undefined, url: `http://localhost:${server.port}` };
    const Authorization = `SVC ${await insertApiToken(data.options, "demo")}`;
    const send = (path: string, { headers = {}, ...rest }: Call = {}) =>
      call(target, path, { ...rest, headers: { "X-Forwarded-Proto": "https", ...headers } });
    const api = (path: string, rest: Call = {}) => send(`/api/v1${path}`, { ...rest, headers: { Authorization } });
    await send(webfingerPath("joe@example.com"));
    const profile = { login: "ann", email: "a@x", firstName: "A", lastName: "B" };
    const { id } = (await api("/users", { method: "POST", body: { profile } })).body;
    await api(`/users/${id}`);
    await server.close();
    expect(seen).toEqual(
      expect.arrayContaining([
        "request | /.well-known/webfinger",
        "select idps | /.well-known/webfinger",
        "rows of select idps | /.well-known/webfinger",
        "request | /api/v1/users",
        "body | /api/v1/users",
        "insert into org_usage | /api/v1/users",
        "rows of select users | /api/v1/users/ID",
        ...(engine === "PostgreSQL" ? ["begin its turn | /api/v1/users/ID"] : []),
      ]),
    );
  });
});
