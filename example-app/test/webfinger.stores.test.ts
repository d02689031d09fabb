import type { Settings } from "../src/program/settings/settings.js";
import { describeApi, type TestOrg } from "./support/api.js";
import { startTestServer, webfingerPath, type Answer, type TestServer } from "./support/server.js";

const ISSUER = "https://openid.net/specs/connect/1.0/issuer";
const HTTP_ISSUER = "http://openid.net/specs/connect/1.0/issuer";

const SAML = {
  type: "SAML2",
  protocol: { type: "SAML2", endpoints: { sso: { url: "https://idp.example/sso", binding: "HTTP-POST" } } },
};
const OIDC = {
  type: "OIDC",
  protocol: { type: "OIDC", endpoints: { sso: { url: "https://oidc.example/sso", binding: "HTTP-REDIRECT" } } },
};

function rule(name: string, conditions: object, ...providers: string[]): object {
  return {
    name,
    conditions,
    actions: { idp: { providers: providers.map((idp) => (idp === "SVC" ? { type: "SVC" } : { idp })) } },
  };
}

function identifier(matchType: string, ...values: string[]): object {
  return { userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType, value })) } };
}

const ORG = {
  name: "Demo",
  idps: [
    { name: "Corporate", ...SAML },
    { name: "Partner", ...OIDC },
    { name: "Closed", ...SAML, status: "INACTIVE" },
  ],
  zones: [
    { name: "loop", gateways: [{ type: "CIDR", value: "127.0.0.0/8" }] },
    { name: "office", gateways: [{ type: "RANGE", value: "203.0.113.1-203.0.113.9" }] },
    { name: "edge", proxies: [{ type: "CIDR", value: "127.0.0.0/8" }] },
  ],
  users: [
    {
      profile: {
        login: "sam@attr.example",
        email: "sam@attr.example",
        firstName: "Sam",
        lastName: "Seller",
        department: "Sales",
      },
    },
  ],
  rules: [
    rule(
      "office",
      { ...identifier("SUFFIX", "zone.example"), network: { connection: "ZONE", include: ["office"] } },
      "Partner",
    ),
    rule(
      "phones",
      {
        ...identifier("SUFFIX", "platform.example"),
        platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }] },
      },
      "Partner",
    ),
    rule("closed", identifier("SUFFIX", "closed.example"), "Closed"),
    rule(
      "sales",
      {
        userIdentifier: {
          type: "ATTRIBUTE",
          attribute: "department",
          patterns: [{ matchType: "EQUALS", value: "sales" }],
        },
      },
      "Partner",
    ),
    rule("suffix", identifier("SUFFIX", "example.com"), "Corporate"),
    rule("equals", identifier("EQUALS", "ceo@example.org"), "Corporate", "SVC"),
    rule("starts", identifier("STARTS_WITH", "ext-"), "Partner", "Corporate"),
    rule("contains", identifier("CONTAINS", "+test"), "Partner"),
  ],
};

const ANSWERS = { "Content-Type": "application/json", Accept: "application/jrd+json" };

