import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { exchange } from "../../../test/support/raw-socket.js";
import { createClient, insertApiToken, type ApiClient } from "../support/api.js";
import { findEvents, formatQuery } from "../support/logs.js";
import {
  call,
  importDocument,
  startTestServer,
  webfingerPath,
  type Answer,
  type TestServer,
} from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import type { LogEvent } from "../../src/model/records.js";
import type { Settings } from "../../src/program/settings/settings.js";
import { until } from "../../../test/support/until.js";

const ISSUER = "https://login.example.com";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const orgs = ["demo", "acme"].map((subdomain) => ({
  subdomain,
  name: subdomain,
  issuers: [
    {
      issuer: ISSUER,
      audience: "api",
      keys: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256" }] },
    },
  ],
}));

const idOf = ({ headers }: Pick<Answer, "headers">): string => String(headers["x-svc-request-id"]);

/** A text of `length` characters as an event with at most `max` shows it. */
const shown = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let demo: ApiClient;
  let acme: ApiClient;

  async function start(settings: Partial<Settings> = {}): Promise<void> {
    server = await startTestServer(data, settings);
    demo = createClient(server, "demo", await insertApiToken(data.options, "demo"));
    acme = createClient(server, "acme", await insertApiToken(data.options, "acme"));
  }

  beforeEach(async () => {
    data = await database();
    await importDocument(data.options, { orgs });
    await start();
  });
  afterEach(() => server.close());

  const asAcme = (path: string, headers: Record<string, string> = {}) =>
    call(server, path, { headers: { Host: "acme.localhost", ...headers } });

  describe.each([-1, 0, 1])("caps the texts of an event (%i)", (more) => {
    const eventOf = async (answer: Answer, org = acme): Promise<LogEvent> => (await findEvents(org, idOf(answer)))[0]!;

    it("S9 the path and the URL", async () => {
      const path = `/${"a".repeat(2_047 + more)}`;
      const { debugData } = (await eventOf(await asAcme(path))).debugContext;
      expect(debugData).toMatchObject({ requestUri: shown(path, 2_048), url: shown(path, 2_048) });
      const url = "/x?q=";
      const query = `${url}${"b".repeat(2_048 - url.length + more)}`;
      const event = await eventOf(await asAcme(query));
      expect(event.debugContext.debugData).toMatchObject({ requestUri: "/x", url: shown(query, 2_048) });
    });

    it("S9 the user agent", async () => {
      const agent = "c".repeat(1_024 + more);
      const { userAgent } = (await eventOf(await asAcme("/x", { "User-Agent": agent }))).client;
      expect(userAgent.rawUserAgent).toBe(shown(agent, 1_024));
      const early = await call(server, "/x", { headers: { Host: "nobody.localhost", "User-Agent": agent } });
      expect((await eventOf(early, demo)).client.userAgent.rawUserAgent).toBe("");
    });

    it("S9 the reason", async () => {
      const reason = (id: string): string => `E0000007: Not found: Resource not found: ${id} (IdentityProvider)`;
      const id = "d".repeat(512 - reason("").length + more);
      const { outcome } = await eventOf(await asAcme(`/sso/idps/${id}`));
      expect(outcome.reason).toBe(shown(reason(id), 512));
    });

    it("S9 the actor", async () => {
      const subject = "e".repeat(512 + more);
      const token = await new SignJWT({ scope: "svc.zones.read" })
        .setProtectedHeader({ alg: "ES256", kid: "1", typ: "at+jwt" })
        .setIssuer(ISSUER)
        .setAudience("api")
        .setSubject(subject)
        .setExpirationTime("1m")
        .sign(privateKey);
      const answer = await asAcme("/api/v1/zones", { Authorization: `Bearer ${token}` });
      expect(answer.status).toBe(200);
      const name = shown(subject, 512);
      expect((await eventOf(answer)).actor).toMatchObject({ id: name, alternateId: name, displayName: name });
    });
  });

  it.each([
    ["417", "GET /x?q=ann HTTP/1.1\r\nHost: acme.localhost\r\nExpect: 200-ok\r\n\r\n"],
    ["426", "GET /x?q=ann HTTP/1.1\r\nHost: acme.localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"],
    ["431", `GET /x?q=ann HTTP/1.1\r\nHost: acme.localhost\r\n${"A: b\r\n".repeat(101)}\r\n`],
    ["400", "GET /x?q=ann HTTP/1.1\r\nHost: ACME.localhost:443\r\nHost: b\r\n\r\n"],
  ])("A2 a request that is refused (%s) is in the log of the org that was asked", async (status, text) => {
    const answer = await exchange(server.port, text, { tls: true });
    const [, code, id = ""] = /^HTTP\/1\.1 (\d+) [^]*X-Svc-Request-Id: (\S+)\r\n/i.exec(answer) ?? [];
    expect(code).toBe(status);
    expect(await findEvents(acme, id)).toMatchObject([
      { eventType: "system.http.refused", debugContext: { debugData: { url: "/x?q=ann" } } },
    ]);
    expect((await demo.api(formatQuery({ filter: `transaction.id eq "${id}"` }))).body).toEqual([]);
  });

  it("A2 the default org is told nothing of a request whose head can't be read", async () => {
    const text = "POST /x?q=ann HTTP/1.1\r\nHost: acme.localhost\r\nUser-Agent: ann\r\nContent-Length: 7, 7\r\n\r\n";
    const answer = await exchange(server.port, text, { tls: true });
    const [, id = ""] = /X-Svc-Request-Id: (\S+)\r\n/i.exec(answer) ?? [];
    const events = await findEvents(demo, id);
    expect(events).toMatchObject([{ eventType: "system.http.refused", debugContext: { debugData: { url: "" } } }]);
    expect(JSON.stringify(events)).not.toContain("ann");
  });

  it("A2 the default org is told nothing that was sent to a host without an org", async () => {
    const answer = await call(server, webfingerPath("ann@acme.example"), {
      headers: { Host: "nobody.localhost", "User-Agent": "secret" },
    });
    const [event] = await findEvents(demo, idOf(answer));
    expect(event).toMatchObject({
      outcome: { reason: "E0000007: Not found: Resource not found: nobody.localhost (Org)" },
      client: { ipAddress: "127.0.0.1", userAgent: { rawUserAgent: "" } },
      debugContext: { debugData: { requestUri: "", url: "", statusCode: "404" } },
    });
    expect(JSON.stringify(event)).not.toMatch(/ann|secret/);
  });

  it("D2 hides the values of parameters that no operation reads, however their names are encoded", async () => {
    const answer = await asAcme("/api/v1/users?limit=5&%74oken=secret-a&Api%5FKey=secret-b&secret-c&q=joe#secret-d");
    const [event] = await findEvents(acme, idOf(answer));
    expect(event?.debugContext.debugData["url"]).toBe("/api/v1/users?limit=5&%74oken=***&Api%5FKey=***&***&q=joe#***");
    const encoded = await asAcme("/api/v1/users%3Ftoken=secret-e");
    await findEvents(acme, idOf(encoded));
    const rows = await (await data.open()).reader.selectFrom("log_events").select(["event", "search_text"]).execute();
    expect(JSON.stringify([rows, server.lines])).not.toContain("secret-");
  });

  /** The events of the org, after all are written. */
  async function listEvents(filter: string): Promise<LogEvent[]> {
    await server.close();
    await start();
    return (await acme.api(formatQuery({ filter, limit: 1_000 }))).body;
  }

  const SUMMARIES = 'eventType eq "system.log.summary"';

  it("S9 counts failed requests without credentials above the rate, in one event for an org and window", async () => {
    await server.close();
    await start({ logNoiseRate: 0 });
    const refused = [await asAcme("/api/v1/users"), await asAcme("/sso/idps/AAAA"), await asAcme("/nothing")];
    const served = [await asAcme(webfingerPath("joe@example.com")), await acme.api("/users/nobody")];
    expect([...refused, ...served].map(({ status }) => status)).toEqual([401, 404, 404, 200, 404]);

    expect(await listEvents(SUMMARIES)).toMatchObject([
      {
        severity: "WARN",
        actor: { id: "system", type: "SystemPrincipal" },
        outcome: { result: "FAILURE", reason: "3 requests have no event of their own" },
        target: null,
        debugContext: {
          debugData: {
            since: expect.stringMatching(/Z$/),
            requests: "3",
            aboveRate: "3",
            status401: "1",
            status404: "2",
          },
        },
      },
    ]);
    for (const answer of served) expect(await findEvents(acme, idOf(answer))).toHaveLength(1);
    const ids = refused.map((answer) => `transaction.id eq "${idOf(answer)}"`);
    expect((await acme.api(formatQuery({ filter: ids.join(" or ") }))).body).toEqual([]);
    expect((await demo.api(formatQuery({ filter: SUMMARIES }))).body).toEqual([]);
  });

  it.each([
    [9, undefined],
    [10, undefined],
    [11, "1"],
  ])("S9 of %i requests at a rate of one per second, counts what is above", async (count, above) => {
    await server.close();
    await start({ logNoiseRate: 1 });
    for (let i = 0; i < count; i++) await asAcme("/nothing");
    const [summary] = await listEvents(SUMMARIES);
    expect(summary?.debugContext.debugData["aboveRate"]).toBe(above);
    const { length } = await listEvents('debugContext.debugData.requestUri eq "/nothing"');
    expect(length).toBe(Math.min(count, 10));
  });

  it("S9 a log that is full for the day takes no events of requests, those without credentials first, but changes", async () => {
    await server.close();
    await start({ logDayLimit: 20_000 });
    const { reader } = await data.open();
    const used = async (): Promise<number> => {
      const heads = reader.selectFrom("log_heads").innerJoin("orgs", "orgs.id", "log_heads.org_id");
      const row = await heads.select("day_size").where("subdomain", "=", "acme").executeTakeFirst();
      return row?.day_size ?? 0;
    };
    /** Waits until all events so far are written. Asking the API for one would write more of them. */
    const settle = async (): Promise<void> => {
      const id = idOf(await demo.api("/zones"));
      const found = reader.selectFrom("log_events").select("request_id").where("request_id", "=", id);
      await until(() => found.executeTakeFirst());
    };
    const flood = async (send: () => Promise<Answer>, limit: number): Promise<Answer> => {
      while ((await used()) < limit) {
        await send();
        await settle();
      }
      const last = await send();
      await settle();
      return last;
    };
    const path = `/${"a".repeat(2_000)}`;
    const noise = await flood(() => asAcme(path), 5_000);
    const anonymous = await flood(() => asAcme(webfingerPath(`${"a".repeat(200)}@example.com`)), 10_000);
    const authenticated = await acme.api("/zones");
    expect(await findEvents(acme, idOf(authenticated))).toHaveLength(1);
    const last = await flood(() => acme.api(`/users?q=${"b".repeat(100)}&filter=${"c".repeat(1_500)}`), 20_000);
    const change = await acme.api("/zones", { method: "POST", body: { name: "Office" } });
    expect(change.status).toBe(200);

    await server.close();
    await start({ logDayLimit: 20_000 });
    const count = async (answer: Answer): Promise<number> =>
      (await acme.api(formatQuery({ filter: `transaction.id eq "${idOf(answer)}"` }))).body.length;
    const counts = [noise, anonymous, last, change].map(count);
    expect(await Promise.all(counts)).toEqual([0, 0, 0, 1]);
    const [summary] = await listEvents(SUMMARIES);
    expect(summary?.debugContext.debugData).toMatchObject({
      dayFull: expect.any(String),
      status404: expect.any(String),
    });
    const elsewhere = await demo.api("/zones");
    expect(await findEvents(demo, idOf(elsewhere))).toHaveLength(1);
  }, 120_000);
});
