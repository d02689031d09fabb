import { sql } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { insertOnPostgres } from "../log/inserts.js";
import { addLogPartitions, expireLogEvents } from "../log/partitions.js";

/** An arbitrary number, the same in all processes. */
const IMPORT_LOCK = 6_573_102;

/** The channel of change notifications: `<sender> <org id>` or `<sender> *`. */
export const CHANNEL = "etiquette_changes";

export const ANY_ORG = "*";

/** A transaction that changes more orgs than this publishes {@link ANY_ORG}. */
const MAX_PUBLISHED = 100;

/** @param sender distinguishes the store's own messages from those of others */
export function createPostgresDialect(sender: string): Dialect {
  return {
    text: sql`text collate "C"`,
    findTable: (name) => sql`select relname from pg_class where oid = to_regclass(${name})`,
    lockRows: sql`for update`,
    async lockImports(transaction) {
      await sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`.execute(transaction);
    },
    async publish(transaction, orgIds) {
      for (const name of orgIds.length > MAX_PUBLISHED ? [ANY_ORG] : orgIds) {
        await sql`select pg_notify(${CHANNEL}, ${`${sender} ${name}`})`.execute(transaction);
      }
    },
    filter: "postgresql",
    memberOf: (column, member) => sql`${sql.ref(column)}::jsonb ->> ${sql.lit(member)}`,
    membersOf: (column) => ({
      members: sql`jsonb_each(${sql.ref(column)}::jsonb)`,
      value: sql`value::text`,
    }),
    skipLocked: sql`skip locked`,
    lacksWords: sql`words_revision is distinct from revision`,
    position: (text, part) => sql`strpos(${text}, ${part})`,
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
    insertLogEvents: insertOnPostgres,
    addLogPartitions,
    expireLogEvents,
  };
}
