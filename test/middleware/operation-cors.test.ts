import { createServer } from "node:http";
import type { Express, Request, RequestHandler } from "express";
import createError from "http-errors";
import request from "supertest";
import { apiError } from "../../lib/errors/api-error.js";
import type { ErrorCode } from "../../lib/errors/error-catalogue.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { methodNotAllowed } from "../../middleware/method-not-allowed.js";
import { notFound } from "../../middleware/not-found.js";
import { operationCors, type OperationCorsOptions } from "../../middleware/operation-cors.js";
import { requestId } from "../../middleware/request-id.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, parseAnswer } from "../support/raw-socket.js";

const APP = "https://app.example.com";
const EVIL = "https://evilapp.example.com";
const PREFLIGHT_VARY = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers";
const EXPOSED =
  "Link,ETag,X-Svc-Request-Id,X-Rate-Limit-Limit,X-Rate-Limit-Remaining,X-Rate-Limit-Reset,RateLimit,RateLimit-Policy,Retry-After,Idempotent-Replayed";

/** GET and PUT are marked, DELETE is not. */
const USER: OperationCorsOptions = { origin: [APP], operations: { GET: {}, PUT: {} } };

/** The fields of an answer that CORS is made of. */
function corsFields({ headers }: { headers: Record<string, string> }): Record<string, string> {
  const isCors = ([name]: [string, string]) => name.startsWith("access-control-") || name === "vary";
  return Object.fromEntries(Object.entries(headers).filter(isCors));
}

function causes(response: request.Response): string[] {
  return (response.body.errorCauses as { errorSummary: string }[]).map(({ errorSummary }) => errorSummary);
}

function preflight(app: Express, method: string, origin = APP, headers?: string): request.Test {
  const test = request(app).options("/users/1").set("Origin", origin).set("Access-Control-Request-Method", method);
  return headers === undefined ? test : test.set("Access-Control-Request-Headers", headers);
}

