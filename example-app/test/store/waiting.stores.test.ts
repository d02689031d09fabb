import { describeStores } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

describeStores((engine, database) => {
  it("the store knows how many callers wait for a connection", async () => {
    const store = await (await database()).open();
    const all = engine === "SQLite" ? 1 : 3; // of one org
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let running = 0;
    const write = () =>
      store.forOrg("org").write(async ({ db }) => {
        await db.selectFrom("orgs").select("id").execute();
        running++;
        await held;
      });
    expect(store.waiting()).toBe(0);
    const writes = Array.from({ length: all }, write);
    await until(() => running === all);
    expect(store.waiting()).toBe(0);
    writes.push(write(), write(), write());
    await until(() => store.waiting() === 3);
    release();
    await Promise.all(writes);
    expect(store.waiting()).toBe(0);
  });
});
