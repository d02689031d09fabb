import { integerOption } from "../options/index.js";

/** A JSON body of 1 MB over a link of 10 KB/s takes 100 s. */
const REQUEST_TIMEOUT = 120_000;

/** A header is a few packets; who needs longer holds the connection on purpose. */
const HEADERS_TIMEOUT = 20_000;

/**
 * Longer than the 60 s after which the usual load balancers give an idle connection up: if the server were first, they
 * would send requests into a connection that is being closed, and answer 502.
 */
const KEEP_ALIVE_TIMEOUT = 65_000;

/** An hour. There is no value for "never". */
const MAX_TIMEOUT = 3_600_000;

/** How often Node looks for late requests, at the least; by default it does every 30 s. */
const MAX_CHECKING_INTERVAL = 5_000;

/** In milliseconds, by the names of the properties of Node's servers. */
export interface ServerTimeouts {
  /** For the whole request to arrive. */
  readonly requestTimeout: number;
  /** For its header to arrive, at most `requestTimeout`. */
  readonly headersTimeout: number;
  /** For the next request to begin. */
  readonly keepAliveTimeout: number;
  /** Between two looks for late requests: how exact the first two are. */
  readonly connectionsCheckingInterval: number;
}

/**
 * The time-outs of a server, each 1–3,600,000, from options of the same names; what is absent gets a safe value.
 *
 * @param factory named in the error
 * @throws {TypeError} when one is out of bounds
 */
export function parseServerTimeouts(
  factory: string,
  options: Readonly<Partial<Record<"requestTimeout" | "headersTimeout" | "keepAliveTimeout", unknown>>>,
): ServerTimeouts {
  const requestTimeout = integerOption(factory, "requestTimeout", options.requestTimeout, {
    fallback: REQUEST_TIMEOUT,
    min: 1,
    max: MAX_TIMEOUT,
  });
  const headersTimeout = integerOption(factory, "headersTimeout", options.headersTimeout, {
    fallback: Math.min(HEADERS_TIMEOUT, requestTimeout),
    min: 1,
    max: requestTimeout,
  });
  const keepAliveTimeout = integerOption(factory, "keepAliveTimeout", options.keepAliveTimeout, {
    fallback: KEEP_ALIVE_TIMEOUT,
    min: 1,
    max: MAX_TIMEOUT,
  });
  const connectionsCheckingInterval = Math.min(MAX_CHECKING_INTERVAL, Math.ceil(headersTimeout / 4));
  return { requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval };
}
