/** @jest-environment node */
import { once } from "node:events";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createServer } from "../../../lib/server/create-server.js";
import * as nodeSockets from "../../../lib/server/node-sockets.js";
import { exchange, listen, open, parseAnswer, parseAnswers, readUntilClose } from "../../support/raw-socket.js";
import { createTestCertificate } from "../../support/tls.js";
import { until } from "../../support/until.js";

// a copy, because what a module exports can't be replaced
jest.mock("../../../lib/server/node-sockets.js", () => ({
  __esModule: true,
  ...jest.requireActual<object>("../../../lib/server/node-sockets.js"),
}));

const { bytesTakenFrom, notesResponses, responseOn, serverOf, tcpSocketBelow, unfinishedRequestOn } = nodeSockets;

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const CHUNKED = "POST /chunked HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const LAST_GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

const servers: Server[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(server: Server): Promise<number> {
  servers.push(server);
  return listen(server);
}

/** When one of these fails, a version of Node has changed: look for another way than `node-sockets.ts` has. */
describe("this version of Node notes", () => {
  it.each(["HTTP", "HTTPS"])("the response and the request on the socket of a server, over %s", async (scheme) => {
    const tls = scheme === "HTTPS";
    const tcpSockets: Socket[] = [];
    const notes: object[] = [];
    const server = tls ? createHttpsServer(await createTestCertificate()) : createHttpServer();
    server.on("connection", (socket: Socket) => tcpSockets.push(socket));
    server.once("request", (req: IncomingMessage, res: ServerResponse) => {
      const { socket } = req;
      const note = (): void => {
        notes.push({ response: responseOn(socket) === res, request: unfinishedRequestOn(socket) === req });
      };
      note();
      expect(serverOf(socket)).toBe(server);
      expect(tcpSocketBelow(socket)).toBe(tls ? tcpSockets[0] : undefined);
      res.on("close", note).end();
      req.resume().on("end", note);
    });
    const client = await open(await start(server), { tls });
    const text = readUntilClose(client);
    client.write(CHUNKED);
    await once(client, "data");
    client.end("0\r\n\r\n");
    await text;
    expect(notes).toEqual([
      { response: true, request: true },
      { response: false, request: true },
      { response: false, request: false },
    ]);
  });

  it("a response on the socket that it is assigned to", () => {
    expect(notesResponses()).toBe(true);
  });

  it("nothing on a socket without a request", () => {
    const socket = new Socket();
    for (const read of [responseOn, unfinishedRequestOn, serverOf, tcpSocketBelow]) {
      expect(read(socket)).toBeUndefined();
    }
  });

  it.each(["HTTP", "HTTPS"])("how many bytes a client has taken, over %s", async (scheme) => {
    const tls = scheme === "HTTPS";
    const body = Buffer.alloc(16_777_216);
    let tcpSocket = new Socket();
    const listener: RequestListener = (_req, res) => void res.end(body);
    const server = tls ? createHttpsServer(await createTestCertificate(), listener) : createHttpServer(listener);
    server.on("connection", (socket: Socket) => (tcpSocket = socket));
    const client = await open(await start(server), { tls });
    client.write(LAST_GET);
    await once(server, "request");
    let before: number | undefined;
    await until(async () => {
      before = bytesTakenFrom(tcpSocket);
      await delay(100);
      return before === bytesTakenFrom(tcpSocket); // the client reads nothing, so there are no more
    });
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(body.length);
    for (let length = 0; length < body.length / 2;)
      length += ((await once(client, "data")) as string[])[0]?.length ?? 0;
    expect(bytesTakenFrom(tcpSocket)).toBeGreaterThan(Number(before));
    await once(client.resume(), "end");
    expect(bytesTakenFrom(tcpSocket)).toBeUndefined();
  });

  it("how a socket writes several chunks", () => {
    expect(typeof Socket.prototype._writev).toBe("function");
  });
});

describe("bytesTakenFrom() on a Node that does not count for the socket", () => {
  it.each<[object, number | undefined]>([
    [{ writableLength: 5, bytesWritten: 12 }, 7],
    [{ writableLength: 5, bytesWritten: 12, _handle: null }, 7],
    [{ writableLength: 5, bytesWritten: 12, _handle: { bytesWritten: 1 } }, 7],
    [{ writableLength: 0, bytesWritten: 12 }, undefined],
  ])("reads what the stream says: %j", (socket, expected) => {
    expect(bytesTakenFrom(socket as Socket)).toBe(expected);
  });
});

describe("createServer on a Node that does not note", () => {
  const slow: RequestListener = (req, res) => {
    if (req.url === "/chunked") req.resume().on("end", () => res.end());
    else setTimeout(() => res.end(Buffer.from("answer")), 20);
  };

  it("the response that is being written, cuts the connection in place of writing into one", async () => {
    jest.spyOn(nodeSockets, "notesResponses").mockReturnValue(false);
    jest.spyOn(nodeSockets, "responseOn").mockReturnValue(undefined);
    const port = await start(createServer(slow));
    expect(await exchange(port, `${GET}junk\r\n\r\n`)).toMatch(/^(…RESET)?$/);
    expect(parseAnswer(await exchange(port, LAST_GET)).body).toBe("answer");
  });

  it("the request that arrives, finds it by the response", async () => {
    const port = await start(
      createServer((req, res) => {
        Object.defineProperty(req.socket, "parser", { value: undefined });
        slow(req, res);
      }),
    );
    const socket = await open(port);
    const text = readUntilClose(socket);
    socket.write(CHUNKED);
    setTimeout(() => socket.write("zz\r\n"), 20);
    expect(parseAnswers(await text).map(({ status }) => status)).toEqual([400]);
  });

  it("the socket below one of TLS, closes that when no handshake comes", async () => {
    jest.spyOn(nodeSockets, "tcpSocketBelow").mockReturnValue(undefined);
    const port = await start(createServer(slow, { tls: await createTestCertificate(), headersTimeout: 100 }));
    expect(await exchange(port, "")).toBe("");
  });

  it("how a stream writes several chunks, leaves that to the stream", async () => {
    const server = createServer(slow);
    servers.push(server);
    let text = "";
    const stream = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, callback) {
        text += chunk.toString();
        callback();
      },
    });
    server.emit("connection", stream);
    stream.push(LAST_GET);
    await once(stream, "finish");
    expect(parseAnswer(text).body).toBe("answer");
  });
});
