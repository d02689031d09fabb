import { existsSync } from "node:fs";
import Database from "libsql";
import { messageOf, StoreError } from "../contract/errors.js";

/** Holds files beside the database, in a backup only. */
const FILES = "backup_files";

/**
 * Copy the SQLite database `source` to the empty file `target`, as it is at one moment. Other processes may read and
 * write it meanwhile.
 *
 * @throws {StoreError} when `source` is no database of this server
 */
export function copyDatabase(source: string, target: string): void {
  if (!existsSync(source)) throw new StoreError(`There is no database ${source}`); // to open it would create it
  try {
    using(source, (database) => {
      if (!hasTable(database, "orgs")) throw new Error("it has no orgs");
      database.exec(`vacuum into '${target.replaceAll("'", "''")}'`);
    });
  } catch (error) {
    throw new StoreError(`${source} is no database of this server, or is damaged: ${messageOf(error)}`);
  }
}

/** Put files into a copy. */
export function putFiles(copy: string, files: ReadonlyMap<string, string>): void {
  using(copy, (database) => {
    database.exec(`create table ${FILES} (name text primary key, content text not null)`);
    const insert = database.prepare(`insert into ${FILES} values (?, ?)`);
    for (const file of files) insert.run(file);
  });
}

/** Take the files out of a copy; an empty map when it has none. */
export function takeFiles(copy: string): Map<string, string> {
  return using(copy, (database) => {
    if (!hasTable(database, FILES)) return new Map<string, string>();
    const rows = database.prepare(`select name, content from ${FILES}`).all() as { name: string; content: string }[];
    database.exec(`drop table ${FILES}; vacuum`); // the free pages would keep the content
    return new Map(rows.map(({ name, content }) => [name, content]));
  });
}

function hasTable(database: Database.Database, name: string): boolean {
  return database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").all(name).length > 0;
}

function using<T>(path: string, work: (database: Database.Database) => T): T {
  const database = new Database(path, { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
