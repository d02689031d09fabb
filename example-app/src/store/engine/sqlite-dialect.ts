import { sql } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { insertOnSqlite } from "../log/inserts.js";

/** Events deleted per transaction; libsql blocks the thread for a few milliseconds. */
const EXPIRE_COUNT = 500;

/** A writing transaction locks the whole file, and other processes detect changes by polling. */
export const SQLITE: Dialect = {
  text: sql`text`,
  findTable: (name) => sql`select name from sqlite_schema where name = ${name}`,
  lockRows: sql``,
  lockImports: () => Promise.resolve(),
  publish: () => Promise.resolve(),
  filter: "sqlite",
  memberOf: (column, member) => sql`${sql.ref(column)} ->> ${sql.lit(member)}`,
  membersOf: (column) => ({
    members: sql`json_each(${sql.ref(column)})`,
    value: sql`${sql.ref(column)} -> fullkey`,
  }),
  skipLocked: sql``,
  lacksWords: sql`words_revision is not revision`,
  position: (text, part) => sql`instr(${text}, ${part})`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  insertLogEvents: insertOnSqlite,
  addLogPartitions: () => Promise.resolve(),
  async expireLogEvents(transaction, before) {
    // by org, because the index begins with it
    const { numAffectedRows = 0n } = await sql`
      delete from log_events where rowid in (
        select log_events.rowid from log_heads cross join log_events on log_events.org_id = log_heads.org_id
        where log_events.published < ${before} limit ${EXPIRE_COUNT}
      )
    `.execute(transaction);
    return numAffectedRows === BigInt(EXPIRE_COUNT);
  },
};