describeApi((openOrg) => {
  let org: TestOrg;

  beforeAll(async () => {
    org = await openOrg(() => ORG);
  });

  async function ask(login: string, headers: Record<string, string> = {}): Promise<string[]> {
    const { status, body } = await org.visit(webfingerPath(login), { headers });
    expect(status).toBe(200);
    return body.links.map((link: { titles: { und: string } }) => link.titles.und);
  }

  describe("a server with rules of every kind", () => {
    it("W4 matches suffixes at label boundaries", async () => {
      expect(await ask("joe@example.com")).toEqual(["Corporate"]);
      expect(await ask("JOE@SUB.Example.COM")).toEqual(["Corporate"]);
      expect(await ask("joe@badexample.com")).toEqual(["Demo"]);
    });

    it("W4 matches whole identifiers, beginnings and parts", async () => {
      expect(await ask("ceo@example.org")).toEqual(["Corporate", "Demo"]);
      expect(await ask("cfo@example.org")).toEqual(["Demo"]);
      expect(await ask("ext-joe@example.org")).toEqual(["Partner", "Corporate"]);
      expect(await ask("joe@ext-example.org")).toEqual(["Demo"]);
    });

    it("W2 keeps the plus of a login", async () => {
      expect(await ask("joe+test@example.org")).toEqual(["Partner"]);
      expect(await ask("joe%2Btest@example.org")).toEqual(["Partner"]);
      expect(await ask("joe%20test@example.org")).toEqual(["Demo"]);
    });

    it("W4 asks for the client's network, C3 behind the org's own proxies", async () => {
      expect(await ask("joe@zone.example")).toEqual(["Demo"]);
      expect(await ask("joe@zone.example", { "X-Forwarded-For": "203.0.113.5" })).toEqual(["Partner"]);
      expect(await ask("joe@zone.example", { "X-Forwarded-For": "203.0.113.5, 198.51.100.1" })).toEqual(["Demo"]);
    });

    it("W4 asks for the client's platform", async () => {
      const phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
      expect(await ask("joe@platform.example", { "User-Agent": phone })).toEqual(["Partner"]);
      expect(await ask("joe@platform.example", { "User-Agent": "curl/8" })).toEqual(["Demo"]);
    });

    it("W4 asks for an attribute of the user", async () => {
      expect(await ask("sam@attr.example")).toEqual(["Partner"]);
      expect(await ask("SAM@attr.example")).toEqual(["Partner"]);
      expect(await ask("tom@attr.example")).toEqual(["Demo"]);
    });

    it.each([
      ["User-Agent", "App \u{1f600}", "User-Agent: U+1F600 at byte 4 takes four bytes"],
      ["Accept-Language", "fr\xff", "Accept-Language: 0xff at byte 2 is not well-formed UTF-8."],
    ])(
      "S5 refuses a %s that is not text of three bytes, in a form that every page can read",
      async (name, value, cause) => {
        const sent = name === "User-Agent" ? Buffer.from(value).toString("latin1") : value;
        const { status, headers, body } = await org.visit(webfingerPath("a@b.example"), { headers: { [name]: sent } });
        expect(status).toBe(400);
        expect(headers["access-control-allow-origin"]).toBe("*");
        expect(body.errorCauses).toEqual([{ errorSummary: expect.stringContaining(cause) }]);
      },
    );

    it("W4 passes over a rule whose identity providers are all inactive", async () => {
      expect(await ask("joe@closed.example")).toEqual(["Demo"]);
    });

    it("W1 calls an empty login malformed", async () => {
      const { status, body } = await org.visit(webfingerPath(""));
      expect({ status, summary: body.errorSummary }).toEqual({
        status: 400,
        summary: 'Api validation failed: resource ends after "svc:acct:"',
      });
    });

    it("W9 gives a user who exists and one who does not the same answer", async () => {
      const [known, unknown] = await Promise.all(
        ["sam@example.com", "tom@example.com"].map((login) => org.visit(webfingerPath(login))),
      );
      expect(known!.text.replaceAll("sam@", "tom@")).toBe(unknown!.text);
    });

    it("W5 describes a SAML provider with its metadata, and another without", async () => {
      const { body } = await org.visit(webfingerPath("ext-joe@example.org"));
      const [partner, corporate] = body.links;
      expect(corporate).toEqual({
        rel: "svc:idp",
        href: `${org.origin}/sso/idps/${corporate.properties["svc:idp:id"]}`,
        titles: { und: "Corporate" },
        properties: {
          "svc:idp:metadata": `${org.origin}/api/v1/idps/${corporate.properties["svc:idp:id"]}/metadata.xml`,
          "svc:idp:type": "SAML2",
          "svc:idp:id": expect.stringMatching(/^[0-9A-Za-z]{20}$/),
        },
      });
      expect(Object.keys(partner.properties)).toEqual(["svc:idp:type", "svc:idp:id"]);
    });

    it("W6 describes the org itself under the issuer relation", async () => {
      const { body } = await org.visit(webfingerPath("joe@example.com", `rel=${encodeURIComponent(HTTP_ISSUER)}`));
      expect(body).toEqual({
        subject: "svc:acct:joe@example.com",
        links: [
          {
            rel: ISSUER,
            href: `${org.origin}/sso/idps/SVC`,
            titles: { und: "Demo" },
            properties: { "svc:idp:type": "SVC" },
          },
        ],
      });
    });

    it("W3 limits the links by relation", async () => {
      const links = async (...rel: string[]) => {
        const parameters = rel.map((value) => `rel=${encodeURIComponent(value)}`);
        const { body } = await org.visit(webfingerPath("ceo@example.org", ...parameters));
        return body.links.map((link: { titles: { und: string } }) => link.titles.und);
      };
      expect(await links("svc:idp")).toEqual(["Corporate"]);
      expect(await links("svc:idp", ISSUER)).toEqual(["Corporate", "Demo"]);
      expect(await links(`svc:idp,${ISSUER}`)).toEqual(["Corporate", "Demo"]);
      expect(await links("avatar")).toEqual([]);
    });
  });

  describe("the settings of WebFinger", () => {
    const servers: TestServer[] = [];
    let strict: TestOrg;

    beforeAll(async () => {
      strict = org.at(await startTestServer(org, { strictHeaders: true }));
    });
    afterAll(() => strict.server.close());
    afterEach(() => Promise.all(servers.splice(0).map(({ close }) => close())));

    /** The org on a server for one test. */
    async function startWith(settings: Partial<Settings>, shared = org): Promise<TestOrg> {
      const server = await startTestServer(shared, settings);
      servers.push(server);
      return shared.at(server);
    }

    it("N4 takes another namespace throughout", async () => {
      const { origin, visit } = await startWith({ namespace: "acme" });
      const { body, headers } = await visit("/.well-known/webfinger?resource=acme:acct:joe@example.com");
      expect(body.subject).toBe("acme:acct:joe@example.com");
      expect(body.links[0].rel).toBe("acme:idp");
      expect(Object.keys(body.links[0].properties)).toEqual(["acme:idp:metadata", "acme:idp:type", "acme:idp:id"]);
      expect(headers["x-acme-request-id"]).toMatch(/./);

      const itself = await visit("/.well-known/webfinger?resource=acme:acct:nobody");
      expect(itself.body.links[0]).toMatchObject({
        href: `${origin}/sso/idps/ACME`,
        properties: { "acme:idp:type": "ACME" },
      });
      const other = await visit(webfingerPath("joe@example.com"));
      expect(other.status).toBe(404);
      expect(other.body.errorId).toBe(other.headers["x-acme-request-id"]);
    });

    it("W6 echoes the issuer relation, or gives both", async () => {
      const path = webfingerPath("nobody", `rel=${encodeURIComponent(HTTP_ISSUER)}`);
      const [echo, both] = [await startWith({ issuerRel: "echo" }), await startWith({ issuerRel: "both" })];
      expect((await echo.visit(path)).body.links).toMatchObject([{ rel: HTTP_ISSUER }]);
      expect((await both.visit(path)).body.links).toMatchObject([{ rel: ISSUER }, { rel: HTTP_ISSUER }]);
    });

    it("W3 leads to the issuers of the selected OpenID providers, when it is told so", async () => {
      const openId = (issuer?: string) => ({
        ...OIDC,
        protocol: { ...OIDC.protocol, ...(issuer !== undefined && { credentials: { trust: { issuer } } }) },
      });
      const saml = {
        ...SAML,
        protocol: { ...SAML.protocol, credentials: { trust: { issuer: "https://saml.example" } } },
      };
      const google = { ...openId("https://accounts.example"), type: "GOOGLE" };
      const oauth = { ...google, type: "GITHUB", protocol: { ...google.protocol, type: "OAUTH2" } };
      const closed = { ...openId("https://closed.example"), status: "INACTIVE" };
      const text = openId("not a URL");
      const providers = { op: openId("https://op.example/a/"), none: openId(), saml, google, oauth, closed, text };
      const names = Object.keys(providers);
      const rules = [
        ...names.map((name) => rule(name, identifier("EQUALS", name), name, ...(name === "closed" ? ["op"] : []))),
        rule("all", identifier("EQUALS", "all"), ...names, "SVC"),
      ];
      const idps = Object.entries(providers).map(([name, idp]) => ({ name, ...idp }));
      const plain = await openOrg(() => ({ idps, rules }));
      const { api, origin, visit } = await startWith({ issuerHref: "provider" }, plain);
      const itself = `${origin}/sso/idps/SVC`;
      const linksOf = ({ body }: Answer): string[] =>
        body.links.map(({ rel, href }: { rel: string; href: string }) => (rel === "svc:idp" ? "idp" : href));
      const ask = async (login: string, ...rest: string[]): Promise<string[]> =>
        linksOf(await visit(webfingerPath(login, ...rest)));
      const rel = `rel=${encodeURIComponent(HTTP_ISSUER)}`;
      for (const [login, links] of Object.entries({
        op: ["https://op.example/a/"],
        google: ["https://accounts.example"],
        closed: ["https://op.example/a/"],
        none: [],
        saml: [],
        oauth: [],
        text: [],
        all: ["https://op.example/a/", "https://accounts.example", itself],
        nobody: [itself],
      })) {
        expect([login, await ask(login, rel)]).toEqual([login, links]);
      }
      expect(await ask("op")).toEqual(["idp", "https://op.example/a/"]);
      expect(await ask("saml")).toEqual(["idp"]);
      expect(await ask("op", "rel=svc:idp")).toEqual(["idp"]);
      const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
      const trace = await api(`/policies/${policy.id}/trace?resource=svc:acct:all&${rel}`);
      expect(trace.body.links).toEqual((await visit(webfingerPath("all", rel))).body.links);

      expect(linksOf(await plain.visit(webfingerPath("op")))).toEqual(["idp"]);
      expect(linksOf(await plain.visit(webfingerPath("op", rel)))).toEqual([`${plain.origin}/sso/idps/SVC`]);
    });

    it("W1 answers the configured prefixes, and 404 to others", async () => {
      expect((await org.visit("/.well-known/webfinger?resource=acct:joe@example.com")).status).toBe(200);
      const { visit } = await startWith({ resourceAliases: ["mailto:"] });
      expect((await visit("/.well-known/webfinger?resource=mailto:joe@example.com")).status).toBe(200);
      const refused = await visit("/.well-known/webfinger?resource=acct:joe@example.com");
      expect(refused.status).toBe(404);
      expect(refused.body.errorCode).toBe("E0000007");
    });

    it("S3 asks for both headers when it is strict", async () => {
      const { visit } = strict;
      const path = webfingerPath("joe@example.com");
      for (const headers of [{}, { Accept: "application/json" }, { "Content-Type": "application/json" }]) {
        const { status, body } = await visit(path, { headers });
        expect({ status, code: body.errorCode }).toEqual({ status: 400, code: "E0000018" });
      }
      expect((await visit(path, { headers: ANSWERS })).status).toBe(200);
      expect((await visit("/nothing")).status).toBe(400);
      expect((await visit("/nothing", { headers: { ...ANSWERS, Accept: "*/*" } })).status).toBe(404);
    });

    it("W8 never answers 406, also when it is strict", async () => {
      for (const { visit } of [org, strict]) {
        const { status, headers } = await visit(webfingerPath("joe"), { headers: { ...ANSWERS, Accept: "text/html" } });
        expect(status).toBe(200);
        expect(headers["content-type"]).toBe("application/jrd+json");
      }
    });
  });
});
