import type { User } from "../../../src/model/records.js";
import { USER_STATUSES } from "../../../src/model/user-shapes.js";
import { USERS_V1 } from "../../../src/resources/users/views.js";
import { describeApi, type ApiClient, type TestOrg } from "../../support/api.js";
import { TEST_NODES } from "../../support/server.js";
import { deleteUserRows, insertUsers, storedUser } from "../../support/users.js";

const day = (n: number) => `2025-02-${String(n).padStart(2, "0")}T00:00:00.000Z`;
const idOf = ({ id }: { id: string }) => id;
const loginOf = (user: { profile: { login: string } }) => user.profile.login;

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];

  const query = (parameters: Record<string, string | number>) =>
    `/users?${Object.entries(parameters)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&")}`;
  const list = async (parameters: Record<string, string | number> = {}) => {
    const { status, body, headers } = await api(query(parameters));
    expect({ status, body }).toMatchObject({ status: 200 });
    return { body: body as User[], next: nextOf(headers["link"]) };
  };
  const logins = async (parameters: Record<string, string | number> = {}) =>
    (await list(parameters)).body.map(loginOf).sort();
  const refused = async (parameters: Record<string, string | number>) => {
    const { status, body } = await api(query(parameters));
    expect(status).toBe(400);
    return body as { errorCode: string; errorCauses: { errorSummary: string }[] };
  };

  beforeEach(async () => {
    org = await openOrg();
    ({ api } = org);
  });

  const insert = (users: User[]) => insertUsers(org.options, users, org.subdomain);

  test("L5 each user carries self alone, and null members are there", async () => {
    const user = storedUser("joe", { activated: null });
    await insert([user]);
    const { body } = await list();
    expect(body).toEqual([{ ...user, _links: { self: { href: expect.stringMatching(`/api/v1/users/${user.id}$`) } } }]);
    expect((await api((body[0] as unknown as { _links: { self: { href: string } } })._links.self.href)).status).toBe(
      200,
    );
  });

  test("leaves those who are DEPROVISIONED out, unless there is filter or search", async () => {
    await insert(USER_STATUSES.map((status) => storedUser(status.toLowerCase(), { status })));
    expect(await logins()).toHaveLength(USER_STATUSES.length - 1);
    expect(await logins()).not.toContain("deprovisioned");
    expect(await logins({ sortBy: "status" })).toHaveLength(USER_STATUSES.length - 1);
    expect(await logins({ filter: 'status eq "DEPROVISIONED"' })).toEqual(["deprovisioned"]);
    expect(await logins({ search: "id pr" })).toHaveLength(USER_STATUSES.length);
  });

  test("F5 pr takes the profile, and no other operator does", async () => {
    const empty = { login: "", email: "", firstName: "", lastName: "", tags: [] };
    await insert([storedUser("joe"), storedUser("none", { profile: empty })]);
    expect(await logins({ search: "profile pr" })).toEqual(["joe"]);
    expect(await logins({ search: "not (profile pr)" })).toEqual([""]);
    expect(await refused({ search: 'profile eq "joe"' })).toMatchObject({ errorCode: "E0000094" });
    expect(await refused({ filter: "profile pr" })).toMatchObject({ errorCode: "E0000094" });
  });

  describe("form encoding", () => {
    const form = (parameters: Record<string, string>) => `/users?${new URLSearchParams(parameters).toString()}`;
    const loginsAt = async (path: string) => ((await api(path)).body as User[]).map(loginOf);

    test.each(["filter", "search"])("Q3 is read in %s, where + is a space", async (name) => {
      await insert(["joe+tag", "joe tag", "joe"].map((login) => storedUser(login)));
      for (const login of ["joe+tag", "joe tag"]) {
        const expression = `profile.login eq "${login}" and status eq "ACTIVE"`;
        expect(form({ [name]: expression })).toContain("+eq+");
        expect(await loginsAt(form({ [name]: expression }))).toEqual([login]);
        expect(await loginsAt(query({ [name]: expression }))).toEqual([login]);
      }
      expect(await loginsAt(`/users?${name}=profile.login%20eq%20%22joe+tag%22`)).toEqual(["joe+tag"]);
      expect(await loginsAt(`/users?${name}=profile.login+eq+%22joe+tag%22`)).toEqual(["joe tag"]);
    });

    test("Q3 P2 stays in the links, and a cursor works in either encoding", async () => {
      await insert(["a b", "a c", "a d", "b"].map((login) => storedUser(login)));
      const search = 'profile.login sw "a " and id pr';
      const parameters = { search, sortBy: "profile.login", limit: "2" };
      const first = await api(form(parameters));
      expect((first.body as User[]).map(loginOf)).toEqual(["a b", "a c"]);
      const sent = "search=profile.login+sw+%22a+%22+and+id+pr&sortBy=profile.login&limit=2";
      expect(first.headers["link"]).toContain(`/users?${sent}>; rel="self"`);
      const next = nextOf(first.headers["link"])!;
      expect(next).toContain(`/users?${sent}&after=`);
      expect(await loginsAt(next)).toEqual(["a d"]);
      const after = new URL(next).searchParams.get("after")!;
      expect(await loginsAt(query({ ...parameters, after }))).toEqual(["a d"]);
      const other = await api(form({ ...parameters, search: 'profile.login sw "a"', after }));
      expect(other.body).toMatchObject({ errorCode: "E0000029" });
    });
  });

  test("P6 has 200 users at most and by default", async () => {
    await insert(Array.from({ length: 201 }, (_, i) => storedUser(`u${i}`)));
    expect((await list()).body).toHaveLength(200);
    expect((await list({ limit: 199 })).body).toHaveLength(199);
    const { body, next } = await list({ limit: 200 });
    expect(body).toHaveLength(200);
    expect((await api(next!)).body).toHaveLength(1);
    for (const limit of ["0", "201", "-1", "x", ""]) {
      expect(await refused({ limit })).toMatchObject({ errorCode: "E0000001" });
    }
    expect((await api("/users?limit=1&limit=2")).status).toBe(400);
    for (const query of ["filter%3Dstatus%20eq%20%22ACTIVE%22", "limit%3D1"]) {
      const { status, body } = await api(`/users?${query}`); // Q2: as a whole it is the name of a parameter
      expect({ status, cause: body.errorCauses?.[0].errorSummary }).toEqual({
        status: 400,
        cause: expect.stringContaining('"%3D" is "=", percent-encoded'),
      });
    }
  });

  test("P3 walks in each order to the end, ties by id", async () => {
    const users = Array.from({ length: 25 }, (_, i) =>
      storedUser(`u${i}`, {
        status: i % 3 === 0 ? "ACTIVE" : "STAGED",
        created: day((i % 4) + 1),
        lastUpdated: day(1),
        profile: { firstName: `F${i % 5}`, lastName: "É", email: `e${i % 2}@b` },
      }),
    );
    await insert(users);
    const columns: [string, (user: User) => string][] = [
      ["id", idOf],
      ["status", ({ status }) => status],
      ["created", ({ created }) => created],
      ["lastUpdated", ({ lastUpdated }) => lastUpdated],
      ["profile.login", loginOf],
      ["profile.email", (user) => user.profile.email],
      ["profile.firstName", (user) => user.profile.firstName],
      ["profile.lastName", (user) => user.profile.lastName],
    ];
    for (const [sortBy, keyOf] of columns) {
      for (const sortOrder of ["asc", "desc"]) {
        const sorted = users.map((user) => `${keyOf(user)} ${user.id}`).sort();
        if (sortOrder === "desc") sorted.reverse();
        const pages = await walk(query({ sortBy, sortOrder, limit: 7 }));
        expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 4]);
        expect(pages.flat().map((user) => `${keyOf(user)} ${user.id}`)).toEqual(sorted);
      }
    }
    expect((await list({ limit: 25 })).body.map(idOf)).toEqual(users.map(idOf).sort());
    expect((await list({ sortOrder: "desc" })).body.map(idOf)).toEqual(users.map(idOf).sort().reverse());
  });

  test("P5 a walk sees exactly once whatever was there throughout, while users come and go", async () => {
    const stay = Array.from({ length: 60 }, (_, i) => storedUser(`stay${i}`, { created: day((i % 3) + 1) }));
    const go = Array.from({ length: 30 }, (_, i) => storedUser(`go${i}`, { created: day((i % 3) + 1) }));
    await insert([...stay, ...go]);
    for (const [round, order] of [
      {},
      { sortBy: "created", sortOrder: "desc" },
      { sortBy: "profile.login" },
      { search: `created ge "${day(1)}" and profile.login pr` },
    ].entries()) {
      const seen: string[] = [];
      let pages = 0;
      for (let next: string | undefined = query({ ...order, limit: 10 }); next !== undefined; pages++) {
        const answer = await api(next);
        seen.push(...answer.body.map(idOf));
        next = nextOf(answer.headers["link"]);
        await insert([storedUser(`come${round}-${pages}`, { created: day(2) })]);
        const gone = go.splice(0, 1);
        if (gone.length > 0) await deleteUserRows(org.options, gone.map(idOf));
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => stay.some((user) => user.id === id))).toHaveLength(60);
    }
  });

  test("P1 a cursor is good for its org, filter and order alone", async () => {
    const users = Array.from({ length: 5 }, (_, i) => storedUser(`u${i}`));
    await insert(users);
    await insertUsers(org.options, [storedUser("x")], (await openOrg()).subdomain);
    const filter = 'status eq "ACTIVE"';
    const cursorOf = async (parameters: Record<string, string | number>) =>
      new URL((await list({ ...parameters, limit: 2 })).next!).searchParams.get("after")!;
    const after = await cursorOf({ filter });

    expect((await list({ filter, after, limit: 3 })).body).toHaveLength(3);
    expect((await list({ filter: ' status  EQ "ACTIVE" ', after, unknown: 1 })).body).toHaveLength(3);
    const changed = `${after.slice(0, -2)}${after.endsWith("AA") ? "BB" : "AA"}`;
    for (const parameters of [
      { after },
      { search: filter, after },
      { filter: 'status eq "STAGED"', after },
      { filter, after, sortBy: "created" },
      { filter, after, sortOrder: "desc" },
      { filter, before: after },
      { filter, after, before: after },
      { filter, after: changed },
      { filter, after: "" },
      { filter, after: "x" },
      { after: await cursorOf({ sortBy: "created" }), sortBy: "lastUpdated" },
    ]) {
      expect(await refused(parameters)).toMatchObject({ errorCode: "E0000029" });
    }
  });

  test("F1 the same filter finds in each org its own users, and another operand others", async () => {
    const other = await openOrg();
    await insert([storedUser("joe"), storedUser("ann")]);
    await insertUsers(org.options, [storedUser("joe", { status: "STAGED" }), storedUser("ben")], other.subdomain);
    const find = async (client: Pick<ApiClient, "api">, login: string) => {
      const { body } = await client.api(query({ filter: `profile.login eq "${login}"` }));
      return (body as User[]).map((user) => `${loginOf(user)} ${user.status}`);
    };

    for (let round = 0; round < 2 * TEST_NODES; round++) {
      expect(await find({ api }, "joe")).toEqual(["joe ACTIVE"]);
      expect(await find(other, "joe")).toEqual(["joe STAGED"]);
      expect(await find({ api }, "ann")).toEqual(["ann ACTIVE"]);
      expect(await find(other, "ann")).toEqual([]);
      expect(await find(other, "ben")).toEqual(["ben ACTIVE"]);
      expect(await find({ api }, "ben")).toEqual([]);
    }
  });

  test("a search that comes again is not resolved again", async () => {
    const search = 'profile.lastName sw "D"';
    for (let node = 0; node < TEST_NODES; node++) await list({ search });
    const lookUp = jest.spyOn(USERS_V1.searchSchema.attributes, "get");
    for (let node = 0; node < TEST_NODES; node++) await list({ search });
    const again = lookUp.mock.calls.length;
    for (let node = 0; node < TEST_NODES; node++) await list({ search: 'profile.lastName sw "E"' });
    expect(again).toBeLessThan(lookUp.mock.calls.length - again);
    lookUp.mockRestore();
  });

  test("F6 filter takes the attributes of search with eq, dates with ranges, and nothing else", async () => {
    const joe = storedUser("Joe", { lastUpdated: day(3), profile: { age: 3 } });
    const dates = { created: day(2), activated: day(1), statusChanged: day(2), lastUpdated: day(5) };
    const ann = storedUser("ann", { status: "STAGED", ...dates, profile: { dept: "Sales" } });
    await insert([joe, ann]);
    for (const [filter, found] of [
      ['status eq "ACTIVE"', ["Joe"]],
      [`id eq "${joe.id}"`, ["Joe"]],
      ['profile.login eq "Joe"', ["Joe"]],
      ['profile.login eq "joe"', []],
      ['profile.email eq "joe@example.com"', ["Joe", "ann"]],
      ['profile.firstName eq "Joe" and profile.lastName EQ "Doe"', ["Joe", "ann"]],
      [`lastUpdated gt "${day(3)}"`, ["ann"]],
      [`lastUpdated ge "${day(3)}"`, ["Joe", "ann"]],
      [`lastUpdated lt "${day(5)}"`, ["Joe"]],
      [`lastUpdated le "${day(5)}" and (status eq "STAGED" or status eq "SUSPENDED")`, ["ann"]],
      [`lastUpdated eq "${day(5)}"`, ["ann"]],
      ["profile.age eq 3", ["Joe"]],
      ['profile.dept eq "Sales"', ["ann"]],
      [`created gt "${day(1)}"`, ["ann"]],
      [`activated lt "${day(2)}" and statusChanged ge "${day(2)}"`, ["ann"]],
      [` status eq "A\\"B" `, []],
    ] as const) {
      expect(await logins({ filter })).toEqual(found);
    }
    for (const [filter, errorCode] of [
      ['profile.login sw "J"', "E0000094"],
      ['profile.login co "Joe"', "E0000094"],
      ['profile.login ew "Joe"', "E0000094"],
      ['status ne "ACTIVE"', "E0000094"],
      ["status pr", "E0000094"],
      ['not (status eq "ACTIVE")', "E0000094"],
      ['profile.dept sw "Sa"', "E0000094"],
      ["activated pr", "E0000094"],
      ['org_id eq "x"', "E0000094"],
      ['revision eq "1"', "E0000094"],
      ["status eq 1", "E0000037"],
      ['lastUpdated gt "2025-02-01"', "E0000030"],
      ["status eq null", "E0000031"],
      ['status eq "A', "E0000031"],
      ["", "E0000031"],
      ["x".repeat(8_193), "E0000031"],
    ] as const) {
      expect(await refused({ filter })).toMatchObject({ errorCode });
    }
    expect(await refused({ filter: 'status eq "ACTIVE"', search: "id pr" })).toMatchObject({ errorCode: "E0000033" });
    expect((await api("/users?filter=id%20eq%20%22a%22&filter=id%20eq%20%22a%22")).status).toBe(400);
    expect((await api("/users?filter=%zz")).body.errorCode).toBe("E0009000");
  });

  test("F6 search takes any attribute of the profile, and co with three characters", async () => {
    const attributes = { dept: "Sales", age: 3, on: true, tags: ["red", "blue"], levels: [1, 2] };
    await insert([
      storedUser("joe", { statusChanged: day(2), profile: attributes }),
      storedUser("ann", { status: "STAGED", activated: null, statusChanged: null, created: day(9) }),
    ]);
    for (const [search, found] of [
      ['profile.dept eq "Sales"', ["joe"]],
      ['profile.dept sw "Sa" and profile.dept co "ale"', ["joe"]],
      ['profile.dept co "ALE"', []],
      ["profile.age ge 3 and profile.age lt 4", ["joe"]],
      ['profile.age eq "3"', []],
      ["profile.on eq true", ["joe"]],
      ['profile.tags eq "blue"', ["joe"]],
      ["profile.levels gt 1", ["joe"]],
      ["profile.dept pr", ["joe"]],
      ["not (profile.dept pr)", ["ann"]],
      ["profile.constructor pr", []],
      ["activated pr", ["joe"]],
      ["not (activated pr)", ["ann"]],
      [`statusChanged le "${day(2)}"`, ["joe"]],
      [`created gt "${day(8)}"`, ["ann"]],
      ['profile.login sw "j" or status sw "STA"', ["ann", "joe"]],
      ['profile.firstName gt "J" and profile.firstName lt "K"', ["ann", "joe"]],
      ['profile.login sw ""', ["ann", "joe"]],
    ] as const) {
      expect(await logins({ search })).toEqual(found);
    }
    for (const [search, errorCode] of [
      ['profile.dept co "Sa"', "E0000094"],
      ['profile.login ne "joe"', "E0000094"],
      ['profile.dept ew "les"', "E0000094"],
      ['lastLogin gt "2025-01-01T00:00:00.000Z"', "E0000094"],
      ['profile sw "a"', "E0000094"],
      ['profile.a.b eq "x"', "E0000094"],
      ['profile.dept eq "\\u0000"', "E0000031"],
      ["age gt", "E0000031"],
    ] as const) {
      expect(await refused({ search })).toMatchObject({ errorCode });
    }
    await insert([storedUser("é%_x")]);
    expect(await logins({ search: 'profile.login co "%_x"' })).toEqual(["é%_x"]);
  });

  test("E2 says what sortBy and sortOrder take", async () => {
    const { errorCauses } = await refused({ sortBy: "profile.age" });
    expect(errorCauses[0]!.errorSummary).toBe(
      "sortBy: must be one of id, status, created, lastUpdated, profile.login, profile.email, profile.firstName, " +
        'profile.lastName, not "profile.age"',
    );
    for (const sortBy of ["", "constructor", "__proto__", "org_id", "profile_login"]) {
      expect(await refused({ sortBy })).toMatchObject({ errorCode: "E0000001" });
    }
    for (const sortOrder of ["", "ASC", "ascending"]) {
      expect((await refused({ sortOrder })).errorCauses[0]!.errorSummary).toMatch(
        /^sortOrder: must be asc or desc, not/,
      );
    }
    expect((await api("/users?sortBy=id&sortBy=id")).status).toBe(400);
  });

  async function walk(first: string): Promise<User[][]> {
    const pages: User[][] = [];
    for (let next: string | undefined = first; next !== undefined;) {
      const { body, headers } = await api(next);
      pages.push(body);
      next = nextOf(headers["link"]);
    }
    return pages;
  }
});

function nextOf(link: string | string[] | undefined): string | undefined {
  return /<([^>]*)>; rel="next"/.exec(String(link))?.[1];
}
