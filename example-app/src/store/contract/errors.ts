import { BusyError } from "../../pace/turns.js";

/** The reason why a store can't be opened, in one line for the person who started the server. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Network failures below PostgreSQL's protocol (`error.code` of Node.js). */
const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT", // the file of a Unix-domain socket
]);

/**
 * Connection exceptions, operator intervention (a statement that takes too long, too), insufficient resources, failures of
 * the system below, conflicts with other transactions, locks that are not available in time, a database that is read-only for
 * now, such as a standby (PostgreSQL, appendix A).
 */
const SQLSTATE_REGEXP = /^(?:08...|57P0[1-5]|57014|53...|58...|40...|55P03|25006)$/;

/** SQLite result codes, extended or not: another process holds the lock, or the disk is full, read-only or gone. */
const SQLITE_REGEXP = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY)(?:_|$)/;

/** Messages of pg errors without a code. */
const PG_MESSAGE_REGEXP =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|Query read timeout|timeout (?:expired|exceeded))/;

/**
 * Whether `error` means that the database is unavailable for the moment. The response is then 503, and the same call
 * may succeed later. Other errors are faults of the program or of the data.
 */
export function isUnavailable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== "string") return PG_MESSAGE_REGEXP.test(String(message));
  return (
    error instanceof BusyError || NETWORK_CODES.has(code) || SQLSTATE_REGEXP.test(code) || SQLITE_REGEXP.test(code)
  );
}

/** The message of `error`, or its code: some network errors have no message. */
export function messageOf(error: unknown): string {
  const { message = "", code = error } = Object(error) as { message?: unknown; code?: unknown };
  return String(message === "" ? code : message);
}

/**
 * The column of `table` whose unique value another row already has, or `undefined` for other errors. Constraints are
 * named after the column. Citus tells them in the message alone, with the number of the shard at the end.
 */
export function findViolatedColumn(error: unknown, table: string): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, constraint, message } = error as { code?: unknown; constraint?: unknown; message?: unknown };
  if (code === "23505") return new RegExp(`\\b${table}_(\\w+?)(?:_\\d+)?\\b`).exec(String(constraint ?? message))?.[1];
  if (code !== "SQLITE_CONSTRAINT_UNIQUE" && code !== "SQLITE_CONSTRAINT_PRIMARYKEY") return undefined;
  return /\.(\w+)$/.exec(String(message))?.[1];
}
