import type { TLSSocket } from "node:tls";
import type { Request, Response } from "express";
import { createGuard, type Refusal } from "../lib/errors/index.js";
import { constantHeader } from "../lib/express/index.js";
import { REPORT_OPTIONS, reportOption, type ReportOptions } from "../lib/report/index.js";
import { fieldLines } from "../lib/http/index.js";
import {
  compileIpRanges,
  compileTrust,
  isLocalHost,
  parseAbsoluteForm,
  parseForwardedProto,
  type TrustOption,
} from "../lib/net/index.js";
import {
  assertKnownOptions,
  booleanOption,
  type Middleware,
  optionError,
  type NothingElse,
} from "../lib/factory/index.js";
import { memoize } from "../lib/text/index.js";

const ONE_YEAR = 31_536_000;

/** Ten years: a value in milliseconds, the usual mistake, is above it. */
const LONGEST_MAX_AGE = 10 * ONE_YEAR;

const isLoopback = compileIpRanges(["127.0.0.0/8", "::1"]);

/** A browser would use HTTPS for every other server on `localhost` too, whatever its port. */
const isLocalHostOnce = memoize(isLocalHost);

/** The fields that proxies add to what they forward: RFC 7239, RFC 9110 section 7.6.3, and the older ones. */
const PROXY_FIELD_REGEXP = /^(?:forwarded|via|x-forwarded-.+|x-real-ip)$/i;

/** Why a request is refused, for its sender. */
const CAUSES = {
  http: "This request came over HTTP. Send it to the https: address; there is no redirect.",
  proxyHttp: "The proxy received this request over HTTP. Send it to the https: address; there is no redirect.",
  malformed:
    'X-Forwarded-Proto must end in "https" or "http", so that the request can be known to have come over HTTPS.',
} as const;

/** How a request arrived: over HTTPS, over HTTP without leaving this machine, or in a way that is refused. */
type Arrival = "https" | "local" | keyof typeof CAUSES;

export interface HttpsOnlyOptions extends ReportOptions {
  /**
   * The proxies whose `X-Forwarded-Proto` is trusted: addresses, CIDR blocks, `loopback`, `linklocal`, `uniquelocal`, or
   * a function of the request that returns such a list. A hop count is refused.
   *
   * @default nobody
   */
  trust?: TrustOption<Request>;

  /**
   * Whether plain HTTP passes when the request can't have left this machine: the peer is a loopback address, `Host` is
   * `localhost`, a name below it, an address of `127.0.0.0/8` or `[::1]`, and no proxy has added a field such as `Via`,
   * `Forwarded` or `X-Forwarded-For`.
   *
   * @default true
   */
  localhost?: boolean;

  /**
   * For how many seconds a browser uses only HTTPS, 0–315,360,000 (ten years). 0 makes it forget; `false` omits the header.
   *
   * @default 31536000, one year
   */
  maxAge?: number | false;

  /**
   * Whether the header applies to subdomains too.
   *
   * @default false, because the subdomains of a custom domain are its owner's
   */
  includeSubDomains?: boolean;

  /**
   * Whether browsers may preload the domain. It needs `includeSubDomains` and a `maxAge` of a year or more.
   *
   * @default false
   */
  preload?: boolean;
}

const OPTIONS: Record<keyof HttpsOnlyOptions, true> = {
  trust: true,
  localhost: true,
  maxAge: true,
  includeSubDomains: true,
  preload: true,
  ...REPORT_OPTIONS,
};

