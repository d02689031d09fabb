import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { format } from "node:util";
import { gzipSync } from "node:zlib";
import type { Application, NextFunction, Request, Response } from "express";
import fc from "fast-check";
import createError from "http-errors";
import request from "supertest";
import { errorFormatter, type ErrorFormatterOptions, type ErrorReport } from "etiquette/error-formatter";
import { getRequestId, requestId, tryGetRequestId } from "etiquette/request-id";
import { apiError, compileApiError } from "../../lib/errors/api-error.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { until } from "../support/until.js";

const FIELDS = ["errorCauses", "errorCode", "errorId", "errorLink", "errorSummary"];
const GENERATED = /^[A-Za-z0-9_-]{22}$/;

type Handler = (req: Request, res: Response, next: NextFunction) => unknown;

interface Entry extends ErrorReport {
  readonly error: unknown;
}

describe.each(EXPRESS_VERSIONS)("errorFormatter() on %s", (version, express) => {
  let logged: Entry[] = [];
  beforeEach(() => {
    logged = [];
  });

  /** An application whose GET, POST and HEAD of `/` are answered by `handler`, and its errors by the formatter. */
  function serve(handler: Handler, options: ErrorFormatterOptions = {}): Application {
    const app = express();
    app.disable("x-powered-by");
    app.use(requestId());
    app.all("/", (req, res, next) => handler(req, res, next));
    const log = (error: unknown, report: ErrorReport): void => {
      logged.push({ error, ...report });
    };
    app.use(errorFormatter({ log, ...options }));
    return app;
  }

  function failing(error: unknown, options?: ErrorFormatterOptions): Application {
    return serve((_req, _res, next) => {
      next(error);
    }, options);
  }

  describe("the error object", () => {
    it("E1 answers an error of the catalogue with the five fields, as JSON", async () => {
      const facts = { detail: "login", causes: ["login: An object with this field already exists"] };
      const res = await request(failing(apiError("E0000001", facts))).get("/");
      expect(res.status).toBe(400);
      expect(res.body).toEqual({
        errorCode: "E0000001",
        errorSummary: "Api validation failed: login",
        errorLink: "E0000001",
        errorId: res.headers["x-svc-request-id"],
        errorCauses: [{ errorSummary: "login: An object with this field already exists" }],
      });
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(res.headers["content-length"]).toBe(String(Buffer.byteLength(res.text)));
      expect(res.headers["cache-control"]).toBe("no-store");
    });

    it("S6 keeps a browser from rendering user input", async () => {
      const res = await request(failing(createError(404, "<script>alert(1)</script>"))).get("/");
      expect(res.headers["x-content-type-options"]).toBe("nosniff");
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
    });

    it.each([
      ["a string", "password=hunter2"],
      ["a number", 7],
      ["a symbol", Symbol("password=hunter2")],
      ["an object", { password: "hunter2" }],
      ["an error", new Error("password=hunter2")],
      ["a frozen error", Object.freeze(new Error("password=hunter2"))],
      ["an error whose status is a string", Object.assign(new Error("password=hunter2"), { status: "404" })],
      ["an error with status 600", createStatus(600)],
      ["an error with status 200", createStatus(200)],
      ["a proxy whose traps throw", hostile()],
    ])("E4 answers %s with 500 and says nothing", async (_title, thrown) => {
      const res = await request(failing(thrown)).get("/").expect(500);
      expect(res.body).toEqual({
        errorCode: "E0000009",
        errorSummary: "Internal Server Error",
        errorLink: "E0000009",
        errorId: res.headers["x-svc-request-id"],
        errorCauses: [],
      });
      expect(JSON.stringify(res.headers)).not.toContain("hunter2");
    });

    it("E1 has the five fields, an id and a 4xx or 5xx for whatever is thrown", async () => {
      const thrown = fc.oneof(
        fc.anything().filter((value) => Boolean(value) && value !== "route" && value !== "router"),
        fc.record({ status: fc.integer({ min: 390, max: 610 }), message: fc.string(), expose: fc.boolean() }),
        fc.record({ code: fc.constantFrom("E0000001", "E0009011"), causes: fc.array(fc.anything()) }),
        fc.record({ status: fc.constant(400), headers: fc.dictionary(fc.string(), fc.anything()) }),
      );
      let next: unknown;
      const server = await listen(
        serve(() => {
          throw next;
        }),
      );
      await fc.assert(
        fc.asyncProperty(thrown, async (value) => {
          next = value;
          const res = await request(server).get("/");
          expect(res.status).toBeGreaterThanOrEqual(400);
          expect(res.status).toBeLessThan(600);
          expect(Object.keys(res.body as object).sort()).toEqual(FIELDS);
          expect(res.body.errorLink).toBe(res.body.errorCode);
          expect(res.body.errorId).toBe(res.headers["x-svc-request-id"]);
          expect(Array.isArray(res.body.errorCauses)).toBe(true);
        }),
        { numRuns: 100 },
      );
      server.close();
    });

    it("answers HEAD as GET, without the body", async () => {
      const app = failing(createError(404, "No user x."));
      const get = await request(app).get("/");
      const head = await request(app).head("/");
      expect(head.status).toBe(404);
      expect(head.text).toBeUndefined();
      expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    });

    it("writes no body to HEAD, where a server refuses that", async () => {
      const server = createServer({ rejectNonStandardBodyWrites: true }, failing(createError(404)));
      const head = await request(server).head("/");
      expect(head.status).toBe(404);
    });

    if (version === "Express 5") {
      it.each([
        [createError(409, "taken"), 409],
        [new Error("secret"), 500],
        ["secret", 500],
        [null, 500],
        [undefined, 500],
      ])("answers a promise rejected with %p", async (reason, status) => {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- that is the test
        const res = await request(serve(() => Promise.reject(reason))).get("/");
        expect(res.status).toBe(status);
        expect(res.text).not.toContain("secret");
      });
    }

    it("parts from Express's own pages, which are HTML with a stack", async () => {
      const bare = express();
      bare.set("env", "development");
      const onExpress = jest.spyOn(console, "error").mockImplementation(() => undefined);
      bare.get("/", () => {
        throw new Error("password=hunter2");
      });
      for (const path of ["/", "/missing"]) {
        const theirs = await request(bare).get(path);
        expect(theirs.headers["content-type"]).toBe("text/html; charset=utf-8");
      }
      const theirs = await request(bare).get("/");
      expect(theirs.text).toContain("password=hunter2");
      expect(theirs.text).toContain("error-formatter.test.ts");

      const app = failing(new Error("password=hunter2"));
      app.set("env", "development");
      const ours = await request(app).get("/");
      expect(ours.body).toMatchObject({ errorCode: "E0000009", errorSummary: "Internal Server Error" });
      expect(ours.text).not.toContain("hunter2");
      expect(ours.text).not.toContain("error-formatter");
      onExpress.mockRestore();
    });
  });

  describe("the id", () => {
    it("D2 is the one that the handlers saw", async () => {
      let seen = "";
      const app = serve((req) => {
        seen = getRequestId(req);
        throw new Error("x");
      });
      const res = await request(app).get("/");
      expect(res.body.errorId).toBe(seen);
      expect(res.headers["x-svc-request-id"]).toBe(seen);
      expect(logged.map(({ errorObject }) => errorObject.errorId)).toEqual([seen]);
    });

    it("D1 is made here when the error came before requestId()", async () => {
      const app = express();
      app.use(() => {
        throw new Error("early");
      });
      app.use(requestId(), errorFormatter({ log: () => undefined, getRequestId }));
      const res = await request(app).get("/").expect(500);
      expect(res.headers["x-svc-request-id"]).toMatch(GENERATED);
      expect(res.body.errorId).toBe(res.headers["x-svc-request-id"]);
    });

    it("D1 comes back on a response whose header was removed", async () => {
      let seen = "";
      const removing: Handler = (req, res) => {
        seen = getRequestId(req);
        res.removeHeader("X-Svc-Request-Id");
        throw new Error("x");
      };
      const told = await request(serve(removing, { getRequestId: tryGetRequestId })).get("/");
      expect([told.headers["x-svc-request-id"], told.body.errorId]).toEqual([seen, seen]);

      const untold = await request(serve(removing)).get("/");
      expect(untold.headers["x-svc-request-id"]).toMatch(GENERATED);
      expect(untold.body.errorId).toBe(untold.headers["x-svc-request-id"]);
    });

    it.each([[""], ["a\r\nSet-Cookie: b=c"], ["x".repeat(129)], [7], [null]])(
      "takes the header of the response in place of %p",
      async (id) => {
        const res = await request(failing(new Error("x"), { getRequestId: () => id as string })).get("/");
        expect(res.headers["x-svc-request-id"]).toMatch(GENERATED);
        expect(res.body.errorId).toBe(res.headers["x-svc-request-id"]);
      },
    );

    it("N4 is in the header of the namespace, or of headerName", async () => {
      const acme = await request(failing(new Error("x"), { namespace: "acme", getRequestId })).get("/");
      expect(acme.headers["x-acme-request-id"]).toBe(acme.body.errorId);
      const named = await request(failing(new Error("x"), { headerName: "Request-Id", getRequestId })).get("/");
      expect(named.headers["request-id"]).toBe(named.body.errorId);
    });

    it("D2 can't be replaced by an error's own headers", async () => {
      const error = createError(400, { headers: { "X-Svc-Request-Id": "forged", "x-svc-request-id": "forged" } });
      const res = await request(failing(error, { getRequestId })).get("/");
      expect(res.headers["x-svc-request-id"]).toMatch(GENERATED);
      expect(res.body.errorId).toBe(res.headers["x-svc-request-id"]);
    });
  });

  describe("errors of the body parser", () => {
    function parsing(): Application {
      const app = express();
      app.use(requestId());
      app.use(
        express.json({
          limit: 100,
          verify: (_req, _res, body) => {
            if (body.includes("forged")) throw new Error("The signature does not match.");
          },
        }),
      );
      app.use(express.urlencoded({ extended: true, parameterLimit: 2 }));
      app.use((_req: Request, res: Response) => void res.json({}));
      app.use(
        errorFormatter({
          log: (error, report) => {
            logged.push({ error, ...report });
          },
        }),
      );
      return app;
    }

    it.each([
      ["malformed JSON", {}, '{"a":', 400, "E0000003", /./],
      ["JSON that is no object", {}, '"a"', 400, "E0000003", /Unexpected token/],
      ["a body too large", {}, `"${"a".repeat(200)}"`, 413, "E0009003", /^request entity too large$/],
      [
        "an unsupported charset",
        { "Content-Type": "application/json; charset=utf-99" },
        "{}",
        415,
        "E0000021",
        /^unsupported charset "UTF-99"$/,
      ],
      ["an unsupported encoding", { "Content-Encoding": "compress" }, "{}", 415, "E0000021", /"compress"/],
      [
        "a body that is not gzip",
        { "Content-Encoding": "gzip" },
        "{}",
        400,
        "E0000003",
        /^The body is not what its Content-Encoding says\.$/,
      ],
      ["a body that verify refuses", {}, '{"a":"forged"}', 403, "E0000006", /^The signature does not match\.$/],
      [
        "too many parameters",
        { "Content-Type": "application/x-www-form-urlencoded" },
        "a=1&b=2&c=3",
        413,
        "E0009003",
        /^too many parameters$/,
      ],
    ])("E1 answers %s", async (_title, headers, body, status, code, cause) => {
      const res = await request(parsing())
        .post("/")
        .set({ "Content-Type": "application/json", ...headers })
        .send(body);
      expect(res.status).toBe(status);
      expect(res.body).toMatchObject({
        errorCode: code,
        errorCauses: [{ errorSummary: expect.stringMatching(cause) }],
      });
    });

    it("E1 answers a gzip stream that ends too early", async () => {
      const sent = request(parsing()).post("/").set({ "Content-Type": "application/json", "Content-Encoding": "gzip" });
      sent.write(gzipSync('{"a":"aaaaaaaaaaaa"}').subarray(0, 18));
      const res = await sent.expect(400);
      expect(res.body).toMatchObject({ errorCode: "E0000003" });
    });

    it("E1 answers a stream that someone read before", async () => {
      const app = express();
      app.use((req, _res, next) => {
        req.setEncoding("utf8");
        next();
      });
      app.use(express.json(), errorFormatter({ log: () => undefined }));
      const res = await request(app).post("/").send({ a: 1 }).expect(500);
      expect(res.body).toMatchObject({ errorCode: "E0000009", errorCauses: [] });
    });

    it("E4 logs a request that was aborted, without an answer", async () => {
      const server = await listen(parsing());
      const socket = await open(server);
      socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{");
      await once(server, "request");
      socket.destroy();
      await until(() => logged.length > 0);
      server.close();
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({ status: 400, errorObject: { errorCode: "E0000003" } });
    });
  });

  describe("errors of Express itself", () => {
    it.each(["/users/%zz", "/users/%F", "/users/%ff"])("Q1 answers the malformed path %s with 400", async (path) => {
      const app = express();
      app.get("/users/:id", (_req, res) => void res.end());
      app.use(errorFormatter());
      const server = await listen(app);
      const answer = await exchange(server, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      server.close();
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toContain('"errorCode":"E0009000"');
      expect(answer).toContain(String.raw`The URL has a \"%\" that does not begin a valid escape such as \"%20\".`);
    });

    it("E4 does not tell where a missing file would be", async () => {
      const app = serve((_req, res) => {
        res.sendFile("/nowhere/secret.txt");
      });
      const res = await request(app).get("/").expect(404);
      expect(res.body).toMatchObject({ errorCode: "E0000007", errorCauses: [] });
      expect(res.text).not.toContain("secret");
    });

    it("keeps Content-Range of a range that can't be satisfied", async () => {
      const app = serve((_req, res) => {
        res.sendFile(__filename);
      });
      const res = await request(app).get("/").set("Range", "bytes=99999999-").expect(416);
      expect(res.headers["content-range"]).toMatch(/^bytes \*\/\d+$/);
      expect(res.headers).not.toHaveProperty("etag");
      expect(res.body).toMatchObject({ errorCode: "E0009000" });
    });
  });

  describe("fields of the response", () => {
    it("drops what described the answer that the error replaces", async () => {
      const described = {
        "Accept-Ranges": "bytes",
        "Cache-Control": "public, max-age=9",
        "Content-Digest": "sha-256=:AA==:",
        "Content-Disposition": "attachment",
        "Content-Encoding": "gzip",
        "Content-Language": "de",
        "Content-Length": "3",
        "Content-Location": "/x",
        "Content-MD5": "AA==",
        "Content-Range": "bytes 0-2/3",
        "Content-Type": "text/html",
        ETag: '"a"',
        "Last-Modified": "Sat, 01 Jan 2022 00:00:00 GMT",
        Location: "/x",
        "Repr-Digest": "sha-256=:AA==:",
        Trailer: "X-A",
        "Transfer-Encoding": "chunked",
      };
      const app = serve((_req, res) => {
        res.set(described).status(204);
        res.statusMessage = "Nothing Here";
        throw createError(409, "taken");
      });
      const server = await listen(app);
      const answer = await exchange(server, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      server.close();
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      const [statusLine, ...lines] = head.split("\r\n");
      expect(statusLine).toBe("HTTP/1.1 409 Conflict");
      expect(lines.map((line) => line.split(":")[0]?.toLowerCase()).sort()).toEqual([
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "date",
        "x-content-type-options",
        "x-svc-request-id",
      ]);
      expect(lines).toContain("Cache-Control: no-store");
      expect(lines).toContain(`Content-Length: ${body.length}`);
      expect(JSON.parse(body)).toMatchObject({ errorCode: "E0000195", errorCauses: [{ errorSummary: "taken" }] });
    });

    it.each([304, 204, 205])("answers with a body when the status had been set to %i", async (status) => {
      const app = serve((_req, res) => {
        res.status(status);
        throw createError(400, "late");
      });
      const res = await request(app).get("/").expect(400);
      expect(res.body.errorCauses).toEqual([{ errorSummary: "late" }]);
    });

    it("O3 keeps the fields of CORS, Vary, cookies and links", async () => {
      const kept = {
        "access-control-allow-origin": "https://a.example",
        "access-control-expose-headers": "Link, ETag",
        vary: "Origin",
        "set-cookie": ["a=b"],
        link: '</api/v2>; rel="successor-version"',
        "strict-transport-security": "max-age=9",
      };
      const app = serve((_req, res) => {
        for (const [name, value] of Object.entries(kept)) res.setHeader(name, value);
        throw createError(401);
      });
      const res = await request(app).get("/").expect(401);
      expect(res.headers).toMatchObject(kept);
    });

    it("sends the fields that an error asks for", async () => {
      const headers = {
        Allow: "GET",
        "Cache-Control": "max-age=60",
        "Retry-After": 5,
        "WWW-Authenticate": ['Bearer realm="a"', "SVC"],
        ETag: 'W/"2"',
        "X-Latin": "é",
      };
      const server = await listen(failing(createError(412, { headers })));
      const answer = await exchange(server, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      server.close();
      for (const line of [
        "Allow: GET",
        "Cache-Control: max-age=60",
        "Retry-After: 5",
        'WWW-Authenticate: Bearer realm="a"',
        "WWW-Authenticate: SVC",
        'ETag: W/"2"',
        "X-Latin: é",
      ]) {
        expect(answer).toContain(`\r\n${line}\r\n`);
      }
    });

    it("leaves out fields that no header can hold, and those that would falsify the body", async () => {
      const headers = {
        "X-Split": "a\r\nSet-Cookie: forged=1",
        "X-Splits": ["a", "b\r\nSet-Cookie: forged=1"],
        "X-Control": "a\0b",
        "X-Wide": "日本",
        "X Space": "a",
        "": "a",
        "X\r\nSet-Cookie": "forged=1",
        "Content-Length": "1",
        "Content-Type": "text/html",
        "Content-Encoding": "gzip",
        "Transfer-Encoding": "gzip, chunked",
        Trailer: "X-A",
        "X-Content-Type-Options": "none",
        "X-Kept": "yes",
      };
      const res = await request(failing(createError(400, "x", { headers })))
        .get("/")
        .expect(400);
      expect(res.body).toMatchObject({ errorCode: "E0009000" });
      expect(res.headers["x-kept"]).toBe("yes");
      expect(Object.keys(res.headers).sort()).toEqual([
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "date",
        "x-content-type-options",
        "x-kept",
        "x-svc-request-id",
      ]);
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(res.headers["x-content-type-options"]).toBe("nosniff");
    });

    it("E4 sends no header of an upstream's 5xx but Retry-After", async () => {
      const headers = { "Retry-After": "7", "X-Upstream": "10.0.0.7", "Set-Cookie": "a=b" };
      const res = await request(failing(createError(503, { headers })))
        .get("/")
        .expect(503);
      expect(res.headers["retry-after"]).toBe("7");
      expect(res.headers).not.toHaveProperty("x-upstream");
      expect(res.headers).not.toHaveProperty("set-cookie");
    });
  });

  describe("the connection", () => {
    it("E5 cuts an answer whose head went out, and logs once", async () => {
      const onExpress = jest.spyOn(console, "error").mockImplementation(() => undefined);
      const failure = new Error("mid-stream");
      const app = serve((_req, res, next) => {
        res.write("half");
        setTimeout(() => {
          next(failure);
        }, 20);
      });
      app.set("env", "development");
      const server = await listen(app);
      const answer = await exchange(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await delay(20);
      server.close();
      expect(answer).toContain("\r\n\r\n4\r\nhalf\r\n");
      expect(answer).not.toContain("\r\n0\r\n\r\n");
      expect(answer).not.toContain("errorCode");
      expect(logged.map(({ error }) => error)).toEqual([failure]);
      expect(onExpress).not.toHaveBeenCalled();
      onExpress.mockRestore();
    });

    it("leaves an answer alone that is complete", async () => {
      const big = "x".repeat(1_000_000);
      const app = serve((_req, res) => {
        res.end(big);
        throw new Error("afterwards");
      });
      const server = await listen(app);
      const answer = await exchange(
        server,
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /missing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      );
      server.close();
      expect(answer).toContain(big);
      expect(answer).toContain("HTTP/1.1 404 Not Found");
      expect(logged).toHaveLength(1);
    });

    it.each([
      ["was not read", undefined],
      ["was being piped", (req: Request) => req.pipe(new PassThrough({ highWaterMark: 1 }))],
      ["was paused", (req: Request) => req.once("data", () => req.pause())],
    ])("serves the next request after a body that %s", async (_title, read) => {
      const app = serve((req, _res, next) => {
        read?.(req);
        setTimeout(() => {
          next(createError(400, "not this"));
        }, 10);
      });
      const body = "x".repeat(500_000);
      const server = await listen(app);
      const answer = await exchange(
        server,
        `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
          "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      );
      server.close();
      expect(answer.match(/HTTP\/1\.1 400 Bad Request\r\n/g)).toHaveLength(2);
    });

    it("closes when the error asks for it", async () => {
      const server = await listen(failing(createError(411, { headers: { Connection: "close" } })));
      const answer = await exchange(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
      server.close();
      expect(answer.match(/HTTP\/1\.1 411 /g)).toHaveLength(1);
      expect(answer).toContain("\r\nConnection: close\r\n");
    });
  });

  describe("log", () => {
    it("E4 holds the cause under the id that the client got", async () => {
      const failure = new Error("password=hunter2");
      const res = await request(failing(failure)).get("/");
      expect(logged).toHaveLength(1);
      expect(logged[0]!.error).toBe(failure);
      expect(logged[0]).toMatchObject({ status: 500, errorObject: res.body as object });
      expect(logged[0]!.req.url).toBe("/");
    });

    it("is told of a 4xx too", async () => {
      await request(failing(createError(404))).get("/");
      expect(logged).toMatchObject([{ status: 404 }]);
    });

    it.each([
      [
        "throws",
        () => {
          throw new Error("disk full");
        },
      ],
      ["rejects", () => Promise.reject(new Error("disk full"))],
    ])("does not disturb the answer when it %s", async (_title, log) => {
      const unhandled = jest.fn();
      process.on("unhandledRejection", unhandled);
      const res = await request(failing(createError(404), { log })).get("/");
      await delay(10);
      process.off("unhandledRejection", unhandled);
      expect(res.body).toMatchObject({ errorCode: "E0000007" });
      expect(unhandled).not.toHaveBeenCalled();
    });

    it("is nothing with false, also for a failing map", async () => {
      const onConsole = jest.spyOn(console, "error").mockImplementation(() => undefined);
      try {
        for (const map of [undefined, () => raise(new Error("in the map"))]) {
          await request(failing(new Error("broken"), { log: false, ...(map && { map }) }))
            .get("/")
            .expect(500);
        }
        expect(onConsole).not.toHaveBeenCalled();
      } finally {
        onConsole.mockRestore();
      }
    });

    describe("by default", () => {
      const { NODE_ENV } = process.env;
      let onError: jest.SpyInstance;
      let onWarn: jest.SpyInstance;

      beforeEach(() => {
        onError = jest.spyOn(console, "error").mockImplementation(() => undefined);
        onWarn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
      });

      afterEach(() => {
        process.env["NODE_ENV"] = NODE_ENV;
        jest.restoreAllMocks();
      });

      /** What the console shows for `GET path`, with `…` for the id of the request. */
      async function shownFor(error: unknown, path: string, options: ErrorFormatterOptions = {}): Promise<string[]> {
        const fail: Handler = (_req, _res, next) => {
          next(error);
        };
        const app = express();
        app.use("/orgs/:org", express.Router().get("/users/:id", fail));
        app.use(fail, errorFormatter(options));
        const { body } = (await request(app).get(path)) as { body: { errorId: string } };
        const calls = [...onError.mock.calls, ...onWarn.mock.calls] as unknown[][];
        return calls.map((args) => format(...args).replace(body.errorId, "…"));
      }

      it.each(["production", "test", "development"])(
        "names the route of a 5xx (NODE_ENV is %s)",
        async (environment) => {
          process.env["NODE_ENV"] = environment;
          const [line, ...others] = await shownFor(new Error("broken"), "/orgs/acme/users/7?token=secret");
          expect(line).toMatch(/^GET \/orgs\/:org\/users\/:id failed, request …: Error: broken\n +at /);
          expect(others).toEqual([]);
          expect(onWarn).not.toHaveBeenCalled();
        },
      );

      it("names the path where there is no route, which can't change the line", async () => {
        const [line] = await shownFor(new Error("broken"), "/a%0A%d%s?token=secret");
        expect(line).toMatch(/^GET "\/a%0A%d%s" failed, request …: Error: broken\n +at /);
      });

      it.each(["production", "test"])("says nothing of a 4xx (NODE_ENV is %s)", async (environment) => {
        process.env["NODE_ENV"] = environment;
        expect(await shownFor(createError(404), "/orgs/acme/users/7")).toEqual([]);
      });

      it.each<[string, unknown, ErrorFormatterOptions, string]>([
        [
          "of the suite",
          apiError("E0000001", { detail: "login", causes: [{ message: "is taken.", pointer: "/login" }] }),
          {},
          "400 E0000001, request …: Api validation failed: login: login: is taken.",
        ],
        ["of http-errors", createError(404, "no user"), {}, "404 E0000007, request …: no user"],
        ["with a secret", createError(400, "secret", { expose: false }), {}, "400 E0009000, request …: secret"],
        ["without a message", { status: 409 }, {}, "409 E0000195, request …: Api validation failed due to conflict"],
        ["with an empty one", createError(404, ""), {}, "404 E0000007, request …: Not found"],
        [
          "of a map",
          new Error("of a library"),
          { map: () => ({ code: "E0000001", causes: ["too long."] }) },
          "400 E0000001, request …: Api validation failed: too long.",
        ],
        ["of two lines", createError(400, "a\nb\u001b[2J"), {}, "400 E0009000, request …: a\\u000ab\\u001b[2J"],
      ])("writes one line for a 4xx %s in development", async (_title, error, options, line) => {
        process.env["NODE_ENV"] = "development";
        const shown = await shownFor(error, "/orgs/acme/users/7", options);
        expect(shown).toEqual([`GET /orgs/:org/users/:id refused with ${line}`]);
        expect(onError).not.toHaveBeenCalled();
      });
    });
  });

  describe("catalogue", () => {
    const catalogue = {
      ORDER0001: { status: 409, summary: "The order can't be changed any more: {0}" },
      ORDER0002: { status: 502, summary: "The warehouse does not answer." },
    };
    const orderError = compileApiError(catalogue);

    it("E1 E3 sends a code of the app's own with the status and summary of the catalogue", async () => {
      const error = orderError("ORDER0001", { detail: "it was shipped", causes: ["status: SHIPPED"] });
      const res = await request(failing(error, { catalogue })).get("/").expect(409);
      expect(res.body).toEqual({
        errorCode: "ORDER0001",
        errorSummary: "The order can't be changed any more: it was shipped",
        errorLink: "ORDER0001",
        errorId: res.headers["x-svc-request-id"],
        errorCauses: [{ errorSummary: "status: SHIPPED" }],
      });
    });

    it("E3 takes the status and the summary of an error that has only such a code", async () => {
      const res = await request(failing({ code: "ORDER0001" }, { catalogue }))
        .get("/")
        .expect(409);
      expect(res.body).toMatchObject({ errorSummary: "The order can't be changed any more" });
    });

    it("E4 tells nothing of a 5xx but its code", async () => {
      const error = orderError("ORDER0002", { causes: ["10.0.0.7 refused"], cause: new Error("ECONNREFUSED") });
      const res = await request(failing(error, { catalogue })).get("/").expect(502);
      expect(res.body).toMatchObject({
        errorCode: "ORDER0002",
        errorSummary: "The warehouse does not answer.",
        errorCauses: [],
      });
      expect(logged).toMatchObject([{ error, status: 502 }]);
    });

    it("sends the code of the status without a catalogue that has the error's", async () => {
      const res = await request(failing(orderError("ORDER0001", { detail: "it was shipped" })))
        .get("/")
        .expect(409);
      expect(res.body).toMatchObject({
        errorCode: "E0000195",
        errorCauses: [{ errorSummary: "The order can't be changed any more: it was shipped" }],
      });
    });
  });

  describe("problemDetails", () => {
    const error = apiError("E0000007", { detail: "no user x", causes: ["a"] });

    it.each([
      "application/problem+json",
      "application/json;q=0.9, application/problem+json",
      "application/*;q=0, application/problem+json",
    ])("answers Accept: %s with a problem that has the error object's fields too", async (accept) => {
      const res = await request(failing(error, { problemDetails: true }))
        .get("/")
        .set("Accept", accept)
        .expect(404);
      expect(res.headers["content-type"]).toBe("application/problem+json");
      expect(res.headers["vary"]).toBe("Accept");
      expect(JSON.parse(res.text)).toEqual({
        type: "about:blank",
        title: "Not Found",
        status: 404,
        detail: "Not found: no user x",
        instance: `#${res.headers["x-svc-request-id"] ?? ""}`,
        errorCode: "E0000007",
        errorSummary: "Not found: no user x",
        errorLink: "E0000007",
        errorId: res.headers["x-svc-request-id"],
        errorCauses: [{ errorSummary: "a" }],
      });
    });

    it.each([
      "application/json",
      "*/*",
      "application/*",
      "application/json, application/problem+json",
      "text/html",
      ";;",
    ])("E1 answers Accept: %s with the error object, and varies on Accept", async (accept) => {
      const app = serve(
        (_req, res) => {
          res.set("Vary", "Origin");
          throw error;
        },
        { problemDetails: true },
      );
      const res = await request(app).get("/").set("Accept", accept);
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(res.headers["vary"]).toBe("Origin, Accept");
      expect(Object.keys(res.body as object).sort()).toEqual(FIELDS);
    });

    it("E4 says nothing of a 5xx here either, and has no title for a status without a phrase", async () => {
      const app = failing(createStatus(599), { problemDetails: true });
      const res = await request(app).get("/").set("Accept", "application/problem+json").expect(599);
      expect(JSON.parse(res.text)).toEqual({
        type: "about:blank",
        status: 599,
        detail: "Internal Server Error",
        instance: `#${res.headers["x-svc-request-id"] ?? ""}`,
        errorCode: "E0000009",
        errorSummary: "Internal Server Error",
        errorLink: "E0000009",
        errorId: res.headers["x-svc-request-id"],
        errorCauses: [],
      });
    });

    it("is off by default", async () => {
      const res = await request(failing(error)).get("/").set("Accept", "application/problem+json");
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(res.headers).not.toHaveProperty("vary");
    });
  });

  describe("map", () => {
    const thrown = Object.assign(new Error("password=hunter2"), { code: "23505" });

    it.each<[string, NonNullable<ErrorFormatterOptions["map"]>, number, object]>([
      [
        "an error of apiError()",
        () => apiError("E0000195", { detail: "login", causes: ["login: taken"] }),
        409,
        {
          errorSummary: "Api validation failed due to conflict: login",
          errorCauses: [{ errorSummary: "login: taken" }],
        },
      ],
      [
        "an error of http-errors",
        () => createError(410, "gone for good"),
        410,
        { errorCode: "E0000215", errorCauses: [{ errorSummary: "gone for good" }] },
      ],
      [
        "a code and facts",
        () => ({ code: "E0000195", detail: "login", causes: ["login: taken"] }),
        409,
        { errorCode: "E0000195", errorCauses: [{ errorSummary: "login: taken" }] },
      ],
      ["a code of the catalogue", () => ({ code: "ORDER0001" }), 422, { errorCode: "ORDER0001", errorSummary: "No." }],
      ["a 5xx", () => ({ code: "E0009011", causes: ["hunter2"] }), 503, { errorCauses: [] }],
      ["an error without a status", () => new Error("hunter2"), 500, { errorCode: "E0000009", errorCauses: [] }],
      ["nothing", () => undefined, 500, { errorCode: "E0000009", errorCauses: [] }],
    ])("E1 E4 may return %s", async (_title, map, status, body) => {
      const app = failing(thrown, { map, catalogue: { ORDER0001: { status: 422, summary: "No." } } });
      const res = await request(app).get("/").expect(status);
      expect(res.body).toMatchObject(body);
      expect(res.text).not.toContain("hunter2");
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({ error: thrown, status, errorObject: res.body as object });
      expect(logged[0]?.error).toBe(thrown);
    });

    it("E1 gets the error and the request, and the log what it made of the error", async () => {
      const conflict = apiError("E0000195");
      const app = failing(thrown, {
        map: (error, req) => (error === thrown && req.get("X-Map") === "yes" ? conflict : undefined),
      });
      await request(app).get("/").set("X-Map", "yes").expect(409);
      await request(app).get("/").expect(500);
      expect(logged.map(({ mapped }) => mapped)).toEqual([conflict, undefined]);
    });

    it("E1 may change an error of the suite, send headers, and make a problem", async () => {
      const app = failing(apiError("E0000007"), {
        problemDetails: true,
        map: () => ({ code: "E0000215", headers: { "X-Why": "moved" } }),
      });
      const res = await request(app).get("/").set("Accept", "application/problem+json").expect(410);
      expect(res.headers["x-why"]).toBe("moved");
      expect(JSON.parse(res.text)).toMatchObject({ status: 410, errorCode: "E0000215" });
    });

    it.each<[string, () => unknown, string]>([
      ["throws", () => raise(new RangeError("in the map")), "in the map"],
      ["throws a string", () => raise("in the map"), "in the map"],
      ["returns null", () => null, "must return an error, { code, detail, causes } or undefined"],
      ["returns false", () => false, "must return an error"],
      ["returns a string", () => "E0000195", "must return an error"],
      ["returns a body", () => ({ status: 409, message: "taken" }), "must return an error"],
      ["returns an unknown code", () => ({ code: "E0000002" }), "the catalogue has no code E0000002"],
      ["returns causes that are no array", () => ({ code: "E0000195", causes: "taken" }), "causes"],
      ["returns a promise", () => Promise.resolve(apiError("E0000195")), "and not a promise"],
      ["returns a promise that rejects", () => Promise.reject(new Error("late")), "and not a promise"],
      ["returns a proxy whose traps throw", hostile, "hunter2"],
    ])("E4 %s: the error is sent as it was, and both are logged", async (_title, map, message) => {
      const failed = failing(createError(404, "no user x"), { map: map as never });
      const res = await request(failed).get("/").expect(404);
      expect(res.body).toMatchObject({ errorCauses: [{ errorSummary: "no user x" }] });
      expect(logged).toHaveLength(2);
      const [first, second] = logged;
      expect(first).toMatchObject({ status: 404, error: { message: "no user x" } });
      expect(second).toMatchObject({ status: 500, errorObject: res.body as object });
      expect(second?.error).toMatchObject({ message: "errorFormatter: `map` failed; the error was sent without it" });
      const { cause } = second!.error as { cause: unknown };
      expect(String((cause as Error | undefined)?.message ?? cause)).toContain(message);
    });

    it("E4 is told of on the console, also when the error is a 4xx", async () => {
      const onConsole = jest.spyOn(console, "error").mockImplementation(() => undefined);
      try {
        const app = express();
        app.use((_req, _res, next) => {
          next(createError(404));
        });
        app.use(errorFormatter({ map: () => raise(new RangeError("in the map")) }));
        await request(app).get("/").expect(404);
        expect(onConsole.mock.calls).toEqual([
          [
            "%s",
            expect.stringMatching(/^GET "\/" failed, request .+:$/),
            expect.objectContaining({ cause: new RangeError("in the map") }),
          ],
        ]);
      } finally {
        onConsole.mockRestore();
      }
    });

    it("E1 sends the five fields whatever it returns", async () => {
      let mapped: unknown;
      const server = await listen(failing(thrown, { map: () => mapped as never }));
      await fc.assert(
        fc.asyncProperty(fc.anything(), async (value) => {
          mapped = value;
          const res = await request(server).get("/").expect(500);
          expect(Object.keys(res.body as object).sort()).toEqual(FIELDS);
        }),
        { numRuns: 50 },
      );
      server.close();
    });
  });
});

describe("errorFormatter: options", () => {
  it.each([
    [{ namespace: "Svc" }, "option `namespace` must be 1 to 32 lower-case letters and digits, a letter first"],
    [{ headerName: "a b" }, "option `headerName` must be a header field name"],
    [{ getRequestId: "id" }, "option `getRequestId` must be a function"],
    [{ log: console }, "option `log` must be a function or false"],
    [{ log: true }, "option `log` must be a function or false"],
    [{ map: {} }, "option `map` must be a function or an array of functions"],
    [{ problemDetails: "yes" }, "option `problemDetails` must be a boolean"],
  ])("refuses %p", (options, message) => {
    expect(() => errorFormatter(options as never)).toThrow(new TypeError(`errorFormatter: ${message}`));
  });
});

function raise(value: unknown): never {
  throw value;
}

function createStatus(status: number): Error {
  return Object.assign(new Error("password=hunter2"), { status, expose: true });
}

/** A value whose every property, and every other question about it, throws. */
function hostile(): unknown {
  const traps = Object.getOwnPropertyNames(Reflect).map((trap) => [
    trap,
    () => {
      throw new Error("password=hunter2");
    },
  ]);
  return new Proxy({}, Object.fromEntries(traps) as ProxyHandler<object>);
}

async function listen(app: Application): Promise<Server> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function open(server: Server): Promise<ReturnType<typeof connect>> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Write `text` and read, as Latin-1, until the server closes. */
async function exchange(server: Server, text: string): Promise<string> {
  const socket = await open(server);
  socket.setEncoding("latin1");
  socket.write(text);
  let answer = "";
  socket.on("data", (chunk) => (answer += String(chunk)));
  socket.on("error", () => undefined); // a cut connection may end in a reset
  await once(socket, "close");
  return answer;
}