describe.each(EXPRESS_VERSIONS)("operationCors on %s", (_version, express) => {
  /** An API with one path; `guard` stands for authentication and the like. */
  function appWith(options: OperationCorsOptions, guard?: RequestHandler): Express {
    const app = express();
    app.use(requestId());
    app.all("/users/:id", operationCors(options));
    if (guard) app.use(guard);
    const answer: RequestHandler = (req, res) => {
      res.set("ETag", 'W/"1"').json({ method: req.method });
    };
    app.route("/users/:id").get(answer).put(answer).delete(answer).all(methodNotAllowed());
    app.use(notFound());
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  const app = appWith(USER);

  describe("a request for a marked operation", () => {
    it.each([["get"], ["head"], ["put"]] as const)("O1 %s can be read by a trusted origin", async (method) => {
      const response = await request(app)[method]("/users/1").set("Origin", APP).expect(200);
      expect(corsFields(response)).toEqual({
        "access-control-allow-origin": APP,
        "access-control-expose-headers": EXPOSED,
        vary: "Origin",
      });
      expect(response.headers["etag"]).toBe('W/"1"');
    });

    it.each([
      [EVIL],
      ["http://app.example.com"],
      ["https://app.example.com:8443"],
      ["https://example.com"],
      ["https://app.example.com.evil.example"],
      ["https://APP.example.com"],
      ["https://app.example.com/"],
      ["null"],
      ["*"],
      [`${APP} ${APP}`],
      [`${APP}${"x".repeat(8_000)}`],
    ])("O3 passes for origin %.60s, with nothing but Vary: Origin", async (origin) => {
      const response = await request(app).get("/users/1").set("Origin", origin).expect(200);
      expect(corsFields(response)).toEqual({ vary: "Origin" });
      expect(response.body).toEqual({ method: "GET" });
    });

    it("O3 varies by origin also when there is none", async () => {
      const response = await request(app).get("/users/1").expect(200);
      expect(corsFields(response)).toEqual({ vary: "Origin" });
    });

    it("O2 trusts neither of two Origin lines, nor an empty one", async () => {
      const server = createServer(app);
      const port = await listen(server);
      try {
        for (const lines of [`Origin: ${APP}\r\nOrigin: ${APP}`, `Origin: ${EVIL}\r\nOrigin: ${APP}`, "Origin:"]) {
          const head = `GET /users/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n\r\n`;
          const { status, headers } = parseAnswer(await exchange(port, head));
          expect([status, corsFields({ headers })]).toEqual([200, { vary: "Origin" }]);
        }
      } finally {
        server.close();
      }
    });

    it.each<[number, ErrorCode]>([
      [401, "E0000011"],
      [404, "E0000007"],
      [412, "E0000231"],
      [429, "E0000047"],
      [500, "E0000009"],
    ])("O3 can be read by a trusted origin when it fails with %d, and by no other", async (status, code) => {
      const failing = appWith(USER, (_req, _res, next) => {
        next(apiError(code));
      });
      const trusted = await request(failing).put("/users/1").set("Origin", APP).expect(status);
      expect(trusted.body.errorCode).toBe(code);
      expect(corsFields(trusted)).toEqual({
        "access-control-allow-origin": APP,
        "access-control-expose-headers": EXPOSED,
        vary: "Origin",
      });
      const denied = await request(failing).put("/users/1").set("Origin", EVIL).expect(status);
      expect(corsFields(denied)).toEqual({ vary: "Origin" });
    });

    it("O3 can be read when it fails and Express itself answers", async () => {
      const bare = express();
      bare.set("env", "test");
      bare.all("/", operationCors(USER));
      bare.get("/", () => {
        throw createError(418, "teapot");
      });
      const response = await request(bare).get("/").set("Origin", APP).expect(418);
      expect(response.headers["access-control-allow-origin"]).toBe(APP);
    });
  });

  describe("a request for an operation that is not marked", () => {
    it.each([["delete"], ["post"], ["patch"]] as const)(
      "O1 %s passes, with nothing but Vary: Origin",
      async (method) => {
        const response = await request(app)[method]("/users/1").set("Origin", APP);
        expect(response.status).toBe(method === "delete" ? 200 : 405);
        expect(corsFields(response)).toEqual({ vary: "Origin" });
      },
    );

    it("O1 asks nobody about the origin", async () => {
      let asked = 0;
      const origin = () => {
        asked += 1;
        return [APP];
      };
      await request(appWith({ ...USER, origin }))
        .delete("/users/1")
        .set("Origin", APP)
        .expect(200);
      expect(asked).toBe(0);
    });
  });

  describe("a preflight", () => {
    it("O1 is answered with the method and the headers of the operation alone", async () => {
      const response = await preflight(app, "PUT", APP, "content-type,if-match").expect(204, "");
      expect(corsFields(response)).toEqual({
        "access-control-allow-origin": APP,
        "access-control-allow-methods": "PUT",
        "access-control-allow-headers": "Accept,Authorization,Content-Type,If-Match",
        "access-control-max-age": "600",
        vary: PREFLIGHT_VARY,
      });
      expect(response.headers["x-svc-request-id"]).toBeDefined();
    });

    it.each([
      ["GET", "If-None-Match"],
      ["HEAD", "If-None-Match"],
      ["PUT", "If-Match"],
      ["POST", "If-Match"],
      ["PATCH", "If-Match"],
      ["DELETE", "If-Match"],
    ])("O1 for %s grants by default what carries a token, a type and %s", async (method, condition) => {
      const all = appWith({ ...USER, operations: { GET: {}, PUT: {}, POST: {}, PATCH: {}, DELETE: {} } });
      const response = await preflight(all, method).expect(204);
      expect(response.headers["access-control-allow-methods"]).toBe(method);
      expect(response.headers["access-control-allow-headers"]).toBe(`Accept,Authorization,Content-Type,${condition}`);
    });

    it.each([
      ["DELETE", '"DELETE" is not open to other origins; open: GET, HEAD, PUT.'],
      ["put", '"put" is not open to other origins; open: GET, HEAD, PUT.'],
      ["PUT, GET", '"PUT, GET" is not open to other origins; open: GET, HEAD, PUT.'],
      ["__proto__", '"__proto__" is not open to other origins; open: GET, HEAD, PUT.'],
      ["constructor", '"constructor" is not open to other origins; open: GET, HEAD, PUT.'],
      ["OPTIONS", '"OPTIONS" is not open to other origins; open: GET, HEAD, PUT.'],
    ])("O1 for %s, which is not marked, is 403 E0000212 without a grant", async (method, cause) => {
      const response = await preflight(app, method).expect(403);
      expect(response.body.errorCode).toBe("E0000212");
      expect(causes(response)).toEqual([cause]);
      expect(corsFields(response)).toEqual({ vary: PREFLIGHT_VARY });
    });

    it("O1 for an empty method is 403", async () => {
      const server = createServer(app);
      const port = await listen(server);
      try {
        const head = `OPTIONS /users/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: ${APP}`;
        const answer = parseAnswer(await exchange(port, `${head}\r\nAccess-Control-Request-Method:\r\n\r\n`));
        expect([answer.status, corsFields(answer)]).toEqual([403, { vary: PREFLIGHT_VARY }]);
      } finally {
        server.close();
      }
    });

    it.each([
      ["x-evil", '"x-evil"'],
      ["content-type,x-evil,if-match", '"x-evil"'],
      ["If-None-Match", '"if-none-match"'],
      ["*", '"*"'],
      ["content-type if-match", '"content-type if-match"'],
      [`content-type,${"x".repeat(8_000)}`, `"${"x".repeat(64)}…"`],
    ])("O1 with the header %.60s, which the operation has not, is 403 without a grant", async (names, shown) => {
      const response = await preflight(app, "PUT", APP, names).expect(403);
      expect(response.body.errorCode).toBe("E0000212");
      const taken = "taken: Accept, Authorization, Content-Type, If-Match.";
      expect(causes(response)).toEqual([`PUT takes no ${shown} from other origins; ${taken}`]);
      expect(corsFields(response)).toEqual({ vary: PREFLIGHT_VARY });
    });

    it.each([["Content-Type"], ["IF-MATCH"], [",, content-type ,\tIf-Match,"], [""], ["accept,".repeat(1_000)]])(
      "O1 with the headers %.60j is granted",
      async (names) => {
        await preflight(app, "PUT", APP, names).expect(204);
      },
    );

    it.each([[EVIL], ["null"], ["*"], ["https://app.example.com:8443"]])(
      "O3 of origin %s is 403 with nothing but Vary, and is not told what is marked",
      async (origin) => {
        for (const method of ["PUT", "DELETE"]) {
          const response = await preflight(app, method, origin, "x-evil").expect(403);
          expect(response.body.errorCode).toBe("E0000212");
          expect(causes(response)).toEqual([`The origin "${origin}" is not trusted.`]);
          expect(corsFields(response)).toEqual({ vary: PREFLIGHT_VARY });
        }
      },
    );

    it("O1 for a path that does not exist is 404", async () => {
      const response = await request(app)
        .options("/nowhere")
        .set("Origin", APP)
        .set("Access-Control-Request-Method", "GET")
        .expect(404);
      expect(corsFields(response)).toEqual({});
    });

    it("O1 is not asked for a token: what is mounted behind never sees it", async () => {
      const guarded = appWith(USER, (_req, _res, next) => {
        next(apiError("E0000011"));
      });
      await preflight(guarded, "PUT").expect(204);
      await request(guarded).options("/users/1").expect(401);
    });

    it("O1 says nothing of private networks", async () => {
      const response = await preflight(app, "PUT")
        .set("Access-Control-Request-Private-Network", "true")
        .set("Access-Control-Request-Local-Network", "true")
        .expect(204);
      expect(Object.keys(corsFields(response)).filter((name) => name.includes("network"))).toEqual([]);
    });

    it("O1 is one only with Origin and Access-Control-Request-Method: other OPTIONS are passed on", async () => {
      const plain = await request(app).options("/users/1").set("Origin", APP).expect(204);
      expect(plain.headers["allow"]).toBe("DELETE, GET, HEAD, OPTIONS, PUT");
      expect(corsFields(plain)).toEqual({ vary: PREFLIGHT_VARY });
      const sameOrigin = await request(app).options("/users/1").set("Access-Control-Request-Method", "PUT").expect(204);
      expect(sameOrigin.headers["allow"]).toBeDefined();
      expect(corsFields(sameOrigin)).toEqual({ vary: PREFLIGHT_VARY });
    });
  });

  it.each([
    ["route.all()", (target: Express) => target.route("/users/:id").all(operationCors(USER))],
    [
      "router.all() of a mounted router",
      (target: Express) => {
        const router = express.Router();
        router.all("/:id", operationCors(USER));
        target.use("/users", router);
      },
    ],
    ["app.options()", (target: Express) => target.options("/users/:id", operationCors(USER))],
  ])("O1 answers preflights mounted with %s", async (_way, mount) => {
    const target = express();
    mount(target);
    target.put("/users/:id", (_req, res) => res.end());
    await preflight(target, "PUT").expect(204);
    await request(target)
      .options("/other/1")
      .set("Origin", APP)
      .set("Access-Control-Request-Method", "PUT")
      .expect(404);
  });

  describe("origin as a function", () => {
    const lists: Record<string, string[]> = { acme: [APP], evil: [EVIL] };
    const listOf = (req: Request) => lists[req.hostname.split(".")[0] ?? ""] ?? [];

    it.each<[string, OperationCorsOptions["origin"]]>([
      ["a list", listOf],
      ["a promise of one", async (req) => Promise.resolve(listOf(req))],
    ])("O2 that returns %s trusts an org's own origins", async (_kind, origin) => {
      const orgs = appWith({ ...USER, origin });
      for (const [host, allowed] of [
        ["acme.example", APP],
        ["evil.example", undefined],
        ["none.example", undefined],
      ]) {
        const actual = await request(orgs).get("/users/1").set("Host", host!).set("Origin", APP).expect(200);
        expect(actual.headers["access-control-allow-origin"]).toBe(allowed);
        const asked = await preflight(orgs, "PUT")
          .set("Host", host!)
          .expect(allowed ? 204 : 403);
        expect(asked.headers["access-control-allow-origin"]).toBe(allowed);
      }
    });

    it.each<[string, () => unknown]>([
      [
        "throws",
        () => {
          throw new Error("store down");
        },
      ],
      ["rejects", () => Promise.reject(new Error("store down"))],
      ["returns no array", () => `${APP} ${EVIL}`],
    ])("O2 that %s trusts nobody, and the log is told", async (_how, origin) => {
      const logged: [unknown, string][] = [];
      const broken = appWith({
        ...USER,
        origin: origin as never,
        log: (error, req) => logged.push([error, req.method]),
      });
      const actual = await request(broken).get("/users/1").set("Origin", APP).expect(200);
      expect(corsFields(actual)).toEqual({ vary: "Origin" });
      const asked = await preflight(broken, "PUT").expect(503);
      expect(asked.body).toMatchObject({ errorCode: "E0009011", errorCauses: [] });
      expect(corsFields(asked)).toEqual({ vary: PREFLIGHT_VARY });
      expect(logged.map(([, method]) => method)).toEqual(["GET", "OPTIONS"]);
      expect(logged.every(([error]) => error instanceof Error)).toBe(true);
    });

    it("is not asked without an origin, nor for what is none", async () => {
      let asked = 0;
      const counting = appWith({ ...USER, origin: () => [`${(asked += 1)}`, "null", "*"] });
      await request(counting).get("/users/1").expect(200);
      for (const origin of ["null", "*", `${APP}, ${APP}`]) {
        const response = await request(counting).get("/users/1").set("Origin", origin).expect(200);
        expect(corsFields(response)).toEqual({ vary: "Origin" });
      }
      expect(asked).toBe(0);
    });

    it("leaves an answer alone that a time-out gave meanwhile", async () => {
      let release: (list: string[]) => void = () => undefined;
      const passed: string[] = [];
      const slow = express();
      slow.use((_req, res, next) => {
        next();
        res.status(503).end("too late", () => {
          release([APP]);
        });
      });
      slow.all("/users/:id", operationCors({ ...USER, origin: () => new Promise((resolve) => (release = resolve)) }));
      slow.use((req) => passed.push(req.method));
      await request(slow).get("/users/1").set("Origin", APP).expect(503, "too late");
      await preflight(slow, "PUT").expect(503, "too late");
      await new Promise((resolve) => setImmediate(resolve));
      expect(passed).toEqual([]);
    });
  });

  describe("log", () => {
    const origin = (): never => {
      throw new Error("store down");
    };

    it("writes to console.error by default", async () => {
      const written = jest.spyOn(console, "error").mockImplementation(() => undefined);
      try {
        await request(appWith({ ...USER, origin }))
          .get("/users/1")
          .set("Origin", APP)
          .expect(200);
        expect(written.mock.calls).toEqual([
          ["operationCors: the trusted origins could not be read, so none is trusted:", new Error("store down")],
        ]);
      } finally {
        written.mockRestore();
      }
    });

    it.each<[string, () => unknown]>([
      [
        "throws",
        () => {
          throw new Error("disk full");
        },
      ],
      ["rejects", () => Promise.reject(new Error("disk full"))],
    ])("may fail: when it %s the request goes on", async (_how, log) => {
      await request(appWith({ ...USER, origin, log }))
        .get("/users/1")
        .set("Origin", APP)
        .expect(200);
    });
  });

  describe('origin "*"', () => {
    const open = appWith({ ...USER, origin: "*" });

    it.each([[APP], ["null"], [undefined]])("O4 lets the page of %s read", async (origin) => {
      const test = request(open).get("/users/1");
      const response = await (origin === undefined ? test : test.set("Origin", origin)).expect(200);
      expect(corsFields(response)).toEqual({
        "access-control-allow-origin": "*",
        "access-control-expose-headers": EXPOSED,
      });
    });

    it("O4 answers preflights of marked operations, without credentials", async () => {
      const response = await preflight(open, "PUT", EVIL, "content-type").expect(204);
      expect(corsFields(response)).toEqual({
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "PUT",
        "access-control-allow-headers": "Accept,Authorization,Content-Type,If-Match",
        "access-control-max-age": "600",
        vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
      });
      await preflight(open, "DELETE", EVIL).expect(403);
    });

    it("O1 gives nothing to what is not marked", async () => {
      expect(corsFields(await request(open).delete("/users/1").set("Origin", APP).expect(200))).toEqual({});
    });
  });

  describe("options", () => {
    it("operations: allowedHeaders replaces the default, in any case", async () => {
      const operations = { PUT: { allowedHeaders: ["X-Device-Fingerprint"] }, DELETE: { allowedHeaders: [] } };
      const own = appWith({ ...USER, operations });
      const granted = await preflight(own, "PUT", APP, "x-device-fingerprint").expect(204);
      expect(granted.headers["access-control-allow-headers"]).toBe("X-Device-Fingerprint");
      await preflight(own, "PUT", APP, "authorization").expect(403);

      const none = await preflight(own, "DELETE").expect(204);
      expect(none.headers["access-control-allow-headers"]).toBeUndefined();
      const refused = await preflight(own, "DELETE", APP, "authorization").expect(403);
      expect(causes(refused)).toEqual(['DELETE takes no "authorization" from other origins; taken: none.']);
    });

    it("operations: GET brings HEAD with the same headers, unless HEAD has its own", async () => {
      const brought = appWith({ ...USER, operations: { GET: { allowedHeaders: ["A"] } } });
      const granted = await preflight(brought, "HEAD", APP, "a").expect(204);
      expect(granted.headers["access-control-allow-methods"]).toBe("HEAD");
      const own = appWith({ ...USER, operations: { GET: { allowedHeaders: ["A"] }, HEAD: { allowedHeaders: ["B"] } } });
      await preflight(own, "HEAD", APP, "a").expect(403);
      await preflight(own, "HEAD", APP, "b").expect(204);
    });

    it("operations: an object without methods opens none", async () => {
      const closed = appWith({ ...USER, operations: {} });
      const { body, headers } = await preflight(closed, "GET").expect(403);
      expect(body.errorCauses).toEqual([{ errorSummary: '"GET" is not open to other origins; open: none.' }]);
      expect(headers["vary"]).toMatch(/^Origin\b/);
      const read = await request(closed).get("/users/1").set("Origin", APP).expect(200);
      expect(read.headers["vary"]).toBe("Origin");
      expect(read.headers).not.toHaveProperty("access-control-allow-origin");
    });

    it("operations: an undefined one is not marked", async () => {
      const operations = { GET: {}, PUT: undefined } as unknown as Record<string, object>;
      await preflight(appWith({ ...USER, operations }), "PUT").expect(403);
    });

    it("credentials: true is told to trusted origins only", async () => {
      const cookies = appWith({ ...USER, credentials: true });
      for (const [origin, allowed] of [
        [APP, "true"],
        [EVIL, undefined],
      ]) {
        const actual = await request(cookies).get("/users/1").set("Origin", origin!);
        expect(actual.headers["access-control-allow-credentials"]).toBe(allowed);
        const asked = await preflight(cookies, "PUT", origin);
        expect(asked.headers["access-control-allow-credentials"]).toBe(allowed);
      }
    });

    it.each([0, 1, 86_399, 86_400])("maxAge: %d", async (maxAge) => {
      const response = await preflight(appWith({ ...USER, maxAge }), "PUT");
      expect(response.headers["access-control-max-age"]).toBe(String(maxAge));
    });

    it("exposedHeaders and namespace", async () => {
      const expose = async (options: Partial<OperationCorsOptions>) => {
        const response = await request(appWith({ ...USER, ...options }))
          .get("/users/1")
          .set("Origin", APP);
        return response.headers["access-control-expose-headers"];
      };
      expect(await expose({ namespace: "acme" })).toBe(EXPOSED.replace("Svc", "Acme"));
      expect(await expose({ exposedHeaders: ["ETag"] })).toBe("ETag");
      expect(await expose({ exposedHeaders: [] })).toBeUndefined();
    });
  });

  it("keeps what other handlers said that the answer varies by", async () => {
    const target = express();
    target.use((_req, res, next) => {
      res.vary("Accept");
      next();
    });
    target.all("/", operationCors(USER));
    target.get("/", (_req, res) => res.json({}));
    const response = await request(target).get("/").set("Origin", APP).expect(200);
    expect(response.headers["vary"]).toBe("Accept, Origin");
  });
});

describe("operationCors refuses", () => {
  it.each<[string, object, string]>([
    ["no origin", { operations: { GET: {} } }, "option `origin` must be an array of origins"],
    ["one origin that is no list", { ...USER, origin: APP }, "option `origin` must be an array of origins"],
    ["a regular expression", { ...USER, origin: /example\.com$/ }, "option `origin` must be an array of origins"],
    ["one in a list", { ...USER, origin: [/example\.com$/] }, "/example\\.com$/ is none"],
    ["null", { ...USER, origin: ["null"] }, "null is none"],
    ["a wildcard", { ...USER, origin: ["https://*.example.com"] }, "https://*.example.com is none"],
    ["another form", { ...USER, origin: ["https://A.example/"] }, 'write "https://a.example" for "https://A.example/"'],
    [
      "true for operations",
      { ...USER, operations: true },
      "option `operations` must be an object with methods in upper case",
    ],
    ["null for operations", { ...USER, operations: null }, "option `operations` must be"],
    ["an array", { ...USER, operations: ["GET"] }, "option `operations` must be"],
    ["a string", { ...USER, operations: "GET" }, "option `operations` must be"],
    ["lower case", { ...USER, operations: { get: {} } }, "option `operations` must be"],
    ["OPTIONS", { ...USER, operations: { OPTIONS: {} } }, "other than CONNECT, OPTIONS and TRACE"],
    ["TRACE", { ...USER, operations: { TRACE: {} } }, "other than CONNECT, OPTIONS and TRACE"],
    ["an operation that is null", { ...USER, operations: { PUT: null } }, ", operation PUT: options must be an object"],
    ["true for one", { ...USER, operations: { PUT: true } }, ", operation PUT: options must be an object"],
    [
      "a misspelled option of an operation",
      { ...USER, operations: { PUT: { headers: [] } } },
      ", operation PUT: option `headers` is unknown; the options are `allowedHeaders`",
    ],
    [
      "a header that is no name",
      { ...USER, operations: { PUT: { allowedHeaders: ["If Match"] } } },
      ", operation PUT: option `allowedHeaders` must be a header field name",
    ],
    [
      "every header",
      { ...USER, operations: { PUT: { allowedHeaders: ["*"] } } },
      ", operation PUT: option `allowedHeaders` must be an array of header field names; `*` is not one",
    ],
    ["headers in one text", { ...USER, exposedHeaders: "ETag" }, "option `exposedHeaders` must be an array"],
    ["every header to read", { ...USER, exposedHeaders: ["*"] }, "option `exposedHeaders` must be"],
    ["a line break", { ...USER, exposedHeaders: ["A\r\nB"] }, "option `exposedHeaders` must be a header field name"],
    ["a negative age", { ...USER, maxAge: -1 }, "option `maxAge` must be an integer from 0 to 86400"],
    ["more than a day", { ...USER, maxAge: 86_401 }, "option `maxAge` must be an integer from 0 to 86400"],
    ["an age as text", { ...USER, maxAge: "600" }, "option `maxAge` must be an integer from 0 to 86400"],
    ["credentials as text", { ...USER, credentials: "true" }, "option `credentials` must be a boolean"],
    [
      "credentials for everyone",
      { ...USER, origin: "*", credentials: true },
      'option `credentials` must be false when `origin` is "*": browsers refuse the two together',
    ],
    ["a bad namespace", { ...USER, namespace: "Svc" }, "option `namespace` must be"],
    ["a log that is no function", { ...USER, log: true }, "option `log` must be a function"],
    ["an unknown option", { ...USER, methods: ["GET"] }, "option `methods` is unknown"],
  ])("%s", (_what, options, message) => {
    expect(() => operationCors(options as OperationCorsOptions)).toThrow(TypeError);
    expect(() => operationCors(options as OperationCorsOptions)).toThrow(message);
  });
});
