import { sql } from "kysely";
import { until } from "../../../test/support/until.js";
import type { User } from "../../src/model/records.js";
import { fromUser } from "../../src/store/contract/rows.js";
import { fillWords } from "../../src/store/records/fill-words.js";
import { endLease, takeLease } from "../../src/store/records/leases.js";
import { SWEEP_SIZE, sweepWords } from "../../src/store/records/sweep-words.js";
import { lacksWords } from "../../src/store/records/user-words.js";
import type { Store } from "../../src/store/store.js";
import { startApi, type ApiClient } from "../support/api.js";
import { countTurns } from "../support/count-turns.js";
import type { TestServer } from "../support/server.js";
import { createOrg, describeStores, type TestDatabase } from "../support/stores.js";
import { insertUsers, listWords, storedUser } from "../support/users.js";

/** As the version before writes users. */
const oldColumns = (orgId: string, user: User) => without(fromUser(orgId, user), ["words", "words_revision"]);

const without = <T extends object, K extends keyof T>(row: T, columns: readonly K[]) =>
  Object.fromEntries(
    Object.entries(row).filter(([column]) => !(columns as readonly string[]).includes(column)),
  ) as Omit<T, K>;

describeStores((engine, database) => {
  let made: TestDatabase;
  let store: Store;
  let server: TestServer;
  let api: ApiClient["api"];
  let orgId: string;
  const warn = jest.fn();

  beforeEach(async () => {
    made = await database();
    ({ server, api } = await startApi(made));
    store = await made.open();
    orgId = (await store.findOrgBySubdomain("demo"))!.id;
    warn.mockClear();
  });
  afterEach(() => server.close());

  const ofOld = {
    insert: (users: readonly User[]) =>
      store.write(async ({ db }) => {
        const rows = users.map((user) => ({ ...oldColumns(orgId, user), words: null, words_revision: null }));
        await db.insertInto("users").values(rows).execute();
      }),
    update: (user: User) =>
      store.write(async ({ db }) => {
        const row = without(oldColumns(orgId, user), ["org_id", "id", "revision"]);
        const users = db.updateTable("users").where("org_id", "=", orgId).where("id", "=", user.id);
        await users.set({ ...row, revision: sql`revision + 1` }).execute();
      }),
    remove: ({ id }: User) =>
      store.write(({ db }) => db.deleteFrom("users").where("org_id", "=", orgId).where("id", "=", id).execute()),
  };
  const find = async (q: string): Promise<string[]> => {
    const { body } = await api(`/users?q=${encodeURIComponent(q)}`);
    return body.map(({ profile }: { profile: { login: string } }) => profile.login);
  };
  /** The lease keeps the server itself from it. */
  const lease = { name: "user-words", holder: "test" };
  const hold = () => until(() => store.write((transaction) => takeLease(transaction, lease, 60_000)));
  const endSweeps = () =>
    store.write(({ db }) => db.deleteFrom("leases").where("name", "=", "user-words-sweep").execute());
  /** The server itself sweeps once, a second after its start. */
  const untilSwept = () =>
    until(async () => {
      const leases = store.reader.selectFrom("leases").where("name", "=", "user-words-sweep");
      return (await leases.selectAll().execute()).length > 0;
    });
  async function lookOnce(): Promise<void> {
    const filling = fillWords({ store, log: { warn } });
    await filling.look();
    await filling.close();
  }
  async function fill(): Promise<void> {
    await store.write((transaction) => endLease(transaction, lease));
    await until(async () => {
      await lookOnce();
      return !(await lacksWords(store.reader, store.dialect, orgId));
    });
    await hold();
  }

  test("users of the version before are found all the time, and by any word when they have words", async () => {
    const ann = storedUser("ann.adams@old.example", { profile: { firstName: "Ann", lastName: "Müller" } });
    const bea = storedUser("bea@new.example", { profile: { firstName: "Bea", lastName: "Müller" } });
    await hold();
    await insertUsers(made.options, [bea]);
    await ofOld.insert([ann]);
    expect(await lacksWords(store.reader, store.dialect, orgId)).toBe(true);
    expect(await find("ann.ad")).toEqual(["ann.adams@old.example"]);
    expect(await find("muller")).toEqual(["bea@new.example"]);
    expect((await find("Mü")).sort()).toEqual(["ann.adams@old.example", "bea@new.example"]);
    await fill();
    expect(await lacksWords(store.reader, store.dialect, orgId)).toBe(false);
    expect((await find("muller")).sort()).toEqual(["ann.adams@old.example", "bea@new.example"]);
    expect(await find("adams ann")).toEqual(["ann.adams@old.example"]);

    await ofOld.update({ ...bea, profile: { ...bea.profile, lastName: "Zander" } });
    expect(await find("muller")).toEqual(["ann.adams@old.example"]);
    expect(await find("zand")).toEqual(["bea@new.example"]);
    await fill();
    expect(await find("bea zand")).toEqual(["bea@new.example"]);
    expect(await listWords(made.options)).toEqual(
      "adams ann bea com com example example joe joe muller new old zander".split(" "),
    );
    await ofOld.remove(ann);
    expect(await find("ann")).toEqual([]);
    await insertUsers(made.options, [{ ...ann, profile: { ...ann.profile, lastName: "Nova" } }]);
    expect(await find("muller")).toEqual([]);
    expect(await find("ann nova")).toEqual(["ann.adams@old.example"]);
    expect(warn).not.toHaveBeenCalled();
  });

  test("words are written in batches beside those who write users, by one process at a time", async () => {
    const users = Array.from({ length: 230 }, (_, i) => storedUser(`u${i}@x`, { profile: { lastName: `L${i}` } }));
    await ofOld.insert(users.slice(0, 130));
    let isDone = false;
    const writing = async (): Promise<void> => {
      for (const user of users.slice(130)) await ofOld.insert([user]);
      for (const user of users.slice(0, 20)) {
        await ofOld.update({ ...user, profile: { ...user.profile, firstName: "Changed" } });
      }
      isDone = true;
    };
    const filling = async (): Promise<void> => {
      while (!isDone) await lookOnce();
    };
    await Promise.all([writing(), filling(), filling()]);
    await fill();
    expect(await lacksWords(store.reader, store.dialect, orgId)).toBe(false);
    expect(await find("changed")).toHaveLength(20);
    expect(await find("l229 u229")).toEqual(["u229@x"]);
    expect(await listWords(made.options)).toHaveLength(users.length * 6 + 20);
    expect(warn).not.toHaveBeenCalled();
  });

  test("it does not wait for users whom an import changes, and goes on when it looks again", async () => {
    if (engine === "SQLite") return; // one writes at a time
    const users = ["ann@x", "bob@x"].map((login) => storedUser(login));
    await ofOld.insert(users);
    await store.write(async ({ db }) => {
      await db
        .updateTable("users")
        .set({ status: "SUSPENDED" })
        .where("id", "=", users[0]!.id)
        .where("org_id", "=", orgId)
        .execute();
      const listFilled = async () => {
        const rows = await store.reader.selectFrom("users").select(["id", "words"]).execute();
        return rows.filter(({ words }) => words !== null).map(({ id }) => id);
      };
      await until(async () => {
        await lookOnce();
        return (await listFilled()).length > 0;
      });
      expect(await listFilled()).toEqual([users[1]!.id]);
    });
    await fill();
    expect(await find("doe ann")).toEqual(["ann@x"]);
  });

  test("the words of users whom the version before has deleted are removed, once a day and by one process", async () => {
    await untilSwept();
    const users = Array.from({ length: 100 }, (_, i) => storedUser(`u${i}@x`, { profile: { lastName: `L${i}` } }));
    await insertUsers(made.options, users);
    const words = await listWords(made.options);
    expect(words).toHaveLength(SWEEP_SIZE + 100); // six each
    const [first, last] = [users[0]!, users.at(-1)!];
    for (const user of [first, last]) await ofOld.remove(user);
    await endSweeps();
    await sweepWords(store, () => true);
    expect(await listWords(made.options)).toEqual(words);
    await Promise.all([sweepWords(store, () => false), sweepWords(store, () => false)]); // the one before was stopped
    expect(await listWords(made.options)).toHaveLength(words.length - 12);
    expect(await listWords(made.options)).not.toContain("l99");
    expect(await find("l98 u98")).toEqual(["u98@x"]);
    await ofOld.remove(users[1]!);
    await sweepWords(store, () => false);
    expect(await listWords(made.options)).toHaveLength(words.length - 12); // that of the day was the one before
    await endSweeps();
    await sweepWords(store, () => false);
    expect(await listWords(made.options)).toHaveLength(words.length - 18);
  });

  test("requests go on between the orgs whose words are looked through", async () => {
    await untilSwept();
    for (let i = 0; i < 20; i++) await createOrg(store, { subdomain: `o${i}`, name: `O${i}` });
    await endSweeps();
    expect(await countTurns(() => sweepWords(store, () => false))).toBeGreaterThan(20);
  });

  test("the server itself does it, soon after its start", async () => {
    await ofOld.insert([storedUser("late@x", { profile: { lastName: "Ørsted" } })]);
    await until(async () => (await find("orsted")).length === 1);
  });
});
