import { createClient, insertApiToken } from "./support/api.js";
import type { TestServer } from "./support/server.js";
import { call, startTestServer, webfingerPath } from "./support/server.js";
import { describeStores } from "./support/stores.js";

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

const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
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
    },
  ],
};

describeStores((_engine, database) => {
  let server: TestServer;

  async function ask(login: string, headers: Record<string, string> = {}): Promise<string[]> {
    const { status, body } = await call(server, webfingerPath(login), { headers });
    expect(status).toBe(200);
    return body.links.map((link: { titles: { und: string } }) => link.titles.und);
  }

  describe("a server with rules of every kind", () => {
    beforeEach(async () => {
      server = await startTestServer(await database(), {}, DOCUMENT);
    });
    afterEach(() => server.close());

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
        const { status, headers, body } = await call(server, webfingerPath("a@b.example"), {
          headers: { [name]: sent },
        });
        expect(status).toBe(400);
        expect(headers["access-control-allow-origin"]).toBe("*");
        expect(body.errorCauses).toEqual([{ errorSummary: expect.stringContaining(cause) }]);
      },
    );

    it("W4 passes over a rule whose identity providers are all inactive", async () => {
      expect(await ask("joe@closed.example")).toEqual(["Demo"]);
    });

    it("W1 calls an empty login malformed", async () => {
      const { status, body } = await call(server, webfingerPath(""));
      expect({ status, summary: body.errorSummary }).toEqual({
        status: 400,
        summary: 'Api validation failed: resource ends after "svc:acct:"',
      });
    });

    it("W9 gives a user who exists and one who does not the same answer", async () => {
      const [known, unknown] = await Promise.all(
        ["sam@example.com", "tom@example.com"].map((login) => call(server, webfingerPath(login))),
      );
      expect(known!.text.replaceAll("sam@", "tom@")).toBe(unknown!.text);
    });

    it("W5 describes a SAML provider with its metadata, and another without", async () => {
      const { body } = await call(server, webfingerPath("ext-joe@example.org"));
      const base = `https://localhost:${server.port}`;
      const [partner, corporate] = body.links;
      expect(corporate).toEqual({
        rel: "svc:idp",
        href: `${base}/sso/idps/${corporate.properties["svc:idp:id"]}`,
        titles: { und: "Corporate" },
        properties: {
          "svc:idp:metadata": `${base}/api/v1/idps/${corporate.properties["svc:idp:id"]}/metadata.xml`,
          "svc:idp:type": "SAML2",
          "svc:idp:id": expect.stringMatching(/^[0-9A-Za-z]{20}$/),
        },
      });
      expect(Object.keys(partner.properties)).toEqual(["svc:idp:type", "svc:idp:id"]);
    });

    it("W6 describes the org itself under the issuer relation", async () => {
      const { body } = await call(server, webfingerPath("joe@example.com", `rel=${encodeURIComponent(HTTP_ISSUER)}`));
      expect(body).toEqual({
        subject: "svc:acct:joe@example.com",
        links: [
          {
            rel: ISSUER,
            href: `https://localhost:${server.port}/sso/idps/SVC`,
            titles: { und: "Demo" },
            properties: { "svc:idp:type": "SVC" },
          },
        ],
      });
    });

    it("W3 limits the links by relation", async () => {
      const links = async (...rel: string[]) => {
        const parameters = rel.map((value) => `rel=${encodeURIComponent(value)}`);
        const { body } = await call(server, webfingerPath("ceo@example.org", ...parameters));
        return body.links.map((link: { titles: { und: string } }) => link.titles.und);
      };
      expect(await links("svc:idp")).toEqual(["Corporate"]);
      expect(await links("svc:idp", ISSUER)).toEqual(["Corporate", "Demo"]);
      expect(await links(`svc:idp,${ISSUER}`)).toEqual(["Corporate", "Demo"]);
      expect(await links("avatar")).toEqual([]);
    });
  });
});

const ANSWERS = { "Content-Type": "application/json", Accept: "application/jrd+json" };

