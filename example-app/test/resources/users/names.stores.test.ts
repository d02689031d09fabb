import { startApi, type ApiClient } from "../../support/api.js";
import type { TestServer } from "../../support/server.js";
import { describeStores, type TestDatabase } from "../../support/stores.js";
import { causesOf, insertUsers, storedUser } from "../../support/users.js";

interface Person {
  login: string;
  email?: string;
  firstName?: string;
  lastName?: string;
}

describeStores((_engine, database) => {
  let server: TestServer;
  let api: ApiClient["api"];
  let options: TestDatabase["options"];

  beforeEach(async () => {
    const made = await database();
    options = made.options;
    ({ server, api } = await startApi(made));
  });
  afterEach(() => server.close());

  const insert = (people: readonly Person[]) =>
    insertUsers(
      options,
      people.map(({ login, ...profile }) => storedUser(login, { profile: { email: `${login}@x`, ...profile } })),
    );
  const loginsAt = async (path: string): Promise<string[]> => {
    const { status, body } = await api(path);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.map(({ profile }: { profile: { login: string } }) => profile.login);
  };
  const find = (q: string, rest = "") => loginsAt(`/users?q=${encodeURIComponent(q)}${rest}`);

  test("q finds the users whose login, e-mail address, first or last name begins with it, A to Z in either case", async () => {
    await insert([
      { login: "login-joe" },
      { login: "b", email: "Maria@example.com" },
      { login: "c", firstName: "Ann-Kathrin" },
      { login: "d", lastName: "Öztürk" },
      { login: "e%_", lastName: "McAnn" },
    ]);
    expect(await find("LOGIN-j")).toEqual(["login-joe"]);
    expect(await find("maria@EXAMPLE")).toEqual(["b"]);
    expect(await find("ann")).toEqual(["c"]);
    expect(await find("Özt")).toEqual(["d"]);
    expect(await find("özt")).toEqual([]);
    expect(await find("e%_")).toEqual(["e%_"]);
    expect(await find("%")).toEqual([]);
    expect(await find("joe", "&sortBy=profile.login")).toEqual(["b", "d", "e%_", "login-joe"]);
    expect(await find("")).toHaveLength(5);
    expect(await loginsAt("/users?q=ann-kathrin&sortBy=id")).toEqual(["c"]);
    const { origin } = new URL((await api("/users/c")).body._links.self.href);
    expect((await api(`${origin}/api/v2/users?q=ann`)).body.items).toMatchObject([{ login: "c" }]);
  });

  test("q leaves out who is DEPROVISIONED, and finds each user once, by the least name that matches", async () => {
    await insertUsers(options, [storedUser("anna", { status: "DEPROVISIONED" })]);
    await insert([
      { login: "an", email: "an", firstName: "An", lastName: "An" },
      { login: "zoe", email: "ant@x", firstName: "Ana", lastName: "Anz" },
      { login: "any", email: "x@x" },
    ]);
    expect(await find("an")).toEqual(["an", "zoe", "any"]);
    expect(await find("an", "&sortOrder=desc")).toEqual(["any", "zoe", "an"]);
    expect(await find("an", "&sortBy=profile.login")).toEqual(["an", "any", "zoe"]);
  });

  test("P1 P3 a walk with q ends, in both orders and backwards, and its cursors belong to q", async () => {
    await insert(
      Array.from({ length: 11 }, (_, i) => ({ login: `l${i}`, firstName: i % 2 ? "Sam" : "sam", lastName: `Sa${i}` })),
    );
    const relation = (link: unknown, rel: string) => new RegExp(`<([^>]*)>; rel="${rel}"`).exec(String(link))?.[1];
    const all = await find("SA");
    expect(new Set(all).size).toBe(11);
    for (const [order, expected] of [
      ["asc", all],
      ["desc", all.toReversed()],
    ] as const) {
      const seen: string[] = [];
      let previous: string | undefined;
      for (let next: string | undefined = `/users?q=SA&sortOrder=${order}&limit=4`; next !== undefined;) {
        const { body, headers } = await api(next);
        seen.push(...body.map(({ profile }: { profile: { login: string } }) => profile.login));
        next = relation(headers["link"], "next");
        previous = relation(headers["link"], "prev");
      }
      expect(seen).toEqual(expected);
      expect(await loginsAt(previous!)).toEqual(expected.slice(4, 8));
    }
    const { headers } = await api("/users?q=SA&limit=4");
    const after = new URL(relation(headers["link"], "next")!).searchParams.get("after")!;
    expect(await loginsAt(`/users?q=SA&after=${after}`)).toHaveLength(7);
    for (const parameters of ["", "q=Sam&", "q=&", "q=SA&sortOrder=desc&", "q=SA&sortBy=id&"]) {
      const refused = await api(`/users?${parameters}after=${after}`);
      expect({ parameters, code: refused.body.errorCode }).toEqual({ parameters, code: "E0000029" });
    }
  });

  test("q is refused beside filter or search, given twice, too long, and with control characters", async () => {
    await insert([{ login: "a b" }]);
    for (const name of ["filter", "search"]) {
      const refused = await api(`/users?q=a&${name}=${encodeURIComponent('status eq "ACTIVE"')}`);
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000033" } });
      expect(causesOf(refused)).toEqual([`${name}, q: give one of them.`]);
      expect(await loginsAt(`/users?q=&${name}=${encodeURIComponent('status eq "ACTIVE"')}`)).toEqual(["a b"]);
    }
    expect((await api("/users?q=a&q=a")).status).toBe(400);
    expect(await loginsAt("/users?q=a+b")).toEqual(["a b"]);
    for (const length of [127, 128]) expect(await find("a".repeat(length))).toEqual([]);
    for (const [q, cause] of [
      ["a".repeat(129), "q: has 129 characters; at most 128 are allowed"],
      ["a%00", "q: holds a control character"],
    ]) {
      const refused = await api(`/users?q=${q}`);
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
      expect(causesOf(refused)).toEqual([cause]);
    }
  });
});
