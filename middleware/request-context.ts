import type { IncomingHttpHeaders } from "node:http";
import { inspect } from "node:util";
import type { Request } from "express";
import {
  compileTrust,
  evaluateClientAddress,
  findClientIp,
  type Hop,
  type IpRangeSet,
  parseForwarded,
  parseForwardedFor,
  parseUserAgent,
  type TrustOption,
  UNKNOWN_USER_AGENT,
  type UserAgentDetails,
} from "../lib/net/index.js";
import { parseLanguages } from "../lib/http/index.js";
import {
  assertKnownOptions,
  createRequestSlot,
  fromStep,
  functionOption,
  type Middleware,
  optionError,
  type NothingElse,
} from "../lib/factory/index.js";
import { memoize } from "../lib/text/index.js";

export { parseUserAgent } from "../lib/net/index.js";

/** No request passes through so many proxies. Of a longer list, the nearest are read. */
const MAX_HOPS = 32;

/** In characters; the rest of a `User-Agent` is cut off. The longest of real browsers have half as many. */
const MAX_USER_AGENT_LENGTH = 1024;

/** Accepts hexadecimal, base64, and the usual separators between such parts. */
const NON_ASCII_REGEXP = /[\x80-\xff]/;
const FINGERPRINT_REGEXP = /^[A-Za-z0-9._~+/=:|-]{1,256}$/;

/** The parser of each header. The result has the nearest hop first. */
const FORWARDED_PARSERS = { "x-forwarded-for": parseForwardedFor, forwarded: parseForwarded };

const slot = createRequestSlot<RequestContext>("requestContext");

/** The client's program, according to `User-Agent`. */
export interface UserAgent extends UserAgentDetails {
  /** The first 1,024 bytes of the header, as UTF-8, or as ISO 8859-1 if they are not UTF-8; `null` when there is none. */
  readonly raw: string | null;
}

/** The members of a context that are safe to log. */
export interface RequestContextRecord {
  readonly ip: string | null;
  readonly chain: readonly Hop[];
  readonly userAgent: UserAgent;
  readonly languages: readonly string[];
}

/** Who sent a request, and from where. Each member is computed when it is first read. Reading never throws. */
export interface RequestContext extends RequestContextRecord {
  /** The client's address, IPv6 in the form of RFC 5952; `null` when the peer has none, as on a Unix socket. */
  readonly ip: string | null;

  /** The peer and the hops that proxies reported, the nearest first, each with the reason why it is trusted or not. */
  readonly chain: readonly Hop[];

  /** Browser, operating system and device. */
  readonly userAgent: UserAgent;

  /** The language tags of `Accept-Language`, the preferred one first; at most 16. */
  readonly languages: readonly string[];

  /**
   * The value of `X-Device-Fingerprint`: 1–256 characters of `A–Z a–z 0–9 . _ ~ + / = : | -`. `undefined` when the field
   * is missing or has another form. It identifies a person's device, so `JSON.stringify`, `console.log` and `toJSON` leave
   * it out.
   */
  readonly fingerprint: string | undefined;

  /** The context without the fingerprint, for logs. */
  toJSON(): RequestContextRecord;
}

export interface RequestContextOptions {
  /**
   * The proxies whose reports about earlier hops are trusted: addresses, CIDR blocks, `loopback`, `linklocal`,
   * `uniquelocal`, or a function of the request that returns such a list. A returned array is compiled once and then
   * recognised by identity. A hop count is refused.
   *
   * @default nobody
   */
  trust?: TrustOption<Request>;

  /**
   * The header in which the proxies report. The other one is not read, because the client could have sent it.
   *
   * @default "x-forwarded-for"
   */
  forwarded?: "x-forwarded-for" | "forwarded";

  /**
   * A parser of `User-Agent`. It gets at most 1,024 characters. If it throws, all its results are unknown.
   *
   * @default parseUserAgent, a small parser that knows the major families
   */
  userAgent?: (raw: string) => UserAgentDetails;
}

const OPTIONS: Record<keyof RequestContextOptions, true> = {
  trust: true,
  forwarded: true,
  userAgent: true,
};

const NO_USER_AGENT: UserAgent = Object.freeze({ raw: null, ...UNKNOWN_USER_AGENT });

/**
 * Find out who sent a request: address, chain of proxies, user agent, languages, device fingerprint. Read the result with
 * {@link getRequestContext}. Does not refuse requests, and does not locate addresses.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(requestContext({ trust: "loopback" }));
 */
export function requestContext(options: Readonly<RequestContextOptions> = {}, ..._: NothingElse): Middleware {
  const { findTrusted, readers } = parseOptions(options);

  return fromStep("requestContextMiddleware", (req) => {
    slot.set(req, new LazyRequestContext(req, findTrusted(req), readers)); // a function in `trust` may throw
    return undefined;
  });
}

