import { sql, type Kysely } from "kysely";

/** Indexes for lists of users by name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["profile_login", "email", "first_name", "last_name"]) {
    await sql`
      create index ${sql.ref(`users_${column}_lower`)} on users (org_id, lower(${sql.ref(column)}), id)
    `.execute(db);
  }
}
