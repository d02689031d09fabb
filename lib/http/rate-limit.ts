import { formatBareItem } from "./format-structured-field.js";
import { isPrintable, MAX_INTEGER } from "./structured-field.js";

/*
 * The fields `RateLimit` and `RateLimit-Policy`, draft-ietf-httpapi-ratelimit-headers-11.
 */

/** At most so many limits go into the fields of one response. */
const MAX_POLICIES = 16;

/** The state of a limiter after it counted a request. The optional members are for `RateLimit` and `RateLimit-Policy`. */
export interface RateLimit {
  /** How many requests the window allows. */
  readonly limit: number;
  /** How many requests are left; a negative number counts as 0. */
  readonly remaining: number;
  /** When the window ends: an instant, or the milliseconds until then. */
  readonly reset: Date | number;
  /** Whether this request is within the limit. */
  readonly allowed: boolean;
  /**
   * The name of the policy, in printable ASCII.
   *
   * @default "default"
   */
  readonly policy?: string;
  /** How long a window is, in milliseconds. */
  readonly window?: number;
  /**
   * What is counted: `"requests"`, `"content-bytes"`, `"concurrent-requests"` or a unit of the API's own.
   *
   * @default requests
   */
  readonly unit?: string;
  /** Whom the limit counts, so that a client with several limits tells them apart. Clients see it: give no secret. */
  readonly partition?: string | Uint8Array;
}

/** Whether these are at most 16 limits, whose members have the types of {@link RateLimit}, and texts that fields can contain. */
export function areRateLimits(limits: readonly RateLimit[], time: number): boolean {
  return limits.length <= MAX_POLICIES && limits.every((limit) => isRateLimit(limit, time));
}

function isRateLimit(state: RateLimit, time: number): boolean {
  if (typeof state !== "object" || (state as RateLimit | null) === null) return false;
  const { limit, remaining, allowed, policy = "", window = 0, unit = "", partition = "" } = state;
  const areNumbers = [limit, remaining, endOfWindow(state, time), window].every(Number.isFinite);
  const areTexts = isFieldText(policy) && isFieldText(unit);
  return areNumbers && areTexts && typeof allowed === "boolean" && isPartition(partition);
}

function isFieldText(text: unknown): boolean {
  return typeof text === "string" && isPrintable(text);
}

function isPartition(partition: unknown): boolean {
  return typeof partition === "string" || partition instanceof Uint8Array;
}

/** When the window ends, in milliseconds since 1970. */
export function endOfWindow({ reset }: RateLimit, time: number): number {
  return typeof reset === "number" ? time + reset : Number(reset);
}

/** The limit that holds a client back: the last to end of those that refuse, else the one with the least left. */
export function strictestLimit(limits: readonly RateLimit[], time: number): RateLimit {
  return limits.reduce((a, b) => {
    if (a.allowed !== b.allowed) return a.allowed ? b : a;
    const isStricter = a.allowed ? b.remaining < a.remaining : endOfWindow(b, time) > endOfWindow(a, time);
    return isStricter ? b : a;
  });
}

/** The value of `RateLimit-Policy`. */
export function formatPolicies(limits: readonly RateLimit[]): string {
  return limits.map(formatPolicy).join(", ");
}

/** The value of `RateLimit`. */
export function formatServiceLimits(limits: readonly RateLimit[], time: number): string {
  return limits.map((limit) => formatServiceLimit(limit, time)).join(", ");
}

/* As formatListField() would, but faster: these are on every response. */
function formatPolicy({ policy = "default", limit, window, unit, partition }: RateLimit): string {
  const quotaUnit = unit === undefined ? "" : `;qu=${formatBareItem(unit)}`;
  const seconds = window === undefined ? "" : `;w=${toInteger(Math.ceil(window / 1_000))}`;
  return `${formatBareItem(policy)};q=${toInteger(limit)}${quotaUnit}${seconds}${formatPartition(partition)}`;
}

function formatServiceLimit(state: RateLimit, time: number): string {
  const { policy = "default", remaining, partition } = state;
  const seconds = toInteger(Math.ceil((endOfWindow(state, time) - time) / 1_000));
  return `${formatBareItem(policy)};r=${toInteger(remaining)};t=${seconds}${formatPartition(partition)}`;
}

function formatPartition(partition: RateLimit["partition"]): string {
  return partition === undefined ? "" : `;pk=${formatBareItem(Buffer.from(partition))}`;
}

/** The fields contain whole numbers that are not negative. */
export function toCount(value: number): number {
  return Math.max(0, Math.floor(value));
}

function toInteger(value: number): number {
  return Math.min(toCount(value), MAX_INTEGER);
}
