import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Express, Request } from "express";
import request from "supertest";
import WebFinger from "webfinger.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { notFound } from "../../middleware/not-found.js";
import { requestId } from "../../middleware/request-id.js";
import {
  compileWebfingerParser,
  formatJrd,
  webfinger,
  webfingerError,
  type IdentityProvider,
  type WebfingerOptions,
} from "../../middleware/webfinger.js";
import { compileNamespace } from "../../lib/factory/namespace.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const PATH = "/.well-known/webfinger";
const ACCOUNT = "acme:acct:joe@example.com";
const HTTPS = "https://openid.net/specs/connect/1.0/issuer";
const HTTP = "http://openid.net/specs/connect/1.0/issuer";
const MALFORMED = [{ errorSummary: "The requested resource is malformed." }];

const SAML = { id: "0oa1", type: "SAML2", name: "Example SAML" };
const OIDC = { id: "0oa2", type: "OIDC", name: "Example OIDC" };
const directory = new Map<string, IdentityProvider>([
  ["example.com", SAML],
  ["example.org", OIDC],
]);

const SAML_LINK = {
  rel: "acme:idp",
  href: "https://acme.example.com/sso/idps/0oa1",
  titles: { und: "Example SAML" },
  properties: {
    "acme:idp:metadata": "https://acme.example.com/api/v1/idps/0oa1/metadata.xml",
    "acme:idp:type": "SAML2",
    "acme:idp:id": "0oa1",
  },
};
const ORG_LINK = {
  rel: HTTPS,
  href: "https://acme.example.com/sso/idps/ACME",
  titles: { und: "acme" },
  properties: { "acme:idp:type": "ACME" },
};

const REQUIRED: WebfingerOptions = {
  resolve: (login) => directory.get(login.split("@")[1] ?? ""),
  baseUrl: "https://acme.example.com",
  title: "acme",
  namespace: "acme",
};

