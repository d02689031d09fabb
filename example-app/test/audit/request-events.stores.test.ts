import { once } from "node:events";
import https from "node:https";
import { exchange } from "../../../test/support/raw-socket.js";
import type { Store } from "../../src/store/store.js";
import { createClient, insertApiToken, type ApiClient } from "../support/api.js";
import { samlIdp, trustedOrigin, user, zone } from "../support/documents.js";
import { findEvents, formatQuery } from "../support/logs.js";
import { call, startTestServer, webfingerPath, type Answer, type Call, type TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { startTcpProxy } from "../support/tcp-proxy.js";
import { until } from "../../../test/support/until.js";

const JOE = webfingerPath("joe@example.com");

const HASH_REGEXP = /^[\w-]{22}$/;

describeStores((engine, database) => {
  let data: TestDatabase;
  let store: Store;
  let server: TestServer;
  let proxied: TestServer;
  let demo: ApiClient;
  let acme: ApiClient;

  beforeAll(async () => {
    const orgs = ["demo", "acme"].map((subdomain) => ({
      subdomain,
      name: subdomain,
      users: [user("joe@example.com")],
      idps: [samlIdp("First")],
      zones: [{ name: "Here", gateways: [{ type: "CIDR", value: "127.0.0.0/8" }] }, zone("Office")],
    }));
    data = await database();
    store = await data.open();
    server = await startTestServer(data, {}, { orgs });
    proxied = await startTestServer(data, { http: true, trustedProxies: ["127.0.0.0/8", "203.0.113.9"] });
    demo = await connect("demo");
    acme = await connect("acme");
  });
  afterAll(() => Promise.all([server.close(), proxied.close()]));

  const connect = async (subdomain: string, to = server): Promise<ApiClient> =>
    createClient(to, subdomain, await insertApiToken(data.options, subdomain));

  /** The tests share the org: each adds an origin with another name. */
  const addOrigin = (name: string, more: Call = {}): Promise<Answer> =>
    acme.api("/trustedOrigins", { method: "POST", body: trustedOrigin(name), ...more });

  const idOf = ({ headers }: Pick<Answer, "headers">): string => String(headers["x-svc-request-id"]);

  /** Without credentials. */
  const asAcme = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    call(server, path, { method, headers: { Host: "acme.localhost", ...headers } });

  const expectNothing = async ({ api }: ApiClient, id: string): Promise<void> => {
    expect((await api(formatQuery({ filter: `transaction.id eq "${id}"` }))).body).toEqual([]);
  };

  const SERVED: [string, number, () => Promise<Answer>, object][] = [
    ["a read", 200, () => acme.api("/trustedOrigins"), { eventType: "system.api.request", severity: "DEBUG" }],
    [
      "a change",
      200,
      () => addOrigin("Change"),
      { eventType: "security.trusted_origin.create", severity: "INFO", target: [{ type: "TrustedOrigin" }] },
    ],
    [
      "HEAD",
      200,
      () => acme.api("/trustedOrigins", { method: "HEAD" }),
      { debugContext: { debugData: { method: "HEAD", statusCode: "200" } } },
    ],
    [
      "what is not modified",
      304,
      async () => {
        const { headers } = await acme.api("/users/joe@example.com");
        return acme.api("/users/joe@example.com", { headers: { "If-None-Match": String(headers.etag) } });
      },
      { severity: "DEBUG", outcome: { result: "SUCCESS", reason: null } },
    ],
    [
      "a body that is wrong",
      400,
      () => acme.api("/trustedOrigins", { method: "POST", body: { name: "x", scopes: [] } }),
      {
        eventType: "system.api.request",
        severity: "WARN",
        outcome: { result: "FAILURE", reason: expect.stringMatching(/^E0000001: Api validation failed/) },
      },
    ],
    [
      "missing credentials",
      401,
      () => asAcme("/api/v1/users"),
      { actor: { id: "unknown" }, outcome: { reason: "E0000011: Invalid token provided" } },
    ],
    [
      "lacking scope",
      403,
      async () => {
        const token = await insertApiToken(data.options, "acme", ["zones.read"]);
        return asAcme("/api/v1/users", { Authorization: `SVC ${token}` });
      },
      { actor: { type: "ApiToken" }, severity: "WARN" },
    ],
    ["an unknown record", 404, () => acme.api("/trustedOrigins/none"), { outcome: { result: "FAILURE" } }],
    ["an unknown path", 404, () => asAcme("/nothing"), { eventType: "system.http.request" }],
    ["another method", 405, () => acme.api("/trustedOrigins", { method: "PATCH" }), { severity: "WARN" }],
    [
      "an outdated tag",
      412,
      () => acme.api("/users/joe@example.com", { method: "POST", body: {}, headers: { "If-Match": 'W/"x"' } }),
      { outcome: { reason: "E0000231: ETag value doesn't match." } },
    ],
    [
      "a preflight",
      204,
      async () => {
        const { origin } = (await addOrigin("Preflight")).body;
        return asAcme("/api/v1/users", { Origin: origin, "Access-Control-Request-Method": "GET" }, "OPTIONS");
      },
      { debugContext: { debugData: { method: "OPTIONS", statusCode: "204" } } },
    ],
    [
      "WebFinger",
      200,
      () => asAcme(JOE),
      { eventType: "system.webfinger.query", target: [{ type: "Policy" }, { type: "PolicyRule" }, { id: "SVC" }] },
    ],
    [
      "a redirect to sign in",
      302,
      async () => asAcme(`/sso/idps/${(await acme.api("/idps")).body[0].id}`),
      { eventType: "system.sso.redirect" },
    ],
  ];

  it.each(SERVED)(
    "D2 finds the id of a request in the log of its org: %s (%i)",
    async (_title, status, send, event) => {
      const answer = await send();
      expect(answer.status).toBe(status);
      const id = idOf(answer);
      expect(await findEvents(acme, id)).toMatchObject([{ ...event, transaction: { type: "WEB", id } }]);
      await expectNothing(demo, id);
    },
  );

  it("has all events of a change share one transaction, and nothing beside them", async () => {
    const { profile } = user("ann@example.com");
    const change = await acme.api("/users", { method: "POST", body: { profile } });
    const later = await acme.api("/users");
    expect(await findEvents(acme, idOf(later))).toHaveLength(1); // what was to be written before is there
    const events = await findEvents(acme, idOf(change));
    expect(events.map(({ eventType }) => eventType)).toEqual(["user.lifecycle.create", "user.lifecycle.activate"]);
    expect(new Set(events.map(({ transaction }) => transaction.id))).toEqual(new Set([idOf(change)]));
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(2);
  });

  it("D2 finds the id of a change that failed after it was recorded", async () => {
    await addOrigin("First");
    const answer = await addOrigin("Other", { body: { ...trustedOrigin("First"), name: "Other" } });
    expect(answer.status).toBe(400);
    expect(await findEvents(acme, idOf(answer))).toMatchObject([
      { eventType: "system.api.request", outcome: { result: "FAILURE" } },
    ]);
  });

  it("D2 finds the id of an answer for which the client did not wait", async () => {
    const request = https.request({
      host: "127.0.0.1",
      port: server.port,
      path: "/api/v1/trustedOrigins",
      method: "POST",
      headers: {
        Host: "acme.localhost",
        Authorization: `SVC ${await insertApiToken(data.options, "acme")}`,
        "Content-Type": "application/json",
        "Content-Length": "100",
        Expect: "100-continue",
      },
      ca: server.ca,
      servername: "localhost",
    });
    request.on("error", () => undefined);
    request.flushHeaders();
    await once(request, "continue");
    request.destroy();
    const line = await until(() => server.lines.find(({ aborted, org }) => aborted && org === "acme"));
    expect(await findEvents(acme, String(line!["requestId"]))).toMatchObject([
      { eventType: "system.api.request", outcome: { result: "FAILURE" } },
    ]);
  });

  it("D2 S1 finds the id of what a proxy reports as plain HTTP in the log of the org that was named", async () => {
    const answer = await call(proxied, "/api/v1/users", { headers: { Host: "acme.localhost" } });
    expect(answer.status).toBe(403);
    expect(await findEvents(acme, idOf(answer))).toMatchObject([
      { outcome: { reason: expect.stringMatching(/^E0000006: /) } },
    ]);
  });

  it("C3 describes the way from the client through the proxies that are trusted, and nothing beyond", async () => {
    const answer = await call(proxied, JOE, {
      headers: {
        Host: "acme.localhost",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "198.51.100.66, 2001:db8::1, 203.0.113.9",
      },
    });
    const [event] = await findEvents(acme, idOf(answer));
    expect(event).toMatchObject({ client: { ipAddress: "2001:db8::1" } });
    expect(event!.request.ipChain).toEqual([
      { ip: "2001:db8::1", geographicalContext: null, version: "V6", source: "x-forwarded-for" },
      { ip: "203.0.113.9", geographicalContext: null, version: "V4", source: "x-forwarded-for" },
      { ip: "127.0.0.1", geographicalContext: null, version: "V4", source: "socket" },
    ]);
  });

  if (engine === "PostgreSQL") {
    it("D2 finds the ids of requests that were answered while the database was away", async () => {
      const url = new URL(data.options.databaseUrl!);
      const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
      const databaseUrl = Object.assign(url, { hostname: "127.0.0.1", port: String(proxy.port) }).href;
      const other = await startTestServer({ options: { ...data.options, databaseUrl } });
      const askOther = (path: string) => call(other, path, { headers: { Host: "acme.localhost" } });
      await askOther(JOE);
      await proxy.cut();
      const answers = [await askOther(JOE), await askOther("/nothing")];
      await until(() => other.lines.some(({ msg }) => msg === "log events are waiting for the database"));
      await proxy.restore();
      for (const answer of answers) expect(await findEvents(acme, idOf(answer))).toHaveLength(1);
      await other.close();
      await proxy.cut();
    });
  }

  it("D2 keeps the cause of a 5xx to the program log", async () => {
    await store.write(async ({ db }) => {
      await db.schema.alterTable("zones").renameTo("zones_away").execute();
    });
    const answer = await acme.api("/zones");
    await store.write(async ({ db }) => {
      await db.schema.alterTable("zones_away").renameTo("zones").execute();
    });
    expect(answer.status).toBe(500);
    expect(await findEvents(acme, idOf(answer))).toMatchObject([
      { severity: "ERROR", outcome: { result: "FAILURE", reason: "E0000009: Internal Server Error" } },
    ]);
  });

  it.each<[string, number, string, object]>([
    [
      "an unknown host",
      404,
      "GET /x HTTP/1.1\r\nHost: nobody.localhost\r\nUser-Agent: Caf\xc3\xa9\r\nConnection: close\r\n\r\n",
      {
        eventType: "system.http.request",
        outcome: { reason: "E0000007: Not found: Resource not found: nobody.localhost (Org)" },
        client: { ipAddress: "127.0.0.1", userAgent: { rawUserAgent: "" } },
        debugContext: { debugData: { url: "" } },
      },
    ],
    ["no host", 400, "GET /x HTTP/1.1\r\n\r\n", { eventType: "system.http.refused" }],
    [
      "what can't be parsed",
      400,
      "NONSENSE\r\n\r\n",
      {
        eventType: "system.http.refused",
        severity: "WARN",
        client: { ipAddress: "127.0.0.1" },
        request: { ipChain: [{ ip: "127.0.0.1", version: "V4", source: "socket" }] },
      },
    ],
    ["a header that is too large", 431, `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, {}],
    ["an expectation", 417, "GET /x HTTP/1.1\r\nHost: localhost\r\nExpect: 200-ok\r\n\r\n", {}],
    [
      "a length that is wrong",
      400,
      "POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7, 7\r\n\r\n",
      { outcome: { result: "FAILURE" } },
    ],
    [
      "a body that breaks off",
      400,
      "POST /api/v1/trustedOrigins HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nAuthorization: SVC {token}\r\n\r\nzz\r\n",
      { outcome: { result: "FAILURE" } },
    ],
  ])(
    "D2 finds the id of what belongs to no org in the log of the default org: %s (%i)",
    async (_t, status, text, event) => {
      const token = await insertApiToken(data.options, "demo");
      const answer = await exchange(server.port, text.replace("{token}", token), { tls: true });
      const [, code, id] = /^HTTP\/1\.1 (\d+) [^]*X-Svc-Request-Id: (\S+)\r\n/i.exec(answer) ?? [];
      expect(Number(code)).toBe(status);
      expect(await findEvents(demo, String(id))).toMatchObject([event]);
      await expectNothing(acme, String(id));
    },
  );

  it("D2 finds the id of a request in plain HTTP", async () => {
    const answer = await exchange(server.port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [, id] = /X-Svc-Request-Id: (\S+)\r\n/i.exec(answer) ?? [];
    expect(await findEvents(demo, String(id))).toMatchObject([
      { eventType: "system.http.refused", outcome: { reason: expect.stringContaining("E0000006") } },
    ]);
  });

  it("D2 writes what is waiting before the store is closed", async () => {
    const node = await startTestServer(data);
    const answer = await (await connect("acme", node)).api("/trustedOrigins");
    const refused = await exchange(node.port, "NONSENSE\r\n\r\n", { tls: true });
    await node.close();
    expect(node.lines.filter(({ msg }) => String(msg).startsWith("log events"))).toEqual([]);
    const ids = [idOf(answer), /X-Svc-Request-Id: (\S+)/i.exec(refused)?.[1]];
    const rows = await store.reader.selectFrom("log_events").select("request_id").execute();
    expect(rows.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(ids));
  });

  it("D2 writes what is waiting for an org that is first looked up when the server no longer listens", async () => {
    const node = await startTestServer(data, { trustedProxies: ["127.0.0.0/8"] });
    const answer = await call(node, JOE, { headers: { Host: "acme.localhost", "X-Forwarded-Proto": "http" } });
    expect(answer.status).toBe(403); // before anybody asked which org it is
    await node.close();
    expect(await findEvents(acme, idOf(answer))).toHaveLength(1);
  });

  it("C7 describes client, hops, zone and actor, and holds neither the device's fingerprint nor credentials", async () => {
    const answer = await acme.api("/trustedOrigins?q=joe&access_token=secret-a&Client_Secret=secret-b", {
      headers: {
        "User-Agent": Buffer.from("Café (iPhone; CPU iPhone OS 17_0) AppleWebKit/605 Safari/604").toString("latin1"),
        "X-Device-Fingerprint": "secret-print",
        "X-Forwarded-For": "198.51.100.7",
        Cookie: "secret-cookie",
      },
    });
    const id = idOf(answer);
    const [event] = await findEvents(acme, id);
    expect(event).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      published: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: "0",
      eventType: "system.api.request",
      severity: "DEBUG",
      displayMessage: "API request",
      actor: {
        id: expect.stringMatching(/^\w{20}$/),
        type: "ApiToken",
        alternateId: expect.stringMatching(/^\w{20}$/),
        displayName: expect.stringMatching(/^test /),
        detailEntry: null,
      },
      client: {
        userAgent: { rawUserAgent: expect.stringContaining("Café (iPhone"), os: "iOS", browser: "SAFARI" },
        zone: "Here",
        device: "Mobile",
        id: null,
        ipAddress: "127.0.0.1",
        geographicalContext: null,
        deviceFingerprint: expect.stringMatching(HASH_REGEXP),
      },
      outcome: { result: "SUCCESS", reason: null },
      target: null,
      transaction: { type: "WEB", id, detail: {} },
      debugContext: {
        debugData: {
          requestId: id,
          requestUri: "/api/v1/trustedOrigins",
          url: "/api/v1/trustedOrigins?q=joe&access_token=***&Client_Secret=***",
          method: "GET",
          statusCode: "200",
        },
      },
      authenticationContext: {},
      securityContext: {},
      request: { ipChain: [{ ip: "127.0.0.1", geographicalContext: null, version: "V4", source: "socket" }] },
    });
    expect(JSON.stringify(event)).not.toContain("secret-");
  });

  describe("languages and device", () => {
    const LANGUAGES = { "Accept-Language": "en;q=0.5, de-DE, de;q=0.9, !" };
    const DEVICE = { "X-Device-Fingerprint": "secret-print" };
    const HTTPS = { "X-Forwarded-Proto": "https" }; // what a proxy says

    const clientOf = async (org: ApiClient, answer: Answer): Promise<Record<string, unknown>> =>
      (await findEvents(org, idOf(answer)))[0]!.client;

    it("C7 are in the events of requests and changes, and filters find them", async () => {
      const ids: Record<string, string> = {};
      const ask = async (name: string, call: Promise<Answer>): Promise<Record<string, unknown>> => {
        const answer = await call;
        ids[name] = idOf(answer);
        return clientOf(acme, answer);
      };
      const both = await ask("both", asAcme(JOE, { ...LANGUAGES, ...DEVICE }));
      expect(both).toMatchObject({
        languages: ["de-DE", "de", "en"],
        deviceFingerprint: expect.stringMatching(HASH_REGEXP),
      });
      const headers = { ...LANGUAGES, ...DEVICE };
      expect(await ask("change", addOrigin("Languages", { headers }))).toEqual(both);
      const { deviceFingerprint, ...bare } = await ask("device", asAcme("/sso/idps/SVC", DEVICE));
      expect(deviceFingerprint).toBe(both["deviceFingerprint"]);
      expect(await ask("language", asAcme("/nowhere", { "Accept-Language": "de" }))).toEqual({
        ...bare,
        languages: ["de"],
      });
      const unusable = { "Accept-Language": "*, de;q=0, !", "X-Device-Fingerprint": "secret print" };
      expect(await ask("neither", asAcme(JOE, unusable))).toEqual(bare);

      const cases: [filter: string, names: string[]][] = [
        ['client.languages eq "de"', ["both", "change", "language"]],
        ['client.languages eq "DE"', []],
        ['client.languages sw "de-"', ["both", "change"]],
        ["client.languages pr", ["both", "change", "language"]],
        [`client.deviceFingerprint eq "${String(deviceFingerprint)}"`, ["both", "change", "device"]],
        ["not (client.languages pr or client.deviceFingerprint pr)", ["neither"]],
      ];
      const mine = Object.values(ids).map((id) => `transaction.id eq "${id}"`);
      for (const [filter, names] of cases) {
        const { body } = await acme.api(formatQuery({ filter: `(${mine.join(" or ")}) and ${filter}` }));
        const found = (body as { transaction: { id: string } }[]).map(({ transaction }) => transaction.id);
        expect([filter, found.sort()]).toEqual([filter, names.map((name) => ids[name]).sort()]);
      }
    });

    it("C6 the hash is that of all servers with the secret, and of one org", async () => {
      const hashOf = async (org: ApiClient, Host: string, on: TestServer): Promise<unknown> =>
        (await clientOf(org, await call(on, JOE, { headers: { Host, ...HTTPS, ...DEVICE } })))["deviceFingerprint"];
      const hash = await hashOf(acme, "acme.localhost", server);
      expect(hash).toMatch(HASH_REGEXP);
      expect(await hashOf(demo, "demo.localhost", server)).not.toBe(hash);
      const other = await call(server, JOE, { headers: { Host: "acme.localhost", "X-Device-Fingerprint": "other" } });
      expect((await clientOf(acme, other))["deviceFingerprint"]).not.toBe(hash);

      expect(await hashOf(acme, "acme.localhost", proxied)).toBe(hash);
      const stranger = await startTestServer(data, { secrets: ["s".repeat(32)] });
      expect(await hashOf(acme, "acme.localhost", stranger)).not.toBe(hash);
      await stranger.close();
    });

    it("C6 the fingerprint itself is stored nowhere", async () => {
      const answers = [await asAcme(JOE, DEVICE), await addOrigin("Device", { headers: DEVICE })];
      for (const answer of answers) expect(await clientOf(acme, answer)).toHaveProperty("deviceFingerprint");
      const rows = await store.reader.selectFrom("log_events").selectAll().execute();
      expect(rows.length).toBeGreaterThan(1);
      expect(JSON.stringify([rows, server.lines])).not.toContain("secret-print");
    });
  });
}, afterAll);
