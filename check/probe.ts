import { setTimeout as sleep } from "node:timers/promises";
import { isObject, parseJson, parsePointer, readPointer } from "../lib/json/index.js";
import { exchange, ExchangeError, handshake } from "./connection.js";
import { Response } from "./response.js";
import type { ReceivedResponse } from "./response-parser.js";
import { pathOf, type Settings } from "./settings.js";
import { NotApplicable } from "./verdict.js";

/** Of each body in the report: enough for an error object. */
const MAX_SHOWN_LENGTH = 2048;

/** Enough for a page with a stack trace. */
const MAX_FAILURE_LENGTH = 65_536;

/** Methods that change nothing, and that are all that is sent without `--write`. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** One request in latin1, and what came back in UTF-8. */
export interface Exchange {
  readonly request: string;
  /** The status line, the fields and the body as far as it was read, without its transfer coding. */
  readonly response?: string;
  /** Why there is no response. */
  readonly error?: string;
}

/** A response with a status of 4xx or 5xx. */
export interface Failure {
  readonly exchange: Exchange;
  readonly status: number;
  readonly text: string;
}

/** The value of a header: `null` leaves it out, a list sends a line for each. */
type HeaderValue = string | readonly string[] | null;

export interface ProbeRequest {
  readonly method?: string;
  readonly target?: string;
  /** They replace those of every request, whose names are written in any letter case. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** Bytes, or text that is sent as UTF-8. */
  readonly body?: string | Buffer;
  /** `HTTP/1.1` if absent. */
  readonly version?: string;
  /** Send no credentials, over plain HTTP, to this port. */
  readonly plainPort?: number;
  /** Send a GET over the same connection afterwards; `followed` of the response tells whether it got a response too. */
  readonly followUp?: boolean;
}

/** The run took longer than `--time-limit`. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
}

/** What the checks see of the API: one request at a time, as often as `rate` allows. */
export class Probe {
  /** All requests of the check that runs. */
  readonly exchanges: Exchange[] = [];
  /** The beginnings of all failures that the API sent in this run. */
  readonly failures: Failure[] = [];
  /** Whether the time limit kept a request from being sent. */
  expired = false;
  /** Whether the API refused a request because there were too many. */
  limited = false;
  #requests = 0;
  #written = false;
  #next = 0;
  #deadline: number;
  readonly #kept = new Map<string, Promise<Response>>();
  readonly #exchangeOf = new WeakMap<Response, Exchange>();

