import { createServer as createPlainServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import { createServer, type CreateServerOptions, protocolErrors } from "etiquette/create-server";
import type { RefusalReport } from "etiquette/reports";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { exchange, listen, readUntilClose, open } from "../../support/raw-socket.js";

const CLOSE = "Connection: close\r\n";
const LINES = (count: number): string => Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join("");

/** What createServer refuses and a server of Node passes. */
const PASSED: readonly [string, string, object][] = [
  [
    "two Hosts",
    `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${CLOSE}\r\n`,
    { type: "host.duplicate", rule: "E5", status: 400 },
  ],
  ["a Host that is none", `GET / HTTP/1.1\r\nHost: user@a\r\n${CLOSE}\r\n`, { type: "host.invalid", rule: "E5" }],
  ["a target of another scheme", `GET ftp://a/ HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`, { type: "target.invalid" }],
  ["a target of another host", `GET http://b/ HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`, { type: "target.misdirected" }],
  [
    "another transfer coding",
    `POST / HTTP/1.1\r\nHost: a\r\n${CLOSE}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    { type: "transfer-encoding.invalid", rule: "V3", status: 400 },
  ],
  [
    "an upgrade that nobody serves",
    `GET / HTTP/1.1\r\nHost: a\r\nConnection: close, upgrade\r\nUpgrade: websocket\r\n\r\n`,
    { type: "upgrade.unsupported", rule: "E5", code: "E0009007", status: 426 },
  ],
  [
    "101 header lines",
    `GET / HTTP/1.1\r\nHost: a\r\n${CLOSE}${LINES(99)}\r\n`,
    { type: "header.too-large", rule: "S9", status: 431 },
  ],
];

/** What a server of Node refuses itself. */
const REFUSED: readonly [string, string][] = [
  ["no Host", `GET / HTTP/1.1\r\n${CLOSE}\r\n`],
  ["no Host, and 101 lines", `GET / HTTP/1.1\r\n${CLOSE}${LINES(100)}\r\n`],
  ["an unknown method", `FOO / HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`],
  ["an unknown expectation", `GET / HTTP/1.1\r\nHost: a\r\n${CLOSE}Expect: mine\r\n\r\n`],
  ["two lengths", `POST / HTTP/1.1\r\nHost: a\r\n${CLOSE}Content-Length: 1\r\nContent-Length: 2\r\n\r\n1`],
  ["a header of 17,000 bytes", `GET / HTTP/1.1\r\nHost: a\r\n${CLOSE}X: ${"x".repeat(17_000)}\r\n\r\n`],
  ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"],
];

/** What both serve. */
const SERVED: readonly [string, string][] = [
  ["a GET", `GET /?a=1 HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`],
  ["100 header lines", `GET / HTTP/1.1\r\nHost: a\r\n${CLOSE}${LINES(98)}\r\n`],
  ["Expect: 100-continue", `POST / HTTP/1.1\r\nHost: a\r\n${CLOSE}Expect: 100-continue\r\nContent-Length: 1\r\n\r\n1`],
];

describe.each(EXPRESS_VERSIONS)("createServer(app, { report: true }) on %s", (_version, express) => {
  let reports: RefusalReport<IncomingMessage>[];
  let servers: Server[];
  beforeEach(() => {
    reports = [];
    servers = [];
  });
  afterEach(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const app = express();
  app.use((req, res) => void res.json([req.method, req.url, req.headers, req.rawHeaders.length]));

  function start(options: CreateServerOptions = {}, listener: RequestListener = app): Promise<number> {
    const server = createServer(listener, { report: true, onReport: (report) => reports.push(report), ...options });
    servers.push(server);
    return listen(server);
  }

  async function plainAnswer(bytes: string): Promise<string> {
    const server = createPlainServer(app);
    servers.push(server);
    return withoutDate(await exchange(await listen(server), bytes));
  }
  const withoutDate = (text: string): string => text.replace(/\r\nDate: [^\r]*/, "");

  it.each(PASSED)("passes %s, as Node does, and reports it", async (_title, bytes, expected) => {
    const answer = withoutDate(await exchange(await start(), bytes));
    expect(answer).toBe(await plainAnswer(bytes));
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    expect(reports).toEqual([expect.objectContaining({ guard: "createServer", ...expected })]);
    expect(reports[0]).toHaveProperty("res.statusCode", 200);
  });

  it.each(REFUSED)("leaves it to Node to refuse %s", async (_title, bytes) => {
    const answer = withoutDate(await exchange(await start(), bytes));
    expect(answer).toBe(await plainAnswer(bytes));
    expect(answer).not.toMatch(/^HTTP\/1.1 200/);
    expect(reports).toEqual([]);
  });

  it.each(SERVED)("serves %s and reports nothing", async (_title, bytes) => {
    expect(withoutDate(await exchange(await start(), bytes))).toBe(await plainAnswer(bytes));
    expect(reports).toEqual([]);
  });

  it("passes a request to upgrade to the listener of the app, and reports what is wrong with it", async () => {
    const port = await start();
    servers[0]?.on("upgrade", (_req, socket) => void socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n"));
    const head = "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    expect(await exchange(port, head)).toContain("101 Switching");
    expect(reports).toEqual([expect.objectContaining({ type: "host.duplicate", res: undefined })]);
  });

  it("serves pipelined requests and requests over the limits of a connection, and reports those", async () => {
    const port = await start({ maxPendingResponses: 2, maxRequestsPerSocket: 3 }, (req, res) => {
      setTimeout(() => res.end(req.url), 20);
    });
    const get = (path: string, close = ""): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`;
    const answers = await exchange(port, get("/1") + get("/2") + get("/3") + get("/4", CLOSE));
    expect(answers.match(/\/\d$|\/\d(?=HTTP)/gm)).toEqual(["/1", "/2", "/3", "/4"]);
    expect(reports.map(({ type, req }) => `${req.url} ${type}`)).toEqual([
      "/3 requests.pipelined",
      "/4 requests.pipelined",
    ]);
    expect(answers.match(/Connection: close/g)).toHaveLength(1);
  });

  it("keeps connections over the limits, and emits drop for them", async () => {
    const port = await start({ maxConnections: 1 });
    const dropped = jest.fn();
    servers[0]?.on("drop", dropped);
    const first = await open(port);
    expect(await exchange(port, `GET / HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`)).toMatch(/^HTTP\/1.1 200/);
    expect(dropped).toHaveBeenCalledTimes(1);
    first.destroy();
  });

  it("does not cut off a client that reads nothing", async () => {
    const port = await start({ writeTimeout: 50 }, (_req, res) => void res.end("x".repeat(20_000_000)));
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    await once(socket, "connect");
    socket.pause().write(`GET / HTTP/1.1\r\nHost: a\r\n${CLOSE}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    socket.resume();
    expect((await readUntilClose(socket)).length).toBeGreaterThan(20_000_000);
  });

  it("has the time-outs of Node, and those that are given", () => {
    const { requestTimeout, headersTimeout, keepAliveTimeout } = createPlainServer();
    const nodes = { requestTimeout, headersTimeout, keepAliveTimeout };
    expect(createServer(app, { report: true })).toMatchObject(nodes);
    expect(createServer(app, { report: true, keepAliveTimeout: 1_000 })).toMatchObject({
      ...nodes,
      keepAliveTimeout: 1_000,
    });
  });

  it("protocolErrors has the options too", async () => {
    const server = protocolErrors(createPlainServer(app), { report: true, onReport: (report) => reports.push(report) });
    servers.push(server);
    const [, bytes] = PASSED[0]!;
    expect(await exchange(await listen(server), bytes)).toMatch(/^HTTP\/1.1 200/);
    expect(reports).toEqual([expect.objectContaining({ guard: "protocolErrors", type: "host.duplicate" })]);
  });
});
