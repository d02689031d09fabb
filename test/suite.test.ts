import type { Express } from "express";
import request from "supertest";
import { suite, type SuiteOptions } from "etiquette/suite";
import { compileApiError, getQuery, getRequestContext, getRequestId } from "etiquette";
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

  it("gives the options of a part to that part", async () => {
    const app = serve({ bodyLength: { status: 400, methods: ["GET"] }, requestId: { headerName: "X-Id" } });
    const res = await request(app).get("/users").expect(400);
    expect(res.body).toMatchObject({ errorId: res.headers["x-id"] });
    expect(res.headers).not.toHaveProperty("x-svc-request-id");
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

  it("leaves parts out", () => {
    const none = { requestContext: false, bodyLength: false, utf8Guard: false, queryParameters: false } as const;
    const options: SuiteOptions = {
      ...none,
      contentType: false,
      jsonBody: false,
      responseCheck: false,
      sharedShapes: false,
    };
    const { parts } = suite({ ...options, httpsOnly: false });
    expect(parts.map(({ name }) => name)).toEqual(["requestIdMiddleware"]);
  });
});

describe("suite options", () => {
  it("names its parts, in the recommended order", () => {
    const { parts, fallbacks } = suite();
    expect([...parts, ...fallbacks].map(({ name }) => name)).toEqual([
      "sharedShapesMiddleware",
      "responseCheckMiddleware",
      "requestIdMiddleware",
      "requestContextMiddleware",
      "httpsOnlyMiddleware",
      "bodyLengthMiddleware",
      "utf8GuardMiddleware",
      "queryParametersMiddleware",
      "contentTypeMiddleware",
      "jsonBodyMiddleware",
      "notFoundMiddleware",
      "errorFormatterMiddleware",
    ]);
  });

  it.each([
    [{ misspelled: true }, "suite: option `misspelled` is unknown"],
    [{ jsonBody: { misspelled: true } }, "jsonBody: option `misspelled` is unknown"],
    [{ requestId: { misspelled: true } }, "requestId: option `misspelled` is unknown"],
    [{ trust: 1 }, "option `trust`"],
    [{ namespace: "" }, "option `namespace` must be"],
  ])("refuses %j", (options, message) => {
    expect(() => suite(options as never)).toThrow(message);
    expect(() => suite(options as never)).toThrow(TypeError);
  });

  it("says so when it is mounted without being called", () => {
    expect(() => suite({ headers: {}, method: "GET", url: "/" } as never)).toThrow("mount what the factory returns");
  });
});
