import { describeApi, type ApiClient, type TestOrg } from "../../support/api.js";
import {
  causesOf,
  changeUserRow,
  createWriter,
  insertUsers,
  JOE,
  profile,
  readUserEvents,
  readUserRow,
  storedUser,
} from "../../support/users.js";

const LINKS_OF_ACTIVE = ["self", "deactivate", "suspend", "expirePassword"];
const UNKNOWN = "0".repeat(20);

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];

  let { send, post, patch, create } = createWriter(() => Promise.reject(new Error("no server yet")));

  beforeEach(async () => {
    org = await openOrg();
    ({ api } = org);
    ({ send, post, patch, create } = createWriter(api));
  });

  describe("POST /users", () => {
    test("T1 creates a user who is ACTIVE, with a tag and all links", async () => {
      const created = await post("/users", { profile: JOE });
      expect(created).toMatchObject({
        status: 200,
        headers: { etag: expect.stringMatching(/^W\/"/) },
        body: { status: "ACTIVE", lastLogin: null, profile: JOE },
      });
      const { id, created: date, activated, statusChanged, lastUpdated, _links, ...rest } = created.body;
      expect(id).toMatch(/^[0-9A-Za-z]{20}$/);
      expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect([activated, statusChanged, lastUpdated]).toEqual([date, date, date]);
      expect(Object.keys(rest).sort()).toEqual(["lastLogin", "profile", "status"]);
      expect(Object.keys(_links)).toEqual(LINKS_OF_ACTIVE);
      expect(_links.self.href).toBe(`${new URL(_links.self.href).origin}/api/v1/users/${id}`);
      expect((await api(_links.self.href)).body).toEqual(created.body);
    });

    test("creates a user who is STAGED with activate=false", async () => {
      const { body } = await post("/users?activate=false", { profile: JOE });
      expect(body).toMatchObject({ status: "STAGED", activated: null, statusChanged: null });
      expect((await post("/users?activate=true", { profile: profile("b") })).body.status).toBe("ACTIVE");
      for (const value of ["", "TRUE", "1"]) {
        expect(await post(`/users?activate=${value}`, { profile: profile("c") })).toMatchObject({
          status: 400,
          body: { errorCode: "E0000001", errorSummary: "Api validation failed: activate" },
        });
      }
      expect((await post("/users?activate=true&activate=true", { profile: profile("c") })).status).toBe(400);
    });

    test("E2 refuses a login that another user has, in any case of letters, but not that of another org", async () => {
      await create();
      const again = await post("/users", { profile: profile("JOE@example.com") });
      expect(again).toMatchObject({
        status: 400,
        body: { errorCode: "E0000001", errorSummary: "Api validation failed: login" },
      });
      expect(causesOf(again)).toEqual(["login: An object with this field already exists in the current organization"]);
      const other = await create(profile("other"));
      expect(causesOf(await post(`/users/${other.id}`, { profile: { login: "joe@example.com" } }))).toEqual(
        causesOf(again),
      );
      expect((await api(`/users/${other.id}`)).body.profile.login).toBe("other");
      expect(await readUserEvents(org.options, org.subdomain)).toHaveLength(4);
    });

    test("takes nothing from a body but the profile", async () => {
      const { body } = await post("/users", {
        id: UNKNOWN,
        status: "SUSPENDED",
        created: "2001-01-01T00:00:00.000Z",
        lastLogin: "2001-01-01T00:00:00.000Z",
        org_id: "x",
        revision: 99,
        credentials: { password: "x" },
        _links: {},
        profile: JOE,
      });
      expect(body).toMatchObject({ status: "ACTIVE", lastLogin: null, profile: JOE });
      expect(body.id).not.toBe(UNKNOWN);
      expect(body).not.toHaveProperty("credentials");
      expect(await readUserRow(org.options, JOE.login, org.subdomain)).toMatchObject({
        revision: 1,
        created: body.created,
      });
    });

    test("E2 refuses a profile that is wrong, with a cause for each fault", async () => {
      const cases: [unknown, string[]][] = [
        [{}, ["profile: is required"]],
        [{ profile: "x" }, ['profile: must be an object, not "x"']],
        [
          { profile: {} },
          ["login", "email", "firstName", "lastName"].map((member) => `profile.${member}: is required`),
        ],
        [{ profile: { ...JOE, login: null } }, ["profile.login: is required"]],
        [{ profile: { ...JOE, login: 1 } }, ["profile.login: must be a string, not 1"]],
        [{ profile: { ...JOE, email: "joe" } }, ["profile.email: must be an e-mail address"]],
        [{ profile: { ...JOE, x: "a\0" } }, ["profile.x: must not have the character U+0000"]],
        [{ profile: { ...JOE, x: ["\0"] } }, ["profile.x[0]: must not have the character U+0000"]],
        [{ profile: { ...JOE, "a b": 1 } }, ['profile["a b"]: is no attribute name: letters, digits and _']],
      ];
      for (const [body, causes] of cases) {
        const answer = await post("/users", body);
        expect(answer).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
        expect(causesOf(answer)).toEqual(causes);
      }
      for (const value of [{ y: 1 }, ["a", 1], [null], [[]], [true]]) {
        expect(causesOf(await post("/users", { profile: { ...JOE, x: value } }))).toEqual([
          expect.stringMatching(/^profile\.x: must be a text of at most/),
        ]);
      }
    });

    test("has its limits at 255, 2,048 and 100", async () => {
      const attributes = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, i]));
      const within = profile("x", { login: "l".repeat(255), text: "t".repeat(2_048), list: Array(100).fill("e") });
      expect((await post("/users", { profile: { ...within, ...attributes(94) } })).status).toBe(200);
      for (const beyond of [
        { login: "l".repeat(256) },
        { text: "t".repeat(2_049) },
        { list: Array(101).fill("e") },
        attributes(97),
      ]) {
        expect((await post("/users", { profile: profile("y", beyond) })).body.errorCode).toBe("E0000001");
      }
    });

    test("E1 refuses a body that is no object", async () => {
      for (const body of ["[]", '{"profile":', "1"]) {
        expect(await post("/users", body)).toMatchObject({ status: 400, body: { errorCode: "E0000003" } });
      }
      expect(causesOf(await post("/users", ""))).toEqual(["profile: is required"]);
    });

    test("reaches no prototype", async () => {
      const body = `{"__proto__":{"a":1},"profile":{"__proto__":{"b":1},"constructor":"c","login":"p","email":"p@b","firstName":"a","lastName":"b"}}`;
      const { profile: stored } = (await post("/users", body)).body;
      expect(stored).toEqual({ constructor: "c", login: "p", email: "p@b", firstName: "a", lastName: "b" });
      expect(Object.keys(stored)).not.toContain("__proto__");
      expect(({} as Record<string, unknown>)["b"]).toBeUndefined();
    });
  });

  describe("GET /users/:id", () => {
    test("finds a user by id, and by login in any case of letters", async () => {
      const { body } = await post("/users", { profile: JOE });
      for (const id of [body.id, "Joe@Example.com", "joe%40example.com", "JOE@EXAMPLE.COM"]) {
        expect(await api(`/users/${id}`)).toMatchObject({ status: 200, body: { id: body.id } });
      }
      const slashed = await create(profile("a/b", { email: "a@b" }));
      expect((await api("/users/a%2Fb")).body.id).toBe(slashed.id);
    });

    test("an id goes before a login that looks like it", async () => {
      const first = await create();
      const second = await create(profile(first.id));
      expect((await api(`/users/${first.id}`)).body.id).toBe(first.id);
      await create(profile("abcdefghij0123456789"));
      expect((await api("/users/ABCDEFGHIJ0123456789")).status).toBe(200);
      expect((await api(`/users/${second.id}`)).body.profile.login).toBe(first.id);
    });

    test("E1 says 404 to what is not there, on every method", async () => {
      for (const id of [UNKNOWN, "nobody", "%00", "a%00b", "%27%20or%201=1"]) {
        const name = decodeURIComponent(id);
        expect(await api(`/users/${id}`)).toMatchObject({
          status: 404,
          body: { errorCode: "E0000007", errorSummary: `Not found: Resource not found: ${name} (User)` },
        });
      }
      for (const [method, body] of [
        ["POST", {}],
        ["PUT", { profile: JOE }],
        ["DELETE", undefined],
      ] as const) {
        expect((await send(method, `/users/${UNKNOWN}`, body, { "If-Match": '"x"' })).status).toBe(404);
      }
      expect((await patch(`/users/${UNKNOWN}`, {})).status).toBe(404);
      expect((await post(`/users/${UNKNOWN}/lifecycle/activate`)).status).toBe(404);
      expect((await post(`/users/${UNKNOWN}/lifecycle/promote`)).body.errorCode).toBe("E0000008");
    });

    test("T6 answers 304 to a tag that is current", async () => {
      const { id } = await create();
      const { headers } = await api(`/users/${id}`);
      const etag = String(headers.etag);
      const again = await api(`/users/${id}`, { headers: { "If-None-Match": etag, "Cache-Control": "no-cache" } });
      expect(again).toMatchObject({ status: 304, text: "", headers: { etag } });
      await post(`/users/${id}`, { profile: { lastName: "New" } });
      expect((await api(`/users/${id}`, { headers: { "If-None-Match": etag } })).status).toBe(200);
    });

    test("T2 a sign-in changes no tag, a change of the status does", async () => {
      const { id } = await create();
      const { headers, body } = await api(`/users/${id}`);
      await changeUserRow(org.options, id, { last_login: "2030-01-01T00:00:00.000Z" });
      const after = await api(`/users/${id}`);
      expect(after.headers.etag).toBe(headers.etag);
      expect(after.body).toEqual({ ...body, lastLogin: "2030-01-01T00:00:00.000Z" });
      await post(`/users/${id}/lifecycle/suspend`);
      expect((await api(`/users/${id}`)).headers.etag).not.toBe(headers.etag);
    });
  });

  describe("DELETE /users/:id", () => {
    test("V1 deactivates, then deletes", async () => {
      const { id } = await create();
      expect(await send("DELETE", "/users/joe@example.com")).toMatchObject({ status: 204, text: "" });
      expect((await api(`/users/${id}`)).body.status).toBe("DEPROVISIONED");
      expect((await send("DELETE", `/users/${id}`)).status).toBe(204);
      expect((await send("DELETE", `/users/${id}`)).status).toBe(404);
      expect((await post("/users", { profile: JOE })).status).toBe(200);
    });
  });

  test("D2 every change is an event under the id of its request", async () => {
    const { id } = await create();
    const update = await post(`/users/${id}`, { profile: { lastName: "New" } });
    await send("DELETE", `/users/${id}`);
    await send("DELETE", `/users/${id}`);
    await post(`/users/${id}`, { profile: {} });
    const events = await readUserEvents(org.options, org.subdomain);
    expect(events.map(({ eventType }) => eventType)).toEqual([
      "user.lifecycle.create",
      "user.lifecycle.activate",
      "user.account.update_profile",
      "user.lifecycle.deactivate",
      "user.lifecycle.delete.completed",
    ]);
    expect(events[0].requestId).toBe(events[1].requestId);
    expect(events[2]).toMatchObject({
      requestId: update.headers["x-svc-request-id"],
      target: [{ id, type: "User", alternateId: JOE.login, displayName: "Joe New", detailEntry: null }],
    });
  });

  test("A2 what another org has is not there, and reading needs no more than users.read", async () => {
    const theirs = storedUser("joe@example.com");
    await insertUsers(org.options, [theirs], (await openOrg()).subdomain);
    const mine = await create();
    expect(mine.id).not.toBe(theirs.id);
    expect((await api(`/users/${theirs.id}`)).body.errorSummary).toBe(
      `Not found: Resource not found: ${theirs.id} (User)`,
    );
    expect((await send("DELETE", `/users/${theirs.id}`)).status).toBe(404);
    expect((await post(`/users/${theirs.id}`, { profile: { lastName: "x" } })).status).toBe(404);
    expect((await api("/users")).body.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
    expect((await api("/users?search=id%20pr")).body).toHaveLength(1);

    const reader = await org.as(["users.read"]);
    expect((await reader(`/users/${mine.id}`)).status).toBe(200);
    expect((await reader("/users")).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/users"],
      ["POST", `/users/${mine.id}`],
      ["PUT", `/users/${mine.id}`],
      ["DELETE", `/users/${mine.id}`],
      ["POST", `/users/${mine.id}/lifecycle/suspend`],
    ] as const) {
      expect(await reader(path, { method, body: {} })).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
    }
  });

  test("S7 other methods are 405", async () => {
    expect(await send("PUT", "/users", {})).toMatchObject({ status: 405, body: { errorCode: "E0000022" } });
    expect(await send("GET", `/users/${UNKNOWN}/lifecycle/activate`)).toMatchObject({ status: 405 });
  });
});
