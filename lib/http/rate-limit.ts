import { formatListField, type FieldMemberInput } from "./format-structured-field.js";
import { type BareItem, MAX_INTEGER } from "./structured-field.js";

/*
 * The fields `RateLimit` and `RateLimit-Policy`, draft-ietf-httpapi-ratelimit-headers-11.
 */

/** At most so many limits go into the fields of one response. */
const MAX_POLICIES = 16;

/** What a string of a structured field consists of. */
const PRINTABLE_REGEXP = /^[\x20-\x7e]*$/;

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
  const areTexts = isPrintable(policy) && isPrintable(unit);
  return areNumbers && areTexts && typeof allowed === "boolean" && isPartition(partition);
}

function isPrintable(text: unknown): boolean {
  return typeof text === "string" && PRINTABLE_REGEXP.test(text);
}

function isPartition(partition: unknown): boolean {
  return typeof partition === "string" || partition instanceof Uint8Array;
}

/** When the window ends, in milliseconds since 1970. */
export function endOfWindow({ reset }: RateLimit, time: number): number {
  return typeof reset === "number" ? time + reset : Number(reset);
}

/** The one that refuses, else the one with less left. */
export function tighterLimit(a: RateLimit, b: RateLimit): RateLimit {
  if (a.allowed !== b.allowed) return a.allowed ? b : a;
  return b.remaining < a.remaining ? b : a;
}

/** The value of `RateLimit-Policy`. */
export function formatPolicies(limits: readonly RateLimit[]): string {
  return formatListField(limits.map(toPolicy));
}

/** The value of `RateLimit`. */
export function formatServiceLimits(limits: readonly RateLimit[], time: number): string {
  return formatListField(limits.map((limit) => toServiceLimit(limit, time)));
}

function toPolicy({ policy = "default", limit, window, unit, partition }: RateLimit): FieldMemberInput {
  const parameters: [string, BareItem][] = [["q", toInteger(limit)]];
  if (unit !== undefined) parameters.push(["qu", unit]);
  if (window !== undefined) parameters.push(["w", toInteger(Math.ceil(window / 1_000))]);
  if (partition !== undefined) parameters.push(["pk", Buffer.from(partition)]);
  return { value: policy, parameters };
}

function toServiceLimit(state: RateLimit, time: number): FieldMemberInput {
  const { policy = "default", remaining, partition } = state;
  const seconds = Math.ceil((endOfWindow(state, time) - time) / 1_000);
  const parameters: [string, BareItem][] = [
    ["r", toInteger(remaining)],
    ["t", toInteger(seconds)],
  ];
  if (partition !== undefined) parameters.push(["pk", Buffer.from(partition)]);
  return { value: policy, parameters };
}

/** The fields contain whole numbers that are not negative. */
export function toCount(value: number): number {
  return Math.max(0, Math.floor(value));
}

function toInteger(value: number): number {
  return Math.min(toCount(value), MAX_INTEGER);
}
