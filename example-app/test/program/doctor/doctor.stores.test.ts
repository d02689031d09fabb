import { checkDatabase } from "../../../src/program/doctor/database.js";
import type { Finding } from "../../../src/program/doctor/finding.js";
import { openStore } from "../../../src/store/store.js";
import { administrate, describePostgres, describeStores, makeFolder } from "../../support/stores.js";

const parent = makeFolder();

type Migrations = Record<"kysely_migration", { name: string }>;

/** The levels, texts and remedies in one text each. */
function told(findings: Finding | readonly Finding[]): string[] {
  return [findings].flat().map(({ level, text, remedy }) => [level, text, remedy].filter((part) => part).join(" | "));
}

describeStores((engine, database) => {
  test("database: it is current after a start, and what is missing or newer is told and not changed", async () => {
    const { options } = await database({ bare: true });
    const settings = { databaseUrl: options.databaseUrl, dataFolder: options.dataFolder };
    const store = await openStore(options);
    expect(told((await checkDatabase(settings)).findings)).toEqual([
      expect.stringMatching(new RegExp(`^ok \\| ${engine} \\d+\\.\\d+.*, the schema is current$`)),
    ]);
    const names = store.reader.withTables<Migrations>().selectFrom("kysely_migration").select("name");
    const last = String(
      (await names.execute())
        .map(({ name }) => name)
        .sort()
        .at(-1),
    );
    await store.write(({ db }) =>
      db
        .withTables<Migrations>()
        .updateTable("kysely_migration")
        .set("name", "9999-later")
        .where("name", "=", last)
        .execute(),
    );
    expect(told((await checkDatabase(settings)).findings)).toEqual([
      "fault | it was made by a newer version (it has 9999-later) | update the server",
    ]);
    await store.write(({ db }) =>
      db.withTables<Migrations>().deleteFrom("kysely_migration").where("name", "=", "9999-later").execute(),
    );
    expect(told((await checkDatabase(settings)).findings)[0]).toMatch(`the next start changes the schema: ${last} |`);
    await store.close();
  });
});

describePostgres((_engine, database) => {
  test("database: one that can't be reached is a fault, without the password", async () => {
    const { options } = await database();
    const url = Object.assign(new URL(String(options.databaseUrl)), { pathname: "/none_such", password: "hidden" });
    const findings = told((await checkDatabase({ databaseUrl: url.href, dataFolder: parent })).findings);
    expect(findings).toEqual([
      expect.stringMatching(/^fault \| The database .* can't be read: .*none_such.* \| check that PostgreSQL/),
    ]);
    expect(findings.join()).not.toContain("hidden");
    const closed = { databaseUrl: "postgres://127.0.0.1:1/none", dataFolder: parent };
    expect(told((await checkDatabase(closed)).findings)[0]).toMatch(/^fault \| .*ECONNREFUSED/);
  });

  test("clock: it is compared with the database's", async () => {
    const { options } = await database();
    await administrate("select 1", options.databaseUrl);
    const { inspection } = await checkDatabase({ databaseUrl: options.databaseUrl, dataFolder: parent });
    expect(Math.abs(Number(inspection?.clockLead))).toBeLessThan(60_000);
  });
});
