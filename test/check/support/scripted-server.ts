import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** A request as it came. */
export interface ScriptedRequest {
  readonly method: string;
  readonly target: string;
  /** Names in lower case; the lines of one name are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** In latin1; empty unless the length was told. */
  readonly body: string;
  /** How many requests came before. */
  readonly index: number;
}

/** What a server sends: parts that have defaults. */
export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export type Script = (request: ScriptedRequest) => ScriptedResponse;

/** A server that believes every request and sends what `script` says; it keeps connections open. */
export function createScriptedServer(script: Script, tls?: TlsOptions): Server {
  let count = 0;
  function serve(socket: Socket): void {
    let pending = "";
    socket.setEncoding("latin1");
    socket.on("error", () => undefined);
    socket.on("data", (chunk: string) => {
      pending += chunk;
      for (let end = pending.indexOf("\r\n\r\n"); end !== -1; end = pending.indexOf("\r\n\r\n")) {
        const head = parse(pending.slice(0, end), count++);
        const length = bodyLength(head);
        if (pending.length < end + 4 + length) return void (count -= 1);
        const request = { ...head, body: pending.slice(end + 4, end + 4 + length) };
        pending = pending.slice(end + 4 + length);
        socket.write(format(script(request), request.method), "latin1");
        if (request.headers["connection"] === "close") socket.end();
      }
    });
  }
  return tls ? createTlsServer(tls, serve) : createServer(serve);
}

function parse(head: string, index: number): Omit<ScriptedRequest, "body"> {
  const [requestLine = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = requestLine.split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(":")).trim().toLowerCase();
    const value = line.slice(line.indexOf(":") + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { method, target, headers, index };
}

/** It takes the length of well-formed writes only, so that the next request of the same connection is found. */
function bodyLength({ method, headers }: Omit<ScriptedRequest, "body">): number {
  const length = headers["content-length"] ?? "";
  return method !== "GET" && /^\d+$/.test(length) ? Number(length) : 0;
}

function format({ status = 200, headers = {}, body = "{}" }: ScriptedResponse, method: string): string {
  const content = method === "HEAD" || status === 304 ? "" : body;
  const fields = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(content)),
    ...headers,
  };
  const lines = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}\r\n`),
  );
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join("")}\r\n${Buffer.from(content).toString("latin1")}`;
}
