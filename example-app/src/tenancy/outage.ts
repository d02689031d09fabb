import type { Logger } from "pino";
import { BusyError } from "../pace/turns.js";
import { within } from "../pace/within.js";
import { isUnavailable } from "../store/contract/errors.js";

/** A look-up that takes longer makes one ask whether the database answers at all, and how long that may take. */
const PATIENCE_MS = 500;

/** The pause between two questions whether the database answers again. */
const PAUSE_MS = 1_000;

/** Whether the database answers, as look-ups see it. While it doesn't, what is known counts for a limited time. */
export interface Outage {
  readonly isOn: () => boolean;
  /** Whether what was current so many milliseconds ago may count during an outage. */
  readonly covers: (age: number) => boolean;
  /** The database has answered. */
  readonly end: () => void;
  /**
   * The result of a look-up; what is known when it fails because of the database, and at once while that does not answer. A
   * look-up that fails while it answers, such as one whose connection led to a former primary, is repeated once. Other errors
   * are thrown.
   */
  readonly bridge: <V>(lookUp: () => Promise<V | undefined>, known: Known<V>) => V | Promise<V | undefined>;
}

interface Known<V> {
  readonly value: V;
  /** Called when it is the result. */
  readonly onUse: () => void;
}

export interface OutageOptions {
  /** Milliseconds for which what is known counts; 0 for never. */
  limit: number;
  /**
   * Milliseconds since the database last confirmed anything, if it has not been opened yet.
   *
   * @default () => undefined
   */
  unopenedFor?: () => number | undefined;
  ping: () => Promise<unknown>;
  log: Pick<Logger, "warn">;
}

export function createOutage({ limit, ping, log, unopenedFor = () => undefined }: Readonly<OutageOptions>): Outage {
  let since: number | undefined;
  let isAsking = false;
  let nextQuestion = 0;

  return {
    isOn: () => since !== undefined,
    covers: (age) => Math.max(age, unopenedFor() ?? 0) < limit,
    end,
    bridge(lookUp, known) {
      if (since === undefined) return attempt(lookUp, known);
      probe();
      return use(known);
    },
  };

  async function attempt<V>(lookUp: () => Promise<V | undefined>, known: Known<V>): Promise<V | undefined> {
    const first = lookUp();
    const failure = await failureOf(first);
    if (failure === undefined) return first;
    if (await within(PATIENCE_MS, isAnswered(ping()))) return repeat(first, lookUp, known);
    first.catch(ignore); // it fails later, when nobody waits for it
    begin();
    return use(known);
  }

  /** Waits for a look-up while the database answers. */
  async function repeat<V>(
    first: Promise<V | undefined>,
    lookUp: () => Promise<V | undefined>,
    known: Known<V>,
  ): Promise<V | undefined> {
    try {
      return await first.catch((error: unknown) => (isUnavailable(error) ? lookUp() : Promise.reject(error as Error)));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log.warn({ err: error }, "a look-up failed though the database answers: what is known is used this time");
      return use(known);
    }
  }

  /** Asks now and then whether the database answers again. It takes no time. */
  function probe(): void {
    if (isAsking || performance.now() < nextQuestion) return;
    isAsking = true;
    void isAnswered(ping()).then((isAlive) => {
      isAsking = false;
      nextQuestion = performance.now() + PAUSE_MS;
      if (isAlive) end();
    });
  }

  function begin(): void {
    if (since !== undefined || limit === 0) return;
    since = performance.now();
    nextQuestion = since + PAUSE_MS;
    log.warn({ limitMs: limit }, "the database does not answer: discovery goes on with what is known");
  }

  function end(): void {
    if (since === undefined) return;
    const duration = Math.round(performance.now() - since);
    since = undefined;
    log.warn({ durationMs: duration }, "the database answers again");
  }
}

function use<V>({ value, onUse }: Known<V>): V {
  onUse();
  return value;
}

/** Whether the database says something. A process that is too busy to ask it does not know. */
function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => true,
    (error: unknown) => error instanceof BusyError,
  );
}

/** A look-up that says nothing in time. */
const SILENCE = "silence";

/** Why the result of a look-up is not there; `undefined` when it is. Errors that are no outage are thrown. */
async function failureOf(lookup: Promise<unknown>): Promise<unknown> {
  try {
    const isDone = lookup.then(() => true);
    return (await within(PATIENCE_MS, isDone)) ? undefined : SILENCE;
  } catch (error) {
    if (!isUnavailable(error) || error instanceof BusyError) throw error;
    return error;
  }
}

function ignore(): void {
  // what is known is used
}
