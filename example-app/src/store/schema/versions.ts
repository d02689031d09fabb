import { MIGRATIONS } from "./migrations/index.js";

/** Ends the name of a migration: the version of the schema that it belongs to. Those of version 1 have no such end. */
const VERSION_REGEXP = /@(\d{1,9})$/;

/** The version of the schema that this code is for. A release that changes the schema raises it by one. */
export const SCHEMA_VERSION = newestOf(Object.keys(MIGRATIONS));

/** @returns `undefined` when no version is known that has this migration */
export function versionOf(name: string): number | undefined {
  const version = VERSION_REGEXP.exec(name)?.[1];
  if (version !== undefined) return Number(version);
  return Object.hasOwn(MIGRATIONS, name) ? 1 : undefined;
}

/** The newest version of these migrations, at least 1. */
export function newestOf(names: readonly string[]): number {
  return Math.max(1, ...names.map((name) => versionOf(name) ?? 1));
}

/** Migrations that have run and that this code doesn't know. */
export interface Unknown {
  /** Of the next version at most: this code works with what they made. */
  readonly newer: readonly string[];
  /** Why this code can't work with the database, after its name: `was made …`. The remedy is to update the server. */
  readonly refusal: string | undefined;
}

/**
 * Judge what other versions did to the database. A migration of the next version breaks nothing that this one needs.
 *
 * @param version of the code
 */
export function judgeUnknown(unknown: readonly string[], version = SCHEMA_VERSION): Unknown {
  const strange = unknown.find((name) => versionOf(name) === undefined);
  if (strange !== undefined) {
    return { newer: [], refusal: `was made by a newer version of the server (it has the migration ${strange})` };
  }
  const newest = newestOf(unknown);
  if (newest <= version + 1) return { newer: unknown, refusal: undefined };
  const limit = `this server has ${version}, and works with ${version + 1} at most`;
  return { newer: [], refusal: `has version ${newest} of the schema (${limit})` };
}
