import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  BUILT_IN,
  compileErrorFormat,
  type ErrorFormatOptions,
  type ErrorObject,
  FORMAT_OPTIONS,
  type FormatError,
} from "../errors/index.js";
import { createIdGenerator } from "../http/index.js";
import { REPORT_OPTIONS, reportOption, type ReportOptions, type TellReport } from "../report/index.js";
import { booleanOption, compileNamespace, fieldNameOption, functionOption, integerOption } from "../factory/index.js";
import { parseServerTimeouts, type ServerTimeouts } from "./server-timeouts.js";

/** The limit of Apache and Tomcat; browsers and a chain of proxies send about thirty. */
const MAX_HEADERS_COUNT = 100;

/** The second argument of `log`. */
export interface ProtocolErrorReport {
  /** The status of the response, 400–599; 500 for the failure of `format` or `status`. */
  readonly status: number;
  /** The body of the response, unless `format` gives another. */
  readonly errorObject: ErrorObject;
  /** The address of the TCP peer. */
  readonly remoteAddress: string | undefined;
  /** The request; `undefined` when its head could not be read. */
  readonly req: IncomingMessage | undefined;
}

/**
 * `format`, `typeBase` and `status` are those of `errorFormatter()`. With `report` the server serves what a server of
 * `node:http` serves, refuses only what that refuses, in its way, and has its time-outs where none is given.
 */
export interface ProtocolErrorsOptions
  extends ErrorFormatOptions<IncomingMessage | undefined>, ReportOptions<IncomingMessage> {
  /**
   * The name that public names such as `headerName` derive from: 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * The header with the id, on every response. If a middleware set an id there before reading the body failed, the
   * response has that id.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * Makes the id of a response: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. When it throws or returns another value, the
   * default generator makes the id.
   *
   * @default 22 random characters of base64url (132 bits)
   */
  generator?: () => string;

  /**
   * Called once for every response, before it is sent, and once more if `format` or `status` failed for it. Its result and its errors are ignored.
   *
   * @default () => undefined
   */
  log?: (error: Error, report: ProtocolErrorReport) => unknown;

  /**
   * Whether to refuse requests to upgrade with 426 while the server has no `upgrade` listener. When false, they are served
   * as ordinary requests, as Node does. A request with `Upgrade: h2c` is always served as an ordinary request.
   *
   * @default true
   */
  refuseUpgrade?: boolean;

  /**
   * Milliseconds for the whole request to arrive, 1–3,600,000.
   *
   * @default 110000
   */
  requestTimeout?: number;

  /**
   * Milliseconds for the header to arrive, 1–`requestTimeout`. Also for a TLS handshake, unless `tls` sets another value.
   *
   * @default 20000, or `requestTimeout` if that is less
   */
  headersTimeout?: number;

  /**
   * Milliseconds that a connection may wait for its next request, 1–3,600,000.
   *
   * @default 65000
   */
  keepAliveTimeout?: number;

  /**
   * The most field lines of a header, 1–1,000. More are 431; Node alone would drop them silently.
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
  ...FORMAT_OPTIONS,
  ...REPORT_OPTIONS,
};

/** The options, checked. */
export interface ProtocolSettings extends Required<
  Pick<ProtocolErrorsOptions, "headerName" | "generator" | "log" | "refuseUpgrade" | "maxHeadersCount">
> {
  readonly timeouts: Partial<ServerTimeouts>;
  readonly formatError: FormatError<IncomingMessage | undefined>;
  readonly report: TellReport<IncomingMessage> | undefined;
}

export function parseProtocolOptions(factory: string, options: Readonly<ProtocolErrorsOptions>): ProtocolSettings {
  const { requestIdHeader } = compileNamespace(factory, options.namespace);
  const report = reportOption(factory, options);
  const timeouts = parseServerTimeouts(factory, options);
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
    formatError: compileErrorFormat(factory, options, BUILT_IN),
    timeouts: report ? givenTimeouts(options) : timeouts,
    report,
  };
}

/** Those that replace Node's own. */
function givenTimeouts(options: Readonly<ProtocolErrorsOptions>): Partial<ServerTimeouts> {
  const { requestTimeout, headersTimeout, keepAliveTimeout } = options;
  return {
    ...(requestTimeout !== undefined && { requestTimeout }),
    ...(headersTimeout !== undefined && { headersTimeout }),
    ...(keepAliveTimeout !== undefined && { keepAliveTimeout }),
  };
}
