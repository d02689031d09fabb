import { once } from "node:events";
import type { Server } from "node:http";
import { connect as connectTcp, type AddressInfo, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { patient } from "./patience.js";

export interface ExchangeOptions {
  /** Speak TLS; any certificate will do. */
  tls?: boolean;
  /** Send FIN after the bytes. */
  halfClose?: boolean;
  /** Milliseconds until the exchange is given up. */
  deadline?: number;
}

/** What a client got, read apart. */
export interface Answer {
  status: number;
  /** Names in lower case; the last line of a name counts. */
  headers: Record<string, string>;
  /** As sent: a chunked body stays so. */
  body: string;
}

/** A free port of the loopback on which `server` now listens. */
export async function listen(server: Server): Promise<number> {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** A connection to `port`, ready for writing. Text is latin1, so that a test can write any byte. */
export async function open(port: number, { tls = false }: ExchangeOptions = {}): Promise<Socket> {
  const socket = tls
    ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false })
    : connectTcp({ port, host: "127.0.0.1" });
  socket.setDefaultEncoding("latin1").setEncoding("latin1");
  await once(socket, tls ? "secureConnect" : "connect");
  return socket;
}

/** Whether something listens on `port`. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp({ port, host: "127.0.0.1" });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => {
      resolve(false);
    });
  });
}

/** What comes on `socket` until it is closed; a reset counts as closed and shows as `…RESET` at the end. */
export async function readUntilClose(socket: Socket, deadline = patient(4_000)): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection is still open after ${deadline} ms; received so far: ${JSON.stringify(text)}`));
    }, deadline);
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", () => (text += "…RESET"));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

/** Send `bytes` (latin1) to a port of the loopback and collect what comes until the server closes the connection. */
export async function exchange(port: number, bytes: string, options: ExchangeOptions = {}): Promise<string> {
  const socket = await open(port, options);
  const answer = readUntilClose(socket, options.deadline);
  if (options.halfClose) socket.end(bytes);
  else socket.write(bytes);
  return answer;
}

/** Every answer in `text`, told apart by `Content-Length`; an answer without one has the rest as its body. */
export function parseAnswers(text: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest !== "";) {
    const end = rest.indexOf("\r\n\r\n");
    if (!rest.startsWith("HTTP/1.1 ") || end === -1) throw new Error(`no answer: ${JSON.stringify(rest)}`);
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = Number(statusLine.split(" ")[1]);
    const length = status < 200 ? 0 : Number(headers["content-length"] ?? Infinity);
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** The only answer in `text`. */
export function parseAnswer(text: string): Answer {
  const answers = parseAnswers(text);
  const [answer] = answers;
  if (!answer || answers.length > 1) throw new Error(`${answers.length} answers: ${JSON.stringify(text)}`);
  return answer;
}
