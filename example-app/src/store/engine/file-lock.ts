import Database from "libsql";

/**
 * Lock a file for this process, until the result is called or the process ends, however it ends. The lock is that of a
 * SQLite database, because Node.js has none.
 *
 * @returns `undefined` while somebody else has the lock
 */
export function lockFile(path: string): (() => void) | undefined {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec("pragma journal_mode = memory; begin exclusive"); // no file beside it
    return () => {
      database.close();
    };
  } catch (error) {
    database.close();
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}
