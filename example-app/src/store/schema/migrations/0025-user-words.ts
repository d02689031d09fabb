import { sql, type Kysely } from "kysely";
import { referringToOrg, required, textOf, type Database } from "./common.js";

/** The words that find a user. Those in the row of the user count if they are of its revision. */
export async function up({ schema }: Kysely<unknown>, database: Database): Promise<void> {
  const text = textOf(database);
  const table = schema
    .createTable("user_words")
    .addColumn("org_id", text, referringToOrg)
    .addColumn("word", text, required)
    .addColumn("user_id", text, required)
    .addPrimaryKeyConstraint("user_words_pk", ["org_id", "word", "user_id"]);
  await (database === "sqlite" ? table.modifyEnd(sql`without rowid`) : table).execute();
  await schema.alterTable("users").addColumn("words", text).execute();
  await schema.alterTable("users").addColumn("words_revision", "integer").execute();
}
