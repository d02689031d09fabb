import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** A response that can be sent again. */
export interface CapturedResponse {
  readonly status: number;
  /** The names as they were set. */
  readonly headers: readonly (readonly [name: string, value: OutgoingHttpHeader])[];
  readonly body: Buffer;
}

/**
 * Fields that belong to one connection, one page or one moment, and cookies, which are credentials. They are not kept; a
 * response that is sent again has those of its own request.
 */
const NOT_KEPT_REGEXP =
  /^(?:connection|keep-alive|transfer-encoding|date|vary|set-cookie|access-control-.+|(?:x-)?rate-?limit.*)$/i;

/** What says that a response is sent. */
const SENT = ["headersSent", "writableEnded"];

type Chunk = string | Uint8Array;
type Callback = (error?: Error | null) => void;
type Write = (chunk: Chunk, encoding?: BufferEncoding | Callback, callback?: Callback) => boolean;
type End = (
  chunk?: Chunk | Callback | null,
  encoding?: BufferEncoding | Callback,
  callback?: Callback,
) => ServerResponse;
type WriteHead = (status: number, reason?: string | HeadFields, fields?: HeadFields) => ServerResponse;
type HeadFields = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];

/**
 * Hold back the response until it has ended and `settle` has settled with it. From a body of more than `limit` bytes on it
 * is sent as it comes; then only its end waits, and `settle` gets `null`. Meanwhile the response says that it is sent.
 */
export function captureResponse(
  res: ServerResponse,
  limit: number,
  settle: (captured: CapturedResponse | null) => Promise<void>,
): void {
  const original = methodsOf(res);
  let state: "kept" | "too long" | "ending" | "ended" = "kept";
  let length = 0;
  const chunks: Buffer[] = [];

  const write: Write = (chunk, encoding, callback) => {
    if (state === "ending") return false; // as Node, which ignores what comes after the end
    if (state !== "kept") return original.write(chunk, encoding, callback);
    keep(chunk, encoding);
    const done = typeof encoding === "function" ? encoding : callback;
    if (length > limit) {
      state = "too long";
      return original.write(Buffer.concat(chunks.splice(0)), done);
    }
    if (done !== undefined) process.nextTick(done);
    return true;
  };

  const end: End = (chunk, encoding, callback) => {
    if (state === "ending") return res;
    if (state === "ended") return original.end(chunk, encoding, callback);
    if (typeof chunk === "string" || chunk instanceof Uint8Array) keep(chunk, encoding);
    const captured = state === "too long" || length > limit ? null : { ...headOf(res), body: Buffer.concat(chunks) };
    const done = [chunk, encoding, callback].find((value): value is Callback => typeof value === "function");
    const send = (): void => {
      state = "ended";
      for (const name of SENT) Reflect.deleteProperty(res, name);
      if (captured) setHead(res, captured);
      original.end(Buffer.concat(chunks), done);
    };
    state = "ending";
    pretendToBeSent(res);
    void settle(captured && withoutPassing(captured)).then(send, send);
    return res;
  };

  const writeHead: WriteHead = (status, reason, fields) => {
    if (state !== "kept") return original.writeHead(status, reason, fields);
    res.statusCode = status;
    if (typeof reason === "string") res.statusMessage = reason;
    for (const [name, value] of entriesOf(typeof reason === "string" ? fields : reason)) res.setHeader(name, value);
    return res;
  };

  const flushHeaders = (): void => {
    if (state !== "kept") original.flushHeaders();
  };

  Object.assign(res, { write, end, writeHead, flushHeaders });

  function keep(chunk: Chunk, encoding: unknown): void {
    const bytes = toBytes(chunk, encoding);
    chunks.push(bytes);
    length += bytes.length;
  }
}

/** Send `captured` as the response. */
export function replayResponse(res: ServerResponse, captured: CapturedResponse): void {
  setHead(res, captured);
  res.end(captured.body);
}

/** The methods as they are now, maybe those of another middleware. */
function methodsOf(res: ServerResponse) {
  return {
    write: res.write.bind(res) as Write,
    end: res.end.bind(res) as End,
    writeHead: res.writeHead.bind(res) as WriteHead,
    flushHeaders: res.flushHeaders.bind(res),
  };
}

/** Code that looks whether the response is sent, such as an error handler, must not send another one. */
function pretendToBeSent(res: ServerResponse): void {
  for (const name of SENT) Object.defineProperty(res, name, { configurable: true, value: true });
}

/** A copy: the caller may use its bytes again. */
function toBytes(chunk: Chunk, encoding: unknown): Buffer {
  if (typeof chunk !== "string") return Buffer.from(chunk);
  return Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
}

function headOf(res: ServerResponse): Omit<CapturedResponse, "body"> {
  const names = (res as unknown as { getRawHeaderNames(): string[] }).getRawHeaderNames(); // absent from @types/node
  const headers = names.map((name) => [name, res.getHeader(name) ?? ""] as const);
  return { status: res.statusCode, headers };
}

function setHead(res: ServerResponse, { status, headers }: CapturedResponse): void {
  res.statusCode = status;
  for (const [name, value] of headers) res.setHeader(name, value);
}

function withoutPassing({ headers, ...others }: CapturedResponse): CapturedResponse {
  return { ...others, headers: headers.filter(([name]) => !NOT_KEPT_REGEXP.test(name)) };
}

/** The fields that `writeHead` takes: an object, or names and values in turn. */
function entriesOf(fields: HeadFields = {}): [name: string, value: OutgoingHttpHeader][] {
  if (!Array.isArray(fields)) {
    return Object.entries(fields as OutgoingHttpHeaders).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    );
  }
  const values = new Map<string, string[]>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = String(fields[index]);
    values.set(name, [...(values.get(name) ?? []), String(fields[index + 1])]);
  }
  return [...values].map(([name, [first = "", ...others]]) => [name, others.length === 0 ? first : [first, ...others]]);
}
