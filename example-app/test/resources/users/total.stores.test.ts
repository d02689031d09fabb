import { searchUsers } from "../../../src/store/records/users.js";
import { openStore } from "../../../src/store/store.js";
import { startApi, type ApiClient } from "../../support/api.js";
import type { TestServer } from "../../support/server.js";
import { describeStores, type TestDatabase } from "../../support/stores.js";
import { causesOf, insertUsers, storedUser } from "../../support/users.js";

describeStores((_engine, database) => {
  let made: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    made = await database();
  });
  afterEach(() => server.close());

  const start = async (settings: object = {}) => {
    ({ server, api } = await startApi(made, settings));
  };
  const totalOf = async (query: string): Promise<string | undefined> => {
    const { status, headers, body } = await api(`/users?${query}`);
    expect({ query, status, body }).toMatchObject({ query, status: 200 });
    return headers["x-total-count"] as string | undefined;
  };
  const search = encodeURIComponent('profile.email co "@some"');
  const QUERIES = [
    "",
    "&q=pers",
    "&q=per+u1&sortBy=profile.login",
    `&search=${search}`,
    "&filter=status+eq+%22ACTIVE%22",
  ];

  test("total=true tells how many users a list has on all its pages, and nothing else does", async () => {
    await start();
    await insertUsers(made.options, [
      ...Array.from({ length: 30 }, (_, i) =>
        storedUser(`u${i}`, { profile: { email: `u${i}@some.example`, lastName: i % 3 === 0 ? "Person" : "Pers" } }),
      ),
      storedUser("gone", { status: "DEPROVISIONED" }),
    ]);
    expect(await totalOf("limit=7&total=true")).toBe("30");
    expect(await Promise.all(QUERIES.map((query) => totalOf(`total=true&limit=1${query}`)))).toEqual([
      ..."30 30 11 30 30".split(" "),
    ]);
    expect(await totalOf("total=true&q=nobody")).toBe("0");
    for (const query of ["limit=7", "total=false", "total="]) expect(await totalOf(query)).toBeUndefined();
    const next = /<([^>]*)>; rel="next"/.exec(String((await api("/users?total=true&limit=7")).headers["link"]))?.[1];
    expect((await api(next!)).headers["x-total-count"]).toBe("30");
    const { origin } = new URL(next!);
    expect((await api(`${origin}/api/v2/users?total=true`)).headers["x-total-count"]).toBe("30");
    const refused = await api("/users?total=yes");
    expect([refused.status, causesOf(refused)]).toEqual([400, ['total: must be true or false, not "yes"']]);
  });

  test("a list that is searched is counted in slices, up to a bound", async () => {
    await start();
    const people = Array.from({ length: 90 }, (_, i) => storedUser(`u${i}`, { profile: { lastName: "Person" } }));
    await insertUsers(made.options, people);
    const count = async (most: number, searchLimit: number, column: "matched" | "created") => {
      const store = await openStore({ ...made.options, searchLimit });
      const { id } = (await store.findOrgBySubdomain("demo"))!;
      const order = [{ column }, { column: "id" }] as const;
      const total = await store
        .forOrg(id)
        .count((dialect, orgId) => searchUsers(dialect, orgId, { expression: undefined, name: "per", order }), most);
      await store.close();
      return [total.count, total.isLeast];
    };
    for (const column of ["matched", "created"] as const) {
      expect(await count(89, 1_000, column)).toEqual([89, true]);
      expect(await count(90, 1_000, column)).toEqual([90, false]);
      expect(await count(91, 1_000, column)).toEqual([90, false]);
      expect(await count(91, 50, column)).toEqual([50, true]);
    }
  });

  test("P6 a total is exact up to 10,000", async () => {
    await start();
    const users = Array.from({ length: 10_001 }, (_, i) =>
      storedUser(`u${i}`, { profile: { email: `u@some.example`, firstName: "Per", lastName: "Person" } }),
    );
    const added = [users.slice(0, 9_999), users.slice(9_999, 10_000), users.slice(10_000)];
    const wide = ["", "&filter=status+eq+%22ACTIVE%22"];
    for (const [place, total] of ["9999", "10000", "10000+"].entries()) {
      await insertUsers(made.options, added[place]!);
      for (const query of wide) expect([query, await totalOf(`total=true&limit=1${query}`)]).toEqual([query, total]);
    }
  });
});
