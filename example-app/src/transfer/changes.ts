import { isDeepStrictEqual } from "node:util";
import type { Path } from "../model/faults.js";
import type { KindName, Merged, Stored } from "./kind.js";
import { KINDS } from "./kinds.js";
import type { Located } from "./located.js";

/** What an import does with a record. */
export interface Change {
  readonly kind: KindName;
  /** The place of the record in the file, or of the list that leaves it out. */
  readonly path: Path;
  readonly event: "create" | "update" | "delete";
  readonly id: string;
  /** The name of the record, or the login of a user. */
  readonly name: string;
  /** The members of an updated record that differ: `status`, `profile.department`. */
  readonly members: readonly string[];
}

/** Members that change by themselves. */
const DERIVED: ReadonlySet<string> = new Set(["lastUpdated", "statusChanged", "activated", "metadata"]);

const NONE: typeof DERIVED = new Set();

/** @param written the records as they are written, which may differ from what was merged */
export function* listChanges<K extends KindName>(
  kind: K,
  wanted: readonly Located<unknown>[],
  { records, changed, before }: Merged[K],
  written: Stored[K],
): Generator<Change> {
  const { nameOf } = KINDS[kind];
  const after = new Map(written.map((record) => [record.id, record]));
  for (const [i, record] of records.entries()) {
    const event = changed.get(record);
    if (event === undefined) continue;
    const { id } = record;
    const members = event === "create" ? [] : findDifferences(before.get(id) ?? {}, after.get(id) ?? record);
    yield { kind, path: wanted[i]?.path ?? [], event, id, name: nameOf(record), members };
  }
}

/** The records that a whole list of the file leaves out. */
export function* listRemovals<K extends KindName>(
  kind: K,
  { path }: Located<unknown>,
  removed: Stored[K],
): Generator<Change> {
  const { nameOf } = KINDS[kind];
  const list = [...path, kind];
  for (const record of removed) {
    yield { kind, path: list, event: "delete", id: record.id, name: nameOf(record), members: [] };
  }
}

/** The members of two versions of a record that differ, but for what changes by itself. */
export function findDifferences(before: object, after: object, derived = DERIVED): string[] {
  const [a, b] = [before, after] as readonly Record<string, unknown>[];
  return Object.keys({ ...a, ...b })
    .filter((key) => !derived.has(key) && !isDeepStrictEqual(a?.[key], b?.[key]))
    .flatMap((key) =>
      key === "profile"
        ? findDifferences(a?.[key] as object, b?.[key] as object, NONE).map((member) => `profile.${member}`)
        : [key],
    );
}
