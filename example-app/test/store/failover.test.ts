import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "../../src/store/contract/errors.js";
import { openStore, type Store } from "../../src/store/store.js";
import { createPair, createProxy, describeClusters, type Cluster, type Proxy } from "../support/clusters.js";
import { createOrg } from "../support/stores.js";

describeClusters("PostgreSQL with a standby", () => {
  let primary: Cluster;
  let standby: Cluster;
  let proxy: Proxy;
  let stores: Store[];
  let orgId: string;

  beforeEach(async () => {
    ({ primary, standby } = await createPair());
    const name = await primary.createDatabase();
    await primary.query("alter system set synchronous_standby_names = '*'");
    await primary.query("select pg_reload_conf()");
    proxy = await createProxy(primary.port);
    const options = { databaseUrl: primary.url(name, proxy.port), dataFolder: "", statementTimeout: 1 };
    stores = [await openStore(options), await openStore(options)];
    orgId = (await createOrg(stores[0]!, { subdomain: "acme", name: "Acme" })).id;
  });

  afterEach(async () => {
    await proxy.close();
    for (const store of stores) await store.close();
    await primary.end("SIGKILL");
    await primary.remove();
    await standby.remove();
  });

  /** Other errors than those of a database that is away are faults. */
  async function untilAvailable<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await sleep(20);
      }
    }
  }

  const touchUntilDone = (store: Store) => untilAvailable(() => store.forOrg(orgId).write(({ touch }) => touch(orgId)));

  it("loses nothing that it acknowledged, and hears of changes again, when a machine is gone and its connections stay", async () => {
    const heard: (string | undefined)[] = [];
    stores[0]!.watchChanges(() => undefined);
    stores[1]!.watchChanges((id) => heard.push(id));
    while (!heard.includes(undefined)) await sleep(10);
    while (!stores[1]!.hears()) await sleep(10);
    for (let count = 0; count < 5; count++) await touchUntilDone(stores[0]!);
    const revision = Number(await stores[0]!.currentRevision(orgId));

    heard.length = 0;
    proxy.strand();
    primary.signalAll("SIGSTOP");
    proxy.lead(standby.port);
    while (stores[1]!.hears()) await sleep(10);
    const writing = touchUntilDone(stores[0]!); // on a standby at first
    await standby.promote();
    await writing;
    const reading = untilAvailable(() => stores[0]!.currentRevision(orgId));
    expect(await reading).toBeGreaterThan(revision);
    while (!heard.includes(undefined)) await sleep(10);
    heard.length = 0;
    await touchUntilDone(stores[0]!);
    while (!heard.includes(orgId)) await sleep(10);
    while (!stores[1]!.hears()) await sleep(10);
  });
});
