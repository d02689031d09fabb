import { describeApi, type TestOrg } from "../support/api.js";
import { startTestServer, webfingerPath } from "../support/server.js";

const HOSTILE_NAME = `<script>alert(1)</script>"'&`;
const URL_OF_IDP = "https://idp.example/sso?a=1&b=%20;";

const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const SUFFIX = (value: string) => ({ type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value }] });

/** What the links of a page lead to, below `/sso/idps/`. */
const linksOf = (html: string) => Array.from(html.matchAll(/<a href="\/sso\/idps\/([^"]*)"/g), ([, path]) => path);

const describeOrg = () => ({
  name: HOSTILE_NAME,
  idps: ["Corporate", "Closed"].map((idp) => ({
    name: idp,
    type: "SAML2",
    status: idp === "Closed" ? "INACTIVE" : "ACTIVE",
    protocol: { type: "SAML2", endpoints: { sso: { url: URL_OF_IDP, binding: "HTTP-POST" } } },
  })),
  rules: [
    {
      name: "suffix",
      conditions: {
        userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "example.com" }] },
      },
      actions: { idp: { providers: [{ idp: "Closed" }, { idp: "Corporate" }] } },
    },
    {
      name: "plus and space",
      conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "EQUALS", value: "a+b c" }] } },
      actions: { idp: { providers: [{ idp: "Corporate" }] } },
    },
  ],
});

