import { startApi, type ApiClient } from "../support/api.js";
import { findEvents } from "../support/logs.js";
import { call, type Answer, type Call, type TestServer } from "../support/server.js";
import { makeFolder } from "../support/stores.js";

const ISSUER = "https://op.example/realms/a/";
const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const FORM = "application/x-www-form-urlencoded";
const MAX_BYTES = 16_384;

const idp = (name: string, type: string, issuer: string, more = {}) => ({
  name,
  type,
  protocol: {
    type,
    endpoints: { sso: { url: `https://op.example/${encodeURIComponent(name)}`, binding: "HTTP-REDIRECT" } },
    credentials: { trust: { issuer } },
  },
  ...more,
});

const origin = (name: string, url: string, scope: string, more = {}) => ({
  name,
  origin: url,
  scopes: [{ type: scope }],
  ...more,
});

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "<b>Demo",
      idps: [
        idp("OP", "OIDC", ISSUER),
        idp("Second", "OIDC", ISSUER),
        idp("SAML", "SAML2", "https://saml.example"),
        idp("Closed", "OIDC", "https://closed.example", { status: "INACTIVE" }),
      ],
      trustedOrigins: [
        origin("App", "https://app.example.com", "REDIRECT"),
        origin("Local", "http://localhost:3000", "REDIRECT"),
        origin("Page", "https://page.example.com", "CORS"),
        origin("Old", "https://old.example.com", "REDIRECT", { status: "INACTIVE" }),
      ],
    },
    { subdomain: "other", name: "Other", idps: [idp("Theirs", "OIDC", "https://theirs.example")] },
  ],
};

