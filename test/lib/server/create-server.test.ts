import { once } from "node:events";
import {
  Agent,
  createServer as createHttpServer,
  get,
  maxHeaderSize,
  request as httpRequest,
  Server as HttpServer,
  type IncomingMessage,
  type Server,
} from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { text as readText } from "node:stream/consumers";
import type { Express, Request, Response } from "express";
import { WebSocket, WebSocketServer } from "ws";
import {
  createServer,
  protocolErrors,
  type CreateServerOptions,
  type ProtocolErrorReport,
} from "../../../lib/server/create-server.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { exchange, listen, open, parseAnswer, parseAnswers, readUntilClose } from "../../support/raw-socket.js";
import { createTestCertificate } from "../../support/tls.js";

const JUNK = "junk\r\n\r\n";
const UPGRADE = "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(server: Server): Promise<number> {
  servers.push(server);
  return listen(server);
}

describe("createServer", () => {
  const app = (_req: IncomingMessage, res: { end(): void }): void => {
    res.end();
  };

  it("returns an HTTP server that does not listen yet", () => {
    const server = createServer(app);
    expect(server).toBeInstanceOf(HttpServer);
    expect(server.listening).toBe(false);
  });

  it("returns an HTTPS server with `tls`", async () => {
    expect(createServer(app, { tls: await createTestCertificate() })).toBeInstanceOf(HttpsServer);
  });

  it("sets safe time-outs and limits", () => {
    expect(createServer(app)).toMatchObject({
      requestTimeout: 110_000,
      headersTimeout: 20_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize,
      timeout: 0,
    });
  });

  it("sets those that are asked for", () => {
    const server = createServer(app, { requestTimeout: 8_000, keepAliveTimeout: 1, maxHeaderSize: 2_048 });
    expect(server).toMatchObject({
      requestTimeout: 8_000,
      headersTimeout: 8_000,
      keepAliveTimeout: 1,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 2_048,
    });
  });

  it("takes the same options on HTTPS, before those in `tls`", async () => {
    const tls = { ...(await createTestCertificate()), maxHeaderSize: 9_999 };
    expect(createServer(app, { tls, headersTimeout: 7, maxHeaderSize: 2_048 })).toMatchObject({
      headersTimeout: 7,
      maxHeaderSize: 2_048,
    });
  });

  it.each([
    [{ requestTimeout: 1 }],
    [{ requestTimeout: 3_600_000 }],
    [{ requestTimeout: 500, headersTimeout: 500 }],
    [{ keepAliveTimeout: 3_600_000 }],
    [{ maxHeadersCount: 1 }],
    [{ maxHeadersCount: 1_000 }],
    [{ maxHeaderSize: 1_024 }],
    [{ maxHeaderSize: 1_048_576 }],
    [{ tls: undefined, namespace: undefined, log: undefined } as unknown as CreateServerOptions],
  ] satisfies [CreateServerOptions][])("accepts %j", (options) => {
    expect(() => createServer(app, Object.freeze(options))).not.toThrow();
  });

  it.each([
    [{ requestTimeout: 0 }, "option `requestTimeout` must be an integer from 1 to 3600000"],
    [{ requestTimeout: 3_600_001 }, "option `requestTimeout` must be an integer from 1 to 3600000"],
    [{ requestTimeout: Infinity }, "option `requestTimeout` must be an integer from 1 to 3600000"],
    [{ requestTimeout: 500, headersTimeout: 501 }, "option `headersTimeout` must be an integer from 1 to 500"],
    [{ headersTimeout: 0 }, "option `headersTimeout` must be an integer from 1 to 110000"],
    [{ keepAliveTimeout: 0 }, "option `keepAliveTimeout` must be an integer from 1 to 3600000"],
    [{ maxHeadersCount: 0 }, "option `maxHeadersCount` must be an integer from 1 to 1000"],
    [{ maxHeadersCount: 1_001 }, "option `maxHeadersCount` must be an integer from 1 to 1000"],
    [{ maxHeaderSize: 1_023 }, "option `maxHeaderSize` must be an integer from 1024 to 1048576"],
    [{ maxHeaderSize: 1_048_577 }, "option `maxHeaderSize` must be an integer from 1024 to 1048576"],
    [{ generator: "uuid" }, "option `generator` must be a function"],
    [{ log: true }, "option `log` must be a function"],
    [{ refuseUpgrade: "no" }, "option `refuseUpgrade` must be a boolean"],
    [{ batch: "auto" }, "option `batch` must be a boolean"],
    [{ headerName: "X Id" }, "option `headerName` must be a header field name"],
    [{ namespace: "SVC" }, "option `namespace` must be 1 to 32 lower-case letters and digits, a letter first"],
    [{ requestTimeOut: 1 }, "option `requestTimeOut` is unknown"],
    [null, "options must be an object"],
  ])("refuses %j", (options, message) => {
    expect(() => createServer(app, options as CreateServerOptions)).toThrow(TypeError);
    expect(() => createServer(app, options as CreateServerOptions)).toThrow(`createServer: ${message}`);
  });

  it.each([[true], [null], [{}], [{ key: "k" }], [{ cert: "c" }], [{ key: "k", crt: "c" }]])(
    "refuses %j for `tls`: every handshake would fail",
    (tls) => {
      expect(() => createServer(app, { tls } as unknown as CreateServerOptions)).toThrow(
        new TypeError("createServer: option `tls` must be an object with `key` and `cert`, `pfx` or `SNICallback`"),
      );
    },
  );

  it("takes an SNICallback in place of a certificate", () => {
    const SNICallback = (): void => undefined;
    expect(createServer(app, { tls: { SNICallback } })).toBeInstanceOf(HttpsServer);
  });

  it.each([[undefined], [{}]])("refuses %p for the application", (notApp) => {
    expect(() => createServer(notApp as never)).toThrow(
      new TypeError("createServer: the first argument must be an Express app"),
    );
  });

  it("E5 counts header lines and bytes: as many as allowed pass, one more is 431", async () => {
    const port = await start(createServer(app, { maxHeadersCount: 31, maxHeaderSize: 1_024 }));
    // Node's parser hands lines over by the 31, and from then on drops those over its limit
    const withLines = (count: number): string =>
      `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${"a:\r\n".repeat(count - 2)}\r\n`;
    for (const [count, status] of [
      [30, 200],
      [31, 200],
      [32, 431],
      [33, 431],
      [200, 431],
    ] as const) {
      expect(parseAnswer(await exchange(port, withLines(count)))).toHaveProperty("status", status);
    }
    const large = `GET / HTTP/1.1\r\nHost: a\r\nX-Note: ${"x".repeat(1_024)}\r\n\r\n`;
    expect(await exchange(port, large)).toContain("The request line and the header have more than 1024 bytes.");
  });
});

