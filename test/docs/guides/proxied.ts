import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { Agent, request } from "node:https";
import { connect } from "node:tls";
import { gunzipSync } from "node:zlib";
import express from "express";
import { WebSocket, WebSocketServer } from "ws";
import { createServer } from "etiquette/create-server";
import { getRequestContext } from "etiquette/request-context";
import { suite } from "etiquette/suite";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";
import { readUntilClose } from "../../support/raw-socket.js";
import { patient } from "../../support/patience.js";

/** The app behind the proxies of the tests, and a client before them. */

/** The client's address differs from that of the proxy, which alone is trusted. */
const CLIENT = "127.0.0.9";
const trust = "127.0.0.1";
export const HOST = "api.example.com";

/** Tells the ids of the app from those of a proxy. */
const generator = () => `app-${Math.random().toString(36).slice(2)}`;

export interface AppOptions {
  readonly requestTimeout?: number;
  /** Serve WebSockets, which get the fields of the request, and then each message that they send. */
  readonly echoes?: boolean;
}

export function createApp({ echoes, ...options }: AppOptions = {}): Server & { ready: boolean; asked: number } {
  const { guards, fallbacks, trustProxy } = suite({
    trust,
    responseCheck: false,
    requestId: { generator },
    contentType: { produces: ["application/json", "text/event-stream"] },
    errorFormatter: { log: false },
  });
  const app = express().disable("etag").set("trust proxy", trustProxy);
  const server = Object.assign(createServer(app, { trust, generator, ...options }), { ready: true, asked: 0 });
  app.get("/readyz", (_req, res) => void res.sendStatus(server.ready ? 200 : 503));
  app.use(guards);
  app.all("/seen", (req, res) => {
    server.asked += 1;
    res.json({
      address: getRequestContext(req).ip,
      ip: req.ip,
      secure: req.secure,
      hostname: req.hostname,
      version: req.httpVersion,
      fields: req.headers,
      lines: req.rawHeaders.length / 2,
    });
  });
  for (const strength of ["weak", "strong"] as const) {
    const object = { id: 1, text: "x".repeat(3000) };
    const route = app.route(`/${strength}`).all(weakEtag({ fields: ["id", "text"], strength }));
    route.get((req) => {
      getEntityTag(req).send(object);
    });
    route.put((req) => {
      getEntityTag(req).assert(object);
      getEntityTag(req).send(object);
    });
  }
  app.get("/large-header", (_req, res) => void res.set("X-Large", "x".repeat(12_000)).json({}));
  app.get("/events", (_req, res) => {
    const fields = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache", "X-Accel-Buffering": "no" };
    res.writeHead(200, fields);
    res.write("data: hello\n\n");
  });
  app.use(fallbacks);
  if (echoes) {
    new WebSocketServer({ server, path: "/echo" }).on("connection", (socket, { headers }) => {
      socket.send(JSON.stringify(headers));
      socket.on("message", (data) => {
        socket.send(data, { binary: false });
      });
    });
  }
  return server;
}

export interface Seen {
  readonly address: string;
  readonly ip: string;
  readonly secure: boolean;
  readonly hostname: string;
  readonly version: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly lines: number;
}

export interface Response {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** What the app saw, from `/seen`. */
  readonly seen: Seen;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Send the body after the other side said to continue. */
  readonly patient?: boolean;
}

/** Send a request on a connection of its own. A body has a length unless the fields say otherwise. */
export async function ask(
  port: number,
  path: string,
  { method = "GET", headers, body, patient }: Sent = {},
): Promise<Response> {
  const sent = open(port, path, {
    method,
    headers: {
      ...(body === undefined || headers?.["Transfer-Encoding"] ? {} : { "Content-Length": String(body.length) }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
  });
  if (patient) {
    sent.flushHeaders();
    await once(sent, "continue");
  }
  sent.on("error", () => undefined); // a refused body may not be read to its end
  sent.end(body);
  const [res] = (await once(sent, "response")) as [IncomingMessage];
  const bytes = Buffer.concat((await res.toArray()) as Buffer[]);
  const text = (res.headers["content-encoding"] === "gzip" && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString();
  const { statusCode = 0 } = res;
  return { status: statusCode, headers: res.headers, text, seen: (statusCode === 200 && json(text)) as Seen };
}

export function open(port: number, path: string, options: { method: string; headers: Record<string, string> }) {
  return request({
    ...{
      host: "127.0.0.1",
      port,
      path,
      localAddress: CLIENT,
      servername: HOST,
      rejectUnauthorized: false,
      agent: false,
    },
    ...options,
    headers: { Host: HOST, Connection: "close", ...options.headers },
  });
}

export function openWebSocket(port: number, path: string): WebSocket {
  return new WebSocket(`wss://127.0.0.1:${port}${path}`, {
    agent: new Agent({ localAddress: CLIENT, servername: HOST }),
    rejectUnauthorized: false,
    headers: { Host: HOST },
  });
}

/** Send bytes on a connection; call `then` before the rest of them. */
export async function sendRaw(port: number, bytes: string, then?: () => Promise<void>, rest = ""): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", servername: HOST, rejectUnauthorized: false });
  socket.setEncoding("latin1");
  await once(socket, "secureConnect");
  const answer = readUntilClose(socket, patient(25_000));
  socket.write(bytes);
  if (then) {
    await Promise.race([then(), answer]);
    socket.write(rest);
  }
  return answer;
}

export async function askHttp2(port: number, path: string): Promise<Seen> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { servername: HOST, rejectUnauthorized: false });
  const stream = session.request({ ":path": path, ":authority": HOST });
  const chunks = (await stream.toArray()) as Buffer[];
  session.close();
  return json(Buffer.concat(chunks).toString()) as Seen;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A response in the words of the page. */
export function describeResponse({ status, headers, text }: Pick<Response, "status" | "headers" | "text">): string {
  const { errorId, errorCode, errorLink } = (json(text) ?? {}) as Record<string, string>;
  if (errorCode === undefined) {
    if (text === "") return `${status}, empty`;
    return `${status}, ${String(headers["content-type"]).startsWith("text/html") ? "HTML" : "another body"}`;
  }
  expect(headers).toMatchObject({ "x-svc-request-id": errorId, "x-content-type-options": "nosniff" });
  expect([errorLink, headers["content-type"]]).toEqual([errorCode, expect.stringMatching("^application/json")]);
  return `${status}, error object${errorId?.startsWith("app-") ? "" : " of the proxy"}`;
}