describeApi((openOrg) => {
  let org: TestOrg;
  let api: TestOrg["api"];
  let ids: Record<string, string>;

  beforeEach(async () => {
    org = await openOrg(describeOrg);
    ({ api } = org);
    const { body } = await api("/idps");
    ids = Object.fromEntries(body.map(({ id, name }: { id: string; name: string }) => [name, id]));
  });

  const visit = (path: string, method = "GET", { visit: send } = org) => send(path, { method, headers: BROWSER });

  test("W5 the link of an active identity provider redirects to its sign-on address", async () => {
    const { body } = await org.visit(webfingerPath("joe@example.com"));
    const { pathname } = new URL(body.links[0].href);
    expect(pathname).toBe(`/sso/idps/${ids["Corporate"]}`);
    const { status, headers, text } = await visit(pathname);
    expect({ status, text }).toEqual({ status: 302, text: "" });
    expect(headers).toMatchObject({
      location: URL_OF_IDP,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect((await visit(pathname, "HEAD")).status).toBe(302);
    expect((await visit(pathname, "POST")).status).toBe(405);
  });

  test("E1 an identity provider that is inactive, unknown or of another org is 404 with the error object", async () => {
    const other = await openOrg(describeOrg);
    for (const [id, asked] of [
      [ids["Closed"], org],
      [ids["Corporate"], other],
      ["0".repeat(20), org],
      ["svc", org],
      ["%00", org],
      ["x".repeat(2_000), org],
    ] as const) {
      const { status, body, headers } = await visit(`/sso/idps/${id}`, "GET", asked);
      expect({ status, code: body.errorCode }).toEqual({ status: 404, code: "E0000007" });
      expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    }
    expect((await visit("/sso/idps")).body.errorCode).toBe("E0000008");
    expect((await visit("/sso/idps/SVC/")).body.errorCode).toBe("E0000008");
    await api(`/idps/${ids["Corporate"]}/lifecycle/deactivate`, { method: "POST" });
    expect((await visit(`/sso/idps/${ids["Corporate"]}`)).status).toBe(404);
  });

  test("W4 the form lets people choose among several providers that discovery selects", async () => {
    const { body } = await api("/idps", {
      method: "POST",
      body: {
        name: HOSTILE_NAME,
        type: "OIDC",
        protocol: { type: "OIDC", endpoints: { sso: { url: "https://op.example/", binding: "HTTP-REDIRECT" } } },
      },
    });
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const providers = [
      { type: "SAML2", id: ids["Closed"] },
      { type: "OIDC", id: body.id },
      { type: "SAML2", id: ids["Corporate"] },
      { type: "SVC" },
    ];
    const rule = {
      name: "several",
      conditions: { userIdentifier: SUFFIX("two.example") },
      actions: { idp: { providers } },
    };
    expect((await api(`/policies/${policy.id}/rules`, { method: "POST", body: rule })).body).toMatchObject(rule);

    const page = await visit("/sso/login?login=jo%26%22e%40two.example");
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    expect(page.text).not.toContain("<script");
    expect(linksOf(page.text)).toEqual([
      `${body.id}?login_hint=jo%26%22e%40two.example`,
      `${ids["Corporate"]}?login_hint=jo%26%22e%40two.example`,
      "SVC?login_hint=jo%26%22e%40two.example",
    ]);
    expect(page.text).toContain('<a href="/sso/login">Use another login</a>');
    const { body: jrd } = await org.visit(webfingerPath("jo%26%22e%40two.example"));
    const hrefs = jrd.links.map(({ href }: { href: string }) => new URL(href).pathname.split("/").at(-1));
    expect(linksOf(page.text).slice(0, 3)).toEqual(
      hrefs.map((id: string) => `${id}?login_hint=jo%26%22e%40two.example`),
    );

    await api(`/idps/${body.id}/lifecycle/deactivate`, { method: "POST" });
    await api(`/idps/${ids["Corporate"]}/lifecycle/deactivate`, { method: "POST" });
    expect((await visit("/sso/login?login=joe%40two.example")).text).toContain('<p role="status"><b>joe@two.example');
  });

  test("E1 a browser with a login learns that a provider is not active, and can choose again", async () => {
    const path = `/sso/idps/${ids["Closed"]}?login_hint=%22%3Cjoe%40example.com`;
    const { status, headers, text } = await visit(path);
    expect(status).toBe(404);
    expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(text).toContain('<a href="/sso/login?login=%22%3Cjoe%40example.com">Choose again</a>');
    for (const accept of [undefined, "application/json", "*/*", "image/png"]) {
      const answer = await org.visit(path, { headers: accept === undefined ? {} : { Accept: accept } });
      expect([answer.status, answer.body.errorCode]).toEqual([404, "E0000007"]);
    }
    expect((await visit("/sso/idps/SVC?login_hint=joe")).status).toBe(200);
  });

  const HINT = "login_hint=j%2Bo%20e%40example.com";

  test.each([
    ["OIDC", "HTTP-REDIRECT", "https://op.example/authorize", `https://op.example/authorize?${HINT}`],
    ["OIDC", "HTTP-POST", "https://op.example/authorize?a=b", `https://op.example/authorize?a=b&${HINT}`],
    ["OIDC", "HTTP-REDIRECT", "https://op.example/authorize?", `https://op.example/authorize?${HINT}`],
    ["OIDC", "HTTP-REDIRECT", "https://op.example/?login_hint=x", "https://op.example/?login_hint=x"],
    ["OAUTH2", "HTTP-REDIRECT", "https://op.example/authorize", "https://op.example/authorize"],
    ["SAML2", "HTTP-REDIRECT", "https://idp.example/sso", `https://idp.example/sso?${HINT}`],
    ["SAML2", "HTTP-POST", "https://idp.example/sso", "https://idp.example/sso"],
  ])("W5 a login hint goes to a provider that reads it: %s, %s, %s", async (type, binding, url, location) => {
    const { body } = await api("/idps", {
      method: "POST",
      body: {
        name: "Hinted",
        type: type === "OAUTH2" ? "GOOGLE" : type,
        protocol: { type, endpoints: { sso: { url, binding } } },
      },
    });
    const path = `/sso/idps/${body.id}`;
    const others = "redirect_uri=https%3A%2F%2Fevil.example&state=1&prompt=none";
    for (const hint of ["j%2Bo%20e%40example.com", "+j%2Bo+e%40example.com+"]) {
      const { status, headers } = await visit(`${path}?${others}&login_hint=${hint}`);
      expect({ status, location: headers["location"] }).toEqual({ status: 302, location });
    }
    for (const query of ["", "?", "?login_hint=", "?login_hint=+", `?${others}`]) {
      expect((await visit(`${path}${query}`)).headers["location"]).toBe(url);
    }
  });

  test("W5 the hints of Microsoft and Google go through the pages to an OpenID provider, and replace nothing", async () => {
    const { body } = await api("/idps", {
      method: "POST",
      body: {
        name: "Hinted",
        type: "OIDC",
        protocol: { type: "OIDC", endpoints: { sso: { url: "https://op.example/?hd=set", binding: "HTTP-REDIRECT" } } },
      },
    });
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const put = async (...providers: object[]) => {
      const rule = {
        name: `rule ${providers.length}`,
        conditions: { userIdentifier: SUFFIX(`${providers.length}.hint`) },
      };
      const answer = await api(`/policies/${policy.id}/rules`, {
        method: "POST",
        body: { ...rule, actions: { idp: { providers } } },
      });
      expect(answer.status).toBe(200);
    };
    await put({ type: "OIDC", id: body.id });
    await put({ type: "OIDC", id: body.id }, { type: "SAML2", id: ids["Corporate"] });

    const hints = "domain_hint=Contoso.example&hd=*";
    const hinted = `${body.id}?login_hint=joe%401.hint&domain_hint=Contoso.example&hd=*`;
    const sent = await visit(`/sso/login?hd=*&login=joe%401.hint&domain_hint=+Contoso.example`);
    expect(sent.headers["location"]).toBe(`/sso/idps/${hinted}`);
    expect((await visit(`/sso/idps/${hinted}`)).headers["location"]).toBe(
      "https://op.example/?hd=set&login_hint=joe%401.hint&domain_hint=Contoso.example",
    );
    const page = await visit(`/sso/login?login=joe%402.hint&${hints}`);
    const links = [body.id, ids["Corporate"]].map(
      (id) => `${id}?login_hint=joe%402.hint&amp;domain_hint=Contoso.example&amp;hd=*`,
    );
    expect(linksOf(page.text)).toEqual(links);
    expect(page.text).toContain('<a href="/sso/login?domain_hint=Contoso.example&amp;hd=*">Use another login</a>');

    for (const path of [`/sso/idps/SVC?${hints}`, `/sso/login?login=nobody&${hints}`]) {
      const { text } = await visit(path);
      expect(text).toContain('<input type="hidden" name="domain_hint" value="Contoso.example">');
      expect(text).toContain('<input type="hidden" name="hd" value="*">');
    }
    expect((await visit(`/sso/idps/${ids["Closed"]}?login_hint=joe&${hints}`)).text).toContain(
      '<a href="/sso/login?login=joe&amp;domain_hint=Contoso.example&amp;hd=*">',
    );
    expect((await visit(`/sso/idps/${ids["Corporate"]}?${hints}`)).headers["location"]).toBe(URL_OF_IDP);
    expect((await visit(`/sso/idps/${body.id}?domain_hint=&hd=+`)).headers["location"]).toBe(
      "https://op.example/?hd=set",
    );
  });

  test("W5 SAML providers get the login, but no hint of a domain", async () => {
    const protocol = {
      type: "SAML2",
      endpoints: { sso: { url: "https://idp.example/sso", binding: "HTTP-REDIRECT" } },
    };
    const { body } = await api("/idps", { method: "POST", body: { name: "Hinted", type: "SAML2", protocol } });
    const { headers } = await visit(`/sso/idps/${body.id}?domain_hint=contoso.example&login_hint=joe&hd=a`);
    expect(headers["location"]).toBe("https://idp.example/sso?login_hint=joe");
  });

  const DOMAIN = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}`;

  test.each(["domain_hint", "hd"])("W5 the hint %s is a domain name", async (name) => {
    const statuses = async (values: string[]) => {
      const answers = [];
      for (const value of values) {
        const { status, body } = await visit(`/sso/idps/SVC?${name}=${value}`);
        answers.push([status, body?.errorCauses[0].errorSummary.startsWith(`${name}: `)]);
      }
      return answers;
    };
    const accepted = ["consumers", "Contoso.example", "xn--bcher-kva.example", "*", `${DOMAIN}.${"d".repeat(60)}`];
    expect(await statuses([...accepted, `${DOMAIN}.${"d".repeat(61)}`])).toEqual(
      [...accepted, ""].map(() => [200, undefined]),
    );
    const refused = [
      "a..b",
      "-a",
      "a_b",
      "a%20b",
      "a%0d%0ab",
      "b%C3%BCcher.example",
      "*.a",
      "a@b",
      "a&hd=b&domain_hint=b",
    ];
    expect(await statuses([...refused, `${DOMAIN}.${"d".repeat(62)}`])).toEqual(
      [...refused, ""].map(() => [400, true]),
    );
  });

  test.each([
    "?login_hint=a&login_hint=b",
    "?login_hint=a%0d%0aSet-Cookie:%20a=b",
    `?login_hint=${"a".repeat(256)}`,
    "?login_hint=%zz",
  ])("W5 a login hint that no login can be is refused: %j", async (query) => {
    for (const id of [ids["Corporate"], "SVC"]) expect((await visit(`/sso/idps/${id}${query}`)).status).toBe(400);
  });

  test("W6 a login hint stands in the form of the org itself, as text, without a claim on who signs it in", async () => {
    const { status, text } = await visit(`/sso/idps/SVC?login_hint=${encodeURIComponent('"><b>joe')}`);
    expect(status).toBe(200);
    expect(text).toContain(`value="&quot;&gt;&lt;b&gt;joe"`);
    expect(text).not.toContain('<p role="status"');
  });

  test("W6 the link of the org itself is its own page, with a form and nothing else that a browser would load", async () => {
    const { status, headers, text } = await visit("/sso/idps/SVC");
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    const policy = String(headers["content-security-policy"]);
    for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy.split("; ")).toContain(directive);
    }
    expect(policy).not.toContain("unsafe");
    expect(text).toContain("<h1>Sign in to &lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;</h1>");
    expect(text).not.toContain("<script");
    expect(text).toContain('<form action="/sso/login" method="get">');
    expect((await visit("/sso/idps/SVC", "HEAD")).text).toBe("");
  });

  test("N4 the page stands under the namespace", async () => {
    const acme = await startTestServer(org, { namespace: "acme", apiTokenScheme: "SVC" });
    org = org.at(acme);
    expect((await visit("/sso/idps/ACME")).status).toBe(200);
    expect((await visit("/sso/idps/SVC")).status).toBe(404);
    await acme.close();
  });

  test("W4 the form sends a login on to the provider that discovery selects", async () => {
    for (const [login, expected] of [
      ["joe%40example.com", "joe@example.com"],
      ["+joe%40example.com%20", "joe@example.com"],
      ["a%2Bb+c", "a+b c"],
    ] as const) {
      const { status, headers } = await visit(`/sso/login?login=${login}`);
      expect({ status, location: headers["location"] }).toEqual({
        status: 303,
        location: `/sso/idps/${ids["Corporate"]}?login_hint=${encodeURIComponent(expected)}`,
      });
      expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    }
  });

  test("W6 the form shows the page again for a login that the org itself signs in", async () => {
    const { status, headers, text } = await visit(`/sso/login?login=${encodeURIComponent(`"><b onclick='x'>`)}`);
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(text).toContain(`<p role="status"><b>&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;</b> is signed in by`);
    expect(text).toContain(`value="&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;"`);
  });

  test.each([
    ["?login=a&login=b", /^login: takes one value/],
    ["?login=%00", /^login: has a control character at offset 0/],
    ["?login=%zz", /login/],
    [`?login=${"a".repeat(256)}`, /^login: has 256 characters; at most 255 are allowed/],
  ])("the form refuses %j", async (query, cause) => {
    const { status, body } = await visit(`/sso/login${query}`);
    expect({ status, cause: body.errorCauses[0].errorSummary }).toEqual({
      status: 400,
      cause: expect.stringMatching(cause),
    });
  });

  test("the form takes a login of 254 and 255 characters, and shows the page for none", async () => {
    for (const length of [254, 255]) expect((await visit(`/sso/login?login=${"a".repeat(length)}`)).status).toBe(200);
    for (const query of ["", "?login=", "?login=+"]) {
      const { status, text } = await visit(`/sso/login${query}`);
      expect([status, text.includes('<form action="/sso/login"'), text.includes("signed in by")]).toEqual([
        200,
        true,
        false,
      ]);
    }
  });

  test("S3 the pages are for browsers, whose requests have no Content-Type and perhaps no Accept, also when headers are strict", async () => {
    const strict = await startTestServer(org, { strictHeaders: true });
    org = org.at(strict);
    for (const [path, status] of [
      ["/sso/idps/SVC", 200],
      [`/sso/idps/${ids["Corporate"]}`, 302],
      ["/sso/login?login=joe%40example.com", 303],
    ] as const) {
      expect((await visit(path)).status).toBe(status);
      expect((await org.visit(path)).status).toBe(status);
    }
    await strict.close();
  });
});
