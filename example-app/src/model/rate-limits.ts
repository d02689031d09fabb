/** The classes of requests, and how many requests of each a client may send in a window (rule S8). */
export const DEFAULT_RATE_LIMITS = {
  /** WebFinger and the metadata of identity providers, per address. */
  discovery: 6_000,
  /** `/sso`, per address. */
  signOn: 600,
  /** Requests that were refused before their token was checked, or because of it, per address. */
  failures: 300,
  /** GET in the API, except the System Log, per token. */
  read: 3_000,
  /** All other methods of the API, per token. */
  write: 600,
  /** Queries of the System Log, per token. */
  logs: 300,
} as const;

export type RateClass = keyof typeof DEFAULT_RATE_LIMITS;

export const RATE_CLASSES = Object.keys(DEFAULT_RATE_LIMITS) as readonly RateClass[];

/** How many requests a client may send in a window, by class. */
export type RateLimits = Readonly<Record<RateClass, number>>;

/** The rate limits of the service. */
export interface RateLimitSettings {
  /** Seconds. */
  readonly window: number;
  readonly limits: RateLimits;
}

export const MAX_RATE_WINDOW = 3_600;

export const MAX_RATE_LIMIT = 1_000_000;

export const DEFAULT_RATE_LIMIT_SETTINGS: RateLimitSettings = { window: 60, limits: DEFAULT_RATE_LIMITS };

/** All tokens of an org together may send this many times what one may. */
export const ORG_FACTOR = 4;
