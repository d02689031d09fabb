import { importText } from "../../../src/transfer/import.js";
import { startApi, type ApiClient } from "../../support/api.js";
import type { TestServer } from "../../support/server.js";
import { describeStores, type TestDatabase, withStore } from "../../support/stores.js";
import { causesOf, createWriter, insertUsers, listWords, profile, storedUser } from "../../support/users.js";

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

  test("q finds the users of whom each word begins a word, in any order, without case and accents", async () => {
    await insert([
      { login: "login-joe" },
      { login: "b", email: "Maria@example.com" },
      { login: "ann.adams@example.com", firstName: "Ann-Kathrin", lastName: "Adams" },
      { login: "d", lastName: "Müller" },
      { login: "e%_", firstName: "SØREN", lastName: "McAnn" },
    ]);
    expect(await find("LOGIN-j")).toEqual(["login-joe"]);
    expect(await find("j LOGIN")).toEqual(["login-joe"]);
    expect(await find("maria@EXAMPLE")).toEqual(["b"]);
    for (const q of ["ann adams", "adams ann", "kath", "ANN.ADAMS@exam", "ann.adams@example.com", "àdám"]) {
      expect([q, await find(q)]).toEqual([q, ["ann.adams@example.com"]]);
    }
    for (const q of ["muller", "MÜLLER", "Mu\u0308l"]) expect([q, await find(q)]).toEqual([q, ["d"]]);
    for (const q of ["søren", "soren", "Soren mcann"]) expect([q, await find(q)]).toEqual([q, ["e%_"]]);
    for (const q of ["dams", "ann zoe", "uller", "annk"]) expect([q, await find(q)]).toEqual([q, []]);
    expect(await find("joe", "&sortBy=profile.login")).toEqual(["b", "d", "login-joe"]);
    expect(await find("")).toHaveLength(5);
    expect(await loginsAt("/users?q=ann-kathrin&sortBy=id")).toEqual(["ann.adams@example.com"]);
    const { origin } = new URL((await api("/users/d")).body._links.self.href);
    expect((await api(`${origin}/api/v2/users?q=mull`)).body.items).toMatchObject([{ login: "d" }]);
  });

  test("q finds a user by the words of now, whoever wrote them and however", async () => {
    const { create, patch, post, send } = createWriter(api);
    const { id } = await create(profile("zed@one.example", { firstName: "Zoë", displayName: "Zed Zebra" }));
    const finds = async (words: string) => {
      for (const word of words.split(" ")) {
        const found = await find(word.replace("-", ""));
        expect([word, found.length]).toEqual([word, word.startsWith("-") ? 0 : 1]);
      }
    };
    await finds("zoe zed zebra one");
    await post(`/users/${id}`, { profile: { firstName: "Ärne" } });
    await finds("-zoe arne zebra");
    await send("PUT", `/users/${id}`, { profile: profile("kim@two.example", { firstName: "Kim" }) });
    await finds("-zebra -arne -one kim two");
    await patch(`/users/${id}`, { profile: { lastName: "Łę" } });
    await finds("kim le");
    await post(`/users/${id}/lifecycle/suspend`);
    await finds("kim le");
    const document = (lastName: string) => ({
      orgs: [{ subdomain: "demo", name: "Demo", users: [{ profile: profile("kim@two.example", { lastName }) }] }],
    });
    await withStore(options, (store) => importText(store, JSON.stringify(document("Ødegård"))));
    await finds("-le joe odeg");
    expect(await listWords(options)).toEqual(["com", "example", "joe", "kim", "odegard", "two"]);
    await send("DELETE", `/users/${id}`);
    await send("DELETE", `/users/${id}`);
    await finds("-kim -odegard");
    expect(await listWords(options)).toEqual([]);
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
    for (const count of [19, 20]) expect(await find("a ".repeat(count))).toEqual(["a b"]);
    for (const length of [127, 128]) expect(await find("a".repeat(length))).toEqual([]);
    for (const [q, cause] of [
      ["a".repeat(129), "q: has 129 characters; at most 128 are allowed"],
      ["a%00", "q: has a control character at offset 1"],
      ["%20%40%20", "q: found no word at offset 0, expected a letter or a digit"],
      ["a+".repeat(21), "q: found word 21 at offset 40, expected at most 20 words"],
    ]) {
      const refused = await api(`/users?q=${q}`);
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
      expect(causesOf(refused)).toEqual([cause]);
    }
  });
});
