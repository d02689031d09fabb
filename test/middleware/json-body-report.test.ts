import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import type { Express, RequestHandler } from "express";
import request from "supertest";
import { jsonBody, type JsonBodyOptions } from "etiquette/json-body";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, open, parseAnswer, readUntilClose } from "../support/raw-socket.js";

describe.each(EXPRESS_VERSIONS)("jsonBody({ report: true }) on %s", (_version, express) => {
  let types: (string | undefined)[];
  let server: Server | undefined;
  beforeEach(() => (types = []));
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const reporting = (options: JsonBodyOptions = {}) =>
    jsonBody({ ...options, report: true, onReport: ({ type }) => types.push(type) });
  const echo: RequestHandler = (req, res) => void res.json(req.body ?? "no body");
  const later: RequestHandler = (_req, _res, next) => void setTimeout(next, 20);

  function start(...handlers: RequestHandler[]): Promise<number> {
    server = createServer(express().use(...handlers) as Express);
    return listen(server);
  }

  function post(body: string, length = body.length): string {
    return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  }
  const closing = (bytes: string): string => bytes.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");

  describe("in an app without a parser of its own", () => {
    it.each([
      ["what is valid becomes req.body", '{"a":1}', { a: 1 }, undefined],
      ["what is malformed does not", "{", "no body", "entity.parse.failed"],
      ["a scalar does not", "1", "no body", "body.scalar"],
      ["an emoji does not", '{"a":"😀"}', "no body", "text.unsupported"],
      ["a body that is too large does not", `["${"a".repeat(100)}"]`, "no body", "entity.too.large"],
    ])("%s", async (_title, body, expected, type) => {
      const app = express().use(reporting({ limit: 50 }), echo);
      await request(app).post("/").type("json").send(body).expect(200).expect(JSON.stringify(expected));
      expect(types).toEqual(type === undefined ? [] : [type]);
    });

    it("a compressed body becomes req.body, and one that is not what its coding says does not", async () => {
      const port = await start(reporting(), echo);
      const send = (bytes: Buffer) =>
        exchange(port, closing(post(bytes.toString("latin1"))).replace("Host", "Content-Encoding: gzip\r\nHost"));
      expect(parseAnswer(await send(gzipSync("[1]"))).body).toBe("[1]");
      expect(parseAnswer(await send(Buffer.from("[1]"))).body).toBe('"no body"');
      expect(types).toEqual(["encoding.malformed"]);
    });
  });

  describe("the app's own parser", () => {
    it("gets every byte, also the raw ones, when the body arrives at once, in pieces, or before jsonBody runs", async () => {
      const raw: string[] = [];
      const own = express.json({ verify: (_req, _res, bytes) => raw.push(bytes.toString()) });
      for (const before of [
        (_req, _res, next) => {
          next();
        },
        later,
      ] as RequestHandler[]) {
        const port = await start(before, reporting(), own, echo);
        expect(parseAnswer(await exchange(port, closing(post('{"a":1}')))).body).toBe('{"a":1}');
        const socket = await open(port);
        const answer = readUntilClose(socket);
        for (const piece of closing(post('{"a":2}')).split(/(?<=\r\n\r\n|a)/)) {
          socket.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 30));
        }
        expect(parseAnswer(await answer).body).toBe('{"a":2}');
        server?.close();
      }
      expect(raw).toEqual(['{"a":1}', '{"a":2}', '{"a":1}', '{"a":2}']);
      expect(types).toEqual([]);
    });

    it("gets the body of a client that half-closes", async () => {
      const port = await start(
        reporting(),
        express.json(),
        (req, res) => void res.set("Connection", "close").json(req.body),
      );
      expect(parseAnswer(await exchange(port, post('{"a":1}'), { halfClose: true })).body).toBe('{"a":1}');
    });

    it("gets a large body that jsonBody refuses, whole", async () => {
      const body = `["${"a".repeat(3_000_000)}"]`;
      for (const before of [[], [later]]) {
        const app = express().use(...before, reporting(), express.json({ limit: "5mb" }), (req, res) => {
          res.json((req.body as string[])[0]?.length);
        });
        await request(app).post("/").type("json").send(body).expect(200, "3000000");
      }
      expect(types).toEqual(["entity.too.large", "entity.too.large"]);
    });

    it("gets a body up to the limit that is larger than the stream's buffer, also when it came before", async () => {
      const body = `["${"a".repeat(900_000)}"]`;
      for (const before of [[], [later]]) {
        const limit = { limit: 1_000_000 };
        const app = express().use(...before, reporting(limit), express.json(limit), (req, res) => {
          res.json((req.body as string[])[0]?.length);
        });
        await request(app).post("/").type("json").send(body).expect(200, "900000");
      }
      expect(types).toEqual([]);
    });

    it("sends its own errors", async () => {
      const app = express().use(reporting(), express.json({ limit: 5 }), echo);
      await request(app).post("/").send({ a: 1 }).expect(413);
      await request(app).post("/").type("json").send("{").expect(400);
      expect(types).toEqual(["entity.parse.failed"]);
    });
  });

  it("leaves the stream to a handler that pipes it, or that does not read it and keeps the connection", async () => {
    const port = await start(reporting(), (req, res) => {
      if (req.method === "POST") req.pipe(res);
      else res.status(401).end();
    });
    expect(parseAnswer(await exchange(port, closing(post("{")))).body).toContain("{");
    const unread = post(`["${"a".repeat(50_000)}"]`).replace("POST", "PUT");
    const large = post(`["${"a".repeat(500_000)}"]`).replace("POST", "PUT");
    const answers = await exchange(port, unread + large + closing(post("[]")));
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 401", "HTTP/1.1 200"]);
  });

  it("calls what follows in the asynchronous context of the request", async () => {
    const context = new AsyncLocalStorage<string>();
    const port = await start(
      (_req, _res, next) => {
        context.run("mine", next);
      },
      reporting(),
      (_req, res) => void res.json(context.getStore() ?? "lost"),
    );
    const [head = "", body = ""] = closing(post("[1]")).split(/(?<=\r\n\r\n)/);
    const socket = await open(port);
    const answer = readUntilClose(socket);
    socket.write(head);
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.write(body);
    expect(parseAnswer(await answer).body).toBe('"mine"');
  });

  it("passes a request whose connection ends before its body, and reports nothing", async () => {
    let reached: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => (reached = resolve));
    const port = await start(reporting(), () => {
      reached();
    });
    const socket = await open(port);
    socket.write(post("[1", 9));
    await new Promise((resolve) => setTimeout(resolve, 30));
    socket.destroy();
    await passed;
    expect(types).toEqual([]);
  });

  it("passes a body that other code reads already, or has asked to get as text", async () => {
    const read: RequestHandler = (req, _res, next) => {
      req.on("data", () => undefined);
      next();
    };
    const decode: RequestHandler = (req, _res, next) => {
      req.setEncoding("utf8");
      next();
    };
    for (const before of [read, decode]) {
      const app = express().use(before, reporting(), (_req, res) => void res.json("passed"));
      await request(app).post("/").type("json").send("{").expect(200, '"passed"');
    }
    expect(types).toEqual([]);
  });

  it.each([
    [1_024, true],
    [1_025, true],
    [1_026, false],
  ])("a body of %i chunks of a byte is examined: %s", async (count, examined) => {
    const port = await start(reporting(), express.json(), (_req, res) => void res.end("passed"));
    const text = `[${" ".repeat(count - 2)}]`;
    const chunks = text
      .split("")
      .map((character) => `1\r\n${character}\r\n`)
      .join("");
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const malformed = chunks.replace("]", "}");
    expect(parseAnswer(await exchange(port, `${head}${malformed}0\r\n\r\n`)).status).toBe(400);
    expect(types).toEqual(examined ? ["entity.parse.failed"] : []);
  });

  it.each([
    [99, undefined],
    [100, undefined],
    [101, "entity.too.large"],
  ])("with limit 100, a chunked body of %i bytes is reported as %s", async (length, type) => {
    const port = await start(reporting({ limit: 100 }), express.json(), echo);
    const body = `["${"a".repeat(length - 4)}"]`;
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
    const answer = await exchange(
      port,
      `${head}Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );
    expect(parseAnswer(answer).body).toBe(body);
    expect(types).toEqual(type === undefined ? [] : [type]);
  });
});
