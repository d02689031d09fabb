import type { Answer, Routing } from "../../discovery/compile-routing.js";
import type { Question } from "../../discovery/conditions.js";
import type { ApiSettings } from "../../model/api-settings.js";
import type { Steps, StepsRunner } from "../../pace/steps.js";
import type { LogSpan, SignOnRow } from "../../store/log/sign-ons.js";
import type { OrgStore } from "../../store/store.js";
import { createLoginReader, type AskedLogin } from "./asked-logins.js";
import { createMoves, type Move, type Moves } from "./moves.js";
import { createProfileFinder, type ReadProfiles } from "./profiles.js";
import { createLoginSample, type LoginSample } from "./sample.js";
import { readSignOns } from "./sign-ons.js";

/** What a replay may cost. */
export const REPLAY_LIMITS = {
  /** The most events that are read. */
  events: 1_000_000,
  /** The most logins that are replayed; of more, a sample. */
  logins: 100_000,
  /** The most memory that logins take, in bytes. */
  bytes: 1 << 26,
  /** How long events are read, and then how long logins are replayed, in milliseconds. */
  readMs: 25_000,
  routeMs: 25_000,
  /** The moves that are listed, and the examples of each. */
  moves: 100,
  examples: 10,
} as const;

export type ReplayLimits = Readonly<Record<keyof typeof REPLAY_LIMITS, number>>;

export interface ReplayOptions {
  readonly data: Pick<OrgStore, "search">;
  readonly span: LogSpan;
  readonly current: Routing;
  /** The rules after the change. */
  readonly changed: Routing;
  /** Does work in turn with that of other orgs. */
  readonly run: StepsRunner;
  readonly readProfiles: ReadProfiles;
  /** Decides whether the profile may be read. */
  readonly guard: (question: Question) => Question;
  /** Ends the replay when it is aborted. */
  readonly signal: AbortSignal;
}

export interface Replay extends LogSpan {
  /** How many were read. */
  readonly events: number;
  /** How many of them tell of a login that was erased or cut. */
  readonly unreadable: number;
  /** How many logins were replayed. */
  readonly logins: number;
  readonly isSample: boolean;
  /** Whether all events of the span were read, and all logins replayed. */
  readonly isComplete: boolean;
  readonly changed: number;
  readonly moves: readonly Move[];
  /** The logins of moves that are not listed. */
  readonly others: number;
}

/** Logins that are replayed before the next look at the clock. */
const BATCH_SIZE = 256;

/** What an event costs beside its text, see {@link Steps}, and how many characters cost one. */
const EVENT_COST = 4;
const CHARACTERS_PER_COST = 256;

/** A function that asks the rules before and after a change for the logins in the log. */
export function createReplay(
  settings: Pick<ApiSettings, "namespace" | "resourceAliases">,
  limits: ReplayLimits = REPLAY_LIMITS,
) {
  const readEvents = createEventReader(settings, limits);

  return async function replay(options: ReplayOptions): Promise<Replay> {
    const sample = createLoginSample(limits);
    const { isComplete: hasRead, ...read } = await readEvents(options, sample);
    const moves = createMoves(limits);
    const { isComplete: hasRouted, logins } = await routeLogins(options, {
      logins: sample.logins(),
      moves,
      end: performance.now() + limits.routeMs,
    });
    const { listed, others } = await options.run(moves.list());
    return {
      ...read,
      until: options.span.until,
      logins,
      isSample: sample.isPart(),
      isComplete: hasRead && hasRouted,
      changed: moves.changed(),
      moves: listed,
      others,
    };
  };
}

function createEventReader(settings: Parameters<typeof createLoginReader>[0], limits: ReplayLimits) {
  const readLogin = createLoginReader(settings);

  return async function readEvents({ data, span, run, signal }: ReplayOptions, sample: LoginSample) {
    const end = performance.now() + limits.readMs;
    let { since } = span;
    let [events, unreadable, isComplete] = [0, 0, true];
    for await (const rows of readSignOns(data, span)) {
      signal.throwIfAborted();
      const part = rows.slice(0, limits.events - events);
      unreadable += await run(takeLogins(part, sample));
      events += part.length;
      since = part.at(-1)?.published ?? since;
      isComplete = part.length === rows.length && performance.now() < end;
      if (!isComplete) break;
    }
    return { since, events, unreadable, isComplete };
  };

  /** @returns how many events tell of a login that can't be read */
  function* takeLogins(rows: readonly SignOnRow[], sample: LoginSample): Steps<number> {
    let unreadable = 0;
    for (const row of rows) {
      yield EVENT_COST + row.event.length / CHARACTERS_PER_COST;
      const asked = readLogin(row);
      if (asked === "unreadable") unreadable++;
      else if (asked) yield* sample.add(asked);
    }
    return unreadable;
  }
}

interface Route {
  readonly logins: Iterable<AskedLogin>;
  readonly moves: Moves;
  /** The time of `performance.now()` after which no more logins are replayed. */
  readonly end: number;
}

async function routeLogins(
  { current, changed, run, readProfiles, guard, signal }: ReplayOptions,
  { logins, moves, end }: Route,
) {
  const findProfile = createProfileFinder(readProfiles);
  let count = 0;
  for (const batch of batchesOf(logins)) {
    signal.throwIfAborted();
    if (performance.now() >= end) return { logins: count, isComplete: false };
    const questions = batch.map((asked) => guard(createQuestion(asked, findProfile)));
    const before = await Promise.all(await run(askAll(current, questions)));
    const after = await Promise.all(await run(askAll(changed, questions)));
    for (const [i, asked] of batch.entries()) {
      const [one, other] = [before[i], after[i]];
      if (one && other) moves.add({ asked, before: one, after: other });
    }
    count += batch.length;
  }
  return { logins: count, isComplete: true };
}

/** What one answer costs shows only when it is there. Some wait for a profile. */
function* askAll(route: Routing, questions: readonly Question[]): Steps<Promise<Answer>[]> {
  const answers: Promise<Answer>[] = [];
  for (const question of questions) {
    const start = performance.now();
    const answer = Promise.resolve(route(question));
    answer.catch(ignore); // its error shows when all are awaited
    answers.push(answer);
    yield 1_000 * (performance.now() - start);
  }
  return answers;
}

function createQuestion(
  { login, clientIp, platform }: AskedLogin,
  findProfile: ReturnType<typeof createProfileFinder>,
): Question {
  return { login, clientIp, platform, lookupProfile: (names) => findProfile(login, names) };
}

function* batchesOf(logins: Iterable<AskedLogin>): Iterable<AskedLogin[]> {
  let batch: AskedLogin[] = [];
  for (const login of logins) {
    batch.push(login);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function ignore(): void {
  // nothing to do
}