describe("protocolErrors", () => {
  it("does the same to a server that exists and listens, and returns it", async () => {
    const seen: string[] = [];
    const server = createHttpServer((req, res) => {
      seen.push(req.url ?? "");
      res.end();
    });
    const port = await start(server);
    expect(protocolErrors(server, { headersTimeout: 5_000 })).toBe(server);
    server.prependListener("request", (req) => seen.push(req.url ?? ""));

    expect(server.headersTimeout).toBe(5_000);
    expect(server.requestTimeout).toBe(110_000);
    expect(await exchange(port, JUNK)).toContain("E0009000");
    expect(await exchange(port, "GET / HTTP/1.1\r\n\r\n")).toContain("E0009000");
    expect(seen).toEqual([]);
    const good = "GET /good HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    expect(parseAnswer(await exchange(port, good)).status).toBe(200);
    expect(seen).toEqual(["/good", "/good"]);
  });

  it("refuses a server that has them already", () => {
    const message = "protocolErrors: this server has them already";
    expect(() => protocolErrors(createServer(() => undefined))).toThrow(new TypeError(message));
    const server = protocolErrors(createHttpServer());
    expect(() => protocolErrors(server)).toThrow(new TypeError(message));
  });

  it.each([[undefined], [{}], [() => undefined]])("refuses %p, which is no server", (server) => {
    expect(() => protocolErrors(server as never)).toThrow(
      new TypeError("protocolErrors: the first argument must be a server of node:http or node:https"),
    );
  });

  it("leaves the server as it was when an option is refused", () => {
    const server = createHttpServer();
    expect(() => protocolErrors(server, { tls: {} } as never)).toThrow("protocolErrors: option `tls` is unknown");
    expect(() => protocolErrors(server, { headersTimeout: 0 })).toThrow(TypeError);
    expect(server).toMatchObject({ requireHostHeader: true, headersTimeout: 60_000 });
    expect(protocolErrors(server)).toBe(server);
  });

  it("knows the limit of a server that has its own", async () => {
    const port = await start(protocolErrors(createHttpServer({ maxHeaderSize: 1_024 })));
    const large = `GET / HTTP/1.1\r\nHost: a\r\nX-Note: ${"x".repeat(2_000)}\r\n\r\n`;
    expect(await exchange(port, large)).toContain("more than 1024 bytes");
  });
});

