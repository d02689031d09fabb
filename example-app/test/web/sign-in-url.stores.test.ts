import { startApi, type ApiClient } from "../support/api.js";
import { call, type Answer, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const APP = "https://app.acme.example/sign-in?from=etiquette";

describeStores((_engine, database) => {
  let server: TestServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    ({ server, api } = await startApi(await database(), {}, { orgs: [{ subdomain: "demo", name: "Demo" }] }));
  });
  afterEach(() => server.close());

  const importUrl = (signInUrl: unknown): Promise<Answer> =>
    api("/org/import", { method: "POST", body: { orgs: [{ subdomain: "demo", signInUrl }] } });
  const visit = (path: string): Promise<Answer> =>
    call(server, path, { headers: { Host: `demo.localhost:${server.port}`, Accept: "text/html" } });
  const leadsTo = async (path: string): Promise<unknown> => {
    const { status, headers, text } = await visit(path);
    return status === 200 ? text.includes('<form action="/sso/login"') : [status, headers["location"]];
  };

  test("W6 the org's own link leads to its sign-in address, with the login; without an address it is a page", async () => {
    expect(await leadsTo("/sso/idps/SVC")).toBe(true);
    expect((await importUrl(APP)).status).toBe(200);
    expect(await leadsTo("/sso/idps/SVC")).toEqual([302, APP]);
    expect(await leadsTo("/sso/idps/SVC?login_hint=joe%40a.example&hd=a.example&domain_hint=a.example")).toEqual([
      302,
      `${APP}&login_hint=joe%40a.example&domain_hint=a.example&hd=a.example`,
    ]);
    expect((await importUrl(null)).status).toBe(200);
    expect(await leadsTo("/sso/idps/SVC")).toBe(true);
  });

  test("W4 the page that asks for a login stays; a login that the org signs in goes on to the address", async () => {
    await importUrl(`${APP}&login_hint=set`);
    expect(await leadsTo("/sso/login")).toBe(true);
    expect(await leadsTo("/sso/login?login=")).toBe(true);
    expect(await leadsTo("/sso/login?login=joe")).toEqual([303, "/sso/idps/SVC?login_hint=joe"]);
    expect(await leadsTo("/sso/idps/SVC?login_hint=joe")).toEqual([302, `${APP}&login_hint=set`]);
  });

  test("an address among these pages leads to no loop", async () => {
    const { body } = await visit("/.well-known/webfinger?resource=acct:joe@a.example");
    const { href, origin } = new URL(body.links[0].href);
    for (const url of [href, `${origin}/sso`, `${origin.toUpperCase()}/sso/login?a=b`]) {
      expect((await importUrl(url)).status).toBe(200);
      expect(await leadsTo("/sso/idps/SVC")).toBe(true);
    }
    await importUrl(`${origin}/sso-app`);
    expect(await leadsTo("/sso/idps/SVC")).toEqual([302, `${origin}/sso-app`]);
  });

  test("an import keeps an address that it does not name, and an export has it", async () => {
    await importUrl(APP);
    await api("/org/import", { method: "POST", body: { orgs: [{ subdomain: "demo" }] } });
    expect((await api("/org/export")).body.orgs[0].signInUrl).toBe(APP);
    await importUrl(null);
    expect((await api("/org/export")).body.orgs[0].signInUrl).toBeNull();
  });

  const URL_OF = (length: number): string => `https://a.example/${"x".repeat(length - 18)}`;

  test.each([
    ["", /URL/],
    ["/sign-in", /URL/],
    ["javascript:alert(1)", /URL/],
    ["https://a.example/#here", /URL/],
    ["https://joe@a.example/", /URL/],
    [URL_OF(2_049), /2,?048/],
    [1, /string/],
    [[APP], /string/],
  ])("an import refuses the address %j", async (signInUrl, cause) => {
    const { status, body } = await importUrl(signInUrl);
    expect([status, body.errorCauses[0].errorSummary]).toEqual([400, expect.stringMatching(/^orgs\[0\]\.signInUrl: /)]);
    expect(body.errorCauses[0].errorSummary).toMatch(cause);
  });

  test.each([2_047, 2_048])("an import takes an address of %d characters", async (length) => {
    expect((await importUrl(URL_OF(length))).status).toBe(200);
  });
});
