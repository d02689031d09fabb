import { inspect } from "node:util";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import { type ApiError, apiError, httpsOnly, jsonBody, suite, verifyUtf8 } from "etiquette";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { until } from "../../support/until.js";

const SECRET = "hunter2".repeat(20);

describe.each(EXPRESS_VERSIONS)("errors of the suite on %s", (_version, express) => {
  function handled(guards: RequestHandler[]): { app: Express; seen: ApiError[] } {
    const seen: ApiError[] = [];
    const app = express();
    app.use(guards);
    const handler: ErrorRequestHandler = (error: ApiError, _req, res, _next) => {
      seen.push(error);
      res.status(error.status).set(error.headers).json({ message: error.message });
    };
    app.use(handler);
    return { app, seen };
  }

  it("E1 tell a handler of the app's own all that it needs", async () => {
    const { guards, fallbacks } = suite({ responseCheck: false, errorFormatter: false });
    const { app, seen } = handled([guards, ...(fallbacks as RequestHandler[])]);
    const res = await request(app).post("/").type("text").send("a").expect(415);
    expect(res.headers["accept"]).toBe("application/json");
    expect(seen[0]).toMatchObject({
      status: 415,
      statusCode: 415,
      expose: true,
      headers: { Accept: "application/json" },
      code: "E0000021",
      type: "media-type.unsupported",
      summary: "Bad request. Accept and/or Content-Type headers likely do not match supported values.",
      causes: [{ errorSummary: expect.stringContaining('Content-Type is "text/plain"') }],
    });
    expect((res.body as { message: string }).message).toContain('Content-Type is "text/plain"');
  });

  it("S1 say in the message that the proxy got the request over HTTP", async () => {
    const { app } = handled([httpsOnly({ trust: "loopback" })]);
    const res = await request(app).get("/").set("X-Forwarded-Proto", "http").set("Host", "a.example").expect(403);
    expect((res.body as { message: string }).message).toMatch(/^You do not have permission .+: The proxy received /);
  });

  describe("without an error handler, in development", () => {
    let printed = "";
    beforeEach(() => {
      printed = "";
      jest.spyOn(console, "error").mockImplementation((...values: unknown[]) => {
        printed += values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ");
      });
    });
    afterEach(() => jest.restoreAllMocks());

    const forged = Buffer.from(`{"a":"${SECRET}\xff"}`, "latin1");
    it.each<[string, RequestHandler, Buffer]>([
      ["verifyUtf8", express.json({ verify: verifyUtf8 }), forged],
      ["apiError in verify", express.json({ verify: refuse }), Buffer.from(`{"a":"${SECRET}"}`)],
      ["jsonBody, text", jsonBody(), forged],
      ["jsonBody, syntax", jsonBody(), Buffer.from(`{"a":"${SECRET}"`)],
      ["jsonBody, size", jsonBody({ limit: 9 }), Buffer.from(`{"a":"${SECRET}"}`)],
    ])("S6 %s: neither the response nor the log has the body", async (_title, parser, body) => {
      const app = express();
      app.set("env", "development");
      const errors: unknown[] = [];
      const see: ErrorRequestHandler = (error, _req, _res, next) => {
        errors.push(error);
        next(error);
      };
      app.use(parser, see);
      const sent = request(app).post("/").type("json");
      sent.write(body);
      const res = await sent;
      expect(res.status).toBeGreaterThanOrEqual(400);
      expect(res.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(errors).toHaveLength(1);
      expect(Object.keys(errors[0] as object)).not.toContain("body");
      await until(() => printed !== "");
      expect(printed).not.toContain("Buffer");
      for (const text of [res.text, printed, inspect(errors), JSON.stringify(errors)])
        expect(text).not.toContain(SECRET);
    });
  });
});

function refuse(): never {
  throw apiError("E0000006", { causes: ["The signature does not match."] });
}