describe("the id and the log", () => {
  const app = (_req: IncomingMessage, res: { end(): void }): void => {
    res.end();
  };

  it("D2 E4 tells `log` once of every answer, with its id", async () => {
    const reports: [Error, ProtocolErrorReport][] = [];
    const log = (error: Error, report: ProtocolErrorReport): unknown => reports.push([error, report]);
    const port = await start(createServer(app, { log }));
    const unparsable = parseAnswer(await exchange(port, JUNK));
    const hostless = parseAnswer(await exchange(port, "GET /x HTTP/1.1\r\n\r\n"));
    const tunnel = parseAnswer(await exchange(port, "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"));

    expect(reports).toHaveLength(3);
    for (const [index, answer] of [unparsable, hostless, tunnel].entries()) {
      const [error, report] = reports[index]!;
      expect(error).toBeInstanceOf(Error);
      expect(error).toMatchObject({ status: answer.status, code: report.errorObject.errorCode });
      expect(report.status).toBe(answer.status);
      expect(report.errorObject).toEqual(JSON.parse(answer.body));
      expect(report.errorObject.errorId).toBe(answer.headers["x-svc-request-id"]);
      expect(report.remoteAddress).toBe("127.0.0.1");
    }
    expect(reports.map(([, { req }]) => req?.url)).toEqual([undefined, "/x", "a:1"]);
    expect(reports.map(([error]) => (error as Error & { type: string }).type)).toEqual([
      "request.unparsable",
      "host.missing",
      "method.unsupported",
    ]);
  });

  it.each([
    ["throws", () => JSON.parse("{")],
    ["rejects", () => Promise.reject(new Error("log is down"))],
  ])("answers all the same when `log` %s", async (_title, log) => {
    const port = await start(createServer(app, { log: log as () => unknown }));
    expect(parseAnswer(await exchange(port, JUNK)).status).toBe(400);
  });

  it("D1 takes the id from `generator`, and the header from `namespace` or `headerName`", async () => {
    const port = await start(createServer(app, { generator: () => "id-1", namespace: "acme" }));
    expect(parseAnswer(await exchange(port, JUNK)).headers).toHaveProperty("x-acme-request-id", "id-1");
    const named = await start(createServer(app, { headerName: "Trace-Id" }));
    expect(parseAnswer(await exchange(named, JUNK)).headers).toHaveProperty("trace-id");
  });

  it.each([
    ["returns what could break the header", () => "id\r\nSet-Cookie: a=b"],
    ["returns no text", () => 7 as unknown as string],
    ["returns nothing", () => ""],
    [
      "throws",
      (): string => {
        throw new Error("no id");
      },
    ],
  ])("D1 makes an id of its own when `generator` %s", async (_title, generator) => {
    const port = await start(createServer(app, { generator }));
    const { headers } = parseAnswer(await exchange(port, JUNK));
    expect(headers["x-svc-request-id"]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(headers).not.toHaveProperty("set-cookie");
  });
});

/** What holds for the server of `createServer` and for that of `app.listen()` alike. */
const SERVERS: [string, (app: Express) => Server][] = [
  ["createServer(app)", (app) => createServer(app)],
  ["createServer(app, { batch: false })", (app) => createServer(app, { batch: false })],
  ["protocolErrors(…)", (app) => protocolErrors(createHttpServer(app))],
  ["app.listen()", (app) => createHttpServer(app)],
];

describe.each(EXPRESS_VERSIONS)("on %s", (_version, express) => {
  const app = express();
  app.get("/stream", (_req: Request, res: Response) => {
    res.write("one ");
    setTimeout(() => res.end("two"), 20);
  });
  app.post("/echo", (req: Request, res: Response) => void req.pipe(res));
  app.use((req: Request, res: Response) => res.send(`${req.method} ${req.originalUrl}`));

  function echo(server: Server): WebSocketServer {
    const webSockets = new WebSocketServer({ server });
    webSockets.on("connection", (webSocket) => {
      webSocket.on("message", (message) => {
        webSocket.send(message);
      });
    });
    return webSockets;
  }

  async function converse(url: string): Promise<string> {
    const client = new WebSocket(url, { rejectUnauthorized: false });
    await once(client, "open");
    client.send("hello");
    const [message] = (await once(client, "message")) as [Buffer];
    client.close();
    await once(client, "close");
    return String(message);
  }

  describe.each(SERVERS)("%s", (_name, serve) => {
    it("serves requests one after the other on one connection", async () => {
      const port = await start(serve(app));
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const sockets = new Set<Socket>();
      for (const path of ["/a", "/b", "/stream"]) {
        const [response] = (await once(get({ port, path, agent }), "response")) as [IncomingMessage];
        expect(await readText(response)).toBe(path === "/stream" ? "one two" : `GET ${path}`);
        sockets.add(response.socket);
      }
      expect(sockets.size).toBe(1);
      agent.destroy();
    });

    it("serves pipelined requests in order", async () => {
      const port = await start(serve(app));
      const requests = ["/stream", "/b", "/c"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      const text = await exchange(port, requests.join("") + last);
      expect(text.match(/one|two|GET \/[a-z]+/g)).toEqual(["one", "two", "GET /b", "GET /c", "GET /last"]);
    });

    it("answers HEAD without a body", async () => {
      const text = await exchange(await start(serve(app)), "HEAD /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      expect(parseAnswer(text)).toMatchObject({ status: 200, headers: { "content-length": "7" }, body: "" });
    });

    it("streams a large body both ways", async () => {
      const port = await start(serve(app));
      const body = "x".repeat(2_000_000);
      const client = httpRequest({ port, path: "/echo", method: "POST" }).end(body);
      const [response] = (await once(client, "response")) as [IncomingMessage];
      expect(await readText(response)).toBe(body);
    });

    it("tells the application when the client gives up", async () => {
      const aborting = express();
      const aborted = new Promise<boolean>((resolve) => {
        aborting.use((req: Request, res: Response) =>
          res.on("close", () => {
            resolve(req.destroyed && !res.writableFinished);
          }),
        );
      });
      const socket = await open(await start(serve(aborting)));
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      setTimeout(() => socket.destroy(), 20);
      expect(await aborted).toBe(true);
    });

    it("asks for the body with 100 (Continue)", async () => {
      const fields = "Host: a\r\nConnection: close\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n";
      const socket = await open(await start(serve(app)));
      const answer = readUntilClose(socket);
      socket.write(`POST /echo HTTP/1.1\r\n${fields}\r\n`);
      await once(socket, "data");
      socket.write("hi");
      const [interim, final] = parseAnswers(await answer);
      expect(interim).toMatchObject({ status: 100, body: "" });
      expect(final).toMatchObject({ status: 200, body: expect.stringContaining("hi") as string });
    });

    it("leaves upgrades to ws, attached later", async () => {
      const server = serve(app);
      const webSockets = echo(server);
      expect(await converse(`ws://127.0.0.1:${await start(server)}/chat`)).toBe("hello");
      webSockets.close();
    });

    it("closes once its last connection has", async () => {
      const server = serve(app);
      const port = await listen(server);
      const client = httpRequest({ port, agent: new Agent({ keepAlive: true }) }).end();
      const [response] = (await once(client, "response")) as [IncomingMessage];
      await readText(response);
      await exchange(port, JUNK);
      await new Promise((resolve) => server.close(resolve));
      expect(server.listening).toBe(false);
    });
  });

  it("leaves upgrades over TLS to ws", async () => {
    const server = createServer(app, { tls: await createTestCertificate() });
    const webSockets = echo(server);
    expect(await converse(`wss://127.0.0.1:${await start(server)}/chat`)).toBe("hello");
    webSockets.close();
  });

  it("E5 looks at the Host before ws does", async () => {
    const server = createServer(app);
    const webSockets = echo(server);
    const text = await exchange(await start(server), UPGRADE.replace("Host: a\r\n", ""));
    expect(text).toContain("The request has no Host; send one.");
    webSockets.close();
  });

  it("E5 tells a client of websockets that nobody listens for it", async () => {
    const port = await start(createServer(app));
    const client = new WebSocket(`ws://127.0.0.1:${port}/`);
    const [error] = (await once(client, "error")) as [Error];
    expect(error.message).toBe("Unexpected server response: 426");
  });

  it("serves an upgrade as an ordinary request when `refuseUpgrade` is false", async () => {
    const port = await start(createServer(app, { refuseUpgrade: false }));
    const text = await exchange(port, UPGRADE, { halfClose: true });
    expect(parseAnswer(text)).toMatchObject({ status: 200, body: "GET /" });
  });

  it("leaves the answer to listeners of the application", async () => {
    const server = createServer(app);
    server.on("clientError", (_error, socket: Socket) => socket.end("own clientError"));
    server.on("connect", (_req, socket: Socket) => socket.end("own connect"));
    server.on("checkExpectation", (_req, res) => res.writeHead(417, { Connection: "close" }).end("own expectation"));
    server.on("checkContinue", (_req, res) => res.writeHead(200, { Connection: "close" }).end("own continue"));
    const port = await start(server);
    const expecting = (expect: string): string => `GET / HTTP/1.1\r\nHost: a\r\nExpect: ${expect}\r\n\r\n`;
    expect(await exchange(port, JUNK)).toBe("own clientError");
    expect(await exchange(port, "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")).toBe("own connect");
    expect(await exchange(port, expecting("tea"))).toContain("own expectation");
    expect(await exchange(port, expecting("100-continue"))).toContain("own continue");
  });
});