describeStores((_engine, database) => {
  describe("the settings of WebFinger", () => {
    let server: TestServer | undefined;
    afterEach(() => server?.close());

    it("N4 takes another namespace throughout", async () => {
      server = await startTestServer(await database(), { namespace: "acme" });
      const { body, headers } = await call(server, "/.well-known/webfinger?resource=acme:acct:joe@example.com");
      expect(body.subject).toBe("acme:acct:joe@example.com");
      expect(body.links[0].rel).toBe("acme:idp");
      expect(Object.keys(body.links[0].properties)).toEqual(["acme:idp:metadata", "acme:idp:type", "acme:idp:id"]);
      expect(headers["x-acme-request-id"]).toMatch(/./);

      const org = await call(server, "/.well-known/webfinger?resource=acme:acct:nobody");
      expect(org.body.links[0]).toMatchObject({
        href: `https://localhost:${server.port}/sso/idps/ACME`,
        properties: { "acme:idp:type": "ACME" },
      });
      const other = await call(server, webfingerPath("joe@example.com"));
      expect(other.status).toBe(404);
      expect(other.body.errorId).toBe(other.headers["x-acme-request-id"]);
    });

    it("W6 echoes the issuer relation, or gives both", async () => {
      const path = webfingerPath("nobody", `rel=${encodeURIComponent(HTTP_ISSUER)}`);
      const data = await database();
      server = await startTestServer(data, { issuerRel: "echo" });
      expect((await call(server, path)).body.links).toMatchObject([{ rel: HTTP_ISSUER }]);
      await server.close();
      server = await startTestServer(data, { issuerRel: "both" });
      expect((await call(server, path)).body.links).toMatchObject([{ rel: ISSUER }, { rel: HTTP_ISSUER }]);
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
      const document = { orgs: [{ subdomain: "demo", name: "Demo", idps, rules }] };
      const data = await database();
      server = await startTestServer(data, { issuerHref: "provider" }, document);
      const { port } = server;
      const org = `https://localhost:${port}/sso/idps/SVC`;
      const ask = async (login: string, ...rest: string[]): Promise<string[]> => {
        const { body } = await call(server!, webfingerPath(login, ...rest));
        return body.links.map(({ rel, href }: { rel: string; href: string }) => (rel === "svc:idp" ? "idp" : href));
      };
      const rel = `rel=${encodeURIComponent(HTTP_ISSUER)}`;
      for (const [login, links] of Object.entries({
        op: ["https://op.example/a/"],
        google: ["https://accounts.example"],
        closed: ["https://op.example/a/"],
        none: [],
        saml: [],
        oauth: [],
        text: [],
        all: ["https://op.example/a/", "https://accounts.example", org],
        nobody: [org],
      })) {
        expect([login, await ask(login, rel)]).toEqual([login, links]);
      }
      expect(await ask("op")).toEqual(["idp", "https://op.example/a/"]);
      expect(await ask("saml")).toEqual(["idp"]);
      expect(await ask("op", "rel=svc:idp")).toEqual(["idp"]);
      const { api } = createClient(server, "demo", await insertApiToken(data.options, "demo"));
      const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
      const trace = await api(`/policies/${policy.id}/trace?resource=svc:acct:all&${rel}`);
      expect(trace.body.links).toEqual((await call(server, webfingerPath("all", rel))).body.links);
      await server.close();

      server = await startTestServer(data);
      expect(await ask("op")).toEqual(["idp"]);
      expect(await ask("op", rel)).toEqual([`https://localhost:${server.port}/sso/idps/SVC`]);
    });

    it("W1 answers the configured prefixes, and 404 to others", async () => {
      const data = await database();
      server = await startTestServer(data);
      expect((await call(server, "/.well-known/webfinger?resource=acct:joe@example.com")).status).toBe(200);
      await server.close();
      server = await startTestServer(data, { resourceAliases: ["mailto:"] });
      expect((await call(server, "/.well-known/webfinger?resource=mailto:joe@example.com")).status).toBe(200);
      const refused = await call(server, "/.well-known/webfinger?resource=acct:joe@example.com");
      expect(refused.status).toBe(404);
      expect(refused.body.errorCode).toBe("E0000007");
    });

    it("S3 asks for both headers when it is strict", async () => {
      server = await startTestServer(await database(), { strictHeaders: true });
      const path = webfingerPath("joe@example.com");
      for (const headers of [{}, { Accept: "application/json" }, { "Content-Type": "application/json" }]) {
        const { status, body } = await call(server, path, { headers });
        expect({ status, code: body.errorCode }).toEqual({ status: 400, code: "E0000018" });
      }
      expect((await call(server, path, { headers: ANSWERS })).status).toBe(200);
      expect((await call(server, "/nothing")).status).toBe(400);
      expect((await call(server, "/nothing", { headers: { ...ANSWERS, Accept: "*/*" } })).status).toBe(404);
    });

    it("W8 never answers 406, also when it is strict", async () => {
      const data = await database();
      for (const strictHeaders of [false, true]) {
        server = await startTestServer(data, { strictHeaders });
        const { status, headers } = await call(server, webfingerPath("joe"), {
          headers: { ...ANSWERS, Accept: "text/html" },
        });
        expect(status).toBe(200);
        expect(headers["content-type"]).toBe("application/jrd+json");
        await server.close();
      }
      server = undefined;
    });
  });
});
