import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import { bodyLength, type BodyLengthOptions } from "../../middleware/body-length.js";
import { createServer } from "../../lib/server/create-server.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange as exchangeBytes, listen, open, readUntilClose } from "../support/raw-socket.js";

const STRAY = "GET /stray HTTP/1.1\r\nHost: a\r\n\r\n";

/** What a server answers to `packets`, written one after the other, until it closes the connection of its own accord. */
async function exchange(server: http.Server, ...packets: string[]): Promise<string> {
  const socket = await open(await listen(server));
  const answer = readUntilClose(socket.setNoDelay());
  for (const packet of packets) {
    socket.write(packet);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return answer.finally(() => server.close());
}

/** What a server answers that has no reason to close the connection: the client does. */
async function exchangeAndLeave(server: http.Server, bytes: string): Promise<string> {
  const answer = exchangeBytes(await listen(server), bytes, { halfClose: true });
  return answer.finally(() => server.close());
}

function head(startLine: string, ...fields: string[]): string {
  return `${[startLine, "Host: a", ...fields].join("\r\n")}\r\n\r\n`;
}

function statuses(answer: string): string[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1] ?? "");
}

describe.each(EXPRESS_VERSIONS)("bodyLength on %s", (_version, express) => {
  let served: string[] = [];
  beforeEach(() => {
    served = [];
  });

  const serve: RequestHandler = (req, res) => {
    served.push(`${req.method} ${req.url}`);
    res.send("served");
  };

  function peer(): http.Server {
    return http.createServer(express().use(serve));
  }

  function appWith(options?: BodyLengthOptions): Express {
    const app = express();
    app.use(bodyLength(options));
    app.use(serve);
    app.use(errorFormatter());
    return app;
  }

  function guarded(options?: BodyLengthOptions): http.Server {
    return http.createServer(appWith(options));
  }

  describe("a request that does not say how long it is", () => {
    it("V2 is 411 E0009002 when it is a POST, and the connection is closed", async () => {
      const answer = await exchange(guarded(), head("POST /users HTTP/1.1"));
      expect(answer).toMatch(/^HTTP\/1\.1 411 Length Required\r\n/);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      expect(answer).toContain('"errorCode":"E0009002"');
      expect(answer).toContain(
        String.raw`POST has neither Content-Length nor Transfer-Encoding; without a body send \"Content-Length: 0\".`,
      );
      expect(served).toEqual([]);
    });

    it("V2 is 411 when it is a PUT, or of HTTP/1.0, and the peer serves both", async () => {
      expect(statuses(await exchange(guarded(), head("PUT / HTTP/1.1")))).toEqual(["411"]);
      expect(statuses(await exchange(guarded(), head("POST / HTTP/1.0")))).toEqual(["411"]);
      expect(served).toEqual([]);

      expect(statuses(await exchangeAndLeave(peer(), head("PUT / HTTP/1.1")))).toEqual(["200"]);
      expect(statuses(await exchangeAndLeave(peer(), head("POST / HTTP/1.0")))).toEqual(["200"]);
    });

    it.each(["GET", "HEAD", "DELETE", "OPTIONS", "PATCH"])("V2 is served when it is a %s", async (method) => {
      expect(statuses(await exchange(guarded(), head(`${method} / HTTP/1.1`, "Connection: close")))).toEqual(["200"]);
    });

    it("V2 is served when it is a POST that says it has no body, or a chunked one", async () => {
      await exchangeAndLeave(guarded(), head("POST /a HTTP/1.1", "Content-Length: 0"));
      await exchangeAndLeave(guarded(), `${head("POST /b HTTP/1.1", "Transfer-Encoding: chunked")}0\r\n\r\n`);
      expect(served).toEqual(["POST /a", "POST /b"]);
    });
  });

  describe("what comes after a refused request", () => {
    it("V2 is not served when it came in the same packet, and the peer serves it", async () => {
      const answer = await exchange(guarded(), head("POST / HTTP/1.1") + STRAY);
      expect(statuses(answer)).toEqual(["411"]);
      expect(served).toEqual([]);

      await exchangeAndLeave(peer(), head("POST / HTTP/1.1") + STRAY);
      expect(served).toEqual(["POST /", "GET /stray"]);
    });

    it("V2 is not served when it came in later packets", async () => {
      const answer = await exchange(guarded(), head("POST / HTTP/1.1"), STRAY, STRAY);
      expect(statuses(answer)).toEqual(["411"]);
      expect(served).toEqual([]);
    });

    it("V2 is not served while the answer to the refusal waits", async () => {
      const app = express();
      app.use(bodyLength());
      app.use(serve);
      app.use(((error, _req, _res, next) => setTimeout(next, 20, error)) satisfies ErrorRequestHandler);
      app.use(errorFormatter());
      const answer = await exchange(http.createServer(app), head("POST / HTTP/1.1") + STRAY, STRAY);
      expect(statuses(answer)).toEqual(["411"]);
      expect(served).toEqual([]);
    });

    it("V2 does not take the answer to the request before it", async () => {
      const app = express();
      app.use(bodyLength());
      app.get("/slow", (_req, res) => setTimeout(() => res.send("slow"), 20));
      app.use(errorFormatter());
      const answer = await exchange(
        http.createServer(app),
        head("GET /slow HTTP/1.1") + head("POST / HTTP/1.1") + STRAY,
      );
      expect(statuses(answer)).toEqual(["200", "411"]);
    });

    it("V2 is no request at all when it is a body, and the refusal arrives all the same", async () => {
      const answer = await exchange(guarded(), `${head("POST / HTTP/1.1")}{"name":"joe"}`);
      expect(statuses(answer)).toEqual(["411"]);
    });

    it("V2 is not served by createServer() either", async () => {
      const answer = await exchange(createServer(appWith()), head("POST / HTTP/1.1") + STRAY, STRAY);
      expect(statuses(answer)).toEqual(["411"]);
      expect(served).toEqual([]);
    });

    it("V2 is not served when the application has its own error handler", async () => {
      const app = express();
      app.use(bodyLength());
      app.use(serve);
      app.use(((_error, _req, res, _next) => {
        res.status(400).send("mine");
      }) satisfies ErrorRequestHandler);
      const answer = await exchange(http.createServer(app), head("POST / HTTP/1.1") + STRAY);
      expect(statuses(answer)).toEqual(["400"]);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      expect(served).toEqual([]);
    });

    it("refuses the same request again where it is mounted twice and the error was dropped", async () => {
      const app = express();
      app.use(bodyLength());
      app.use(((_error, _req, _res, next) => {
        next();
      }) satisfies ErrorRequestHandler);
      app.use(bodyLength());
      app.use(errorFormatter());
      expect(statuses(await exchange(http.createServer(app), head("POST / HTTP/1.1")))).toEqual(["411"]);
    });
  });

  describe("Transfer-Encoding", () => {
    it("V3 is 400 when it is another coding too, and the peer serves it", async () => {
      const sent = `${head("POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked")}0\r\n\r\n`;
      const answer = await exchange(guarded(), sent + STRAY);
      expect(statuses(answer)).toEqual(["400"]);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      expect(answer).toContain(String.raw`Transfer-Encoding is \"gzip, chunked\"; only \"chunked\" is supported.`);
      expect(served).toEqual([]);

      await exchangeAndLeave(peer(), sent);
      expect(served).toEqual(["POST /"]);
    });

    it("V3 is 400 when it is empty, which the parser of Node 20 lets through and the peer serves", async () => {
      const sent = head("POST / HTTP/1.1", "Transfer-Encoding:") + STRAY;
      const answer = await exchange(guarded(), sent);
      expect(statuses(answer)).toEqual(["400"]);
      expect(served).toEqual([]);

      await exchangeAndLeave(peer(), sent);
      const refusedByParser = served.length === 0; // Node 22 and later
      if (!refusedByParser) {
        expect(served).toEqual(["POST /", "GET /stray"]);
        expect(answer).toMatch(/\r\nConnection: close\r\n/i);
        expect(answer).toContain(String.raw`Transfer-Encoding is \"\"; only \"chunked\" is supported.`);
      }
    });

    it("V3 is 400 with any method, and in HTTP/1.0", async () => {
      const get = head("GET / HTTP/1.1", "Transfer-Encoding:");
      expect(statuses(await exchange(guarded(), get + STRAY))).toEqual(["400"]);
      const old = `${head("POST / HTTP/1.0", "Transfer-Encoding: chunked")}0\r\n\r\n`;
      expect(statuses(await exchange(guarded(), old))).toEqual(["400"]);
      expect(served).toEqual([]);
    });

    it.each(["identity", "gzip", "chunked, gzip", "chunked, chunked"])(
      "V3 is refused when it is %j, by Node's parser or here",
      async (coding) => {
        const answer = await exchange(guarded(), head("POST / HTTP/1.1", `Transfer-Encoding: ${coding}`) + STRAY);
        expect(statuses(answer)).toEqual(["400"]);
        expect(served).toEqual([]);
      },
    );
  });

  describe("behind a lenient parser", () => {
    function lenient(app: Express): http.Server {
      return http.createServer({ insecureHTTPParser: true }, app);
    }

    it.each([
      ["both fields", ["Content-Length: 5", "Transfer-Encoding: chunked"]],
      ["chunked twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]],
      ["chunked in one list twice", ["Transfer-Encoding: chunked, chunked"]],
    ])("V3 refuses %s, and the peer serves it", async (_what, fields) => {
      const sent = `${head("POST / HTTP/1.1", ...fields)}0\r\n\r\n`;
      const answer = await exchange(lenient(appWith()), sent + STRAY);
      expect(statuses(answer)).toEqual(["400"]);
      expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      expect(served).toEqual([]);

      await exchangeAndLeave(lenient(express().use(serve)), sent);
      expect(served).toEqual(["POST /"]);
    });

    it.each(["+7", "-1", "abc", "0x7", "7, 7", ""])(
      "V3 refuses Content-Length %j that was let through",
      async (value) => {
        const app = appWith();
        const server = http.createServer((req, res) => {
          req.headers["content-length"] = value;
          req.rawHeaders.push("Content-Length", value);
          app(req, res);
        });
        const answer = await exchange(server, head("POST / HTTP/1.1") + STRAY);
        expect(statuses(answer)).toEqual(["400"]);
        expect(answer).toContain(String.raw`Content-Length is \"${value}\"; send one decimal number.`);
        expect(served).toEqual([]);
      },
    );
  });

  it("V3 serves Content-Length: 007, which is legal", async () => {
    await exchange(guarded(), `${head("POST / HTTP/1.1", "Content-Length: 007", "Connection: close")}{"a":1}`);
    expect(served).toEqual(["POST /"]);
  });

  it.each(["abc", "-1", "+7", "7, 7"])(
    "V3 leaves Content-Length %s to createServer(), whose parser refuses it",
    async (value) => {
      const sent = `${head("POST / HTTP/1.1", `Content-Length: ${value}`)}{"a":1}`;
      const answer = await exchange(createServer(appWith()), sent);
      expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*\r\nConnection: close\r\n[^]*"errorCode":"E0009000"/i);
      expect(served).toEqual([]);
    },
  );

  describe("the options", () => {
    it("V2 answers 400 E0009000 with `status: 400`", async () => {
      const answer = await exchange(guarded({ status: 400 }), head("POST / HTTP/1.1") + STRAY);
      expect(statuses(answer)).toEqual(["400"]);
      expect(answer).toContain('"errorCode":"E0009000"');
      expect(served).toEqual([]);
    });

    it("V2 asks the methods in `methods` for a length, and no other", async () => {
      const options: BodyLengthOptions = { methods: ["PATCH"] };
      expect(statuses(await exchange(guarded(options), head("PATCH / HTTP/1.1")))).toEqual(["411"]);
      expect(statuses(await exchangeAndLeave(guarded(options), head("POST / HTTP/1.1")))).toEqual(["200"]);
      expect(statuses(await exchangeAndLeave(guarded({ methods: [] }), head("PUT / HTTP/1.1")))).toEqual(["200"]);
    });

    it.each([
      [{ status: 404 }, "bodyLength: option `status` must be 411 or 400"],
      [{ status: "411" }, "bodyLength: option `status` must be 411 or 400"],
      [{ methods: "POST" }, "bodyLength: option `methods` must be an array of non-empty strings"],
      [{ methods: ["post"] }, "bodyLength: option `methods` must be an array of HTTP methods in upper case"],
      [{ methods: ["PAST"] }, "bodyLength: option `methods` must be an array of HTTP methods in upper case"],
    ])("are refused: %j", (options, message) => {
      expect(() => bodyLength(options as BodyLengthOptions)).toThrow(new TypeError(message));
    });
  });

  describe("before express.json()", () => {
    const LIMIT = 100;

    function jsonApp(): Express {
      const app = express();
      app.use(bodyLength());
      app.use(express.json({ limit: LIMIT }));
      app.post("/", (req, res) => res.json({ length: (req.body as { text: string }).text.length }));
      app.use(errorFormatter());
      return app;
    }

    const bodyOf = (length: number): string => JSON.stringify({ text: "x".repeat(length - 11) });

    it.each([
      [LIMIT - 1, 200],
      [LIMIT, 200],
      [LIMIT + 1, 413],
    ])("V2 a body of %d bytes is answered %d, with its length or chunked or compressed", async (length, status) => {
      const app = jsonApp();
      expect(bodyOf(length)).toHaveLength(length);
      const chunked = request(app).post("/").type("json");
      chunked.write(bodyOf(length));
      const compressed = request(app).post("/").type("json").set("Content-Encoding", "gzip");
      compressed.write(gzipSync(bodyOf(length)));
      const answers = [await request(app).post("/").type("json").send(bodyOf(length)), await chunked, await compressed];
      for (const answer of answers) {
        expect(answer.status).toBe(status);
        if (status === 413) expect(answer.body).toMatchObject({ errorCode: "E0009003", errorCauses: [{}] });
      }
    });
  });
});

describe("bodyLength over HTTP/2", () => {
  it("V3 needs neither field", async () => {
    const middleware = bodyLength() as unknown as (req: unknown, res: unknown, next: (error?: unknown) => void) => void;
    const server = http2.createServer((req, res) => {
      middleware(req, res, (error) => {
        res.statusCode = error === undefined ? 200 : 400;
        res.end();
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      for (const body of [undefined, "{}"]) {
        const stream = session.request({ ":method": "POST" }, { endStream: body === undefined });
        if (body !== undefined) stream.end(body);
        const [answer] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
        stream.resume();
        expect(answer[":status"]).toBe(200);
      }
    } finally {
      session.destroy();
      server.close();
    }
  });
});
