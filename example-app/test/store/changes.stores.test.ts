import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../src/store/store.js";
import { administrate, createOrg, describeStores } from "../support/stores.js";
import { startTcpProxy } from "../support/tcp-proxy.js";
import { until } from "../../../test/support/until.js";

/** What a listener heard, and a way to wait for more. */
function record(store: Store) {
  const heard: (string | undefined)[] = [];
  const watcher = store.watchChanges((orgId) => heard.push(orgId));
  return {
    heard,
    watcher,
    async waitFor(orgId: string | undefined): Promise<void> {
      await until(() => heard.includes(orgId));
    },
  };
}

describeStores((engine, database) => {
  /** What a listener is told of a change of this org through another process. */
  const told = (orgId: string): string | undefined => (engine === "SQLite" ? undefined : orgId);

  /** PostgreSQL tells of "any org" when it begins to listen. */
  async function settle(changes: ReturnType<typeof record>): Promise<void> {
    if (engine === "PostgreSQL") await changes.waitFor(undefined);
    changes.heard.length = 0;
  }

  it("tells of a change through another store within a second", async () => {
    const { open } = await database();
    const other = await open();
    const { id } = await createOrg(other, { subdomain: "acme", name: "Acme" });
    const changes = record(await open());
    await settle(changes);
    await sleep(300);
    expect(changes.heard).toEqual([]);

    await other.write(({ touch }) => touch(id));
    await changes.waitFor(told(id));
  });

  it("tells of a change through the store itself at once, by its org, and once only", async () => {
    const store = await (await database()).open();
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    const changes = record(store);
    await settle(changes);
    await store.write(async ({ touch }) => {
      await touch(id);
      expect(changes.heard).toEqual([]);
    });
    expect(changes.heard).toEqual([id]);
    await sleep(300);
    expect(changes.heard).toEqual([id]);
  });

  it("tells nothing of a transaction that fails, here or elsewhere", async () => {
    const { open } = await database();
    const store = await open();
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    const here = record(store);
    const elsewhere = record(await open());
    await settle(here);
    await settle(elsewhere);
    const failed = store.write(async ({ touch }) => {
      await touch(id);
      throw new Error("on purpose");
    });
    await expect(failed).rejects.toThrow("on purpose");
    await sleep(300);
    expect([here.heard, elsewhere.heard]).toEqual([[], []]);
  });

  it("tells of many orgs at once as of any org", async () => {
    const { open } = await database();
    const other = await open();
    const changes = record(await open());
    await settle(changes);
    await other.write(async ({ touch }) => {
      for (let i = 0; i < 101; i++) await touch(String(i));
    });
    if (engine === "SQLite") await createOrg(other, { subdomain: "acme", name: "Acme" });
    await changes.waitFor(undefined);
    expect(new Set(changes.heard)).toEqual(new Set([undefined]));
  });

  it("tells nothing more when the watcher is closed", async () => {
    const { open } = await database();
    const store = await open();
    const other = await open();
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    const changes = record(store);
    await settle(changes);
    await changes.watcher.close();
    await store.write(({ touch }) => touch(id));
    await other.write(({ touch }) => touch(id));
    await sleep(300);
    expect(changes.heard).toEqual([]);
  });

  if (engine === "PostgreSQL") {
    it("has no answer to a ping before it hears of changes, at the start and when its connection is lost", async () => {
      const { open, options } = await database();
      const url = new URL(String(options.databaseUrl));
      const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
      const store = await open({ listenUrl: Object.assign(url, { port: String(proxy.port) }).href });
      await proxy.silence();
      await store.ping(); // nobody watches
      store.watchChanges(() => undefined);
      const isAnswered = () => Promise.race([store.ping().then(() => true), sleep(300).then(() => false)]);
      expect(await isAnswered()).toBe(false);
      await proxy.cut();
      await proxy.restore();
      await store.ping();
      await proxy.cut();
      await until(async () => !(await isAnswered()));
      await proxy.restore();
      await store.ping();
    });

    it("listens again when its connection is lost, and says that anything may have changed", async () => {
      const { open, options } = await database();
      const store = await open();
      const other = await open();
      const { id } = await createOrg(other, { subdomain: "acme", name: "Acme" });
      const changes = record(store);
      await settle(changes);
      const name = new URL(String(options.databaseUrl)).pathname.slice(1);
      const listeners = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = '${name}' and query like 'listen %'`;
      await until(async () => (await administrate(listeners, options.databaseUrl)).length === 1);
      await changes.waitFor(undefined);
      await other.write(({ touch }) => touch(id));
      await changes.waitFor(id);
    });
  }
});
