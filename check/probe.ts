import { setTimeout as sleep } from "node:timers/promises";
import { exchange, ExchangeError, handshake } from "./connection.js";
import { type Exchange, formatExchange, type Sent } from "./exchange.js";
import { compileRedaction } from "./redaction.js";
import { type HeaderValue, linesOf, type ProbeRequest } from "./request.js";
import { Response } from "./response.js";
import { pathOf, type RunPlan } from "./run-plan.js";
import { NotApplicable, TimeLimitError } from "./verdict.js";
import { WritableObject } from "./writable-object.js";

/** Of a failure: enough for a page with a stack trace. */
const MAX_FAILURE_LENGTH = 65_536;

/** Methods that change nothing, and that are all that is sent without `--write`. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** A response with a status of 4xx or 5xx. */
export interface Failure {
  readonly exchange: Exchange;
  readonly status: number;
  readonly text: string;
}

/** What the checks see of the API: one request at a time, as often as `rate` allows. */
export class Probe {
  /** The object that the checks write. */
  readonly writable: WritableObject;
  /** Replaces the values of `--header`. */
  readonly redact: (text: string) => string;
  /** The beginnings of all failures that the API sent in this run. */
  readonly failures: Failure[] = [];
  /** Whether the time limit kept a request from being sent. */
  expired = false;
  /** Whether the API refused a request because there were too many. */
  limited = false;
  /** All requests of the check that runs. */
  readonly #sent: Sent[] = [];
  readonly #shown: Exchange[] = [];
  #requests = 0;
  #next = 0;
  #deadline: number;
  /** The responses to plain GETs. */
  readonly #kept = new Map<string, Promise<Response>>();

  constructor(readonly plan: RunPlan) {
    this.#deadline = Date.now() + plan.timeLimit;
    this.redact = compileRedaction(plan.headers);
    this.writable = new WritableObject(this);
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** The path that every check may read. */
  get path(): string {
    return pathOf(this.plan);
  }

  get host(): string {
    return this.plan.url.host;
  }

  /** What the check that ran has sent; the next one begins with nothing. */
  takeExchanges(): Exchange[] {
    return [...this.#sent.splice(0).map((sent) => formatExchange(sent, this.redact)), ...this.#shown.splice(0)];
  }

  /** Add a request of an earlier check to those of the one that runs. */
  show(exchange: Exchange): void {
    this.#shown.push(exchange);
  }

  /** A plain GET before a check, to see whether it can run. */
  async first(target: string = this.path): Promise<Response> {
    return this.#keep(target);
  }

  /** A plain GET of {@link path}, sent once per run. */
  async baseline(): Promise<Response> {
    return this.getOnce(this.path);
  }

  /** A plain GET, sent once per run. */
  async getOnce(target: string): Promise<Response> {
    const response = new Response((await this.#keep(target)).received);
    this.#sent.push({ ...describe({ target }), response });
    return response;
  }

  async get(target: string, headers: ProbeRequest["headers"] = {}): Promise<Response> {
    return this.send({ target, headers });
  }

  /** Send a request; nothing of it is checked, and no redirect is followed. */
  async send(request: ProbeRequest): Promise<Response> {
    const { method = "GET", plainPort, followUp } = request;
    if (!this.plan.write && !SAFE_METHODS.has(method)) throw new Error(`${method} needs --write`);
    const bytes = this.#format(request);
    const target =
      plainPort === undefined ? this.plan.target : { ...this.plan.target, port: plainPort, tls: undefined };
    await this.#pace(followUp ? 2 : 1);
    const sent = describe({ target: this.path, ...request });
    try {
      const message = { bytes, method, followUp: followUp ? this.#format({}) : undefined };
      const response = new Response(await exchange(target, message, this.#timeout()));
      this.#sent.push({ ...sent, response });
      this.#note(sent, response);
      return response;
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      this.#sent.push({ ...sent, error: error.message });
      this.#assertTime();
      throw error;
    }
  }

  /** Allow one more request, also after the time limit. */
  extend(): void {
    this.#deadline = Math.max(this.#deadline, Date.now() + this.plan.timeout);
  }

  /** Try a handshake of TLS with `options`; the protocol in use. */
  async handshake(options: Parameters<typeof handshake>[1]): Promise<string> {
    await this.#pace();
    return handshake(this.plan.target, options, this.#timeout());
  }

  /** A 429 says nothing about the rule that is checked. */
  #note(sent: Sent, response: Response): void {
    const { status, received } = response;
    if (status === 429) {
      this.limited = true;
      throw new NotApplicable("The API refuses more requests (429).");
    }
    if (status < 400) return;
    const text = received.body.toString("utf8", 0, MAX_FAILURE_LENGTH);
    this.failures.push({
      exchange: formatExchange({ ...sent, response: new Response(received) }, this.redact),
      status,
      text,
    });
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
    const credentials = plainPort === undefined ? this.plan.headers : [];
    for (const [name, value] of [...credentials, ...Object.entries(headers)]) replace(fields, name, value);
    const lines = [...fields].flatMap(([name, value]) => linesOf(value).map((line) => `${name}: ${line}\r\n`));
    const head = `${method} ${target} ${version}\r\n${lines.join("")}\r\n`;
    return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]);
  }

  /** Wait until `count` requests may be sent. */
  async #pace(count = 1): Promise<void> {
    this.#assertTime();
    const now = Date.now();
    const wait = this.#next - now;
    this.#next = Math.max(now, this.#next) + (count * 1000) / this.plan.rate;
    this.#requests += count;
    if (wait > 0) await sleep(Math.min(wait, this.#deadline - now));
    this.#assertTime();
  }

  #timeout(): number {
    return Math.max(1, Math.min(this.plan.timeout, this.#deadline - Date.now()));
  }

  #assertTime(): void {
    if (Date.now() < this.#deadline) return;
    this.expired = true;
    throw new TimeLimitError("The time limit is reached.");
  }
}

function describe({
  method = "GET",
  target = "",
  version = "HTTP/1.1",
  headers = {},
  body = "",
}: ProbeRequest): Omit<Sent, "response" | "error"> {
  const own = Object.entries(headers).flatMap(([name, value]) => linesOf(value).map((line) => [name, line] as const));
  return { method, target, version, own, body: Buffer.from(body) };
}

function replace(fields: Map<string, HeaderValue>, name: string, value: HeaderValue): void {
  for (const known of fields.keys()) if (known.toLowerCase() === name.toLowerCase()) fields.delete(known);
  fields.set(name, value);
}
