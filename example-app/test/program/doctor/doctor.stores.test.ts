import { checkDatabase } from "../../../src/program/doctor/database.js";
import { checkRules } from "../../../src/program/doctor/rules.js";
import type { Finding } from "../../../src/program/doctor/finding.js";
import { SCHEMA_VERSION } from "../../../src/store/schema/versions.js";
import { openStore } from "../../../src/store/store.js";
import { importText } from "../../../src/transfer/import.js";
import { fullOrg, rule, samlIdp, textOf } from "../../support/documents.js";
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
      expect.stringMatching(
        new RegExp(`^ok \\| ${engine} \\d+\\.\\d+.*, version ${SCHEMA_VERSION} of the schema is current$`),
      ),
    ]);
    const names = store.reader.withTables<Migrations>().selectFrom("kysely_migration").select("name");
    const last = String(
      (await names.execute())
        .map(({ name }) => name)
        .sort()
        .at(-1),
    );
    const rename = (from: string, to: string) =>
      store.write(({ db }) =>
        db.withTables<Migrations>().updateTable("kysely_migration").set("name", to).where("name", "=", from).execute(),
      );
    await rename(last, "9999-later");
    expect(told((await checkDatabase(settings)).findings)).toEqual([
      "fault | it was made by a newer version of the server (it has the migration 9999-later) | update the server",
    ]);
    const next = `9999-later@${SCHEMA_VERSION + 1}`;
    await rename("9999-later", next);
    expect(told((await checkDatabase(settings)).findings)).toEqual([
      `warning | it is one version newer than this server: ${next} | a server of this version works with it; update it to end the upgrade`,
    ]);
    await store.write(({ db }) =>
      db.withTables<Migrations>().deleteFrom("kysely_migration").where("name", "=", next).execute(),
    );
    expect(told((await checkDatabase(settings)).findings)[0]).toMatch(`the next start changes the schema: ${last};`);
    await store.close();
  });
});

describeStores((_engine, database) => {
  test("rules: those that can't be reached, or never match, are counted for each org", async () => {
    const { options, open } = await database();
    const store = await open();
    const settings = { databaseUrl: options.databaseUrl, listenUrl: undefined, dataFolder: options.dataFolder };
    const look = async () => told(await checkRules(settings, (await checkDatabase(settings)).inspection));
    await importText(store, textOf(fullOrg("sound")));
    expect(await look()).toEqual(["ok | 2 active ones in 1 orgs, and all can match"]);
    const rules = [{ ...rule("all", "Contoso"), conditions: {} }, rule("hidden", "Contoso"), rule("off", "Off")];
    const idps = [samlIdp("Contoso"), { ...samlIdp("Off"), status: "INACTIVE" }];
    await importText(store, textOf({ subdomain: "faulty", name: "Faulty", idps, rules }));
    expect(await look()).toEqual([
      "warning | faulty: 1 rules can't be reached, 1 never match | GET /api/v1/policies/{id}/findings says which, and why",
    ]);
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
