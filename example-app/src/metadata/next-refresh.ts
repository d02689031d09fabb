import { createHash } from "node:crypto";

/** After the first failure, in milliseconds. It doubles with each further one, up to the interval. */
const FIRST_RETRY = 300_000;

/** The part of a delay that differs between providers, so that those of one import are not fetched at once. */
const JITTER = 1 / 10;

/**
 * When metadata is fetched next.
 *
 * @param failures how many attempts in a row have failed
 * @param interval between attempts that don't fail, in milliseconds
 */
export function nextRefresh(id: string, now: string, failures: number, interval: number): string {
  const delay = failures === 0 ? interval : Math.min(interval, FIRST_RETRY * 2 ** (failures - 1));
  return new Date(Date.parse(now) + Math.round(delay * (1 - JITTER * fractionOf(id)))).toISOString();
}

/** Always the same for an id: from 0 up to 1. */
function fractionOf(id: string): number {
  return createHash("sha256").update(id).digest().readUInt32BE() / 2 ** 32;
}
