import type { Server } from "node:http";
import type { Express } from "express";
import createError from "http-errors";
import request from "supertest";
import {
  apiError,
  compileApiError,
  contentType,
  createServer,
  errorFormatter,
  type ErrorFormatterOptions,
  type ErrorReport,
  requestId,
  type SentError,
  suite,
} from "etiquette";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { exchange, listen, parseAnswer } from "../../support/raw-socket.js";

const CATALOGUE = { ORDER0001: { status: 409, summary: "The order can't be changed any more: {0}" } };

const PLACED = apiError("E0000001", {
  type: "query.malformed",
  detail: "age",
  causes: [
    { message: "must be a positive integer", pointer: "/age" },
    { message: "must be 'green', 'red' or 'blue'", pointer: "/profile/a~1b \ud83d#?" },
    { message: "must be a number", parameter: "limit" },
    "The body is too old.",
  ],
  headers: { "Retry-After": "7", "X-Why": "age" },
});

describe.each(EXPRESS_VERSIONS)("the form of errors on %s", (_version, express) => {
  let logged: { error: unknown; status: number }[] = [];
  beforeEach(() => {
    logged = [];
  });

  function failing(error: unknown, options: ErrorFormatterOptions = {}): Express {
    const app = express();
    app.use(requestId({ generator: () => "req-1" }));
    app.use((_req, _res, next) => {
      next(error);
    });
    const log = (thrown: unknown, { status }: ErrorReport) => logged.push({ error: thrown, status });
    app.use(errorFormatter({ log, ...options }));
    return app;
  }

  describe('format: "problem"', () => {
    const options = { format: "problem", typeBase: "https://api.example.com/errors/" } as const;

    it("E1 sends an RFC 9457 problem with a pointer for each field, whatever Accept says", async () => {
      const res = await request(failing(PLACED, options)).get("/").set("Accept", "text/html").expect(400);
      expect(res.headers).toMatchObject({
        "content-type": "application/problem+json",
        "content-length": String(Buffer.byteLength(res.text)),
        "x-svc-request-id": "req-1",
        "x-why": "age",
      });
      expect(res.headers["vary"]).toBeUndefined();
      expect(JSON.parse(res.text)).toEqual({
        type: "https://api.example.com/errors/E0000001",
        title: "Api validation failed",
        status: 400,
        detail: "Api validation failed: age",
        instance: "#req-1",
        code: "E0000001",
        requestId: "req-1",
        errors: [
          { detail: "must be a positive integer", pointer: "#/age" },
          { detail: "must be 'green', 'red' or 'blue'", pointer: "#/profile/a~1b%20%EF%BF%BD%23%3F" },
          { detail: "must be a number", parameter: "limit" },
          { detail: "The body is too old." },
        ],
      });
    });

    it("has the type about:blank and the status phrase without typeBase", async () => {
      const res = await request(failing(apiError("E0000007"), { format: "problem" }))
        .get("/")
        .expect(404);
      expect(JSON.parse(res.text)).toMatchObject({ type: "about:blank", title: "Not Found", errors: [] });
    });

    it("E3 has the app's own code in the type", async () => {
      const error = compileApiError(CATALOGUE)("ORDER0001", { detail: "shipped" });
      const res = await request(failing(error, { ...options, catalogue: CATALOGUE }))
        .get("/")
        .expect(409);
      expect(JSON.parse(res.text)).toMatchObject({
        type: "https://api.example.com/errors/ORDER0001",
        title: "The order can't be changed any more",
        detail: "The order can't be changed any more: shipped",
      });
    });

    it("E4 tells nothing of a 5xx", async () => {
      const error = apiError("E0009011", { type: "credentials.unverifiable", detail: "secret", causes: ["secret"] });
      const res = await request(failing(error, options)).get("/").expect(503);
      expect(res.text).not.toMatch(/secret|unverifiable/);
      expect(JSON.parse(res.text)).toMatchObject({ code: "E0009011", errors: [] });
    });

    it("answers HEAD as GET, without the body", async () => {
      const app = failing(PLACED, options);
      const head = await request(app).head("/").expect(400);
      expect(head.text).toBeUndefined();
      expect(head.headers["content-length"]).toBe((await request(app).get("/")).headers["content-length"]);
    });

    it("has the type in negotiated problems as well", async () => {
      const app = failing(PLACED, { problemDetails: true, typeBase: "/errors#" });
      const problem = await request(app).get("/").set("Accept", "application/problem+json").expect(400);
      expect(JSON.parse(problem.text)).toMatchObject({ type: "/errors#E0000001", errorCode: "E0000001" });
      expect(problem.headers["vary"]).toBe("Accept");
    });
  });

  it("E1 has the pointer and the parameter of a cause in the error object", async () => {
    const res = await request(failing(PLACED)).get("/").expect(400);
    expect(res.body.errorCauses).toEqual([
      { errorSummary: "age: must be a positive integer", pointer: "/age" },
      { errorSummary: expect.stringContaining("profile.a/b"), pointer: expect.stringContaining("/profile/a~1b") },
      { errorSummary: "limit: must be a number", parameter: "limit" },
      { errorSummary: "The body is too old." },
    ]);
  });

  describe("format: a function", () => {
    it("gets what the client may learn, frozen, and the request", async () => {
      let seen: SentError | undefined;
      let path = "";
      const app = failing(PLACED, {
        format(error, req) {
          seen = error;
          path = req.path;
          return { mediaType: "application/vnd.acme.error+json", body: { error: { code: error.code } } };
        },
      });
      const res = await request(app).get("/users").expect(400);
      expect(res.text).toBe('{"error":{"code":"E0000001"}}');
      expect(res.headers["content-type"]).toBe("application/vnd.acme.error+json");
      expect(res.headers["content-length"]).toBe("29");
      expect(path).toBe("/users");
      expect(seen).toEqual({
        status: 400,
        code: "E0000001",
        type: "query.malformed",
        title: "Api validation failed",
        summary: "Api validation failed: age",
        detail: "age",
        causes: PLACED.causes,
        id: "req-1",
        retryAfter: 7,
        headers: { "Retry-After": "7", "X-Why": "age" },
        expose: true,
        negotiatedType: undefined,
      });
      for (const value of [seen, seen?.causes, seen?.causes[0], seen?.headers])
        expect(Object.isFrozen(value)).toBe(true);
    });

    it("E4 gets nothing of what failed", async () => {
      let seen = "";
      const format = (error: SentError) => ({ body: (seen = JSON.stringify(error)) });
      const error = Object.assign(new Error("hunter2"), {
        status: 503,
        expose: true,
        detail: "hunter2",
        type: "hunter2",
      });
      const res = await request(failing(error, { format })).get("/").expect(503);
      expect(seen).not.toContain("hunter2");
      expect(JSON.parse(seen)).toMatchObject({ status: 503, expose: false, causes: [] });
      expect([res.text, res.headers["content-type"]]).toEqual([seen, "application/json; charset=utf-8"]);
    });

    it("gets the type that was negotiated, and the Retry-After that the response has", async () => {
      const app = express();
      app.use(contentType({ produces: ["application/json", "text/plain"] }));
      app.use((_req, res, next) => {
        res.set("Retry-After", "9");
        next(createError(409, "taken"));
      });
      const format = ({ negotiatedType = "", retryAfter, causes }: SentError) => ({
        mediaType: negotiatedType,
        body: `${retryAfter} ${causes[0]?.errorSummary}`,
      });
      app.use(errorFormatter({ format, log: false }));
      const res = await request(app).get("/").set("Accept", "text/plain").expect(409, "9 taken");
      expect(res.headers["content-type"]).toBe("text/plain");
      expect(res.headers["vary"]).toBe("Accept");
    });

    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    it.each<[string, () => unknown, string]>([
      ["throws", () => raise(new RangeError("in the format")), "in the format"],
      ["returns nothing", () => undefined, "must return { mediaType, body }"],
      ["returns text", () => "no", "must return { mediaType, body }"],
      ["returns no body", () => ({ mediaType: "application/json" }), "must return a body"],
      ["returns a function as the body", () => ({ body: () => 1 }), "must return a body"],
      ["returns a circular body", () => ({ body: circular }), "circular"],
      ["returns a BigInt", () => ({ body: 1n }), "BigInt"],
      ["returns a promise", () => Promise.resolve({ body: {} }), "must not return a promise"],
      ["returns a promise that rejects", () => Promise.reject(new Error("late")), "must not return a promise"],
      [
        "returns a promise as the body",
        () => ({ body: Promise.reject(new Error("late")) }),
        "must not return a promise",
      ],
      ["returns no media type", () => ({ mediaType: "json", body: {} }), "must return a media type"],
      ["returns a field in the media type", () => ({ mediaType: "a/b\r\nX: y", body: {} }), "must return a media type"],
      ["returns a number as the media type", () => ({ mediaType: 1, body: {} }), "must return a media type"],
      ["changes the error", (error?: object) => Object.assign(error ?? {}, { status: 200 }), "read only"],
    ])("E1 %s: the error object is sent, and both are logged", async (_title, format, message) => {
      const res = await request(failing(PLACED, { format: format as never }))
        .get("/")
        .expect(400);
      expect(res.body).toMatchObject({ errorCode: "E0000001", errorId: "req-1" });
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(logged.map(({ status }) => status)).toEqual([400, 500]);
      const failure = logged[1]?.error as Error & { cause: Error };
      expect(failure.message).toBe("errorFormatter: `format` failed; the error was sent without it");
      expect(failure.cause.message).toContain(message);
    });
  });

  describe("status", () => {
    it.each<[string, NonNullable<ErrorFormatterOptions["status"]>]>([
      ["a table", { E0000001: 422 }],
      ["a function", (code) => (code === "E0000001" ? 422 : undefined)],
    ])("keeps 422 where clients expect it, from %s", async (_title, status) => {
      await request(failing(PLACED, { status })).get("/").expect(422);
      await request(failing(apiError("E0000007"), { status }))
        .get("/")
        .expect(404);
      const problem = await request(failing(PLACED, { status, format: "problem" }))
        .get("/")
        .expect(422);
      expect(JSON.parse(problem.text)).toMatchObject({ status: 422, title: "Unprocessable Entity" });
      expect(logged.map(({ status: told }) => told)).toEqual([422, 404, 422]);
    });

    it("leaves the status of an error that has one of its own", async () => {
      await request(failing(createError(402, { code: "E0000001" }), { status: { E0000001: 422 } }))
        .get("/")
        .expect(402);
    });

    it.each([399, 500, 422.5, "422", null, Promise.resolve(422)])(
      "logs %p, and sends the catalogue's",
      async (value) => {
        await request(failing(PLACED, { status: () => value as never }))
          .get("/")
          .expect(400);
        expect(logged.map(({ status }) => status)).toEqual([400, 500]);
        const failure = logged[1]?.error as Error & { cause: Error };
        expect(failure.message).toBe("errorFormatter: `status` failed; the error was sent without it");
        expect(failure.cause.message).toBe("`status` must return an integer from 400 to 499, or undefined");
      },
    );

    it.each([400, 499])("takes %d for a 4xx, and 599 for a 5xx", async (value) => {
      await request(failing(PLACED, { status: () => value }))
        .get("/")
        .expect(value);
      await request(failing(apiError("E0000009"), { status: { E0000009: 599 } }))
        .get("/")
        .expect(599);
    });

    it("logs what it throws", async () => {
      await request(failing(PLACED, { status: () => raise(new Error("x")) }))
        .get("/")
        .expect(400);
      expect(logged).toHaveLength(2);
    });
  });

  it("E5 createServer sends what never reaches Express in the same form", async () => {
    const shared = {
      format: ({ status, code, causes, id, type }: SentError) => ({
        mediaType: "application/vnd.acme+json",
        body: { status, code, type, id, why: causes.map(({ errorSummary }) => errorSummary) },
      }),
      status: { E0009000: 499 },
    };
    const answer = await ask(createServer(express(), { ...shared, generator: () => "req-2" }));
    expect(answer).toMatchObject({ status: 499 });
    expect(answer.headers).toMatchObject({
      "content-type": "application/vnd.acme+json",
      "content-length": String(answer.body.length),
      "cache-control": "no-store",
    });
    expect(JSON.parse(answer.body)).toEqual({
      status: 499,
      code: "E0009000",
      type: "host.missing",
      id: "req-2",
      why: [expect.any(String)],
    });
    const problem = await ask(createServer(express(), { format: "problem", typeBase: "/errors/" }));
    expect(problem.headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(problem.body)).toMatchObject({ type: "/errors/E0009000", status: 400, code: "E0009000" });
  });

  it("E5 createServer logs a format that fails, and sends the error object", async () => {
    const log = (error: Error, { status }: { status: number }) => logged.push({ error, status });
    const format = () => raise(new Error("in the format"));
    const answer = await ask(createServer(express(), { format, status: () => raise(new Error("x")), log }));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ errorCode: "E0009000" });
    expect(logged.map(({ status }) => status)).toEqual([400, 500, 500]);
  });

  it("the suite passes them on, and no check asks for the error object", async () => {
    const faults: string[] = [];
    const { guards, fallbacks } = suite({
      responseCheck: { enabled: true, log: (found) => faults.push(...found.map(({ rule }) => rule)) },
      errorFormatter: { format: ({ code }) => ({ body: { code, at: "2026-11-21" } }), status: { E0000008: 410 } },
    });
    const app = express();
    app.use(guards, fallbacks);
    const res = await request(app).get("/").expect(410);
    expect(res.body).toEqual({ code: "E0000008", at: "2026-11-21" });
    expect(faults).toEqual(["S4"]);
  });
});

