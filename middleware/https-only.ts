import type { TLSSocket } from "node:tls";
import type { Request, RequestHandler } from "express";
import { apiError } from "../lib/errors/index.js";
import { compileTrust, parseForwardedProto, type TrustOption } from "../lib/net/index.js";
import { assertKnownOptions, booleanOption, optionError } from "../lib/options/index.js";

const ONE_YEAR = 31_536_000;

/** Ten years: a value in milliseconds, the usual mistake, is above it. */
const LONGEST_MAX_AGE = 10 * ONE_YEAR;

export interface HttpsOnlyOptions {
  /**
   * The proxies whose `X-Forwarded-Proto` is believed: addresses, CIDR blocks, `loopback`, `linklocal`, `uniquelocal`, or
   * a function of the request that returns such a list. A number of hops is not offered.
   *
   * @default nobody
   */
  trust?: TrustOption<Request>;

  /**
   * Seconds for which a browser uses HTTPS only, 0 to ten years; 0 makes it forget; `false` leaves the header out.
   *
   * @default 31536000, one year
   */
  maxAge?: number | false;

  /**
   * Whether the subdomains are meant as well.
   *
   * @default false, because the subdomains of a custom domain are its owner's
   */
  includeSubDomains?: boolean;

  /**
   * Whether browsers may ship the domain in their lists; takes `includeSubDomains` and a `maxAge` of a year or more.
   *
   * @default false
   */
  preload?: boolean;
}

const OPTIONS: Record<keyof HttpsOnlyOptions, true> = {
  trust: true,
  maxAge: true,
  includeSubDomains: true,
  preload: true,
};

/**
 * Refuse what did not come over HTTPS with 403 `E0000006`, and put `Strict-Transport-Security` (RFC 6797) on the other
 * answers. A request came over HTTPS when a trusted proxy says so in the last element of `X-Forwarded-Proto`, the one it
 * wrote itself, or, when no trusted proxy says anything, when its own connection is TLS. Does not redirect.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 */
export function httpsOnly(options: Readonly<HttpsOnlyOptions> = {}): RequestHandler {
  const { findTrusted, strictTransportSecurity } = parseOptions(options);

  return function httpsOnlyMiddleware(req, res, next) {
    let cause: string | undefined;
    try {
      cause = findFault(req);
    } catch (error) {
      next(error);
      return;
    }
    if (cause !== undefined) {
      next(apiError("E0000006", { type: "https.required", causes: [cause] }));
      return;
    }
    if (strictTransportSecurity !== undefined) res.setHeader("Strict-Transport-Security", strictTransportSecurity);
    next();
  };

  function findFault(req: Request): string | undefined {
    const reported = req.headers["x-forwarded-proto"];
    if (reported !== undefined && findTrusted(req)(req.socket.remoteAddress)) {
      const scheme = reported === "https" ? reported : parseForwardedProto(String(reported));
      if (scheme === "https") return undefined;
      return scheme === "http"
        ? "The proxy received this request over HTTP. Send it to the https: address; there is no redirect."
        : 'X-Forwarded-Proto must end in "https" or "http", so that the request can be known to have come over HTTPS.';
    }
    if ((req.socket as Partial<TLSSocket>).encrypted) return undefined;
    return "This request came over HTTP. Send it to the https: address; there is no redirect.";
  }
}

function parseOptions(options: Readonly<HttpsOnlyOptions>) {
  assertKnownOptions("httpsOnly", options, OPTIONS);
  return {
    findTrusted: compileTrust("httpsOnly", options.trust),
    strictTransportSecurity: formatStrictTransportSecurity(options),
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
