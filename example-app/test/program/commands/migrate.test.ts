import { join } from "node:path";
import Database from "libsql";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { Pool } from "pg";
import { checkDatabase } from "../../../src/program/doctor/database.js";
import type { Db } from "../../../src/store/contract/schema.js";
import { createPostgresDialect } from "../../../src/store/engine/postgres-dialect.js";
import { DATABASE_FILE } from "../../../src/store/engine/sqlite.js";
import { SQLITE } from "../../../src/store/engine/sqlite-dialect.js";
import { runAtOnce } from "../../../src/store/schema/migrate.js";
import { MIGRATIONS } from "../../../src/store/schema/migrations/index.js";
import { SCHEMA_VERSION } from "../../../src/store/schema/versions.js";
import { runProgram } from "../../support/server.js";
import { describeStores } from "../../support/stores.js";

/** All but the last two of version 1. */
const FIRST = Object.keys(MIGRATIONS).slice(0, Object.keys(MIGRATIONS).indexOf("0020-sign-in-url"));

describeStores((engine, database) => {
  it("says what it would do, does it, and has nothing to do then", async () => {
    const { options } = await database({ bare: true });
    const { databaseUrl, dataFolder } = options;
    const file = new Database(join(dataFolder, DATABASE_FILE));
    const dialect =
      engine === "SQLite"
        ? new SqliteDialect({ database: file })
        : new PostgresDialect({ pool: new Pool({ connectionString: databaseUrl }) });
    const db: Db = new Kysely({ dialect });
    await runAtOnce(db, engine === "SQLite" ? SQLITE : createPostgresDialect("test"), FIRST);
    await db.destroy();

    const run = async (...args: string[]) => {
      const url = databaseUrl === undefined ? [] : ["--database-url", databaseUrl];
      const { exit, output } = runProgram(["migrate", ...args, "--data", dataFolder, ...url]);
      return { code: await exit, ...output };
    };
    const text = engine === "SQLite" ? "text" : 'text collate "C"';
    const dry = await run("--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    const lines = dry.stdout.split("\n");
    expect(lines[0]).toMatch(`From version 1 to version ${SCHEMA_VERSION} of the schema: `);
    expect(lines).toContain(`0020-sign-in-url: adds`);
    expect(lines).toContain(`  alter table "orgs" add column "sign_in_url" ${text}`);
    if (engine !== "SQLite") expect(lines).toContain("  orgs has less than 1 MiB");
    const [finding] = (await checkDatabase({ databaseUrl, dataFolder })).findings;
    expect(finding?.text).toMatch(/^the next start changes the schema: 0020-sign-in-url, 0021-routing-tests/);

    const done = await run();
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(`The schema has version ${SCHEMA_VERSION}\n`);
    expect((await run("--dry-run")).stdout).toBe(
      `From version ${SCHEMA_VERSION} to version ${SCHEMA_VERSION} of the schema: 0 steps\n`,
    );
    expect((await checkDatabase({ databaseUrl, dataFolder })).findings[0]?.level).toBe("ok");
  });
});
