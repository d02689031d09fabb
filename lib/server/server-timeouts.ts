import { integerOption } from "../factory/index.js";

/** A JSON body of 1 MB over a link of 10 KB/s takes 100 s. With the interval of the checks, nobody stays two minutes. */
const REQUEST_TIMEOUT = 110_000;

/** A header is a few packets; a client that needs longer keeps the connection open on purpose. */
const HEADERS_TIMEOUT = 20_000;

/**
 * Longer than the 60 s after which the usual load balancers close an idle connection. If the server closed it first, they
 * could send a request into a connection that is being closed, and would respond with 502.
 */
const KEEP_ALIVE_TIMEOUT = 65_000;

/** An hour. There is no value for "never". */
const MAX_TIMEOUT = 3_600_000;

/** The longest interval between two checks for late requests; Node's default is 30 s. */
const MAX_CHECKING_INTERVAL = 5_000;

/** In milliseconds. The names are those of the properties of Node's servers. */
export interface ServerTimeouts {
  /** The time for the whole request to arrive. */
  readonly requestTimeout: number;
  /** The time for the header to arrive, at most `requestTimeout`. */
  readonly headersTimeout: number;
  /** The time until the next request must begin. */
  readonly keepAliveTimeout: number;
  /** The interval between two checks for late requests: how exact the first two are. */
  readonly connectionsCheckingInterval: number;
}

/**
 * Read the time-outs of a server, each 1–3,600,000 ms, from the options of the same names. Each has a safe default.
 *
 * @param factory the function that the error message names
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
