import { once } from "node:events";
import { get, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Express, Request, Response } from "express";
import { createServer, type CreateServerOptions } from "../../../lib/server/create-server.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import {
  exchange,
  listen,
  open,
  parseAnswers,
  readUntilClose,
  type ExchangeOptions,
} from "../../support/raw-socket.js";
import { createTestCertificate } from "../../support/tls.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(app: Express, options: CreateServerOptions = {}): Promise<[Server, number]> {
  const server = createServer(app, options);
  servers.push(server);
  return [server, await listen(server)];
}

/** A request for `path`, by default the last one on its connection. */
function requestFor(path: string, field = "Connection: close"): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n`;
}

const summarise = (text: string): string[] =>
  parseAnswers(text).map(({ status, body }) => `${status} ${status < 400 ? body : ""}`.trim());

describe.each(EXPRESS_VERSIONS)("createServer with `batch`, on %s", (_version, express) => {
  /** Whether the answers since the last {@link makeBusy} waited, in order. */
  let waited: boolean[] = [];
  const together: Response[] = [];

  function createApp(): Express {
    const app = express();
    app.set("env", "test");
    app.use((_req: Request, res: Response, next: () => void) => {
      const end = res.end.bind(res) as (...args: unknown[]) => Response;
      res.end = (...args: unknown[]) => {
        const { socket } = res;
        end(...args);
        waited.push((socket?.writableCorked ?? 0) > 0);
        return res;
      };
      next();
    });
    app.get("/together", (_req: Request, res: Response) => {
      together.push(res);
      if (together.length === 3) for (const one of together.splice(0)) one.send();
    });
    app.get("/text", (_req: Request, res: Response) => res.send("text"));
    return app;
  }

  /** From now on answers wait, until a turn has fewer than three. */
  async function makeBusy(port: number, options?: ExchangeOptions): Promise<void> {
    await Promise.all([1, 2, 3].map(() => exchange(port, requestFor("/together"), options)));
    waited = [];
  }

  it("lets no answer wait with `batch: false`", async () => {
    const [, port] = await start(createApp(), { batch: false });
    await makeBusy(port);
    expect(summarise(await exchange(port, requestFor("/text")))).toEqual(["200 text"]);
    expect(waited).toEqual([false]);
  });

  it("lets no answer wait on a server that has one at a time", async () => {
    const [, port] = await start(createApp());
    for (const path of ["/text", "/text"]) await exchange(port, requestFor(path));
    expect(waited).toEqual(expect.arrayContaining([false]));
    expect(waited).not.toContain(true);
  });

  describe.each([
    ["HTTP", false],
    ["HTTPS", true],
  ])("over %s", (_protocol, tls) => {
    const startBoth = async (app: Express): Promise<[batched: number, plain: number]> => {
      const options = tls ? { tls: await createTestCertificate() } : {};
      const [, batched] = await start(app, options);
      const [, plain] = await start(app, { ...options, batch: false });
      return [batched, plain];
    };

    it.each<[string, (res: Response) => unknown, string, boolean[]]>([
      ["a small answer", (res) => res.json({ a: 1 }), requestFor("/x"), [true]],
      ["one without a body", (res) => res.end(), requestFor("/x"), [true]],
      ["HEAD", (res) => res.send("text"), requestFor("/x").replace("GET", "HEAD"), [true]],
      ["204", (res) => res.sendStatus(204), requestFor("/x"), [true]],
      [
        "304",
        (res) => res.set("ETag", '"1"').send("text"),
        requestFor("/x", 'If-None-Match: "1"\r\nConnection: close'),
        [true],
      ],
      ["a client of HTTP/1.0", (res) => res.send("text"), "GET /x HTTP/1.0\r\n\r\n", [true]],
      [
        "a length and pieces",
        (res) => res.set("Content-Length", "4").write("te") && res.end("xt"),
        requestFor("/x"),
        [true],
      ],
      ["two pieces", (res) => res.write("te") && res.end("xt"), requestFor("/x"), [false]],
      [
        "late pieces",
        (res) => res.write("te") && setTimeout(() => res.write("xt") && setTimeout(() => res.end(), 5), 5),
        requestFor("/x"),
        [false],
      ],
      ["a large answer", (res) => res.send("x".repeat(300_000)), requestFor("/x"), [false]],
      [
        "an error",
        () => {
          throw new Error("thrown");
        },
        requestFor("/x"),
        [true],
      ],
    ])("%s is sent as without it", async (_title, answer, sent, expected) => {
      const app = createApp();
      app.get("/x", (_req: Request, res: Response) => void answer(res));
      const [batched, plain] = await startBoth(app);
      await makeBusy(batched, { tls });
      const text = await exchange(batched, sent, { tls });
      expect(waited).toEqual(expected);
      const expectedText = await exchange(plain, sent, { tls });
      const stable = (raw: string): string =>
        raw.replace(/^(Date|X-Svc-Request-Id): .*\r\n/gm, "").replace(/node:events:[0-9:]+/g, "node:events"); // a stack
      expect(stable(text)).toBe(stable(expectedText));
    });

    it("keeps the order of pipelined answers, and the connection", async () => {
      const app = createApp();
      app.get("/slow", (_req: Request, res: Response) => void setTimeout(() => res.send("slow"), 10));
      app.get("/stream", (_req: Request, res: Response) => {
        res.set("Content-Length", "6").write("str");
        setImmediate(() => res.end("eam"));
      });
      const [batched] = await startBoth(app);
      await makeBusy(batched, { tls });
      const paths = ["/text", "/slow", "/text", "/stream", "/text", "/text"];
      const keepAlive = paths.map((path) => requestFor(path, "Connection: keep-alive")).join("");
      const texts = await Promise.all([1, 2, 3].map(() => exchange(batched, keepAlive + requestFor("/text"), { tls })));
      for (const text of texts) {
        expect(summarise(text).map((line) => line.slice(4))).toEqual([...paths.map((path) => path.slice(1)), "text"]);
      }
      expect(waited).toContain(true);
    });
  });

  it("leaves what a response tells of its end as it is, but that it is written later", async () => {
    const app = createApp();
    const finished: boolean[] = [];
    let states: unknown[] = [];
    let events: unknown[] = [];
    app.get("/x", (_req: Request, res: Response) => {
      events = [];
      for (const event of ["prefinish", "finish", "close"]) {
        res.on(event, () => events.push(event, res.writableEnded));
      }
      res.end("text", () => events.push("callback"));
      states = [res.headersSent, res.writableEnded, events.length];
      finished.push(res.writableFinished);
      expect(() => res.setHeader("X-Late", "1")).toThrow("Cannot set headers after they are sent");
    });
    const [, batched] = await start(app);
    const [, plain] = await start(app, { batch: false });
    const text = await exchange(plain, requestFor("/x"));
    const expected = { states, events };

    await makeBusy(batched);
    expect(summarise(await exchange(batched, requestFor("/x")))).toEqual(summarise(text));
    expect(expected.events).toContain("callback");
    expect({ states, events }).toEqual(expected);
    expect(finished.at(-1)).toBe(false);
  });

  it.each<[string, (server: Server, socket: Socket) => unknown]>([
    ["the socket is destroyed", (_server, socket) => socket.destroy()],
    ["the socket is ended", (_server, socket) => socket.end()],
    ["the server is closed", (server) => server.close()],
    [
      "idle connections are closed",
      (server) => {
        server.closeIdleConnections();
      },
    ],
    [
      "all connections are closed",
      (server) => {
        server.closeAllConnections();
      },
    ],
  ])("sends an answer that waits when %s", async (_title, close) => {
    const app = createApp();
    app.get("/x", (req: Request, res: Response) => {
      const { socket } = req;
      res.send("text");
      close(server, socket);
    });
    const [server, port] = await start(app);
    await makeBusy(port);
    const socket = await open(port);
    const text = readUntilClose(socket);
    socket.write(requestFor("/x", "Connection: keep-alive"));
    socket.once("data", () => socket.end());
    expect(summarise((await text).replace("…RESET", ""))).toEqual(["200 text"]);
    expect(waited).toEqual([true]);
  });

  it("sends an answer that waits to a client that has half-closed", async () => {
    const [, port] = await start(createApp());
    await makeBusy(port);
    const text = await exchange(port, requestFor("/text", "Connection: keep-alive"), { halfClose: true });
    expect(summarise(text)).toEqual(["200 text"]);
    expect(waited).toEqual([true]);
  });

  it("survives clients that are gone while their answers wait", async () => {
    const app = createApp();
    const [, port] = await start(app);
    const clients = Array.from({ length: 30 }, () => get({ port, host: "127.0.0.1", path: "/text", agent: false }));
    const closings = clients.map((client, index) => {
      client.on("error", () => undefined).on("response", (res) => res.resume());
      const reset = (socket: Socket): unknown => setImmediate(() => socket.resetAndDestroy());
      if (index % 2 === 1) client.on("socket", (socket) => socket.on("connect", () => reset(socket)));
      return new Promise((resolve) => client.on("close", resolve));
    });
    await Promise.all(closings);
    expect(summarise(await exchange(port, requestFor("/text")))).toEqual(["200 text"]);
  });

  it.each([
    ["can't be parsed", "junk\r\n\r\n", "400"],
    ["has no Host", "GET /text HTTP/1.1\r\n\r\n", "400"],
    ["wants an upgrade", "GET /text HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", "426"],
  ])("sends an answer that waits before the refusal of the next request, which %s", async (_title, next, refusal) => {
    const [, port] = await start(createApp());
    await makeBusy(port);
    const text = await exchange(port, requestFor("/text", "Connection: keep-alive") + next);
    expect(summarise(text)).toEqual(["200 text", refusal]);
    expect(waited).toEqual([true]);
  });

  it("sends an answer that waits, and no refusal, when the body of its request goes wrong", async () => {
    const [, port] = await start(createApp());
    await makeBusy(port);
    const sent = requestFor("/text", "Transfer-Encoding: chunked");
    expect(summarise(await exchange(port, `${sent}zz\r\n`))).toEqual(["200 text"]);
    expect(waited).toEqual([true]);
  });

  it("lets nothing wait on a connection after an upgrade", async () => {
    const [server, port] = await start(createApp());
    server.on("upgrade", (_req: IncomingMessage, socket: Socket) => {
      socket.cork();
      socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      socket.write("frame");
      socket.uncork();
      waited.push(socket.writableCorked > 0);
      socket.end();
    });
    await makeBusy(port);
    const text = await exchange(port, requestFor("/", "Connection: Upgrade\r\nUpgrade: x"));
    expect(text).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nframe$/);
    expect(waited).toEqual([false]);
  });

  it("tells an expectation to continue at once", async () => {
    const app = createApp();
    app.post(
      "/echo",
      (req: Request, res: Response) => void req.setEncoding("utf8").on("data", (body) => res.send(body)),
    );
    const [, port] = await start(app);
    await makeBusy(port);
    const socket = await open(port);
    const text = readUntilClose(socket);
    socket.write(
      requestFor("/echo", "Content-Length: 4\r\nExpect: 100-continue\r\nConnection: close").replace("GET", "POST"),
    );
    await once(socket, "data");
    socket.write("body");
    expect(summarise(await text)).toEqual(["100", "200 body"]);
    expect(waited).toEqual([true]);
  });
});
