import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ErrorObject } from "../errors/index.js";
import { createIdGenerator } from "../http/index.js";
import { booleanOption, compileNamespace, fieldNameOption, functionOption, integerOption } from "../options/index.js";
import { parseServerTimeouts, type ServerTimeouts } from "./server-timeouts.js";

/** As Apache and Tomcat have it; browsers and a chain of proxies send about thirty. */
const MAX_HEADERS_COUNT = 100;

/** What is handed to `log` beside the error. */
export interface ProtocolErrorReport {
  /** The status of the answer, 400–599. */
  readonly status: number;
  /** What the client is told. */
  readonly errorObject: ErrorObject;
  /** The address of the TCP peer. */
  readonly remoteAddress: string | undefined;
  /** The request, when its head could be read. */
  readonly req: IncomingMessage | undefined;
}

export interface ProtocolErrorsOptions {
  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * Header that carries the id on every answer. When a middleware has put an id there before the body of a request went
   * wrong, the answer has that id.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * Makes the id of an answer: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. When it throws or returns another value, an id
   * of the default form is taken.
   *
   * @default 22 random characters of base64url (132 bits)
   */
  generator?: () => string;

  /**
   * Told of every answer, once, before it is sent. What it throws, returns or rejects with is ignored.
   *
   * @default () => undefined
   */
  log?: (error: Error, report: ProtocolErrorReport) => unknown;

  /**
   * Refuse requests to upgrade with 426 as long as the server has no `upgrade` listener. When false they are served as
   * ordinary requests, as plain Node does. `Upgrade: h2c` always is.
   *
   * @default true
   */
  refuseUpgrade?: boolean;

  /**
   * Milliseconds for the whole request to arrive, 1–3,600,000.
   *
   * @default 120000
   */
  requestTimeout?: number;

  /**
   * Milliseconds for the header to arrive, 1–`requestTimeout`; also for a TLS handshake, unless `tls` says otherwise.
   *
   * @default 20000, or `requestTimeout` when that is less
   */
  headersTimeout?: number;

  /**
   * Milliseconds that a connection may wait for its next request, 1–3,600,000.
   *
   * @default 65000
   */
  keepAliveTimeout?: number;

  /**
   * The most field lines of a header, 1–1,000; more are 431. (Node drops what is over its limit, unseen.)
   *
   * @default 100
   */
  maxHeadersCount?: number;
}

export const PROTOCOL_OPTIONS: Record<keyof ProtocolErrorsOptions, true> = {
  namespace: true,
  headerName: true,
  generator: true,
  log: true,
  refuseUpgrade: true,
  requestTimeout: true,
  headersTimeout: true,
  keepAliveTimeout: true,
  maxHeadersCount: true,
};

/** The options, checked. */
export interface ProtocolSettings extends Required<
  Pick<ProtocolErrorsOptions, "headerName" | "generator" | "log" | "refuseUpgrade" | "maxHeadersCount">
> {
  readonly timeouts: ServerTimeouts;
}

export function parseProtocolOptions(factory: string, options: Readonly<ProtocolErrorsOptions>): ProtocolSettings {
  const { requestIdHeader } = compileNamespace(factory, options.namespace);
  return {
    headerName: fieldNameOption(factory, "headerName", options.headerName, requestIdHeader),
    generator: functionOption(factory, "generator", options.generator, createIdGenerator(randomBytes)),
    log: functionOption(factory, "log", options.log, () => undefined),
    refuseUpgrade: booleanOption(factory, "refuseUpgrade", options.refuseUpgrade, true),
    maxHeadersCount: integerOption(factory, "maxHeadersCount", options.maxHeadersCount, {
      fallback: MAX_HEADERS_COUNT,
      min: 1,
      max: 1_000,
    }),
    timeouts: parseServerTimeouts(factory, options),
  };
}
