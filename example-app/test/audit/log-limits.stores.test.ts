import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { exchange } from "../../../test/support/raw-socket.js";
import { createClient, describeApi, insertApiToken, type ApiClient, type TestOrg } from "../support/api.js";
import { findEvents, formatQuery } from "../support/logs.js";
import { call, importDocument, startTestServer, webfingerPath, type Answer } from "../support/server.js";
import type { LogEvent } from "../../src/model/records.js";
import { until } from "../../../test/support/until.js";

const ISSUER = "https://login.example.com";
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const ORG = {
  issuers: [
    {
      issuer: ISSUER,
      audience: "api",
      keys: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256" }] },
    },
  ],
};

const idOf = ({ headers }: Pick<Answer, "headers">): string => String(headers["x-svc-request-id"]);

/** A text of `length` characters as an event with at most `max` shows it. */
const shown = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

describeApi((openOrg) => {
  let demo: ApiClient;
  let acme: TestOrg;

  beforeAll(async () => {
    acme = await openOrg(() => ORG);
    await importDocument(acme.options, { orgs: [{ subdomain: "demo", name: "demo" }] }); // the default org
    demo = createClient(acme.server, "demo", await insertApiToken(acme.options, "demo"));
  });

  describe.each([-1, 0, 1])("caps the texts of an event (%i)", (more) => {
    const eventOf = async (answer: Answer, org: ApiClient = acme): Promise<LogEvent> =>
      (await findEvents(org, idOf(answer)))[0]!;

    it("S9 the path and the URL", async () => {
      const path = `/${"a".repeat(2_047 + more)}`;
      const { debugData } = (await eventOf(await acme.visit(path))).debugContext;
      expect(debugData).toMatchObject({ requestUri: shown(path, 2_048), url: shown(path, 2_048) });
      const url = "/x?q=";
      const query = `${url}${"b".repeat(2_048 - url.length + more)}`;
      const event = await eventOf(await acme.visit(query));
      expect(event.debugContext.debugData).toMatchObject({ requestUri: "/x", url: shown(query, 2_048) });
    });

    it("S9 the user agent", async () => {
      const agent = "c".repeat(1_024 + more);
      const { userAgent } = (await eventOf(await acme.visit("/x", { headers: { "User-Agent": agent } }))).client;
      expect(userAgent.rawUserAgent).toBe(shown(agent, 1_024));
      const early = await call(acme.server, "/x", { headers: { Host: "nobody.localhost", "User-Agent": agent } });
      expect((await eventOf(early, demo)).client.userAgent.rawUserAgent).toBe("");
    });

    it("S9 the reason", async () => {
      const reason = (id: string): string => `E0000007: Not found: Resource not found: ${id} (IdentityProvider)`;
      const id = "d".repeat(512 - reason("").length + more);
      const { outcome } = await eventOf(await acme.visit(`/sso/idps/${id}`));
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
      const answer = await acme.visit("/api/v1/zones", { headers: { Authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      const name = shown(subject, 512);
      expect((await eventOf(answer)).actor).toMatchObject({ id: name, alternateId: name, displayName: name });
    });
  });

  it.each([
    ["417", "{org}.localhost\r\nExpect: 200-ok\r\n"],
    ["426", "{org}.localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"],
    ["431", `{org}.localhost\r\n${"A: b\r\n".repeat(101)}`],
    ["400", "{ORG}.localhost:443\r\nHost: b\r\n"],
  ])("A2 a request that is refused (%s) is in the log of the org that was asked", async (status, text) => {
    const fields = text.replace("{org}", acme.subdomain).replace("{ORG}", acme.subdomain.toUpperCase());
    const answer = await exchange(acme.server.port, `GET /x?q=ann HTTP/1.1\r\nHost: ${fields}\r\n`, { tls: true });
    const [, code, id = ""] = /^HTTP\/1\.1 (\d+) [^]*X-Svc-Request-Id: (\S+)\r\n/i.exec(answer) ?? [];
    expect(code).toBe(status);
    expect(await findEvents(acme, id)).toMatchObject([
      { eventType: "system.http.refused", debugContext: { debugData: { url: "/x?q=ann" } } },
    ]);
    expect((await demo.api(formatQuery({ filter: `transaction.id eq "${id}"` }))).body).toEqual([]);
  });

  it("A2 the default org is told nothing of a request whose head can't be read", async () => {
    const text = `POST /x?q=ann HTTP/1.1\r\nHost: ${acme.subdomain}.localhost\r\nUser-Agent: ann\r\nContent-Length: 7, 7\r\n\r\n`;
    const answer = await exchange(acme.server.port, text, { tls: true });
    const [, id = ""] = /X-Svc-Request-Id: (\S+)\r\n/i.exec(answer) ?? [];
    const events = await findEvents(demo, id);
    expect(events).toMatchObject([{ eventType: "system.http.refused", debugContext: { debugData: { url: "" } } }]);
    expect(JSON.stringify(events)).not.toContain("ann");
  });

  it("A2 the default org is told nothing that was sent to a host without an org", async () => {
    const answer = await call(acme.server, webfingerPath("ann@acme.example"), {
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
    const answer = await acme.visit(
      "/api/v1/users?limit=5&%74oken=secret-a&Api%5FKey=secret-b&secret-c&q=joe#secret-d",
    );
    const [event] = await findEvents(acme, idOf(answer));
    expect(event?.debugContext.debugData["url"]).toBe("/api/v1/users?limit=5&%74oken=***&Api%5FKey=***&***&q=joe#***");
    const encoded = await acme.visit("/api/v1/users%3Ftoken=secret-e");
    await findEvents(acme, idOf(encoded));
    const rows = await acme.store.reader.selectFrom("log_events").select(["event", "search_text"]).execute();
    expect(JSON.stringify([rows, acme.server.lines])).not.toContain("secret-");
  });

  const listEvents = async ({ api }: ApiClient, filter: string): Promise<LogEvent[]> =>
    (await api(formatQuery({ filter, limit: 1_000 }))).body;

  const SUMMARIES = 'eventType eq "system.log.summary"';

  it("S9 counts failed requests without credentials above the rate, in one event for an org and window", async () => {
    const org = await openOrg();
    const node = await startTestServer(org, { logNoiseRate: 0 });
    const { api, visit } = org.at(node);
    const refused = [await visit("/api/v1/users"), await visit("/sso/idps/AAAA"), await visit("/nothing")];
    const served = [await visit(webfingerPath("joe@example.com")), await api("/users/nobody")];
    expect([...refused, ...served].map(({ status }) => status)).toEqual([401, 404, 404, 200, 404]);
    await node.close(); // which writes what it has counted

    expect(await listEvents(org, SUMMARIES)).toMatchObject([
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
    for (const answer of served) expect(await findEvents(org, idOf(answer))).toHaveLength(1);
    const ids = refused.map((answer) => `transaction.id eq "${idOf(answer)}"`);
    expect(await listEvents(org, ids.join(" or "))).toEqual([]);
    expect(await listEvents(demo, SUMMARIES)).toEqual([]);
  });

  it.each([
    [9, undefined],
    [10, undefined],
    [11, "1"],
  ])("S9 of %i requests at a rate of one per second, counts what is above", async (count, above) => {
    const org = await openOrg();
    const node = await startTestServer(org, { logNoiseRate: 1 });
    for (let i = 0; i < count; i++) await org.at(node).visit("/nothing");
    await node.close();
    const [summary] = await listEvents(org, SUMMARIES);
    expect(summary?.debugContext.debugData["aboveRate"]).toBe(above);
    const { length } = await listEvents(org, 'debugContext.debugData.requestUri eq "/nothing"');
    expect(length).toBe(Math.min(count, 10));
  });

  it("S9 a log that is full for the day takes no events of requests, those without credentials first, but changes", async () => {
    const org = await openOrg();
    const node = await startTestServer(org, { logDayLimit: 20_000 });
    const { api, visit } = org.at(node);
    const other = (await openOrg()).at(node);
    const { reader } = org.store;
    const used = async (): Promise<number> => {
      const heads = reader.selectFrom("log_heads").select("day_size").where("org_id", "=", org.id);
      return (await heads.executeTakeFirst())?.day_size ?? 0;
    };
    /** Waits until all events so far are written. Asking the API for one would write more of them. */
    const settle = async (): Promise<void> => {
      const id = idOf(await other.api("/zones"));
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
    const noise = await flood(() => visit(path), 5_000);
    const anonymous = await flood(() => visit(webfingerPath(`${"a".repeat(200)}@example.com`)), 10_000);
    const authenticated = await api("/zones");
    expect(await findEvents({ api }, idOf(authenticated))).toHaveLength(1);
    const last = await flood(() => api(`/users?q=${"b".repeat(100)}&filter=${"c".repeat(1_500)}`), 20_000);
    const change = await api("/zones", { method: "POST", body: { name: "Office" } });
    expect(change.status).toBe(200);
    const elsewhere = await other.api("/zones");
    expect(await findEvents(other, idOf(elsewhere))).toHaveLength(1);

    await node.close();
    const count = async (answer: Answer): Promise<number> =>
      (await listEvents(org, `transaction.id eq "${idOf(answer)}"`)).length;
    const counts = [noise, anonymous, last, change].map(count);
    expect(await Promise.all(counts)).toEqual([0, 0, 0, 1]);
    const [summary] = await listEvents(org, SUMMARIES);
    expect(summary?.debugContext.debugData).toMatchObject({
      dayFull: expect.any(String),
      status404: expect.any(String),
    });
  }, 120_000);
});