  constructor(readonly settings: Settings) {
    this.#deadline = Date.now() + settings.timeLimit;
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** The path that every check may read. */
  get path(): string {
    return pathOf(this.settings);
  }

  get host(): string {
    return this.settings.url.host;
  }

  /** The response to a plain GET, which is sent once per run; not among the exchanges of the check. */
  async first(target: string = this.path): Promise<Response> {
    return this.#keep(target);
  }

  /** A plain GET of {@link path}, sent once per run. */
  async baseline(): Promise<Response> {
    return this.getOnce(this.path);
  }

  /** A plain GET, sent once per run. */
  async getOnce(target: string): Promise<Response> {
    const response = await this.#keep(target);
    const exchange = this.#exchangeOf.get(response);
    if (exchange && !this.exchanges.includes(exchange)) this.exchanges.push(exchange);
    return response;
  }

  async get(target: string, headers: ProbeRequest["headers"] = {}): Promise<Response> {
    return this.send({ target, headers });
  }

  /** Send a request; nothing of it is checked, and no redirect is followed. */
  async send(request: ProbeRequest): Promise<Response> {
    const { method = "GET", plainPort, followUp } = request;
    if (!this.settings.write && !SAFE_METHODS.has(method)) throw new Error(`${method} needs --write`);
    const bytes = this.#format(request);
    const target =
      plainPort === undefined ? this.settings.target : { ...this.settings.target, port: plainPort, tls: undefined };
    const text = bytes.toString("latin1");
    await this.#pace(followUp ? 2 : 1);
    try {
      const received = await exchange(
        target,
        { bytes, method, followUp: followUp ? this.#format({}) : undefined },
        this.#timeout(),
      );
      const entry = { request: text, response: format(received) };
      this.exchanges.push(entry);
      const response = new Response(received);
      this.#exchangeOf.set(response, entry);
      const { status } = response;
      this.#assertUnlimited(status);
      if (status >= 400)
        this.failures.push({ exchange: entry, status, text: response.text.slice(0, MAX_FAILURE_LENGTH) });
      return response;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      this.exchanges.push({ request: text, error: error.message });
      this.#assertTime();
      throw error;
    }
  }

  /** Write `writable` with a body of JSON, unless `request` has another. */
  async write(request: ProbeRequest = {}): Promise<Response> {
    const { method, writable = "/" } = this.settings;
    const { body = await this.representation(), headers } = request;
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    this.#written = true;
    return this.send({
      method,
      target: writable,
      ...request,
      body: bytes,
      headers: { "Content-Type": "application/json", "Content-Length": String(bytes.length), ...headers },
    });
  }

  /** What the checks write: the text of `--body`, or what GET returned. */
  async representation(): Promise<string> {
    const { body, writable = "/" } = this.settings;
    if (body !== undefined) return body;
    const value = (await this.getOnce(writable)).json();
    if (!isObject(value)) throw new NotApplicable(`GET ${writable} returns no JSON object; give one with --body.`);
    return JSON.stringify(value);
  }

  /** The representation with another text in the field that the checks may change. */
  async changed(text: string): Promise<string> {
    const { field = "" } = this.settings;
    const tokens = parsePointer(field) ?? [];
    const document = parseJson(await this.representation());
    const parent = readPointer(document, tokens.slice(0, -1));
    if (!isObject(parent)) throw new NotApplicable(`The representation has no place ${field}.`);
    parent[tokens.at(-1) ?? ""] = text;
    return JSON.stringify(document);
  }

  /** Write the representation once more if a check wrote another; what the reader must know if that fails. */
  async restore(): Promise<string[]> {
    if (!this.#written) return [];
    const { writable = "/", timeout } = this.settings;
    this.#deadline = Math.max(this.#deadline, Date.now() + timeout); // also after the time limit
    try {
      const { ok, status } = await this.write();
      return ok ? [] : [`Look at ${writable}: the write that restores it is ${status}.`];
    } catch (error) {
      if (!(error instanceof ExchangeError || error instanceof TimeLimitError || error instanceof NotApplicable))
        throw error;
      return [`Look at ${writable}, which was not restored: ${error.message}`];
    }
  }

  /** Try a handshake of TLS with `options`; the protocol in use. */
  async handshake(options: Parameters<typeof handshake>[1]): Promise<string> {
    await this.#pace();
    return handshake(this.settings.target, options, this.#timeout());
  }

  async #keep(target: string): Promise<Response> {
    const kept = this.#kept.get(target) ?? this.get(target);
    this.#kept.set(target, kept);
    return kept;
  }

  #format({
    method = "GET",
    target = this.path,
    headers = {},
    body = "",
    version = "HTTP/1.1",
    plainPort,
  }: ProbeRequest): Buffer {
    const fields = new Map<string, HeaderValue>([
      ["Host", this.host],
      ["Connection", "close"],
      ["Accept", "application/json"],
      ["User-Agent", "etiquette-check"],
    ]);
    const credentials = plainPort === undefined ? this.settings.headers : [];
    for (const [name, value] of [...credentials, ...Object.entries(headers)]) replace(fields, name, value);
    const lines = [...fields].flatMap(([name, value]) =>
      (typeof value === "string" ? [value] : (value ?? [])).map((line) => `${name}: ${line}\r\n`),
    );
    const head = `${method} ${target} ${version}\r\n${lines.join("")}\r\n`;
    return Buffer.concat([Buffer.from(head, "latin1"), typeof body === "string" ? Buffer.from(body) : body]);
  }

  /** Wait until `count` requests may be sent. */
  async #pace(count = 1): Promise<void> {
    this.#assertTime();
    const now = Date.now();
    const wait = this.#next - now;
    this.#next = Math.max(now, this.#next) + (count * 1000) / this.settings.rate;
    this.#requests += count;
    if (wait > 0) await sleep(Math.min(wait, this.#deadline - now));
    this.#assertTime();
  }

  #timeout(): number {
    return Math.max(1, Math.min(this.settings.timeout, this.#deadline - Date.now()));
  }

  /** A 429 says nothing about the rule that is checked. */
  #assertUnlimited(status: number): void {
    if (status !== 429) return;
    this.limited = true;
    throw new NotApplicable("The API refuses more requests (429).");
  }

  #assertTime(): void {
    if (Date.now() < this.#deadline) return;
    this.expired = true;
    throw new TimeLimitError("The time limit is reached.");
  }
}

function replace(fields: Map<string, HeaderValue>, name: string, value: HeaderValue): void {
  for (const known of fields.keys()) if (known.toLowerCase() === name.toLowerCase()) fields.delete(known);
  fields.set(name, value);
}

function format({ head, body, truncated }: ReceivedResponse): string {
  const cut = truncated || body.length > MAX_SHOWN_LENGTH;
  return `${head}\r\n\r\n${body.toString("utf8", 0, MAX_SHOWN_LENGTH)}${cut ? "…" : ""}`;
}