/**
 * Refuse requests that did not come over HTTPS with 403 `E0000006`, and put `Strict-Transport-Security` (RFC 6797) on the
 * other responses, except for a local host. The last element of `X-Forwarded-Proto` decides if a trusted proxy sent it; otherwise the connection
 * must be TLS. Plain HTTP passes from this machine to `http://localhost`. Does not redirect. With `report` it doesn't send
 * the header, which would make browsers refuse HTTP.
 *
 * @example
 * app.use(httpsOnly({ trust: "loopback" }));
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 */
export function httpsOnly(options: Readonly<HttpsOnlyOptions> = {}, ..._: NothingElse): Middleware {
  const { findTrusted, localhost, strictTransportSecurity, report } = parseOptions(options);
  const promiseHttps =
    strictTransportSecurity === undefined || report !== undefined
      ? undefined
      : constantHeader("Strict-Transport-Security", strictTransportSecurity);

  return createGuard("httpsOnly", check, report);

  function check(req: Request, res: Response): Refusal | undefined {
    const arrival = examine(req);
    if (arrival !== "https" && arrival !== "local") {
      return ["E0000006", { type: "https.required", causes: [CAUSES[arrival]] }];
    }
    if (arrival === "https" && promiseHttps !== undefined && !isLocalHostOnce(hostOf(req))) {
      promiseHttps(res); // not over HTTP: RFC 6797 section 7.2
    }
    return undefined;
  }

  function examine(req: Request): Arrival {
    const reported = req.headers["x-forwarded-proto"];
    if (reported !== undefined && findTrusted(req)(req.socket.remoteAddress)) {
      const scheme = reported === "https" ? reported : parseForwardedProto(String(reported));
      if (scheme === "https") return "https";
      return scheme === "http" ? "proxyHttp" : "malformed";
    }
    if ((req.socket as Partial<TLSSocket>).encrypted) return "https";
    return localhost && isLocal(req) ? "local" : "http";
  }
}

/** The host that the browser asked, as far as it says. */
function hostOf({ headers }: Request): string {
  const { host, ":authority": authority } = headers;
  return host ?? String(authority ?? "");
}

/** Whether the request can't have left this machine. */
function isLocal({ socket, rawHeaders, originalUrl }: Request): boolean {
  if (!isLoopback(socket.remoteAddress)) return false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (PROXY_FIELD_REGEXP.test(rawHeaders[index] ?? "")) return false;
  }
  const [host, ...others] = [...fieldLines(rawHeaders, "host"), ...fieldLines(rawHeaders, ":authority")];
  if (host === undefined || others.length > 0 || !isLocalHost(host)) return false;
  const { authority = host } = parseAbsoluteForm(originalUrl) ?? {}; // which counts more than Host, RFC 9112 section 3.2.2
  return isLocalHost(authority);
}

function parseOptions(options: Readonly<HttpsOnlyOptions>) {
  assertKnownOptions("httpsOnly", options, OPTIONS);
  return {
    findTrusted: compileTrust("httpsOnly", options.trust),
    localhost: booleanOption("httpsOnly", "localhost", options.localhost, true),
    strictTransportSecurity: formatStrictTransportSecurity(options),
    report: reportOption("httpsOnly", options),
  };
}

/** The value of `Strict-Transport-Security` (RFC 6797 section 6.1), or `undefined` when it is switched off. */
function formatStrictTransportSecurity(options: Readonly<HttpsOnlyOptions>): string | undefined {
  const maxAge = maxAgeOption(options.maxAge);
  const enabled = maxAge !== false;
  const includeSubDomains = booleanOption("httpsOnly", "includeSubDomains", options.includeSubDomains, false);
  const preload = booleanOption("httpsOnly", "preload", options.preload, false);
  if (includeSubDomains && !enabled)
    throw optionError("httpsOnly", "includeSubDomains", "false when `maxAge` is false");
  if (preload && !(enabled && includeSubDomains && maxAge >= ONE_YEAR)) {
    throw optionError(
      "httpsOnly",
      "preload",
      `false unless \`includeSubDomains\` is true and \`maxAge\` ${ONE_YEAR} or more`,
    );
  }
  if (!enabled) return undefined;
  return `max-age=${maxAge}${includeSubDomains ? "; includeSubDomains" : ""}${preload ? "; preload" : ""}`;
}

function maxAgeOption(value: number | false = ONE_YEAR): number | false {
  if (value === false || (Number.isSafeInteger(value) && value >= 0 && value <= LONGEST_MAX_AGE)) return value;
  throw optionError("httpsOnly", "maxAge", `an integer from 0 to ${LONGEST_MAX_AGE}, or false`);
}