describe("a login that a third party begins at /sso", () => {
  const dataFolder = makeFolder();
  let server: TestServer;
  let api: ApiClient["api"];

  beforeAll(async () => {
    ({ server, api } = await startApi({ options: { dataFolder } }, {}, DOCUMENT));
  });
  afterAll(() => server.close());

  const send = (text: string, { headers, ...rest }: Call = {}): Promise<Answer> =>
    call(server, `/sso${text}`, { ...rest, headers: { ...BROWSER, ...headers } });
  const get = (parameters: Record<string, string>): Promise<Answer> =>
    send(`?${new URLSearchParams(parameters).toString()}`);
  const post = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send("", { method: "POST", body, headers: { "Content-Type": FORM, ...headers } });

  const textOf = ({ text }: Answer) => /<p role="status">(.*)<\/p>/.exec(text)?.[1];

  it("leads to the sign-on address of the provider with the issuer, the first by name", async () => {
    const parameters = { iss: ISSUER, login_hint: " j+o e@example.com " };
    const hint = "login_hint=j%2Bo%20e%40example.com";
    for (const answer of [await get(parameters), await post(new URLSearchParams(parameters).toString())]) {
      expect([answer.status, answer.text]).toEqual([303, ""]);
      expect(answer.headers).toMatchObject({
        location: `https://op.example/OP?${hint}`,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      });
    }
    expect((await get({ iss: ISSUER, other: "x", target_link_uri: "" })).headers["location"]).toBe(
      "https://op.example/OP",
    );
    expect((await send(`?iss=${ISSUER}`, { method: "HEAD" })).status).toBe(303);
    expect((await send("", { method: "PUT" })).headers["allow"]).toBe("GET, HEAD, OPTIONS, POST");
    expect((await send("/")).status).toBe(404);
  });

  it.each([
    ["https://app.example.com", "https://app.example.com/?"],
    ["https://app.example.com/a/../b?c=d%26e", "https://app.example.com/b?c=d%26e&"],
    ["HTTPS://APP.example.com:443/b?", "https://app.example.com/b?"],
    ["http://localhost:3000/start", "http://localhost:3000/start?"],
  ])("leads to the page of an application on a trusted origin, with issuer and login: %s", async (target, location) => {
    const parameters = { iss: ISSUER, login_hint: "joe@example.com", target_link_uri: target };
    const query = `iss=${encodeURIComponent(ISSUER)}&login_hint=joe%40example.com`;
    for (const answer of [await get(parameters), await post(new URLSearchParams(parameters).toString())]) {
      expect([answer.status, answer.headers["location"]]).toEqual([303, location + query]);
    }
    const { headers } = await get({ iss: ISSUER, target_link_uri: target });
    expect(headers["location"]).toBe(`${location}iss=${encodeURIComponent(ISSUER)}`);
  });

  it.each([
    "https://page.example.com/",
    "https://old.example.com/",
    "https://app.example.com.evil.example/",
    "https://app.example.com:8443/",
    "http://app.example.com/",
    "https://evil.example/https://app.example.com",
    "https://evil.example\\@app.example.com",
    "https://app.example.com@evil.example/",
    "https://joe@app.example.com/",
    "https://app.example.com/#a",
    "https://app.example.com/ a",
    "//app.example.com/",
    "/start",
    "javascript:alert(1)//https://app.example.com",
    "data:text/html,x",
    "https://app.example.com/?iss=https://evil.example",
    "https://app.example.com/?a=b&%69ss=https://evil.example",
    "https://app.example.com/?login_hint=ann",
    "https://app.example.com/\r\nSet-Cookie: a=b",
  ])("sends nobody to %j", async (target) => {
    const answer = await get({ iss: ISSUER, target_link_uri: target });
    expect(answer.status).toBe(400);
    expect(answer.headers["location"]).toBeUndefined();
    expect(textOf(answer)).toMatch(/^target_link_uri: /);
  });

  it("follows the trusted origins and the providers as they change", async () => {
    const target = "https://new.example.com/";
    const ask = async () => (await get({ iss: ISSUER, target_link_uri: target })).status;
    expect(await ask()).toBe(400);
    const { body } = await api("/trustedOrigins", {
      method: "POST",
      body: origin("New", "https://new.example.com", "REDIRECT"),
    });
    expect(await ask()).toBe(303);
    await api(`/trustedOrigins/${body.id}/lifecycle/deactivate`, { method: "POST" });
    expect(await ask()).toBe(400);

    const created = await api("/idps", { method: "POST", body: idp("Moved", "OIDC", "https://before.example") });
    expect((await get({ iss: "https://before.example" })).status).toBe(303);
    const moved = idp("Moved", "OIDC", "https://after.example");
    await api(`/idps/${created.body.id}`, { method: "PUT", body: moved });
    expect((await get({ iss: "https://before.example" })).status).toBe(400);
    expect((await get({ iss: "https://after.example" })).status).toBe(303);
    await api(`/idps/${created.body.id}/lifecycle/deactivate`, { method: "POST" });
    expect((await get({ iss: "https://after.example" })).status).toBe(400);
  });

  it.each([
    ["", "iss: is required"],
    [`iss=${ISSUER}&iss=${ISSUER}`, /^iss: takes one value/],
    ["iss=https://op.example/realms/a", /^iss: .* is the issuer of no active OpenID provider of this org$/],
    ["iss=https://closed.example", /^iss: .*no active OpenID provider/],
    ["iss=https://saml.example", /^iss: .*no active OpenID provider/],
    ["iss=https://theirs.example", /^iss: .*no active OpenID provider/],
    ["iss=%3Cscript%3E", /^iss: &quot;&lt;script&gt;&quot; is the issuer of no active/],
    [`iss=${"a".repeat(2_048)}`, /^iss: .*no active OpenID provider/],
    [`iss=${"a".repeat(2_049)}`, "iss: has 2049 characters; at most 2048 are allowed"],
    [`iss=${ISSUER}&login_hint=${"a".repeat(256)}`, "login_hint: has 256 characters; at most 255 are allowed"],
    [`iss=${ISSUER}&login_hint=a%0d%0ab`, "login_hint: has a control character at offset 1"],
    [`iss=${ISSUER}&login_hint=%ff`, /UTF-8/],
    [
      `iss=${ISSUER}&target_link_uri=https://app.example.com/${"a".repeat(2_025)}`,
      "target_link_uri: has 2049 characters; at most 2048 are allowed",
    ],
  ])("refuses %j with a page, and whatever is no browser with the error object", async (parameters, text) => {
    const pages = [await send(`?${parameters}`), await post(parameters)];
    for (const page of parameters.includes("%ff") ? pages.slice(1) : pages) {
      expect([page.status, page.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
      expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
      expect(textOf(page)).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
      expect(page.text).toContain('<a href="/sso/idps/SVC">Sign in to &lt;b&gt;Demo</a>');
    }
    for (const headers of [{ Accept: "application/json" }, { Accept: "*/*" }]) {
      const { status, body } = await send(`?${parameters}`, { headers });
      expect([status, /^E\d{7}$/.test(body.errorCode)]).toEqual([400, true]);
    }
  });

  it("takes a login and a target of the longest length", async () => {
    const target = `https://app.example.com/${"a".repeat(2_024)}`;
    for (const length of [254, 255]) {
      const login = "a".repeat(length);
      const { status, headers } = await get({ iss: ISSUER, login_hint: login, target_link_uri: target });
      expect([status, headers["location"]?.endsWith(`&login_hint=${login}`)]).toEqual([303, true]);
    }
  });

  it("takes forms up to a length, of one type, with as many parameters as a query", async () => {
    const iss = `iss=${encodeURIComponent(ISSUER)}`;
    const ofLength = (length: number) => `${iss}&a=${"a".repeat(length - iss.length - 3)}`;
    const statuses = async (bodies: string[]) => {
      const answers = [];
      for (const body of bodies) answers.push((await post(body)).status);
      return answers;
    };
    expect(await statuses([MAX_BYTES - 1, MAX_BYTES, MAX_BYTES + 1].map(ofLength))).toEqual([303, 303, 413]);
    expect(await statuses([99, 100, 101].map((count) => `${iss}${"&a=b".repeat(count - 1)}`))).toEqual([303, 303, 413]);
    expect((await post(iss, { "Content-Type": `${FORM}; charset=utf-8` })).status).toBe(303);
    for (const type of ["application/json", "text/plain", "multipart/form-data; boundary=a"]) {
      expect((await post(iss, { "Content-Type": type })).status).toBe(415);
    }
    expect((await post("__proto__=a&iss=")).status).toBe(400);
  });

  it("is in the log as a redirect", async () => {
    const { headers } = await get({ iss: "https://unknown.example" });
    const id = String(headers["x-svc-request-id"]);
    expect(await findEvents({ api }, id)).toMatchObject([
      { eventType: "system.sso.redirect", outcome: { result: "FAILURE", reason: expect.stringContaining("E0000001") } },
    ]);
  });
});
