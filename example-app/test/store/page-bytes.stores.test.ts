import { fromIdp, fromRule, fromZone } from "../../src/store/contract/rows.js";
import { readRange, type Search } from "../../src/store/lists/search.js";
import { PAGE_BYTES, type PageRange } from "../../src/store/lists/pages.js";
import type { Store } from "../../src/store/store.js";
import { IDPS, ZONES } from "../../src/store/records/resource-tables.js";
import { RULES } from "../../src/store/records/rules.js";
import { createId } from "../../src/model/ids.js";
import { CREATED, insertUsers, storedUser } from "../support/users.js";
import { searchUsers } from "../../src/store/records/users.js";
import { createOrg, describeStores, type TestDatabase } from "../support/stores.js";

const STAMP = { created: CREATED, lastUpdated: CREATED };
const FIRST: PageRange = { fetchLimit: 201, after: undefined, before: undefined };
const BY_ID = [{ column: "id" }] as const;

/** A user whose profile has so many bytes, in two-byte characters. */
function sizedUser(login: string, bytes: number) {
  const empty = storedUser(login, { profile: { x: "" } });
  const room = bytes - Buffer.byteLength(JSON.stringify(empty.profile));
  return storedUser(login, { id: login, profile: { x: "é".repeat(room >> 1) + "e".repeat(room & 1) } });
}

const idOf = (place: string): string => place.padStart(20, "0");