describe.each(EXPRESS_VERSIONS)("webfinger on %s", (_version, express) => {
  const reported: unknown[] = [];

  beforeEach(() => {
    reported.length = 0;
  });

  function createApp(
    options: Partial<WebfingerOptions> = {},
    mount?: (app: Express, options: WebfingerOptions) => void,
  ) {
    const app = express();
    app.use(requestId({ namespace: "acme" }));
    if (mount) mount(app, { ...REQUIRED, ...options });
    else app.use(webfinger({ ...REQUIRED, ...options }));
    app.use(notFound());
    app.use(errorFormatter({ namespace: "acme", log: (error) => reported.push(error) }));
    return app;
  }

  function get(app: Express, query: string) {
    return request(app).get(`${PATH}?${query}`);
  }

  function links(res: request.Response): unknown {
    return (res.body as { links: unknown }).links;
  }

  describe("the answer", () => {
    it("W4 links to the provider that the directory selects", async () => {
      const res = await get(createApp(), `resource=${encodeURIComponent(ACCOUNT)}`);
      expect(res.status).toBe(200);
      expect(res.text).toBe(JSON.stringify({ subject: ACCOUNT, links: [SAML_LINK] }));
      expect(res.headers).toMatchObject({
        "content-type": "application/jrd+json",
        "content-length": String(Buffer.byteLength(res.text)),
        "cache-control": "no-store",
        vary: "Accept",
        "x-content-type-options": "nosniff",
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "X-Acme-Request-Id",
        "x-acme-request-id": expect.any(String) as string,
      });
      expect(res.headers).not.toHaveProperty("access-control-allow-credentials");
      expect(res.headers).not.toHaveProperty("etag");
    });

    it("W5 gives metadata for SAML only", async () => {
      const res = await get(createApp(), "resource=acme:acct:joe@example.org");
      expect(links(res)).toEqual([
        {
          rel: "acme:idp",
          href: "https://acme.example.com/sso/idps/0oa2",
          titles: { und: "Example OIDC" },
          properties: { "acme:idp:type": "OIDC", "acme:idp:id": "0oa2" },
        },
      ]);
    });

    it("W6 is the org itself where the directory selects nothing", async () => {
      const res = await get(createApp(), "resource=acme:acct:joe@example.net");
      expect(res.status).toBe(200);
      expect(links(res)).toEqual([ORG_LINK]);
    });

    it("W2 hands a plus sign on, which Express's own query parser turns into a space", async () => {
      const app = createApp({
        resolve: (login, req) => ({ id: login, type: "OIDC", name: req.query["resource"] as string }),
      });
      for (const plus of ["+", "%2B"]) {
        const res = await get(app, `resource=acme:acct:joe${plus}tag@example.com`);
        expect(res.body).toMatchObject({
          subject: "acme:acct:joe+tag@example.com",
          links: [{ properties: { "acme:idp:id": "joe+tag@example.com" } }],
        });
        const peer = plus === "+" ? "acme:acct:joe tag@example.com" : "acme:acct:joe+tag@example.com";
        expect(links(res)).toMatchObject([{ titles: { und: peer } }]);
      }
    });

    it("W4 keeps the order of preference", async () => {
      const res = await get(createApp({ resolve: () => [OIDC, "org", SAML] }), `resource=${ACCOUNT}`);
      expect(links(res)).toMatchObject([{ titles: { und: "Example OIDC" } }, ORG_LINK, SAML_LINK]);
    });

    it("W7 repeats the resource decoded, as it was sent", async () => {
      const app = createApp();
      for (const resource of [
        "acme:acct:jos\u00e9 o'x@example.com",
        "ACME:acct:Joe@Example.com",
        "acct:joe@example.com",
      ]) {
        const res = await get(app, `resource=${encodeURIComponent(resource)}`);
        expect(res.body).toMatchObject({ subject: resource });
      }
    });

    it("W9 answers alike for logins that the directory knows and those that it does not", async () => {
      const app = createApp({ resolve: (login) => (login.startsWith("joe") ? "org" : undefined) });
      const [known, unknown] = await Promise.all(
        ["joe@example.com", "jim@example.com"].map((login) => get(app, `resource=acme:acct:${login}`)),
      );
      expect(unknown!.text).toBe(known!.text.replace("joe", "jim"));
      expect([known!.status, unknown!.status]).toEqual([200, 200]);
      expect(Object.keys(unknown!.headers as object)).toEqual(Object.keys(known!.headers as object));
    });

    it("A3 needs no credentials", async () => {
      const res = await get(createApp(), `resource=${ACCOUNT}`).set("Authorization", "Bearer junk");
      expect(res.status).toBe(200);
    });

    it("takes a GET with a body and any Content-Type", async () => {
      const res = await get(createApp(), `resource=${ACCOUNT}`).set("Content-Type", "application/json").send("{}");
      expect(res.status).toBe(200);
      expect(links(res)).toEqual([SAML_LINK]);
    });

    it("V1 answers HEAD as GET without the body", async () => {
      const app = createApp();
      const full = await get(app, `resource=${ACCOUNT}`);
      const head = await request(app).head(`${PATH}?resource=${ACCOUNT}`);
      expect(head.status).toBe(200);
      expect(head.text).toBeUndefined();
      const perRequest = { date: expect.any(String) as string, "x-acme-request-id": expect.any(String) as string };
      expect(head.headers).toEqual({ ...(full.headers as object), ...perRequest });
    });

    it("answers each of many requests at once with its own", async () => {
      const resolve = async (login: string) => {
        await new Promise((done) => setTimeout(done, login.length % 7));
        return { id: login, type: "OIDC", name: login };
      };
      const server = await listen(createApp({ resolve }));
      try {
        await Promise.all(
          Array.from({ length: 50 }, async (_, n) => {
            const login = "x".repeat(n + 1);
            const res = await fetch(`${origin(server)}${PATH}?resource=acme:acct:${login}`);
            expect(await res.json()).toMatchObject({
              subject: `acme:acct:${login}`,
              links: [{ titles: { und: login } }],
            });
          }),
        );
      } finally {
        await close(server);
      }
    });
  });

  describe("rel", () => {
    const counted = () => {
      const logins: string[] = [];
      const resolve = (login: string) => {
        logins.push(login);
        return [SAML, OIDC];
      };
      return { logins, app: createApp({ resolve }) };
    };

    it.each([HTTPS, HTTP])(
      "W3 limits the links to the org itself for %s, where providers name no issuer",
      async (rel) => {
        const { logins, app } = counted();
        const res = await get(app, `resource=${ACCOUNT}&rel=${encodeURIComponent(rel)}`);
        expect(res.body).toEqual({ subject: ACCOUNT, links: [ORG_LINK] });
        expect(logins).toEqual(["joe@example.com"]);
      },
    );

    it("W3 limits the links to the issuers that providers name", async () => {
      const issuer = "https://op.example/realms/acme";
      const app = createApp({ resolve: () => ({ ...OIDC, issuer }) });
      const res = await get(app, `resource=${ACCOUNT}&rel=${encodeURIComponent(HTTP)}`);
      const properties = { "acme:idp:type": "OIDC", "acme:idp:id": "0oa2" };
      expect(links(res)).toEqual([{ rel: HTTP, href: issuer, titles: { und: "Example OIDC" }, properties }]);
      const all = await get(app, `resource=${ACCOUNT}`);
      expect(links(all)).toMatchObject([{ rel: "acme:idp" }, { rel: HTTP, href: issuer }]);
      const none = await get(
        createApp({ resolve: () => ({ ...SAML, issuer: null }) }),
        `resource=${ACCOUNT}&rel=${HTTP}`,
      );
      expect(none.body).toEqual({ subject: ACCOUNT, links: [] });
    });

    it("W3 limits the links to configured providers", async () => {
      const res = await get(createApp({ resolve: () => ["org", SAML] }), `rel=acme:idp&resource=${ACCOUNT}`);
      expect(links(res)).toEqual([SAML_LINK]);
      const none = await get(createApp({ resolve: () => "org" }), `rel=acme:idp&resource=${ACCOUNT}`);
      expect(none.status).toBe(200);
      expect(none.body).toEqual({ subject: ACCOUNT, links: [] });
    });

    it.each([
      ["repeated", `rel=acme:idp&rel=${HTTP}`],
      ["joined by a comma", `rel=acme:idp,${HTTP}`],
      ["joined by an encoded comma", `rel=${encodeURIComponent(`${HTTPS},acme:idp`)}`],
    ])("W3 takes several relations, %s", async (_how, rel) => {
      const res = await get(createApp({ resolve: () => SAML }), `resource=${ACCOUNT}&${rel}`);
      expect(links(res)).toEqual([SAML_LINK, ORG_LINK]);
    });

    it.each(["rel=other", "rel=", "rel=svc:idp", "rel=other,acme:idp"])("W3 matches nothing for %s", async (rel) => {
      const { logins, app } = counted();
      const res = await get(app, `resource=${ACCOUNT}&${rel}`);
      expect(res.status).toBe(200);
      expect(res.body).toEqual({ subject: ACCOUNT, links: [] });
      expect(logins).toEqual([]);
    });

    it.each([
      ["https", [HTTPS]],
      ["echo", [HTTP]],
      ["both", [HTTPS, HTTP]],
    ] as const)("W6 with issuerRel %s answers the http form with %j", async (issuerRel, rels) => {
      const res = await get(createApp({ issuerRel }), `resource=${ACCOUNT}&rel=${HTTP}`);
      expect(links(res)).toEqual(rels.map((rel) => ({ ...ORG_LINK, rel })));
    });
  });

  describe("refusals", () => {
    it.each(["", "?", "?rel=acme:idp", "?Resource=acme:acct:joe"])(
      "W1 says that resource is missing in %j",
      async (query) => {
        const res = await request(createApp()).get(PATH + query);
        expect(res.status).toBe(400);
        expect(res.body).toEqual({
          errorCode: "E0000028",
          errorSummary: "The request is missing a required parameter.",
          errorLink: "E0000028",
          errorId: res.headers["x-acme-request-id"],
          errorCauses: [{ errorSummary: 'The query parameter "resource" is required.' }],
        });
        expect(res.headers).toMatchObject({
          "content-type": "application/json; charset=utf-8",
          "access-control-allow-origin": "*",
          "access-control-expose-headers": "X-Acme-Request-Id",
          "cache-control": "no-store",
        });
      },
    );

    it.each([
      ["resource=joe@example.com", 'resource does not begin with "acme:acct:" or "acct:"'],
      ["resource", 'resource does not begin with "acme:acct:" or "acct:"'],
      ["resource=acme:acct:", 'resource ends after "acme:acct:"'],
      ["resource=ACCT:", 'resource ends after "acct:"'],
      [`resource=${ACCOUNT}&rel[]=acme:idp`, '"rel[]" is no parameter; repeat "rel" for several relations.'],
      [`resource=${ACCOUNT}&rel%5B0%5D=acme:idp`, '"rel[0]" is no parameter; repeat "rel" for several relations.'],
      [`resource[]=${ACCOUNT}`, '"resource[]" is no parameter; repeat "rel" for several relations.'],
      ["resource=acme:acct:joe%00", "resource holds a control character"],
      [`resource=acme:acct:${"x".repeat(503)}`, "resource is longer than 512 characters"],
      [`resource=${ACCOUNT}&resource=${ACCOUNT}`, "resource is given more than once"],
    ])("W1 calls %s malformed", async (query, detail) => {
      const res = await get(createApp(), query);
      expect(res.status).toBe(400);
      expect(res.body).toMatchObject({
        errorCode: "E0000001",
        errorSummary: `Api validation failed: ${detail}`,
        errorCauses: MALFORMED,
      });
      expect(res.headers["access-control-allow-origin"]).toBe("*");
    });

    it.each([
      ["Q1", "%zz", '"%zz" is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".'],
      ["S5", "%ff", '"%ff" is not well-formed UTF-8.'],
      ["S5", "%ED%A0%80", '"%ED" is not well-formed UTF-8.'],
      [
        "S5",
        "%F0%9F%98%80",
        '"%F0%9F%98%80" is a character of four bytes; characters of up to three bytes in UTF-8 are supported.',
      ],
      ["S5", "%EF%BB%BF", '"%EF%BB%BF" is a byte order mark; leave it out.'],
    ])("%s refuses %s in resource, saying where", async (_rule, found, says) => {
      const res = await get(createApp(), `resource=acme:acct:joe${found}`);
      expect(res.status).toBe(400);
      expect(res.body).toMatchObject({
        errorCode: "E0000001",
        errorCauses: [...MALFORMED, { errorSummary: `Query parameter "resource", offset 22: ${says}` }],
      });
      expect(res.headers["access-control-allow-origin"]).toBe("*");
    });

    it("Q1 refuses a malformed sequence in any other parameter", async () => {
      const res = await get(createApp(), `resource=${ACCOUNT}&x=%zz`);
      expect(res.status).toBe(400);
      expect(res.body).toMatchObject({
        errorCode: "E0000001",
        errorSummary: 'Api validation failed: "x"',
        errorCauses: [{ errorSummary: expect.stringContaining('parameter "x", offset 37: "%zz"') as string }],
      });
    });

    it("Q1 refuses a raw quote", async () => {
      const server = await listen(createApp());
      try {
        const answer = await exchange(server, `GET ${PATH}?resource=acme:acct:" HTTP/1.1\r\nHost: localhost\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(answer).toContain("must be percent-encoded.");
      } finally {
        await close(server);
      }
    });

    it("Q4 reads the parameters in any order and leaves unknown ones alone", async () => {
      const res = await get(createApp(), `x=1&rel=acme:idp&x=2&__proto__=3&resource=${ACCOUNT}&rel=x`);
      expect(res.status).toBe(200);
      expect(links(res)).toEqual([SAML_LINK]);
    });

    it.each([
      [100, 200],
      [101, 400],
    ])("reads %i parameters with %i", async (count, status) => {
      const res = await get(createApp(), `resource=${ACCOUNT}${"&x=1".repeat(count - 1)}`);
      expect(res.status).toBe(status);
    });

    const HINT = "The option `resourceAliases` of webfinger() allows others.";

    it.each<[string, readonly string[] | undefined, string]>([
      ["mailto:joe@example.com", undefined, `"acme:acct:" or "acct:". ${HINT}`],
      ["https://example.com/joe", undefined, `"acme:acct:" or "acct:". ${HINT}`],
      ["svc:acct:joe@example.com", ["acct:"], '"acme:acct:" or "acct:".'],
      ["acct:joe@example.com", [], '"acme:acct:".'],
    ])("W1 does not know %s", async (resource, resourceAliases, accepted) => {
      const app = createApp(resourceAliases && { resourceAliases });
      const res = await get(app, `resource=${encodeURIComponent(resource)}`);
      expect(res.status).toBe(404);
      expect(res.body).toMatchObject({
        errorCode: "E0000007",
        errorSummary: `Not found: Resource not found: ${resource} (WebFinger)`,
        errorCauses: [{ errorSummary: `The resource must begin with ${accepted}` }],
      });
      expect(res.headers["access-control-allow-origin"]).toBe("*");
    });

    it.each(["post", "put", "patch", "delete"] as const)("S7 refuses %s with Allow", async (method) => {
      const res = await request(createApp())[method](`${PATH}?resource=${ACCOUNT}`);
      expect(res.status).toBe(405);
      expect(res.headers["allow"]).toBe("GET, HEAD, OPTIONS");
      expect(res.headers["access-control-allow-origin"]).toBe("*");
      expect(res.body).toMatchObject({
        errorCode: "E0000022",
        errorCauses: [{ errorSummary: `${method.toUpperCase()} is not one of GET, HEAD, OPTIONS.` }],
      });
    });
  });

  describe("the media type", () => {
    it.each([
      [undefined, "application/jrd+json"],
      ["application/jrd+json", "application/jrd+json"],
      ["*/*", "application/jrd+json"],
      ["application/*", "application/jrd+json"],
      ["application/jrd+json, application/json", "application/jrd+json"],
      ["application/json, application/jrd+json", "application/jrd+json"],
      ["application/json", "application/json; charset=utf-8"],
      ["application/json;charset=utf-8", "application/json; charset=utf-8"],
      ["application/json, */*;q=0.1", "application/json; charset=utf-8"],
      ["application/jrd+json;q=0, */*", "application/json; charset=utf-8"],
      ["text/html", "application/jrd+json"],
      ["application/hal+json", "application/jrd+json"],
      ["*/*;q=0", "application/jrd+json"],
      ["junk", "application/jrd+json"],
    ])("W8 for Accept %j is %s", async (accept, type) => {
      const server = await listen(createApp());
      try {
        const field = accept === undefined ? "" : `Accept: ${accept}\r\n`;
        const target = `${PATH}?resource=${ACCOUNT}`;
        const answer = await exchange(server, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${field}`);
        expect(answer).toMatch(/^HTTP\/1\.1 200 /);
        expect(answer).toContain(`\r\nContent-Type: ${type}\r\n`);
        expect(answer).toContain(JSON.stringify([SAML_LINK]));
      } finally {
        await close(server);
      }
    });

    it("W8 is application/json for errors", async () => {
      const res = await request(createApp()).get(PATH).set("Accept", "application/jrd+json");
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
    });

    it("adds to Vary", async () => {
      const app = createApp({}, (target, options) => {
        target.use((_req, res, next) => {
          res.setHeader("Vary", "Accept-Encoding");
          next();
        });
        target.use(webfinger(options));
      });
      const res = await get(app, `resource=${ACCOUNT}`);
      expect(res.headers["vary"]).toBe("Accept-Encoding, Accept");
    });
  });

  describe("other origins", () => {
    it("O4 may read every answer, without credentials", async () => {
      const res = await get(createApp(), `resource=${ACCOUNT}`).set("Origin", "https://shop.example");
      expect(res.headers["access-control-allow-origin"]).toBe("*");
      expect(res.headers).not.toHaveProperty("access-control-allow-credentials");
    });

    it.each([
      ["a preflight", { Origin: "https://shop.example", "Access-Control-Request-Method": "GET" }],
      ["a plain OPTIONS", {}],
    ])("O4 get an answer to %s", async (_what, fields) => {
      const res = await request(createApp()).options(PATH).set(fields);
      expect(res.status).toBe(204);
      expect(res.text).toBe("");
      expect(res.headers).toMatchObject({
        allow: "GET, HEAD, OPTIONS",
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, HEAD",
        "access-control-allow-headers": "Authorization, Content-Type, *",
        "access-control-max-age": "86400",
        "x-acme-request-id": expect.any(String) as string,
      });
      expect(res.headers).not.toHaveProperty("access-control-allow-credentials");
    });

    it("O4 overrides a policy of the whole app", async () => {
      const app = createApp({}, (target, options) => {
        target.use((_req, res, next) => {
          res.setHeader("Access-Control-Allow-Origin", "https://shop.example");
          res.setHeader("Access-Control-Allow-Credentials", "true");
          next();
        });
        target.use(webfinger(options));
      });
      const res = await get(app, `resource=${ACCOUNT}`);
      expect(res.headers["access-control-allow-origin"]).toBe("*");
      expect(res.headers).not.toHaveProperty("access-control-allow-credentials");
    });
  });

  describe("the path", () => {
    it.each([
      ["/.well-known/webfinger/", "a trailing slash"],
      ["/.Well-Known/WebFinger", "other case"],
      ["/.well-known/webfinger.json", "more behind it"],
      ["/.well-known", "less"],
      ["/.well-known%2Fwebfinger", "an encoded delimiter"],
      ["/.well-known/%77ebfinger", "encoded letters"],
      ["/x/.well-known/webfinger", "something before it"],
      ["//.well-known/webfinger", "a double slash"],
      ["/", "nothing"],
    ])("S7 is not %s, with %s", async (path) => {
      for (const mount of MOUNTS) {
        const res = await request(createApp({}, mount[1])).get(`${path}?resource=${ACCOUNT}`);
        expect(res.status).toBe(404);
        expect(res.body).toMatchObject({ errorCode: "E0000008" });
        expect(res.headers).not.toHaveProperty("access-control-allow-origin");
      }
    });

    const MOUNTS: readonly [string, (app: Express, options: WebfingerOptions) => void][] = [
      ["app.use(…)", (app, options) => app.use(webfinger(options))],
      ["app.use(path, …)", (app, options) => app.use(PATH, webfinger(options))],
      ["app.get(path, …)", (app, options) => app.get(PATH, webfinger(options))],
      ["app.all(path, …)", (app, options) => app.all(PATH, webfinger(options))],
    ];

    it.each(MOUNTS)("is answered by %s", async (_how, mount) => {
      const app = createApp({}, mount);
      for (const method of ["get", "head"] as const) {
        const res = await request(app)[method](`${PATH}?resource=${ACCOUNT}`);
        expect(res.status).toBe(200);
        expect(res.headers["content-type"]).toBe("application/jrd+json");
      }
    });

    it.each(MOUNTS)("is answered below a path of its own by %s", async (_how, mount) => {
      const app = createApp({}, (target, options) => {
        const tenant = express();
        mount(tenant, options);
        target.use("/tenants/acme", tenant);
      });
      const res = await request(app).get(`/tenants/acme${PATH}?resource=${ACCOUNT}`);
      expect(res.status).toBe(200);
      expect((await get(app, `resource=${ACCOUNT}`)).status).toBe(404);
    });

    it("is found in a target of absolute form", async () => {
      const server = await listen(createApp());
      try {
        const target = `https://acme.example.com${PATH}?resource=${ACCOUNT}`;
        const answer = await exchange(server, `GET ${target} HTTP/1.1\r\nHost: acme.example.com\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      } finally {
        await close(server);
      }
    });
  });

  describe("resolve", () => {
    it("W4 may be asynchronous", async () => {
      const resolve = async (login: string) => {
        await new Promise((done) => setImmediate(done));
        return login === "joe@example.com" ? SAML : undefined;
      };
      const app = createApp({ resolve });
      expect(links(await get(app, `resource=${ACCOUNT}`))).toEqual([SAML_LINK]);
      expect(links(await get(app, "resource=acme:acct:jim@example.com"))).toEqual([ORG_LINK]);
    });

    it("is given the request", async () => {
      const resolve = (_login: string, req: Request) => (req.headers["user-agent"] === "phone" ? OIDC : SAML);
      const res = await get(createApp({ resolve }), `resource=${ACCOUNT}`).set("User-Agent", "phone");
      expect(links(res)).toMatchObject([{ titles: { und: "Example OIDC" } }]);
    });

    const failure = new Error("the directory is down");

    it.each<[string, WebfingerOptions["resolve"], unknown]>([
      [
        "throws",
        () => {
          throw failure;
        },
        failure,
      ],
      ["rejects", () => Promise.reject(failure), failure],
      [
        "rejects without a reason",
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- libraries do that
        () => Promise.reject(),
        new Error("webfinger: `resolve` threw a value that is not an error"),
      ],
      [
        'rejects with "route", a word that Express knows',
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- libraries do that
        () => Promise.reject("route"),
        new Error("webfinger: `resolve` threw a value that is not an error"),
      ],
      [
        "returns junk",
        () => "0oa1" as never,
        new TypeError(
          'webfinger: `resolve` must return `{ id, type, name }`, "org", an array of these, or nothing; provider 0 is "0oa1"',
        ),
      ],
      [
        "returns a provider that lacks something",
        () => [SAML, { id: "0oa2", type: "OIDC" }] as never,
        new TypeError(
          "webfinger: `name` of provider 1 that `resolve` returned must be a non-empty, well-formed string",
        ),
      ],
    ])("E4 that %s is a 500 that tells the log, not the client", async (_what, resolve, error) => {
      const res = await get(createApp({ resolve }), `resource=${ACCOUNT}`);
      expect(res.status).toBe(500);
      expect(res.body).toMatchObject({ errorCode: "E0000009", errorCauses: [] });
      expect(res.text).not.toContain("directory");
      expect(res.headers["access-control-allow-origin"]).toBe("*");
      expect(reported).toEqual([error]);
    });

    it("may refuse with an error of its own", async () => {
      const resolve = () => Promise.reject(Object.assign(new Error("slow down"), { status: 429 }));
      const res = await get(createApp({ resolve }), `resource=${ACCOUNT}`);
      expect(res.status).toBe(429);
    });

    it("that is slower than a time-out leaves that answer alone", async () => {
      let answered: () => void = () => undefined;
      const timedOut = new Promise<void>((done) => {
        answered = done;
      });
      const app = createApp({ resolve: () => timedOut.then(() => SAML) }, (target, options) => {
        target.use((_req, res, next) => {
          next();
          res.statusCode = 503;
          res.end();
          answered();
        });
        target.use(webfinger(options));
      });
      const res = await get(app, `resource=${ACCOUNT}`);
      expect(res.status).toBe(503);
      expect(reported).toEqual([]);
    });
  });

  describe("options", () => {
    it("S2 baseUrl and title may depend on the org of the request, never on Host", async () => {
      const org = (req: Request) => String(req.headers["x-test-org"]);
      const app = createApp({ baseUrl: (req) => `https://${org(req)}.example.com`, title: org });
      const res = await get(app, "resource=acme:acct:joe").set({ "X-Test-Org": "blue", Host: "evil.example" });
      expect(links(res)).toEqual([
        { ...ORG_LINK, href: "https://blue.example.com/sso/idps/ACME", titles: { und: "blue" } },
      ]);
      expect(res.text).not.toContain("evil");
    });

    it.each<[string, Partial<WebfingerOptions>, string]>([
      ["baseUrl", { baseUrl: () => "https://acme.example.com/" }, "option `baseUrl` must be an absolute https URL"],
      ["baseUrl", { baseUrl: () => undefined as never }, "option `baseUrl` must be an absolute https URL"],
      ["title", { title: () => "" }, "option `title` must be a non-empty string"],
    ])("a function for %s that returns something else is a 500", async (_name, options, message) => {
      const res = await get(createApp(options), `resource=${ACCOUNT}`);
      expect(res.status).toBe(500);
      expect(reported).toEqual([expect.any(TypeError)]);
      expect(String(reported[0])).toContain(message);
    });

    it("N4 namespace changes every public name; svc is the default", async () => {
      const app = createApp({ namespace: undefined as never });
      const res = await get(app, "resource=svc:acct:joe@example.com");
      expect(links(res)).toEqual([
        {
          rel: "svc:idp",
          href: "https://acme.example.com/sso/idps/0oa1",
          titles: { und: "Example SAML" },
          properties: {
            "svc:idp:metadata": "https://acme.example.com/api/v1/idps/0oa1/metadata.xml",
            "svc:idp:type": "SAML2",
            "svc:idp:id": "0oa1",
          },
        },
      ]);
      expect(res.headers["access-control-expose-headers"]).toBe("X-Svc-Request-Id");
      const org = await get(app, `resource=svc:acct:joe&rel=${HTTPS}`);
      expect(links(org)).toEqual([
        { ...ORG_LINK, href: "https://acme.example.com/sso/idps/SVC", properties: { "svc:idp:type": "SVC" } },
      ]);
    });

    it("cacheControl is sent with answers, not with errors", async () => {
      const app = createApp({ cacheControl: "private, max-age=60" });
      expect((await get(app, `resource=${ACCOUNT}`)).headers["cache-control"]).toBe("private, max-age=60");
      expect((await get(app, "resource=joe")).headers["cache-control"]).toBe("no-store");
    });

    it.each<[string, unknown, string]>([
      ["resolve", undefined, "a function"],
      ["resolve", new Map(), "a function"],
      [
        "baseUrl",
        undefined,
        "an absolute https URL (http only for localhost, 127.0.0.0/8 and [::1]) without user, trailing slash, query or fragment, or a function that returns one",
      ],
      ["baseUrl", "http://acme.example.com", "an absolute https URL"],
      ["baseUrl", "https://acme.example.com/", "an absolute https URL"],
      ["baseUrl", "https://acme.example.com?x", "an absolute https URL"],
      ["title", undefined, "a non-empty string, or a function that returns one"],
      ["title", "", "a non-empty string"],
      ["namespace", "Acme", "1 to 32 lower-case letters and digits"],
      ["issuerRel", "http", '"https", "echo" or "both"'],
      ["resourceAliases", "acct:", "an array of non-empty strings"],
      ["resourceAliases", ["acct"], 'an array of URI prefixes such as "acct:"'],
      ["cacheControl", "", "a non-empty string"],
      ["cacheControl", "private\r\nX: y", "a header field value"],
      ["cacheControl", " private", "a header field value"],
    ])("%s can't be %j", (name, value, expected) => {
      const options = { ...REQUIRED, [name]: value };
      expect(() => webfinger(options)).toThrow(TypeError);
      expect(() => webfinger(options)).toThrow(`webfinger: option \`${name}\` must be ${expected}`);
    });

    it("are required", () => {
      expect(() => webfinger(undefined as never)).toThrow("webfinger: options must be an object");
    });
  });

  describe("webfinger.js, an independent client", () => {
    it("W2 finds the provider of an address with a plus, by acct:", async () => {
      const server = await listen(createApp({ resolve: (id) => ({ ...OIDC, id }) }));
      try {
        const client = new WebFinger({ tls_only: false, allow_private_addresses: true });
        const address = `joe+tag@127.0.0.1:${(server.address() as AddressInfo).port}`;
        const { object } = await client.lookup(address);
        expect(object.subject).toBe(`acct:${address}`);
        expect(object.links).toMatchObject([{ rel: "acme:idp", properties: { "acme:idp:id": address } }]);
      } finally {
        await close(server);
      }
    });

    it("W1 is told that the resource is not found without the alias", async () => {
      const server = await listen(createApp({ resourceAliases: [] }));
      try {
        const client = new WebFinger({ tls_only: false, allow_private_addresses: true });
        const address = `joe@127.0.0.1:${(server.address() as AddressInfo).port}`;
        await expect(client.lookup(address)).rejects.toMatchObject({ status: 404 });
      } finally {
        await close(server);
      }
    });
  });
});

describe("the parts of webfinger without HTTP", () => {
  const namespace = compileNamespace("webfinger", "acme");
  const parse = compileWebfingerParser(namespace, []);

  it("W5 make the same answer", () => {
    const { query } = parse(`resource=${encodeURIComponent(ACCOUNT)}`);
    expect(query?.login).toBe("joe@example.com");
    const org = { namespace, baseUrl: "https://acme.example.com", title: "acme", issuerRel: "https" } as const;
    expect(formatJrd(query!, [SAML, "org"], org)).toEqual({ subject: ACCOUNT, links: [SAML_LINK, ORG_LINK] });
  });

  it("W1 report faults as the middleware does", () => {
    const { fault } = parse("");
    expect(webfingerError(fault!)).toMatchObject({ status: 400, code: "E0000028", type: "webfinger.missing" });
  });
});

async function listen(app: Express): Promise<Server> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

function origin(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Send a request head as it stands, one byte a character, and read the answer to its end. */
async function exchange(server: Server, head: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`${head}Connection: close\r\n\r\n`, "latin1");
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
