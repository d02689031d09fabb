import { compileTrustList, type IpRangeSet } from "../net/index.js";
import { optionError } from "../factory/index.js";

/** As long as nginx and Apache wait for a client that doesn't read. */
const WRITE_TIMEOUT = 60_000;

/** As many as HTTP/2 servers usually allow, which call them concurrent streams. Few clients pipeline, and those by tens. */
const MAX_PENDING_RESPONSES = 100;

/** An idle connection with TLS takes about 50 KB, so these take 500 MB. */
const MAX_CONNECTIONS = 10_000;

/** Enough for an office or a provider of mobile Internet behind one address; ten such addresses fill the server. */
const MAX_CONNECTIONS_PER_IP = 1_000;

/** An hour. */
const MAX_TIMEOUT = 3_600_000;

const MAX_COUNT = 1_000_000;

/** Options that limit what the clients of a server can hold. `false` or `Infinity` turns a limit off. */
export interface ConnectionOptions {
  /**
   * Milliseconds that a client may take no byte although bytes wait for it, 1–3,600,000. Then its connection is closed,
   * between this time and a quarter more; after a quarter of this time when 1 MiB or more waits.
   *
   * @default 60000
   */
  writeTimeout?: number | false;

  /**
   * The most requests of one connection that wait for their response or its end, 1–1,000,000. One more is 429, after the
   * responses to those, and the connection is closed.
   *
   * @default 100
   */
  maxPendingResponses?: number | false;

  /**
   * The most connections, 1–1,000,000. One more is closed at once, and the server emits `drop`.
   *
   * @default 10000
   */
  maxConnections?: number | false;

  /**
   * The most connections from one address, 1–1,000,000, or from one /64 of IPv6. The addresses in `trust` don't count.
   *
   * @default 1000
   */
  maxConnectionsPerIp?: number | false;

  /**
   * The most requests on one connection, 1–1,000,000. The response to the last one has `Connection: close`.
   *
   * @default false
   */
  maxRequestsPerSocket?: number | false;

  /**
   * Proxies in front of the server: addresses, CIDR blocks, `loopback`, `linklocal` or `uniquelocal`, in an array or in a
   * string with commas. Each may hold any number of connections up to `maxConnections`.
   *
   * @default undefined: no address
   */
  trust?: string | readonly string[];
}

export const CONNECTION_OPTIONS: Record<keyof ConnectionOptions, true> = {
  writeTimeout: true,
  maxPendingResponses: true,
  maxConnections: true,
  maxConnectionsPerIp: true,
  maxRequestsPerSocket: true,
  trust: true,
};

/** The options, checked. `Infinity` stands for no limit. */
export interface ConnectionSettings extends Record<Exclude<keyof ConnectionOptions, "trust">, number> {
  /** Whether an address may hold any number of connections. */
  readonly isProxy: IpRangeSet;
}

/** @throws {TypeError} when an option is of the wrong type or out of bounds */
export function parseConnectionOptions(factory: string, options: Readonly<ConnectionOptions>): ConnectionSettings {
  const limit = (name: Exclude<keyof ConnectionOptions, "trust">, fallback: number, max = MAX_COUNT): number =>
    limitOption(factory, name, options[name], fallback, max);
  return {
    writeTimeout: limit("writeTimeout", WRITE_TIMEOUT, MAX_TIMEOUT),
    maxPendingResponses: limit("maxPendingResponses", MAX_PENDING_RESPONSES),
    maxConnections: limit("maxConnections", MAX_CONNECTIONS),
    maxConnectionsPerIp: limit("maxConnectionsPerIp", MAX_CONNECTIONS_PER_IP),
    maxRequestsPerSocket: limit("maxRequestsPerSocket", Infinity),
    isProxy: compileTrustList(factory, options.trust),
  };
}

/** `value`, or `fallback` when it is absent; `false` means `Infinity`. */
function limitOption(factory: string, option: string, value: unknown, fallback: number, max: number): number {
  if (value === undefined) return fallback;
  if (value === false || value === Infinity) return Infinity;
  if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > max) {
    throw optionError(factory, option, `an integer from 1 to ${max}, false or Infinity`);
  }
  return value as number;
}
