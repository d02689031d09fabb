import type { IncomingHttpHeaders } from "node:http";
import { inspect } from "node:util";
import type { Request, RequestHandler } from "express";
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
import { assertKnownOptions, createRequestSlot, functionOption, memoize, optionError } from "../lib/options/index.js";

export { parseUserAgent } from "../lib/net/index.js";

/** No path has as many proxies; of a longer list the nearest are read. */
const MAX_HOPS = 32;

/** What is kept of a `User-Agent`; the longest of browsers have half of it. */
const MAX_USER_AGENT_LENGTH = 1024;

/** What a fingerprint may look like: hexadecimal, base64, and what is usually put between such parts. */
const FINGERPRINT_REGEXP = /^[A-Za-z0-9._~+/=:|-]{1,256}$/;

/** How each header is read, the nearest hop first. */
const FORWARDED_PARSERS = { "x-forwarded-for": parseForwardedFor, forwarded: parseForwarded };

const slot = createRequestSlot<RequestContext>("requestContext");

/** The client's program, as `User-Agent` tells it. */
export interface UserAgent extends UserAgentDetails {
  /** The first 1,024 characters of the header; `null` when the request has none. */
  readonly raw: string | null;
}

/** What is safe to log of a context. */
export interface RequestContextRecord {
  readonly ip: string | null;
  readonly chain: readonly Hop[];
  readonly userAgent: UserAgent;
  readonly languages: readonly string[];
}

/** Who sent a request, from where. Each part is worked out when it is first read; reading never throws. */
export interface RequestContext extends RequestContextRecord {
  /** The client's address, IPv6 as in RFC 5952; `null` when the peer has none, as on a Unix socket. */
  readonly ip: string | null;

  /** The peer and the hops that proxies reported, the nearest first, each with the reason why it is believed or not. */
  readonly chain: readonly Hop[];

  readonly userAgent: UserAgent;

  /** The language tags of `Accept-Language`, the preferred one first; at most 16. */
  readonly languages: readonly string[];

  /**
   * `X-Device-Fingerprint`, 1–256 characters of `A–Z a–z 0–9 . _ ~ + / = : | -`; `undefined` without one, or with
   * anything else. It identifies a person's device: `JSON.stringify`, `console.log` and `toJSON` leave it out.
   */
  readonly fingerprint: string | undefined;

  /** The context without the fingerprint, for logs. */
  toJSON(): RequestContextRecord;
}

export interface RequestContextOptions {
  /**
   * The proxies whose reports of the hops before them are believed: addresses, CIDR blocks, `loopback`, `linklocal`,
   * `uniquelocal`, or a function of the request that returns such a list, an org's own. A list that is returned is
   * compiled once and known by its identity. A number of hops is not offered.
   *
   * @default nobody
   */
  trust?: TrustOption<Request>;

  /**
   * The header in which the proxies report: the other one is not read, since the client could write it.
   *
   * @default "x-forwarded-for"
   */
  forwarded?: "x-forwarded-for" | "forwarded";

  /**
   * Another parser of `User-Agent`. It gets at most 1,024 characters; when it throws, everything is unknown.
   *
   * @default a small one of our own, that knows the major families
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
 * Find out who sent a request: address, chain of proxies, user agent, languages, device fingerprint. Read it with
 * {@link getRequestContext}. Does not refuse anything, and does not ask where on earth an address is.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 */
export function requestContext(options: Readonly<RequestContextOptions> = {}): RequestHandler {
  const { findTrusted, readers } = parseOptions(options);

  return function requestContextMiddleware(req, _res, next) {
    try {
      slot.set(req, new LazyRequestContext(req, findTrusted(req), readers));
    } catch (error) {
      next(error); // of the function in `trust`, or of what it returned
      return;
    }
    next();
  };
}

/**
 * The context given to `req` by {@link requestContext}.
 *
 * @throws {Error} when `requestContext()` did not run for this request
 */
export function getRequestContext(req: object): RequestContext {
  return slot.get(req);
}

/** The context given to `req` by {@link requestContext}, or `undefined` when it did not run. */
export function tryGetRequestContext(req: object): RequestContext | undefined {
  return slot.tryGet(req);
}

/** What the options make of the headers. */
interface Readers {
  readonly forwarded: keyof typeof FORWARDED_PARSERS;
  readonly readUserAgent: (raw: string) => UserAgent;
  readonly readLanguages: (value: string) => readonly string[];
}

/** Private fields, so that nothing that copies or prints an object sees the fingerprint. */
class LazyRequestContext implements RequestContext {
  readonly #headers: IncomingHttpHeaders;
  readonly #peer: string | undefined;
  readonly #trusted: IpRangeSet;
  readonly #readers: Readers;
  #ip: string | null | undefined;
  #chain: readonly Hop[] | undefined;

  constructor(req: Request, trusted: IpRangeSet, readers: Readers) {
    this.#headers = req.headers;
    this.#peer = req.socket.remoteAddress; // a socket that was closed has none any more
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
  const read = memoize((raw) => Object.freeze({ raw, ...parseSafely(parse, raw) }));
  return (value) => read(value.slice(0, MAX_USER_AGENT_LENGTH));
}

/** A parser from elsewhere may throw on what a client wrote. */
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
