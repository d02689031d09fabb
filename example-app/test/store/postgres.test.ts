import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { isUnavailable } from "../../src/store/contract/errors.js";
import { openStore } from "../../src/store/store.js";
import { administrate, createOrg, describePostgres } from "../support/stores.js";

const openUrl = (databaseUrl: string) => openStore({ databaseUrl, dataFolder: "" });

describe("openStore on PostgreSQL", () => {
  it("refuses another kind of URL", async () => {
    await expect(openUrl("mysql://root:secret@127.0.0.1/test")).rejects.toMatchObject({
      name: "StoreError",
      message: "The database URL must begin with postgres:// or postgresql://",
    });
  });

  it("says in one line that nothing answers, without the password", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    await expect(openUrl(`postgres://joe:secret@127.0.0.1:${port}/test`)).rejects.toMatchObject({
      name: "StoreError",
      message: `The database postgres://joe@127.0.0.1:${port}/test can't be opened: connect ECONNREFUSED 127.0.0.1:${port}`,
    });
  });

  it("says in one line that something else answers", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await expect(openUrl(`postgres://127.0.0.1:${port}/test`)).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/^The database postgres:\/\/127\.0\.0\.1:\d+\/test can't be opened: .+$/),
    });
    server.close();
  });
});

describePostgres((_engine, database) => {
  it("says in one line that there is no such database", async () => {
    const { options } = await database();
    await expect(openUrl(`${String(options.databaseUrl)}_missing`)).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/can't be opened: database "etq_\w+_missing" does not exist$/),
    });
  });

  it("compares text by its bytes in every column of a table", async () => {
    const store = await (await database()).open();
    const { rows } = await store.read((db) =>
      sql`select table_name, column_name from information_schema.columns natural join information_schema.tables
          where table_schema = current_schema() and table_type = 'BASE TABLE' and data_type = 'text' and collation_name is distinct from 'C'`.execute(
        db,
      ),
    );
    expect(rows).toEqual([]);
  });

  it("fails as unavailable when its connection is lost in mid-transaction, and recovers", async () => {
    const { open, options } = await database();
    const store = await open();
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    const name = new URL(String(options.databaseUrl)).pathname.slice(1);
    const terminate = () =>
      administrate(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);

    const error = await store
      .write(async ({ touch, db }) => {
        await touch(id);
        await terminate();
        await db.deleteFrom("orgs").execute();
      })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isUnavailable(error)).toBe(true);
    expect(await store.currentRevision(id)).toBe(1);
  });

  it("fails as unavailable under a query that runs, and recovers", async () => {
    const { open, options } = await database();
    const store = await open();
    const name = new URL(String(options.databaseUrl)).pathname.slice(1);
    const query = store.read((db) => sql`select pg_sleep(10)`.execute(db)).catch((reason: unknown) => reason);
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and query like '%pg_sleep%'`;
    while ((await administrate(terminate)).length === 0);
    expect(isUnavailable(await query)).toBe(true);
    await expect(store.hasOrgs()).resolves.toBe(false);
  });

  it("survives the loss of connections that nobody uses", async () => {
    const { open, options } = await database();
    const store = await open();
    await store.hasOrgs();
    const name = new URL(String(options.databaseUrl)).pathname.slice(1);
    await administrate(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    let error: unknown;
    await store.hasOrgs().catch((reason: unknown) => (error = reason));
    if (error !== undefined) expect(isUnavailable(error)).toBe(true);
    await expect(store.hasOrgs()).resolves.toBe(false);
  });
});
