import { sql } from "kysely";
import { describeIf } from "../../../test/support/requirements.js";
import { checkDatabase } from "../../src/program/doctor/database.js";
import { openStore } from "../../src/store/store.js";
import type { Db } from "../../src/store/contract/schema.js";
import { throughPool } from "../support/pool.js";
import { administrate, createOrg, describePostgres } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

const POOL_URL = process.env["PGBOUNCER_URL"];

const need = "PGBOUNCER_URL, the address of a PgBouncer in transaction mode in front of DATABASE_URL";

const readSettings = async (db: Db) =>
  (
    await sql`select current_setting('statement_timeout') as timeout, current_setting('jit') as jit`.execute(db)
  ).rows.at(0);

describeIf(POOL_URL !== undefined, "behind PgBouncer in transaction mode", need, () => {
  describePostgres((_engine, database) => {
    async function prepare({ bare = false } = {}) {
      const { options } = await database({ bare });
      const { databaseUrl, dataFolder } = options;
      const urls = { dataFolder, ...throughPool(String(POOL_URL), String(databaseUrl)) };
      const stores: Awaited<ReturnType<typeof openStore>>[] = [];
      const open = async () => {
        const store = await openStore({ ...urls, apiConnections: 2 });
        stores.push(store);
        return store;
      };
      const close = () => Promise.all(stores.map((store) => store.close()));
      return { ...urls, open, close };
    }

    it("each statement has the settings of its connection, and leaves none behind", async () => {
      const { open, close, databaseUrl } = await prepare();
      const store = await open();
      const org = store.forOrg("acme");
      expect(await org.query(readSettings)).toEqual({ timeout: "10s", jit: "off" });
      expect(await org.read(readSettings)).toEqual({ timeout: "10s", jit: "off" });
      expect(await org.write(({ db }) => readSettings(db))).toEqual({ timeout: "10s", jit: "off" });
      expect(await readSettings(store.reader)).toEqual({ timeout: "0", jit: "off" });
      await expect(org.query((db) => sql`select 1 / 0`.execute(db))).rejects.toMatchObject({ code: "22012" });
      expect(await org.query(readSettings)).toEqual({ timeout: "10s", jit: "off" });
      await close();
      expect(await administrate("select current_setting('statement_timeout') as timeout", databaseUrl)).toEqual([
        { timeout: "0" },
      ]);
    });

    it("a store hears at once what another one changes", async () => {
      const { open, close } = await prepare();
      const [here, there] = [await open(), await open()];
      const { id } = await createOrg(there, { subdomain: "acme", name: "Acme" });
      const heard: (string | undefined)[] = [];
      here.watchChanges((orgId) => heard.push(orgId));
      await until(() => heard.includes(undefined)); // it listens
      await there.write(({ touch }) => touch(id));
      await until(() => heard.includes(id));
      await close();
    });

    it("many that open an empty database at once make the schema once", async () => {
      const { open, close } = await prepare({ bare: true });
      const stores = await Promise.all(Array.from({ length: 8 }, open));
      expect(await Promise.all(stores.map((store) => store.hasOrgs()))).toEqual(Array(8).fill(false));
      await close();
    });

    it("stores count together", async () => {
      const { open, close } = await prepare();
      const stores = [await open(), await open(), await open()];
      const add = (count: number) =>
        Promise.all(stores.map(async ({ sharedCounter }) => sharedCounter?.add("key", count, 60_000)));
      for (let count = 0; count < 10; count++) await add(1);
      const counts = (await add(0)).map((count) => count?.consumedPoints);
      expect(counts).toEqual([30, 30, 30]);
      await close();
    });

    it("doctor says what --listen-url must name", async () => {
      const { databaseUrl, listenUrl, dataFolder, open, close } = await prepare();
      await open();
      await close();
      const told = async (listen: string | undefined) =>
        (await checkDatabase({ databaseUrl, listenUrl: listen, dataFolder })).findings.map(
          ({ level, text, remedy }) => `${level} ${text} ${remedy ?? ""}`,
        );
      expect(await told(listenUrl)).toEqual([expect.stringMatching(/^ok PostgreSQL .* is current $/)]);
      expect((await told(undefined))[1]).toBe(
        "warning a pool by transaction is in between name PostgreSQL itself in --listen-url",
      );
      const other = Object.assign(new URL(listenUrl), { pathname: "/postgres" }).href;
      expect((await told(other))[1]).toMatch(/^fault what is told over --database-url is not heard over --listen-url /);
      expect((await told("postgres://joe:hidden@127.0.0.1:1/none"))[1]).toMatch(
        /^fault The database postgres:\/\/joe@127\.0\.0\.1:1\/none can't be reached: .*ECONNREFUSED/,
      );
    });
  });
});
