import path from "node:path";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import { suite, type SuiteOptions } from "etiquette/suite";
import {
  type ApiError,
  compileApiError,
  getQuery,
  getRequestContext,
  getRequestId,
  type ResponseCheckOptions,
  tryGetRequestContext,
  tryGetRequestId,
} from "etiquette";
import { optionsOf } from "./support/declarations.js";
import { EXPRESS_VERSIONS } from "./support/express.js";

const quiet = { log: () => undefined };

describe.each(EXPRESS_VERSIONS)("suite on %s", (_version, express) => {
  function serve(options: SuiteOptions = {}): Express {
    const { guards, fallbacks } = suite({ httpsOnly: false, errorFormatter: quiet, ...options });
    const app = express();
    app.use(guards);
    app.all("/users", (req, res) => {
      const { ip } = getRequestContext(req);
      res.json({ id: getRequestId(req), ip, limit: getQuery(req).get("limit"), body: req.body as unknown });
    });
    app.use(fallbacks);
    return app;
  }

  it("D1 C2 Q4 has every part at work in front of a route", async () => {
    const res = await request(serve()).get("/users?limit=1").expect(200);
    expect(res.body).toMatchObject({ id: res.headers["x-svc-request-id"], ip: "127.0.0.1", limit: "1" });
    expect(res.headers["x-content-type-options"]).toBe("nosniff");
  });

  it("without fallbacks of its own leaves the requests to those that follow", async () => {
    const app = express();
    app.use(suite({ notFound: false, errorFormatter: false, httpsOnly: false }).fallbacks);
    app.use((_req, res) => void res.status(410).end());
    await request(app).get("/users").expect(410);
  });

  it("S3 parses what contentType consumes, also where a parameter has a comma", async () => {
    const app = serve({ contentType: { consumes: ["application/json", "application/merge-patch+json"] } });
    for (const type of ["application/json; x=a,b", "application/merge-patch+json"]) {
      const res = await request(app).patch("/users").set("Content-Type", type).send('{"a":1}').expect(200);
      expect(res.body).toMatchObject({ body: { a: 1 } });
    }
    await request(app).post("/users").type("text/plain").send("a").expect(415);
  });

  it("S3 parses what jsonBody is told, within what contentType consumes", async () => {
    const app = serve({
      contentType: { consumes: ["application/json", "text/plain"] },
      jsonBody: { consumes: ["application/json"], limit: 7 },
    });
    const parsed = await request(app).post("/users").type("json").send('{"a":1}').expect(200);
    expect(parsed.body).toMatchObject({ body: { a: 1 } });
    const untouched = await request(app).post("/users").type("text/plain").send("{}").expect(200);
    expect(untouched.body).not.toHaveProperty("body");
    await request(app).post("/users").type("json").send('{"a":10}').expect(413);
  });

  it("S3 parses JSON when contentType is left out", async () => {
    const app = serve({ contentType: false });
    const res = await request(app).post("/users").type("json").send('{"a":1}').expect(200);
    expect(res.body).toMatchObject({ body: { a: 1 } });
  });

  it.each<[string, (app: Express) => request.Test, number, string]>([
    ["S1 plain HTTP", (app) => request(app).get("/users"), 403, "E0000006"],
    ["S3 Accept", (app) => request(app).get("/users").set("Accept", "text/html"), 406, "E0000122"],
    ["S5 a path", (app) => request(app).get("/%F0%9F%98%80"), 400, "E0009000"],
    ["S5 a body", (app) => request(app).post("/users").type("json").send('{"a":"😀"}'), 400, "E0000001"],
    ["Q1 a query", (app) => request(app).get("/users?a=%zz"), 400, "E0009000"],
    ["S7 a path", (app) => request(app).get("/nowhere"), 404, "E0000008"],
  ])("%s is refused with the error object, by an error without a stack trace", async (title, send, status, code) => {
    const log = jest.fn<undefined, [unknown]>();
    const options = { errorFormatter: { log }, ...(title.startsWith("S1") && { httpsOnly: { localhost: false } }) };
    const res = await send(serve(options)).expect(status);
    expect(res.body).toMatchObject({ errorCode: code, errorId: res.headers["x-svc-request-id"] });
    const error = log.mock.lastCall?.[0] as Error | undefined;
    expect(error?.stack).toBe(`${error?.name}: ${error?.message}`);
  });

  it("S1 C3 shares what it trusts", async () => {
    const res = await request(serve({ trust: "loopback", httpsOnly: {} }))
      .get("/users")
      .set("Host", "api.example.com")
      .set("X-Forwarded-Proto", "https")
      .set("X-Forwarded-For", "203.0.113.7")
      .expect(200);
    expect(res.body).toMatchObject({ ip: "203.0.113.7" });
    expect(res.headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  it("N4 shares the namespace", async () => {
    const res = await request(serve({ namespace: "acme" }))
      .get("/nowhere")
      .expect(404);
    expect(res.body).toMatchObject({ errorId: res.headers["x-acme-request-id"] });
    expect(res.headers).not.toHaveProperty("x-svc-request-id");
  });

  it("E3 shares the codes of the app's own", async () => {
    const catalogue = { ORDER0001: { status: 409, summary: "The order was shipped." } };
    const report = jest.fn();
    const app = express();
    const { guards, fallbacks } = suite({ httpsOnly: false, catalogue, responseCheck: { log: report } });
    app.use(guards);
    app.get("/orders", () => {
      throw compileApiError(catalogue)("ORDER0001");
    });
    app.use(fallbacks);
    const res = await request(app).get("/orders").expect(409);
    expect(res.body).toMatchObject({ errorCode: "ORDER0001", errorSummary: "The order was shipped." });
    expect(report).not.toHaveBeenCalled();
  });

  it("D1 shares the header of the request id", async () => {
    const log = jest.fn();
    const app = serve({ headerName: "X-Id", requestId: { generator: () => "made" }, responseCheck: { log } });
    const res = await request(app).get("/nowhere").expect(404);
    expect(res.headers).toMatchObject({ "x-id": "made" });
    expect(res.headers).not.toHaveProperty("x-svc-request-id");
    expect(res.body).toMatchObject({ errorId: "made" });
    expect(log).not.toHaveBeenCalled(); // it finds the same id in the header and in the body
  });

  it("S5 shares how many bytes a character may take", async () => {
    const log = jest.fn();
    const app = serve({ maxBytesPerCharacter: 4, responseCheck: { log } });
    const res = await request(app).post("/users?limit=%F0%9F%98%80").type("json").send('{"a":"😀"}').expect(200);
    expect(res.body).toMatchObject({ limit: "😀", body: { a: "😀" } });
    expect(log).not.toHaveBeenCalled();
    await request(app).get("/%F0%9F%98%80").expect(404);
    await request(app)
      .post("/users")
      .type("json")
      .send(String.raw`{"a":"\ud83d"}`)
      .expect(400);
  });

  it("gives the options of a middleware to that middleware", async () => {
    const app = serve({ bodyLength: { status: 400, methods: ["GET"] }, requestId: { generator: () => "made" } });
    const res = await request(app).get("/users").expect(400);
    expect(res.body).toMatchObject({ errorId: "made" });
  });

  it("lets an app mount something between the middlewares, and leave some out", async () => {
    const { parts, fallbacks } = suite({
      responseCheck: false,
      bodyLength: false,
      notFound: false,
      errorFormatter: quiet,
    });
    const app = express();
    const seen: (string | undefined)[] = [];
    const look: RequestHandler = (req, _res, next) => {
      seen.push(tryGetRequestId(req), tryGetRequestContext(req)?.ip ?? "no context");
      next();
    };
    app.use(parts.requestId, look, parts.requestContext, look, parts.contentType);
    app.post("/", (req, res) => {
      res.json({ id: getRequestId(req) });
    });
    app.use(fallbacks);
    const res = await request(app).post("/").type("json").send("{}").expect(200);
    const { id } = res.body as { id: string };
    expect(seen).toEqual([id, "no context", id, "127.0.0.1"]);
    const missing = await request(app).get("/nowhere").expect(404);
    expect(missing.body).not.toHaveProperty("errorCode"); // Express itself answered
  });

  it("E1 leaves errors to the app's own handler when errorFormatter is false", async () => {
    const { guards, fallbacks } = suite({ responseCheck: false, errorFormatter: false });
    expect(fallbacks.map(({ name }) => name)).toEqual(["notFoundMiddleware"]);
    const app = express();
    app.use(guards, fallbacks);
    const handler: ErrorRequestHandler = (error: ApiError, _req, res, _next) => {
      res.status(error.status).send(error.code);
    };
    app.use(handler);
    expect((await request(app).get("/").expect(404)).text).toBe("E0000008");
  });

  it.each<[SuiteOptions, string[]]>([
    [{}, ["E1", "S4"]],
    [{ errorFormatter: false }, ["S4"]],
    [{ errorFormatter: { format: "problem" } }, ["S4"]],
    [{ errorFormatter: { format: "svc" } }, ["E1", "S4"]],
  ])("E1 the check asks for the error object with %j: %j", async (options, rules) => {
    const found: string[] = [];
    const log: ResponseCheckOptions["log"] = (faults) => found.push(...faults.map(({ rule }) => rule));
    const { guards } = suite({ responseCheck: { enabled: true, log }, ...options });
    const app = express();
    app.use(guards);
    app.get("/", (_req, res) => res.status(400).json({ at: "2026-11-21" }));
    await request(app).get("/").expect(400);
    expect(found).toEqual(rules);
  });

  it("skips what responseCheck is told, beside that", async () => {
    const found: string[] = [];
    const log: ResponseCheckOptions["log"] = (faults) => found.push(...faults.map(({ rule }) => rule));
    const { guards } = suite({ responseCheck: { enabled: true, log, skip: ["S4"] }, errorFormatter: false });
    const app = express();
    app.use(guards);
    app.get("/", (_req, res) => res.status(400).json({ at: "2026-11-21" }));
    await request(app).get("/").expect(400);
    expect(found).toEqual([]);
    expect(() => suite({ responseCheck: { skip: "E1" as never }, errorFormatter: false })).toThrow(TypeError);
  });

  it("mounts them as one, in which the first that refuses has the word", async () => {
    expect(suite().guards.name).toBe("suiteGuards");
    const path = "/users?limit=%zz";
    await request(serve({})).get(path).expect(400);
    const res = await request(serve({ httpsOnly: { localhost: false } }))
      .get(path)
      .expect(403);
    expect(res.body).toMatchObject({ errorCode: "E0000006" });
  });
});

const GUARDS = [
  "sharedShapes",
  "responseCheck",
  "requestId",
  "requestContext",
  "httpsOnly",
  "bodyLength",
  "utf8Guard",
  "queryParameters",
  "contentType",
  "jsonBody",
];
const NAMES = [...GUARDS, "notFound", "errorFormatter"];

describe("suite parts", () => {
  it("are the middlewares by name, in the recommended order", () => {
    const { parts, fallbacks } = suite();
    expect(Object.keys(parts)).toEqual(NAMES);
    expect(Object.values(parts).map(({ name }) => name)).toEqual(NAMES.map((name) => `${name}Middleware`));
    expect(fallbacks).toEqual([parts.notFound, parts.errorFormatter]);
  });

  it.each(NAMES)("has no %s when that is false, and has it when that is true or an object", (name) => {
    const others = NAMES.filter((other) => other !== name);
    expect(Object.keys(suite(only(name, false)).parts)).toEqual(others);
    for (const on of [true, {}, undefined]) {
      expect(Object.keys(suite(only(name, on)).parts)).toEqual(NAMES);
    }
  });

  it("can all be left out", () => {
    const { guards, fallbacks, parts } = suite(Object.fromEntries(NAMES.map((name) => [name, false])) as SuiteOptions);
    expect(parts).toEqual({});
    expect([guards, ...fallbacks].map(({ name }) => name)).toEqual(["suiteGuards", "suiteFallbacks"]);
  });
});

describe("suite options", () => {
  it.each<[object, string]>([
    [{ misspelled: true }, "suite: option `misspelled` is unknown"],
    [{ jsonBody: { misspelled: true } }, "jsonBody: option `misspelled` is unknown"],
    [{ notFound: { misspelled: true } }, "notFound: option `misspelled` is unknown"],
    [{ trust: 1 }, "suite: option `trust`: a number of hops is not offered"],
    [{ namespace: "" }, "suite: option `namespace` must be"],
    [{ headerName: "" }, "suite: option `headerName` must be a header field name"],
    [{ maxBytesPerCharacter: 5 }, "suite: option `maxBytesPerCharacter` must be 3 or 4"],
    [{ catalogue: 1 }, "suite: option `catalogue` must be"],
    [{ httpsOnly: { trust: "loopback" } }, "option `trust` of `httpsOnly` is shared; give it as suite({ trust: … })"],
    [{ trust: "loopback", requestContext: { trust: [] } }, "suite: option `trust` of `requestContext` is shared"],
    [{ errorFormatter: { headerName: "X-Id" } }, "suite: option `headerName` of `errorFormatter` is shared"],
    [
      { trust: "loopback", requestContext: false, httpsOnly: false },
      "suite: option `trust` has no effect without one of `requestContext`, `httpsOnly`",
    ],
    [
      { maxBytesPerCharacter: 4, responseCheck: false, utf8Guard: false, queryParameters: false, jsonBody: false },
      "suite: option `maxBytesPerCharacter` has no effect without one of",
    ],
    [
      { jsonBody: { consumes: ["text/plain"] } },
      "suite: option `consumes` of `jsonBody` has text/plain, which `contentType` refuses; add it there",
    ],
  ])("refuses %j", (options, message) => {
    expect(() => suite(options as SuiteOptions)).toThrow(message);
    expect(() => suite(options as SuiteOptions)).toThrow(TypeError);
  });

  it.each(NAMES)("refuses what is neither a boolean nor an object for %s", (name) => {
    for (const value of [null, 0, "", "false", [], () => ({}), Symbol("wrong")]) {
      expect(() => suite({ [name]: value } as never)).toThrow(
        new TypeError(`suite: option \`${name}\` must be false, true or an object with its options`),
      );
    }
  });

  it.each(NAMES)("drops no option of %s: it reaches the middleware, or is refused as shared", (name) => {
    const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace("utf-8", "utf8")}.ts`;
    const members = optionsOf(path.join(__dirname, "../middleware", file), `${capitalise(name)}Options`);
    expect(members.length > 0).toBe(name !== "notFound");
    for (const option of members) {
      let message = `${name}: option \`${option}\``;
      if (Object.keys(SHARED).includes(option)) {
        message = `suite: option \`${option}\` of \`${name}\` is shared; give it as suite({ ${option}: … })`;
      }
      if (option === "report") message = `suite: option \`report\` of \`${name}\` is given as mode: "report"`;
      expect(() => suite({ [name]: { [option]: Symbol("wrong") } } as never)).toThrow(message);
      expect(() => suite({ [name]: { [option]: undefined } } as never)).not.toThrow();
    }
  });

  it("takes the shared options together", () => {
    expect(() => suite(SHARED)).not.toThrow();
  });

  it("S3 takes a jsonBody that consumes less than contentType, or anything without that", () => {
    const consumes = ["application/json", "application/merge-patch+json"];
    expect(() => suite({ contentType: { consumes }, jsonBody: { consumes: consumes.slice(1) } })).not.toThrow();
    expect(() => suite({ contentType: false, jsonBody: { consumes } })).not.toThrow();
  });
});

const SHARED: SuiteOptions = {
  namespace: "acme",
  headerName: "X-Id",
  trust: "loopback",
  catalogue: {},
  maxBytesPerCharacter: 4,
  onReport: () => undefined,
};

function only(name: string, value: unknown): SuiteOptions {
  return { [name]: value };
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
