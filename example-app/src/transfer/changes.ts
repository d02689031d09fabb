import { isDeepStrictEqual } from "node:util";
import type { Path } from "../model/faults.js";
import type { User } from "../model/records.js";
import type { Located } from "./document.js";
import type { Identified, Merge } from "./merge.js";

/** The kinds of records that administrators of an org manage. */
export const MANAGED_KINDS = ["idps", "zones", "trustedOrigins", "rules", "users"] as const;
export type ManagedKind = (typeof MANAGED_KINDS)[number];

/** What an import does with a record. */
export interface Change {
  readonly kind: ManagedKind;
  /** The place of the record in the file. */
  readonly path: Path;
  readonly event: "create" | "update";
  readonly id: string;
  /** The name of the record, or the login of a user. */
  readonly name: string;
  /** The members of an updated record that differ: `status`, `profile.department`. */
  readonly members: readonly string[];
}

/** Members that change by themselves. */
const DERIVED: ReadonlySet<string> = new Set(["lastUpdated", "statusChanged", "activated"]);

/** @param written the records as they are written, if that differs from what was merged */
export function* listChanges<R extends Identified & (Pick<User, "profile"> | { name: string })>(
  kind: ManagedKind,
  wanted: readonly Located<unknown>[],
  { records, changed }: Merge<R>,
  stored: readonly R[],
  written: readonly R[] = [],
): Generator<Change> {
  const before = new Map(stored.map((record) => [record.id, record]));
  const after = new Map(written.map((record) => [record.id, record]));
  for (const [i, record] of records.entries()) {
    const event = changed.get(record);
    if (event === undefined) continue;
    const { id } = record;
    const name = "profile" in record ? record.profile.login : record.name;
    const members = event === "create" ? [] : findDifferences(before.get(id) ?? {}, after.get(id) ?? record);
    yield { kind, path: wanted[i]?.path ?? [], event, id, name, members };
  }
}

/** The members of two versions of a record that differ, but for dates. */
export function findDifferences(before: object, after: object): string[] {
  const [a, b] = [before, after] as readonly Record<string, unknown>[];
  return Object.keys({ ...a, ...b })
    .filter((key) => !DERIVED.has(key) && !isDeepStrictEqual(a?.[key], b?.[key]))
    .flatMap((key) =>
      key === "profile"
        ? findDifferences(a?.[key] as object, b?.[key] as object).map((member) => `profile.${member}`)
        : [key],
    );
}