describeStores((_engine, database) => {
  let data: TestDatabase;
  let store: Store;
  let orgId: string;

  beforeEach(async () => {
    data = await database();
    store = await data.open();
    ({ id: orgId } = await createOrg(store, { subdomain: "demo", name: "Demo" }));
  });

  const usersById = () => searchUsers(store.dialect, orgId, { expression: undefined, order: BY_ID });
  const read = <Row>(search: Search<Row>, page: PageRange = FIRST) => readRange(search, store.reader, page);

  it.each([
    [-1, 3],
    [0, 3],
    [1, 2],
  ])("S9 a page has 2,097,152 bytes: %p more, %p rows", async (more, count) => {
    const sizes = [1_000_000, 1_000_000, PAGE_BYTES - 2_000_000 + more, 300];
    await insertUsers(
      data.options,
      sizes.map((size, i) => sizedUser(idOf(`${i}`), size)),
    );
    const { rows, end, bytes } = await read(usersById());
    expect(rows.map(({ id }) => id)).toEqual(["0", "1", "2"].slice(0, count).map(idOf));
    expect(rows.every(({ profile }) => JSON.parse(profile).x.length > 0)).toBe(true);
    expect(end).toEqual([idOf(`${count - 1}`)]);
    expect(bytes).toBe(sizes.slice(0, count).reduce((sum, size) => sum + size));
    const rest = await read(usersById(), { ...FIRST, after: end });
    expect(rest.rows.map(({ id }) => id)).toEqual(["0", "1", "2", "3"].slice(count).map(idOf));
    expect(rest.end).toBeUndefined();
  });

  it("S9 a page has one row at least, and ends without `end` when it has the last rows", async () => {
    await insertUsers(data.options, [sizedUser(idOf("0"), PAGE_BYTES + 1), sizedUser(idOf("1"), PAGE_BYTES)]);
    const first = await read(usersById());
    expect([first.rows.length, first.end]).toEqual([1, [idOf("0")]]);
    const second = await read(usersById(), { ...FIRST, after: first.end });
    expect([second.rows.length, second.end]).toEqual([1, undefined]);
    const before = await read(usersById(), { fetchLimit: 1, after: undefined, before: [idOf("1")] });
    expect([before.rows[0]?.id, before.end]).toEqual([idOf("0"), undefined]);
  });

  it("S9 rows are read without their long texts first, so no more than a page is ever in memory", async () => {
    await insertUsers(
      data.options,
      Array.from({ length: 4 }, (_, i) => sizedUser(idOf(`${i}`), 1_000_000)),
    );
    const search = usersById();
    const lengths: number[] = [];
    const find: typeof search.find = async (db, range) => {
      const rows = await search.find(db, range);
      lengths.push(rows.reduce((sum, { profile }) => sum + Buffer.byteLength((profile as string | null) ?? ""), 0));
      return rows;
    };
    await read({ ...search, find });
    expect(lengths).toEqual([0, 2_000_000]);
  });

  it.each(["idps", "zones", "rules"] as const)("S9 a page of %s ends by its bytes too", async (table) => {
    const long = { value: "x".repeat(900_000) } as never;
    const records = Array.from({ length: 4 }, (_, i) => ({ ...STAMP, id: createId(), name: `n${i}` }));
    const common = { status: "ACTIVE" as const };
    await store.write(async ({ db }) => {
      for (const [i, record] of records.entries()) {
        const rows = {
          idps: fromIdp(orgId, { ...record, ...common, type: "OIDC", protocol: long, metadata: null }),
          zones: fromZone(orgId, { ...record, ...common, type: "IP", gateways: [long], proxies: [] }),
          rules: fromRule(orgId, {
            ...record,
            ...common,
            priority: -i - 1,
            system: false,
            conditions: long,
            actions: {} as never,
          }),
        };
        await db.insertInto(table).values(rows[table]).execute();
      }
    });
    const order = [{ column: "name" as const }];
    const search = { idps: IDPS, zones: ZONES, rules: RULES }[table].search(store.dialect, orgId, { order });
    const names: string[] = [];
    let pages = 0;
    for (let after: PageRange["after"]; ; pages++) {
      const { rows, end } = await read(search as Search<{ name: string }>, { ...FIRST, after });
      names.push(...rows.map(({ name }) => name));
      if (end === undefined) break;
      after = end;
    }
    const own = names.filter((name) => name.startsWith("n"));
    expect([own, pages]).toEqual([["n0", "n1", "n2", "n3"], 1]);
  });

  it.each([
    ["email", undefined],
    ["matched", "joe"],
  ] as const)("S9 long users keep their place in a list by %s", async (column, name) => {
    const users = [3, 1, 2].map((place) => {
      const user = sizedUser(idOf(`${place}`), 900_000);
      return { ...user, profile: { ...user.profile, email: `joe${9 - place}@example.com` } };
    });
    await insertUsers(data.options, [storedUser("small", { profile: { email: "joe9@example.com" } }), ...users]);
    const order = [{ column }, { column: "id" as const }];
    const search = searchUsers(store.dialect, orgId, { expression: undefined, name, order });
    const emails: string[] = [];
    for (let after: PageRange["after"]; ;) {
      const found = await store.forOrg(orgId).search(() => search, { ...FIRST, after });
      emails.push(...found.rows.map(({ email }) => email));
      if (found.end === undefined) break;
      after = found.end;
    }
    const wanted = name === undefined ? [6, 7, 8, 9] : expect.anything();
    const places = emails.map((email) => Number(email[3]));
    expect(places).toEqual(wanted);
    expect([...places].sort()).toEqual([6, 7, 8, 9]);
  });

  it("S9 a slice of a search ends by its bytes, and the page with it", async () => {
    await insertUsers(
      data.options,
      Array.from({ length: 40 }, (_, i) => sizedUser(idOf(String(i).padStart(2, "0")), 120_000)),
    );
    const order = [{ column: "last_name" as const }, { column: "id" as const }];
    const search = searchUsers(store.dialect, orgId, { expression: undefined, order });
    expect(search.tests).toBeGreaterThan(0);
    const slice = await search.skip(store.reader, FIRST, { count: 1_000, cost: 1_024 });
    expect(slice?.count).toBe(9); // each costs 118
    expect((await search.skip(store.reader, FIRST, { count: 1_000, cost: 1 }))?.count).toBe(1);
    expect((await search.skip(store.reader, FIRST, { count: 7, cost: 1_024 }))?.count).toBe(7);
    expect(await search.skip(store.reader, FIRST, { count: 41, cost: 40 * 118 + 1 })).toBeUndefined();

    const ids: string[] = [];
    const lengths: number[] = [];
    for (let after: PageRange["after"]; ;) {
      const found = await store.forOrg(orgId).search(() => search, { ...FIRST, after });
      ids.push(...found.rows.map(({ id }) => id));
      lengths.push(found.rows.length);
      if (found.end === undefined) break;
      after = found.end;
    }
    expect(ids).toEqual(Array.from({ length: 40 }, (_, i) => idOf(String(i).padStart(2, "0"))));
    expect(lengths).toEqual([17, 17, 6]);
  });
});
