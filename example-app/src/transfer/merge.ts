import { isDeepStrictEqual } from "node:util";
import type { Steps } from "../pace/steps.js";
import { excerpt } from "../model/faults.js";
import { createId } from "../model/ids.js";
import type { Stamped } from "../model/records.js";
import { costOf } from "./costs.js";
import type { Located, Report } from "./located.js";

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  /** Only of an import that removes what whole lists leave out. */
  removed?: number;
}

export interface Identified extends Stamped {
  id: string;
}

/** The records of one kind in a file, merged with the stored ones. */
export interface Merge<R> {
  /** In the order of the file. */
  records: R[];
  /** The records that are new or differ from the stored ones, each with its event. */
  changed: Map<R, "create" | "update">;
  counts: Counts;
  /** The stored records by id. */
  before: ReadonlyMap<string, R>;
}

export interface MergeOptions<F, R extends Identified> {
  /** The key that identifies a record; the file can't change it. */
  keyOf: (record: F | R) => string;
  /** The record as the file describes it. */
  build: (wanted: Located<F>, stored: R | undefined) => Omit<R, keyof Identified>;
  now: string;
  report: Report;
}

/** What the comparison of a record costs beside that of its members, see {@link Steps}. */
const COMPARE_COST = 10;

/**
 * Compare the records of a file with the stored ones of the same kind. An id in the file must equal the stored one, or
 * becomes the id of a new record.
 */
export function* merge<F extends { id?: string }, R extends Identified>(
  wanted: readonly Located<F>[],
  stored: readonly R[],
  { keyOf, build, now, report }: MergeOptions<F, R>,
): Steps<Merge<R>> {
  const byKey = new Map(stored.map((record) => [keyOf(record), record]));
  const byId = new Map(stored.map((record) => [record.id, record]));
  const changed: Merge<R>["changed"] = new Map();
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 };

  const records: R[] = [];
  for (const located of wanted) {
    const { path, value } = located;
    const before = byKey.get(keyOf(value));
    yield COMPARE_COST + costOf(value) + costOf(before);
    const owner = value.id === undefined ? before : byId.get(value.id);
    if (owner !== before) {
      const reason = before ? `is not that of ${excerpt(keyOf(value))}, which is ${before.id}` : ownedBy(owner, keyOf);
      report([...path, "id"], reason);
    }

    const { id, created, lastUpdated } = before ?? { id: value.id ?? createId(), created: now, lastUpdated: now };
    const record = { ...build(located, before), id, created, lastUpdated } as R;
    if (before && isDeepStrictEqual(record, before)) {
      counts.unchanged++;
      records.push(before);
      continue;
    }
    counts[before ? "updated" : "created"]++;
    record.lastUpdated = now;
    changed.set(record, before ? "update" : "create");
    records.push(record);
  }
  return { records, changed, counts, before: byId };
}

function ownedBy<R>(owner: R | undefined, keyOf: (record: R) => string): string {
  return `belongs to ${owner === undefined ? "another record" : excerpt(keyOf(owner))}; an import does not rename`;
}
