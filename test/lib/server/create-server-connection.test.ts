import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Express, Request, Response } from "express";
import fc from "fast-check";
import { createServer, type CreateServerOptions } from "../../../lib/server/create-server.js";
import { requestId } from "../../../middleware/request-id.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { exchange, listen, open, parseAnswer, parseAnswers, readUntilClose } from "../../support/raw-socket.js";
import { createTestCertificate } from "../../support/tls.js";
import { until } from "../../support/until.js";

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const NO_HOST = "GET /no-host HTTP/1.1\r\n\r\n";
const CHUNKED = "POST /chunked HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

describe.each(EXPRESS_VERSIONS)("a connection with a protocol error on %s", (_version, express) => {
  const servers: Server[] = [];
  let seen: string[];

  beforeEach(() => (seen = []));
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Every path but `/chunked` is answered after a moment, `/chunked` when its body is there. */
  function createApp(): Express {
    const app = express();
    app.use(requestId());
    app.use((req: Request, res: Response) => {
      seen.push(req.path);
      if (req.path === "/chunked") req.resume().on("end", () => res.send("chunked"));
      else setTimeout(() => res.send("answer"), 50);
    });
    return app;
  }

  async function start(app: Express = createApp(), options?: CreateServerOptions): Promise<[Server, number]> {
    const server = createServer(app, options);
    servers.push(server);
    return [server, await listen(server)];
  }

  async function startPlain(app: Express = createApp(), options = {}): Promise<number> {
    const server = createHttpServer(options, app);
    servers.push(server);
    return listen(server);
  }

  async function connections(server: Server): Promise<number> {
    return new Promise((resolve, reject) => {
      server.getConnections((error, count) => {
        if (error) reject(error);
        else resolve(count);
      });
    });
  }

  function summarise(text: string): string[] {
    return parseAnswers(text).map(({ status, body }) =>
      body.includes("errorCode") ? `${status} error` : `${status} ${body}`,
    );
  }

  describe("pipelined requests", () => {
    it("E5 sends the response to the first before the error of the second", async () => {
      const [, port] = await start();
      expect(summarise(await exchange(port, `${GET}junk\r\n\r\n`))).toEqual(["200 answer", "400 error"]);
      // plain Node answers the second in place of the first
      expect(await exchange(await startPlain(), `${GET}junk\r\n\r\n`)).not.toContain("answer");
    });

    it("E5 does so for three, and when the second is refused for its Host", async () => {
      const [, port] = await start();
      expect(summarise(await exchange(port, GET + GET + NO_HOST))).toEqual(["200 answer", "200 answer", "400 error"]);
    });

    it("E5 does so for CONNECT", async () => {
      const [, port] = await start();
      const text = await exchange(port, `${GET}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
      expect(summarise(text)).toEqual(["200 answer", "501 error"]);
    });

    it("E5 does so when the body of the second goes wrong, under the second's own id", async () => {
      const [, port] = await start();
      const answers = parseAnswers(await exchange(port, `${GET}${CHUNKED}zz\r\n`));
      expect(answers.map(({ status }) => status)).toEqual([200, 400]);
      expect(JSON.parse(answers[1]!.body)).toHaveProperty("errorId", answers[1]!.headers["x-svc-request-id"]);
      expect(seen).toEqual(["/", "/chunked"]);
    });

    it.each([
      ["in the same packet", 0],
      ["later", 100],
    ])("serves none that comes after a refused one, %s", async (_when, wait) => {
      const [, port] = await start();
      const socket = await open(port);
      const answer = readUntilClose(socket);
      socket.write(wait ? NO_HOST : NO_HOST + GET + GET);
      await delay(wait);
      if (wait) socket.write(GET + GET);
      expect(summarise(await answer)).toEqual(["400 error"]);
      expect(seen).toEqual([]);

      // plain Node does, when they are there already
      await exchange(await startPlain(), NO_HOST + GET);
      expect(seen).toEqual(["/"]);
    });

    it("keeps the response to a request with Connection: close whole when bytes follow", async () => {
      const bytes = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n${GET}`;
      const [, port] = await start();
      expect(summarise(await exchange(port, bytes))).toEqual(["200 answer"]);
      expect(await exchange(await startPlain(), bytes)).not.toContain("answer");
    });

    it("closes with the client while an earlier response is waited for", async () => {
      const app = express();
      const closed = new Promise((resolve) => {
        app.use((_req: Request, res: Response) => res.on("close", resolve)); // never answers
      });
      const [server, port] = await start(app);
      expect(await exchange(port, `${GET}junk\r\n\r\n`, { halfClose: true })).toBe("");
      await closed;

      for (const next of ["GET /truncated", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"]) {
        expect(await exchange(port, GET + next, { halfClose: true })).toBe("");
      }
      expect(await connections(server)).toBe(0);
    });
  });

  describe("when the body of a request goes wrong", () => {
    it("says nothing more after a response that was sent before", async () => {
      const app = express();
      app.use((_req: Request, res: Response) => res.send("early"));
      const [, port] = await start(app);
      const plainPort = await startPlain(app);

      for (const [target, expected] of [
        [port, ["200 early"]],
        [plainPort, ["200 early", "400 "]],
      ] as const) {
        const socket = await open(target);
        const answer = readUntilClose(socket);
        socket.write(CHUNKED);
        await once(socket, "data");
        socket.write("zz\r\n");
        expect(summarise(await answer)).toEqual(expected);
      }
    });

    it("sends a response whole that was ended in the same moment", async () => {
      const app = express();
      const body = "x".repeat(8_000_000);
      app.use((_req: Request, res: Response) => res.send(body));
      const [, port] = await start(app);
      const [answer, ...others] = parseAnswers(await exchange(port, `${CHUNKED}zz\r\n`));
      expect(answer?.body).toHaveLength(body.length);
      expect(others).toEqual([]);
    });

    it("cuts a response that has begun, and adds nothing to it", async () => {
      const app = express();
      app.use((_req: Request, res: Response) => void res.write("begun"));
      const [, port] = await start(app);
      const socket = await open(port);
      const answer = readUntilClose(socket);
      socket.write(CHUNKED);
      await once(socket, "data");
      socket.write("zz\r\n");
      const text = await answer;
      expect(text).toMatch(/\r\n5\r\nbegun\r\n(…RESET)?$/);
    });

    it("tells the application that the request was aborted, and lets it answer in vain", async () => {
      const app = express();
      const aborted = new Promise((resolve) => {
        app.use((req: Request, res: Response) => {
          req.resume().on("error", (error) => {
            res.status(500).json({ late: true });
            resolve(error);
          });
        });
      });
      const [, port] = await start(app);
      expect(summarise(await exchange(port, `${CHUNKED}zz\r\n`))).toEqual(["400 error"]);
      expect(await aborted).toHaveProperty("code", "ECONNRESET");
    });
  });

  describe("time-outs", () => {
    const timeouts = { headersTimeout: 100, requestTimeout: 200 };
    const LATE = "The header must arrive within 100 ms, the whole request within 200 ms.";

    it.each([
      ["no byte comes", ""],
      ["the header is not complete", "GET / HTTP/1.1\r\nHost: a\r\nX-Note: slow"],
      ["the body is not complete", `${CHUNKED}5\r\nslow`],
    ])("E5 D1 answers 408 when %s", async (_title, bytes) => {
      const [, port] = await start(createApp(), timeouts);
      const answer = parseAnswer(await exchange(port, bytes));
      expect(answer.status).toBe(408);
      expect(JSON.parse(answer.body)).toMatchObject({
        errorCode: "E0009001",
        errorId: answer.headers["x-svc-request-id"],
        errorCauses: [{ errorSummary: LATE }],
      });

      const plainPort = await startPlain(createApp(), { ...timeouts, connectionsCheckingInterval: 25 });
      expect(await exchange(plainPort, bytes)).toBe("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
    });

    it.each([
      ["header", "GET / HTTP/1.1\r\nHost: a\r\n", "\r\n"],
      ["body", `${CHUNKED}5\r\nslo`, "ly\r\n0\r\n\r\n"],
    ])("serves no request when the rest of its %s comes after the 408", async (_part, first, rest) => {
      const app = express();
      const served = jest.fn();
      app.use((req: Request) =>
        req
          .resume()
          .on("end", served)
          .on("error", () => undefined),
      );
      const [, port] = await start(app, timeouts);
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).setEncoding("latin1");
      socket.write(first);
      const answer = readUntilClose(socket);
      await once(socket, "data");
      socket.end(rest);
      expect(summarise(await answer)).toEqual(["408 error"]);
      expect(served).not.toHaveBeenCalled();
    });

    it("leaves a connection alone that waits for its next request", async () => {
      const [, port] = await start(createApp(), { headersTimeout: 700, requestTimeout: 800 });
      const socket = await open(port);
      const answer = readUntilClose(socket);
      socket.write(GET);
      await delay(1_000);
      socket.write(GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      expect(summarise(await answer)).toEqual(["200 answer", "200 answer"]);
    });
  });

  describe("closing", () => {
    it("lets the client read the answer while it still sends a large body", async () => {
      const [, port] = await start();
      const body = "x".repeat(8_000_000);
      const text = await exchange(port, `POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      expect(summarise(text)).toEqual(["400 error"]);
    });

    it("does so over TLS", async () => {
      const [, port] = await start(createApp(), { tls: await createTestCertificate() });
      const body = "x".repeat(2_000_000);
      const request = `POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      expect(summarise(await exchange(port, request, { tls: true }))).toEqual(["400 error"]);
    });

    it("does not wait for ever for a client that keeps its side open and goes on sending", async () => {
      const [server, port] = await start();
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => undefined).resume();
      socket.write("junk\r\n\r\n");
      await once(socket, "end");
      const sending = setInterval(() => socket.write("more"), 20);
      await new Promise((resolve) => socket.on("close", resolve));
      clearInterval(sending);
      expect(await connections(server)).toBe(0);
    });

    it("survives a reset while it waits for the client, also where Node has no error listener", async () => {
      const [server, port] = await start();
      for (const bytes of ["junk\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"]) {
        const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
        socket.write(bytes);
        await once(socket.resume(), "end");
        await delay(20);
        socket.resetAndDestroy();
      }
      await until(async () => (await connections(server)) === 0);
    });

    it("goes on when a client resets a connection that the server no longer reads", async () => {
      const app = express();
      const large = Buffer.alloc(4_000_000);
      app.get("/large", (_req: Request, res: Response) => void res.send(large));
      app.use((_req: Request, res: Response) => void res.send("answer"));
      const [server, port] = await start(app);
      const socket = await open(port);
      socket.on("error", () => undefined).pause();
      socket.write(GET.replace("/", "/large").repeat(4));
      await delay(50);
      for (let round = 0; round < 5; round++) {
        socket.write(GET.repeat(2));
        await delay(10);
      }
      socket.resetAndDestroy();
      await until(async () => (await connections(server)) === 0);
      const last = GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
      expect(summarise(await exchange(port, last))).toEqual(["200 answer"]);
    });

    it("leaves no connection behind, and does not fail when the client is gone", async () => {
      const [server, port] = await start();
      await Promise.all(
        Array.from({ length: 50 }, async (_value, index) => {
          const socket = await open(port);
          socket.on("error", () => undefined);
          socket.write([CHUNKED, "GET / HTTP/1.1\r\n", "junk"][index % 3]!);
          await delay(index % 5);
          socket.resetAndDestroy();
        }),
      );
      await Promise.all(Array.from({ length: 50 }, () => exchange(port, "junk\r\n\r\n")));
      const last = GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
      expect(summarise(await exchange(port, last))).toEqual(["200 answer"]);
      expect(await connections(server)).toBe(0);
    });
  });

  it("D1 gives an id to whatever it sends, whatever is received", async () => {
    const app = express();
    app.use(requestId());
    app.use(
      (req: Request, res: Response) =>
        void req
          .resume()
          .on("end", () => res.send("answer"))
          .on("error", () => undefined),
    );
    const [server, port] = await start(app);
    const piece = fc.oneof(
      fc.constantFrom(
        "GET ",
        "POST ",
        "/ ",
        "HTTP/1.1",
        "HTTP/1.0",
        "\r\n",
        "\r\n",
        "Host: a\r\n",
        "Host:",
        "\r\n\r\n",
        ": ",
      ),
      fc.constantFrom(
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 3\r\n",
        "Expect: 100-continue\r\n",
        "3\r\nabc\r\n0\r\n\r\n",
      ),
      fc.constantFrom(
        "Connection: upgrade\r\nUpgrade: x\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        GET,
        CHUNKED,
        NO_HOST,
      ),
      fc.string({ unit: "binary-ascii", maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 10 }), async (pieces) => {
        const text = await exchange(port, pieces.join(""), { halfClose: true });
        for (const { status, headers } of parseAnswers(text)) {
          if (status >= 200) expect(headers["x-svc-request-id"]).toMatch(/^[A-Za-z0-9_-]{22}$/);
        }
      }),
      { numRuns: 300 },
    );
    expect(await connections(server)).toBe(0);
  });

  it.each([
    ["before the response", true, ["first", "HTTP/1.1 100 Continue", "second"]],
    ["not at all when the response was there first", false, ["first", "second"]],
  ])("V3 sends 100 for a request whose turn comes later %s", async (_title, waits, expected) => {
    let first: Response;
    const app = express();
    app.get("/first", (_req: Request, res: Response) => void (first = res));
    app.post("/second", (_req: Request, res: Response) => {
      const end = () => res.set("Content-Length", "6").end(Buffer.from("second")); // no text, which Node joins with the header
      if (waits) first.once("finish", () => setTimeout(end, 10));
      else end();
      setImmediate(() => first.end("first"));
    });
    const [, port] = await start(app);
    const second =
      "POST /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx";
    const text = await exchange(port, `GET /first HTTP/1.1\r\nHost: a\r\n\r\n${second}`);

    const found = parseAnswers(text).map(({ status, body }) => (status === 100 ? "HTTP/1.1 100 Continue" : body));
    expect(found).toEqual(expected);
  });
});
