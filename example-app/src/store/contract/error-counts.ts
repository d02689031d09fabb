/** What can be wrong with the database, or with the way to it. */
export const DATABASE_ERROR_KINDS = ["connection", "timeout", "lock", "disk", "other"] as const;
export type DatabaseErrorKind = (typeof DATABASE_ERROR_KINDS)[number];

/** Called with each error of the database. */
export type ErrorListener = (error: unknown) => void;

export interface ErrorCounts {
  readonly counts: Readonly<Record<DatabaseErrorKind, number>>;
  readonly note: ErrorListener;
}

/**
 * The first pattern that a code of PostgreSQL (appendix A), SQLite or Node, or the message of pg matches. `undefined` for
 * what is no failure: a value that is taken already, and a statement that was cancelled for a client that has gone.
 */
const KINDS: readonly (readonly [RegExp, DatabaseErrorKind | undefined])[] = [
  [/^(?:23...|SQLITE_CONSTRAINT.*)$/, undefined],
  [/user request$/, undefined],
  [/^(?:57014|ETIMEDOUT)$|^Query read timeout|^timeout e/, "timeout"],
  [/^(?:40...|55P03|SQLITE_(?:BUSY|LOCKED).*)$/, "lock"],
  [/^(?:53100|SQLITE_(?:FULL|IOERR|READONLY|CORRUPT|NOTADB).*)$/, "disk"],
  [/^(?:08...|28...|3D...|53300|57P0.|E[A-Z_]+)$|^Connection terminated|^Client /, "connection"],
];

export function createErrorCounts(): ErrorCounts {
  const counts = Object.fromEntries(DATABASE_ERROR_KINDS.map((kind) => [kind, 0])) as Record<DatabaseErrorKind, number>;
  return {
    counts,
    note(error) {
      const kind = kindOf(error);
      if (kind !== undefined) counts[kind]++;
    },
  };
}

function kindOf(error: unknown): DatabaseErrorKind | undefined {
  const { code = "", message = "" } = Object(error) as { code?: unknown; message?: unknown };
  const texts = [String(code), String(message)];
  const found = KINDS.find(([pattern]) => texts.some((text) => pattern.test(text)));
  return found ? found[1] : "other";
}