describe("the options format, typeBase and status", () => {
  it.each([
    [{ format: "jsonapi" }, 'option `format` must be "svc", "problem" or a function'],
    [{ format: null }, 'option `format` must be "svc", "problem" or a function'],
    [
      { format: "problem", typeBase: "https://a.example/errors" },
      "option `typeBase` must be an absolute http(s) URL or path that ends with / or #",
    ],
    [
      { format: "problem", typeBase: "errors/" },
      "option `typeBase` must be an absolute http(s) URL or path that ends with / or #",
    ],
    [{ typeBase: "/errors/" }, 'option `typeBase` must be left out, or `format` be "problem"'],
    [
      { format: () => ({ body: 1 }), typeBase: "/errors/" },
      'option `typeBase` must be left out, or `format` be "problem"',
    ],
    [{ status: 422 }, "option `status` must be a table of codes with their status, or a function"],
    [{ status: [] }, "option `status` must be a table of codes with their status, or a function"],
    [{ status: { E1: 422 } }, "option `status.E1` must be under a code of the catalogue"],
    [{ status: { E0000001: 500 } }, "option `status.E0000001` must be an integer from 400 to 499"],
    [{ status: { E0000009: 400 } }, "option `status.E0000009` must be an integer from 500 to 599"],
    [{ status: { E0000001: "422" } }, "option `status.E0000001` must be an integer from 400 to 499"],
  ])("refuses %p", (options, message) => {
    expect(() => errorFormatter(options as never)).toThrow(new TypeError(`errorFormatter: ${message}`));
    expect(() => createServer(() => undefined, options as never)).toThrow(new TypeError(`createServer: ${message}`));
  });

  it("refuses problemDetails beside a form of the app's own", () => {
    for (const format of ["problem", () => ({ body: 1 })] as const) {
      expect(() => errorFormatter({ format, problemDetails: true })).toThrow(
        new TypeError('errorFormatter: option `problemDetails` must be left out, or `format` be "svc"'),
      );
    }
    expect(() => errorFormatter({ format: "svc", problemDetails: true })).not.toThrow();
  });
});

function raise(value: unknown): never {
  throw value;
}

async function ask(server: Server): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  try {
    const port = await listen(server);
    return parseAnswer(await exchange(port, "GET / HTTP/1.1\r\n\r\n"));
  } finally {
    server.close();
  }
}
