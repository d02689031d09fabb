import { user } from "../support/documents.js";
import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { type Answer, type TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const FORM = "application/x-www-form-urlencoded";
const LOGINS = ["ann@example.com", "bob@example.com", "cem@example.com", "dan@example.com"];

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    data = await database();
    ({ server, api } = await startApi(data));
    for (const login of LOGINS) expect((await api("/users", { method: "POST", body: user(login) })).status).toBe(200);
  });
  afterEach(() => server.close());

  const query = (path: string, body: string, type = FORM, client: Pick<ApiClient, "api"> = { api }): Promise<Answer> =>
    client.api(path, { method: "QUERY", body, headers: { "Content-Type": type } });

  const loginsOf = ({ body }: Answer) => (body as { profile: { login: string } }[]).map(({ profile }) => profile.login);

  test("Q5 lists take QUERY with a form or with JSON, and answer as they answer GET", async () => {
    const filter = 'profile.login eq "bob@example.com" or profile.login eq "cem@example.com"';
    const byUrl = await api(`/users?filter=${encodeURIComponent(filter)}&limit=1`);
    expect(loginsOf(byUrl)[0]).toMatch(/^(?:bob|cem)@/);
    expect(byUrl.headers["accept-query"]).toBe(`${FORM}, application/json`);
    const form = new URLSearchParams({ filter, limit: "1" }).toString();
    for (const answer of [
      await query("/users", form),
      await query("/users", JSON.stringify({ filter, limit: 1 }), "application/json"),
    ]) {
      expect([answer.status, answer.body]).toEqual([200, byUrl.body]);
      const same = await api(answer.headers["content-location"]!.replace("/api/v1", ""));
      expect(same.body).toEqual(byUrl.body);
    }
  });

  test("Q5 a filter may be longer than a URL, and its pages are read with the same body", async () => {
    const others = [1, 2, 3, 4].map((n) => `${"ü".repeat(1_500)}${n}@example.com`);
    const filter = [...LOGINS, ...others].map((login) => `profile.login eq "${login}"`).join(" or ");
    const body = new URLSearchParams({ filter }).toString();
    expect(body.length).toBeGreaterThan(16_384);
    const found: string[] = [];
    let path = "/users?limit=2";
    for (let page = 0; page < 2; page++) {
      const answer = await query(path, body);
      expect(answer.status).toBe(200);
      expect(answer.headers["location"]).toBeUndefined();
      found.push(...loginsOf(answer));
      path = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(String(answer.headers["link"]))?.[1] ?? "";
    }
    expect(found.toSorted()).toEqual(LOGINS);
    expect(path).toBe("");
  });

  test("Q5 the log is read with QUERY, and since stays in the body", async () => {
    const body = "since=2020-01-01T00:00:00.000Z&limit=2&sortOrder=DESCENDING";
    const first = await query("/logs", body);
    expect([first.status, (first.body as unknown[]).length]).toEqual([200, 2]);
    const next = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(String(first.headers["link"]))?.[1] ?? "";
    expect(next).toMatch(/^\/logs\?after=/);
    const second = await query(next, body);
    expect(second.status).toBe(200);
    expect(second.body).not.toEqual(first.body);
  });

  test("Q5 what is no list, another media type and an unsupported selection are refused", async () => {
    const [{ id }] = (await api("/users?limit=1")).body as [{ id: string }];
    const single = await query(`/users/${id}`, "limit=1");
    expect([single.status, single.body.errorCode]).toEqual([405, "E0000022"]);
    const list = await api("/users", { method: "DELETE" });
    expect(String(list.headers["allow"]).split(", ")).toContain("QUERY");
    const plain = await query("/users", "limit=1", "text/plain");
    expect([plain.status, plain.headers["accept-query"]]).toEqual([415, `${FORM}, application/json`]);
    const unsupported = await query("/zones", 'search=name+eq+"a"'.replaceAll('"', "%22"));
    expect([unsupported.status, unsupported.body.errorCode]).toEqual([400, "E0000094"]);
    expect((await query("/users", "limit=0")).status).toBe(400);
    expect((await query("/users", `filter=${"x".repeat(110_000)}`)).status).toBe(413);
  });

  test("Q5 a QUERY needs the scope of the list, as a GET does", async () => {
    const token = await insertApiToken(data.options, "demo", ["users.read"]);
    const client = createClient(server, "demo", token);
    const answer = await query("/users", "limit=5", FORM, client);
    expect([answer.status, loginsOf(answer).length]).toEqual([200, LOGINS.length]);
    expect((await query("/logs", "limit=5", FORM, client)).status).toBe(403);
    expect((await query("/users", "limit=5", FORM, createClient(server, "demo", "no-token"))).status).toBe(401);
  });

  test("O1 pages of trusted origins may send a QUERY where they may read the list", async () => {
    const origin = "https://app.example.com";
    await api("/trustedOrigins", { method: "POST", body: { name: "App", origin, scopes: [{ type: "CORS" }] } });
    const preflight = await api("/logs", {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "QUERY",
        "Access-Control-Request-Headers": "if-none-match",
      },
    });
    expect([preflight.status, preflight.headers["access-control-allow-methods"]]).toEqual([204, "QUERY"]);
  });
});