/**
 * The context that {@link requestContext} stored for `req`.
 *
 * @throws {Error} when `requestContext()` did not run for this request
 * @example
 * const { ip, userAgent } = getRequestContext(req);
 */
export function getRequestContext(req: object): RequestContext {
  return slot.get(req);
}

/**
 * The context that {@link requestContext} stored for `req`, or `undefined` when it did not run.
 *
 * @example
 * const ip = tryGetRequestContext(req)?.ip;
 */
export function tryGetRequestContext(req: object): RequestContext | undefined {
  return slot.tryGet(req);
}

/** How to read the header fields, from the options. */
interface Readers {
  readonly forwarded: keyof typeof FORWARDED_PARSERS;
  readonly readUserAgent: (raw: string) => UserAgent;
  readonly readLanguages: (value: string) => readonly string[];
}

/** Its fields are private, so that copying or printing the object does not reveal the fingerprint. */
class LazyRequestContext implements RequestContext {
  readonly #headers: IncomingHttpHeaders;
  readonly #peer: string | undefined;
  readonly #trusted: IpRangeSet;
  readonly #readers: Readers;
  #ip: string | null | undefined;
  #chain: readonly Hop[] | undefined;

  constructor(req: Request, trusted: IpRangeSet, readers: Readers) {
    this.#headers = req.headers;
    this.#peer = req.socket.remoteAddress; // read now, because a closed socket has none
    this.#trusted = trusted;
    this.#readers = readers;
  }

  get ip(): string | null {
    if (this.#ip === undefined) this.#ip = findClientIp(this.#peer, this.#reportedNodes(), this.#trusted);
    return this.#ip;
  }

  get chain(): readonly Hop[] {
    const source = this.#readers.forwarded;
    this.#chain ??= evaluateClientAddress(this.#peer, this.#reportedNodes(), source, this.#trusted).chain;
    return this.#chain;
  }

  get userAgent(): UserAgent {
    const raw = this.#headers["user-agent"];
    return raw === undefined ? NO_USER_AGENT : this.#readers.readUserAgent(raw);
  }

  get languages(): readonly string[] {
    return this.#readers.readLanguages(this.#headers["accept-language"] ?? "");
  }

  get fingerprint(): string | undefined {
    const fingerprint = this.#headers["x-device-fingerprint"];
    return typeof fingerprint === "string" && FINGERPRINT_REGEXP.test(fingerprint) ? fingerprint : undefined;
  }

  toJSON(): RequestContextRecord {
    const { ip, chain, userAgent, languages } = this;
    return { ip, chain, userAgent, languages };
  }

  [inspect.custom](): RequestContextRecord {
    return this.toJSON();
  }

  #reportedNodes(): readonly string[] {
    const { forwarded } = this.#readers;
    const reported = this.#headers[forwarded];
    return reported === undefined ? [] : FORWARDED_PARSERS[forwarded](String(reported), MAX_HOPS);
  }
}

function createUserAgentReader(parse: (raw: string) => UserAgentDetails): (raw: string) => UserAgent {
  const read = memoize((value) => {
    const raw = decodeText(value);
    return Object.freeze({ raw, ...parseSafely(parse, raw) });
  });
  return (value) => read(value.slice(0, MAX_USER_AGENT_LENGTH));
}

/** Node decodes a field value as latin1. Text that is not UTF-8 stays so; a character that was cut at the end is dropped. */
function decodeText(value: string): string {
  if (!NON_ASCII_REGEXP.test(value)) return value;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, "latin1"), {
      stream: true,
    });
  } catch {
    return value;
  }
}

/** A parser from the options may throw on the text of a client. */
function parseSafely(parse: (raw: string) => UserAgentDetails, raw: string): UserAgentDetails {
  try {
    const { browser, os, device } = parse(raw);
    return { browser, os, device };
  } catch {
    return UNKNOWN_USER_AGENT;
  }
}

function parseOptions(options: Readonly<RequestContextOptions>) {
  assertKnownOptions("requestContext", options, OPTIONS);
  const { forwarded = "x-forwarded-for" } = options;
  if (!Object.hasOwn(FORWARDED_PARSERS, forwarded)) {
    throw optionError("requestContext", "forwarded", '"x-forwarded-for" or "forwarded"');
  }
  const readers: Readers = {
    forwarded,
    readUserAgent: createUserAgentReader(
      functionOption("requestContext", "userAgent", options.userAgent, parseUserAgent),
    ),
    readLanguages: memoize((value) => Object.freeze(parseLanguages(value))),
  };
  return { findTrusted: compileTrust("requestContext", options.trust), readers };
}
