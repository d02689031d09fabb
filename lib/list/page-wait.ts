import { parseListField } from "../http/index.js";

interface LimitedResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** The statuses that ask for a pause: too many requests, and a server that is busy (RFC 9110 section 10.2.3). */
const PAUSES: ReadonlySet<number> = new Set([429, 503]);

/** Whether a response asks to come again later. */
export function isPause({ status }: LimitedResponse): boolean {
  return PAUSES.has(status);
}

/**
 * How many milliseconds the next request has to wait: what `Retry-After` says, else, when a limit has nothing left, until
 * it has. `RateLimit` (draft-11) counts before `X-Rate-Limit-Reset`. `undefined` when nothing says so, 0 when it is over.
 */
export function waitAfter(response: LimitedResponse, now: number): number | undefined {
  const { headers } = response;
  const time = timeOf(headers.get("Date")) ?? now; // of the server, whose clock may differ
  if (isPause(response)) {
    const wait = readRetryAfter(headers.get("Retry-After"), time);
    if (wait !== undefined) return wait;
  }
  return readRateLimit(headers.get("RateLimit")) ?? readReset(headers, time);
}

function readRetryAfter(text: string | null, time: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,10}$/.test(text)) return 1_000 * Number(text);
  const until = timeOf(text);
  return until === undefined ? undefined : Math.max(0, until - time);
}

/** The longest of the limits of which nothing is left. */
function readRateLimit(text: string | null): number | undefined {
  let longest: number | undefined;
  for (const { parameters } of parseListField(text ?? "") ?? []) {
    const seconds = parameters.get("t");
    if (parameters.get("r") !== 0 || typeof seconds !== "number" || seconds < 0) continue;
    longest = Math.max(longest ?? 0, 1_000 * seconds);
  }
  return longest;
}

function readReset(headers: LimitedResponse["headers"], time: number): number | undefined {
  const [remaining, reset] = [headers.get("X-Rate-Limit-Remaining"), headers.get("X-Rate-Limit-Reset")];
  if (remaining?.trim() !== "0" || reset === null || !/^\d{1,12}$/.test(reset)) return undefined;
  return Math.max(0, 1_000 * Number(reset) - time);
}

function timeOf(text: string | null): number | undefined {
  const time = text === null ? NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Wait, unless `signal` ends it.
 *
 * @throws the reason of `signal`
 */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let stop: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    // eslint-disable-next-line house/restricted-syntax -- a client has no server whose timers it could use
    const timer = setTimeout(resolve, milliseconds);
    stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
  if (stop) signal?.removeEventListener("abort", stop);
  signal?.throwIfAborted();
}
