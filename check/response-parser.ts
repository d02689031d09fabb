/** A response of HTTP/1.x, read from a socket. */
export interface ReceivedResponse {
  readonly version: string;
  readonly status: number;
  /** The status line and the field lines as received, in latin1. */
  readonly head: string;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly truncated: boolean;
}

/** More than servers send; Node itself accepts 16 KB. */
export const MAX_HEAD_LENGTH = 65_536;

/** Enough for a page of a list. */
export const MAX_BODY_LENGTH = 1_048_576;

/** The line before a chunk: its size and maybe extensions. */
const MAX_CHUNK_LINE_LENGTH = 1024;

/** Informational responses (1xx) before the final one. */
const MAX_INTERIM = 10;

const STATUS_LINE_REGEXP = /^HTTP\/(1\.[01]) ([1-5]\d\d)(?: .*)?$/;
const CRLF = "\r\n";

/** The server sent something that isn't a response of HTTP/1.x. */
export class MalformedResponse extends Error {
  override readonly name = "MalformedResponse";
}

type Framing = { kind: "length"; remaining: number } | { kind: "chunked" } | { kind: "close" };

/** Reads the response to one request, RFC 9112 sections 4 to 7, and never more than its bounds. Trailers are left unread. */
export class ResponseParser {
  #pending: Buffer = Buffer.alloc(0);
  #head: Omit<ReceivedResponse, "body" | "truncated"> | undefined;
  #framing: Framing = { kind: "close" };
  #chunkRemaining = 0;
  #interim = 0;
  readonly #body: Buffer[] = [];
  #length = 0;
  #truncated = false;

  constructor(
    private readonly method: string,
    private readonly maxLength: number = MAX_BODY_LENGTH,
  ) {}

  /** Whether anything was received. */
  get started(): boolean {
    return this.#head !== undefined || this.#pending.length > 0;
  }

  /**
   * Take what was received; the response when it is complete or as long as a response may be.
   *
   * @throws {MalformedResponse}
   */
  push(chunk: Buffer): ReceivedResponse | undefined {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (!this.#head) if (!this.#readHead()) return undefined;
    return this.#readBody() ? this.#finish() : undefined;
  }

  /** The response when the connection was closed; `undefined` if it was not complete. */
  end(): ReceivedResponse | undefined {
    return this.#head && this.#framing.kind === "close" ? this.#finish() : undefined;
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf(CRLF + CRLF);
    if (end === -1 ? this.#pending.length > MAX_HEAD_LENGTH : end > MAX_HEAD_LENGTH) {
      throw new MalformedResponse(`The header of the response is longer than ${MAX_HEAD_LENGTH} bytes.`);
    }
    if (end === -1) return this.#expectStatusLine();
    const head = this.#pending.toString("latin1", 0, end);
    this.#pending = this.#pending.subarray(end + 4);
    const [statusLine = "", ...lines] = head.split(CRLF);
    const [, version = "", status = ""] = STATUS_LINE_REGEXP.exec(statusLine) ?? notHttp(statusLine);
    if (status.startsWith("1")) return this.#skipInterim();
    const rawHeaders = lines.flatMap(splitField);
    this.#framing = framingOf(this.method, Number(status), rawHeaders);
    this.#head = { version, status: Number(status), head, rawHeaders };
    return true;
  }

  /** Fail early on what is no HTTP, such as an endless stream. */
  #expectStatusLine(): boolean {
    const beginning = this.#pending.toString("latin1", 0, 5);
    if (!"HTTP/".startsWith(beginning)) notHttp(beginning);
    return false;
  }

  #skipInterim(): boolean {
    this.#interim += 1;
    if (this.#interim > MAX_INTERIM) throw new MalformedResponse(`More than ${MAX_INTERIM} responses are 1xx.`);
    return this.#pending.length > 0;
  }

  /** Whether the body is complete, or too long to read on. */
  #readBody(): boolean {
    if (this.#framing.kind === "chunked") return this.#readChunks();
    const wanted = this.#framing.kind === "length" ? this.#framing.remaining : Infinity;
    const taken = this.#take(wanted);
    if (this.#framing.kind === "length") this.#framing.remaining -= taken;
    return this.#truncated || (this.#framing.kind === "length" && this.#framing.remaining === 0);
  }

  #readChunks(): boolean {
    for (;;) {
      this.#chunkRemaining -= this.#take(this.#chunkRemaining);
      if (this.#truncated) return true;
      if (this.#chunkRemaining > 0) return false;
      const size = this.#readChunkSize();
      if (size === undefined) return false;
      if (size === 0) return true;
      this.#chunkRemaining = size;
    }
  }

  /** The size of the next chunk; `undefined` while its line is incomplete. */
  #readChunkSize(): number | undefined {
    const start = this.#length > 0 ? CRLF.length : 0; // the end of the chunk before
    const end = this.#pending.indexOf(CRLF, start);
    if (end === -1 || end < start) {
      if (this.#pending.length > MAX_CHUNK_LINE_LENGTH) throw new MalformedResponse("The size of a chunk is too long.");
      return undefined;
    }
    const line = this.#pending.toString("latin1", start, end);
    const [, size] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
    if (size === undefined) throw new MalformedResponse("The size of a chunk is malformed.");
    this.#pending = this.#pending.subarray(end + CRLF.length);
    return Number.parseInt(size, 16);
  }

  /** Move at most `wanted` bytes to the body; how many they were. */
  #take(wanted: number): number {
    const taken = Math.min(wanted, this.#pending.length);
    const kept = Math.min(taken, this.maxLength - this.#length);
    this.#body.push(this.#pending.subarray(0, kept));
    this.#length += kept;
    this.#truncated ||= kept < taken;
    this.#pending = this.#pending.subarray(taken);
    return taken;
  }

  #finish(): ReceivedResponse | undefined {
    return this.#head && { ...this.#head, body: Buffer.concat(this.#body), truncated: this.#truncated };
  }
}

function splitField(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) throw new MalformedResponse("A field of the response has no colon.");
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

/** RFC 9112 section 6.3 */
function framingOf(method: string, status: number, rawHeaders: readonly string[]): Framing {
  if (method === "HEAD" || status === 204 || status === 304) return { kind: "length", remaining: 0 };
  const valueOf = (name: string) =>
    rawHeaders[rawHeaders.findIndex((n, i) => i % 2 === 0 && n.toLowerCase() === name) + 1];
  const has = (name: string) => rawHeaders.some((n, i) => i % 2 === 0 && n.toLowerCase() === name);
  if (has("transfer-encoding")) return { kind: "chunked" };
  if (!has("content-length")) return { kind: "close" };
  const length = valueOf("content-length") ?? "";
  if (!/^\d{1,15}$/.test(length)) throw new MalformedResponse("The Content-Length of the response is malformed.");
  return { kind: "length", remaining: Number(length) };
}

function notHttp(beginning: string): never {
  throw new MalformedResponse(`It doesn't speak HTTP/1.x: ${JSON.stringify(beginning.slice(0, 64))}.`);
}
