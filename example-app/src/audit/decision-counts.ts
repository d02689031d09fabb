import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { isUnavailable } from "../store/contract/errors.js";
import { addCounts, type DecisionCount } from "../store/log/decisions.js";
import type { Store } from "../store/store.js";
import { providerIdOf, ruleIdOf } from "./decision-log.js";
import type { EndedRequest } from "./request-facts.js";

/** How long counts wait, in milliseconds. So an org costs a transaction a minute, however many requests it gets. */
const WRITE_MS = 60_000;

/** So many pairs of rules and providers are written at once. Twice as many may wait for the database; others are lost. */
export const MAX_PAIRS = 5_000;

/** Counts decisions by rule and provider, in memory and then in the database. */
export interface DecisionCounts {
  /** Never throws and never blocks. */
  add(end: EndedRequest): void;
  /** Write the counts that wait. */
  close(): Promise<void>;
}

export interface DecisionCountsOptions {
  store: Pick<Store, "write">;
  log: Pick<Logger, "warn">;
}

type Pair = DecisionCount & { count: number };

/**
 * Count the decisions of rules, under the first provider, and add the counts to those of the hour in which they are written.
 * While the database is unavailable they wait, if there is room.
 */
export function createDecisionCounts({ store, log }: Readonly<DecisionCountsOptions>): DecisionCounts {
  let waiting = createCounts();
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  return {
    add({ decision, facts }) {
      const ruleId = decision && ruleIdOf(decision);
      const [first] = decision?.answer.providers ?? [];
      if (ruleId === undefined || first === undefined || !facts.tenant) return;
      waiting.add(facts.tenant.org.id, { rule_id: ruleId, provider_id: providerIdOf(first), count: 1 });
      if (waiting.size >= MAX_PAIRS && !isFailing) void flush();
      else schedule();
    },
    async close() {
      await writing;
      await flush();
      clearTimeout(timer);
    },
  };

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), WRITE_MS).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function write(): Promise<void> {
    const taken = waiting;
    waiting = createCounts();
    isFailing = false;
    for (const [orgId, pairs] of taken.orgs) {
      await setImmediate(); // SQLite writes at once: without it all orgs would have one turn
      const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair);
      try {
        if (!isFailing) await store.write((transaction) => addCounts(transaction, orgId, sorted));
        else for (const pair of sorted) waiting.add(orgId, pair);
      } catch (error) {
        isFailing = isUnavailable(error);
        if (isFailing) for (const pair of sorted) waiting.add(orgId, pair);
        log.warn({ err: error, orgId, pairs: waiting.size }, "decisions could not be counted");
      }
    }
    if (waiting.size > 0) schedule();
  }
}

/** Counts of pairs, by org. */
function createCounts() {
  const orgs = new Map<string, Map<string, Pair>>();
  let size = 0;

  return {
    orgs,
    get size() {
      return size;
    },
    /** Does nothing for a new pair when there are too many. */
    add(orgId: string, pair: DecisionCount): void {
      const key = `${pair.rule_id} ${pair.provider_id}`;
      const pairs = orgs.get(orgId) ?? new Map<string, Pair>();
      const known = pairs.get(key);
      if (known) known.count += pair.count;
      else if (size < 2 * MAX_PAIRS) {
        size++;
        orgs.set(orgId, pairs.set(key, { ...pair }));
      }
    },
  };
}
