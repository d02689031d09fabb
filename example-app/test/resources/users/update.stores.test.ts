import { describeApi, type ApiClient, type TestOrg } from "../../support/api.js";
import { causesOf, createWriter, JOE, profile, readUserEvents, readUserRow } from "../../support/users.js";

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let { send, post, patch, create } = createWriter(() => Promise.reject(new Error("no server yet")));

  beforeEach(async () => {
    org = await openOrg();
    ({ api } = org);
    ({ send, post, patch, create } = createWriter(api));
  });

  test("POST changes the members that are sent and unsets those that are null", async () => {
    const { id } = await create();
    const { body } = await post(`/users/joe@example.com`, {
      status: "SUSPENDED",
      id: "x",
      profile: { lastName: "New", age: null, color: "red", tags: ["c"] },
    });
    const rest = Object.fromEntries(Object.entries(JOE).filter(([name]) => name !== "age"));
    expect(body).toMatchObject({ id, status: "ACTIVE" });
    expect(body.profile).toEqual({ ...rest, lastName: "New", color: "red", tags: ["c"] });
    expect((await api(`/users/${id}`)).body).toEqual(body);
    expect(causesOf(await post(`/users/${id}`, { profile: { login: null } }))).toEqual(["profile.login: is required"]);
    expect(causesOf(await post(`/users/${id}`, { profile: [] }))).toEqual(["profile: must be an object, not []"]);
  });

  test("PUT unsets what is not sent", async () => {
    const { id, created } = await create();
    const { body } = await send("PUT", `/users/${id}`, { profile: profile("joe", { color: "red" }) });
    expect(body).toMatchObject({ id, created, status: "ACTIVE" });
    expect(body.profile).toEqual(profile("joe", { color: "red" }));
    expect((await send("PUT", `/users/${id}`, {})).status).toBe(400);
    expect((await api("/users/Joe@Example.com")).status).toBe(404);
  });

  test("V4 PATCH takes a merge patch", async () => {
    const { id, created } = await create();
    const whole = (await api(`/users/${id}`)).body;
    const { body } = await patch(`/users/${id}`, { ...whole, profile: { lastName: "New", age: null, tags: ["c"] } });
    const rest = Object.fromEntries(Object.entries(JOE).filter(([name]) => name !== "age"));
    expect(body.profile).toEqual({ ...rest, lastName: "New", tags: ["c"] });
    expect(body.created).toBe(created);
    expect(causesOf(await patch(`/users/${id}`, { profile: null }))).toEqual(["profile: is required"]);
  });

  test("V4 PATCH takes a JSON Patch, all or nothing", async () => {
    const { id } = await create();
    const { body } = await patch(
      `/users/${id}`,
      [
        { op: "test", path: "/status", value: "ACTIVE" },
        { op: "replace", path: "/profile/lastName", value: "New" },
        { op: "add", path: "/profile/tags/-", value: "c" },
        { op: "remove", path: "/profile/age" },
      ],
      "json-patch",
    );
    expect(body.profile).toMatchObject({ lastName: "New", tags: ["a", "b", "c"] });
    expect(body.profile).not.toHaveProperty("age");
    const failed = await patch(
      `/users/${id}`,
      [
        { op: "replace", path: "/profile/lastName", value: "Newer" },
        { op: "test", path: "/profile/firstName", value: "Ann" },
      ],
      "json-patch",
    );
    expect(failed).toMatchObject({ status: 409, body: { errorCode: "E0000195" } });
    expect((await api(`/users/${id}`)).body).toEqual(body);
  });

  test("V4 PATCH can't change what only the server sets", async () => {
    const { id } = await create();
    for (const member of ["id", "status", "created", "activated", "statusChanged", "lastUpdated", "lastLogin"]) {
      const refused = { status: 403, body: { errorCode: "E0000077", errorCauses: [{ errorSummary: `/${member}` }] } };
      expect(await patch(`/users/${id}`, { [member]: "x" })).toMatchObject(refused);
      const operation = { op: "add", path: `/${member}`, value: "x" };
      expect(await patch(`/users/${id}`, [operation], "json-patch")).toMatchObject(refused);
    }
  });

  test.each([
    ["would nest more than 1,000 levels", 10, 422, "E0009006"],
    ["takes more than 20,000 steps", 15, 413, "E0009003"],
  ])("V4 PATCH of a user that %s is refused, and nothing is written", async (_, length, status, errorCode) => {
    const { id } = await create();
    const before = (await api(`/users/${id}`)).body;
    const operations = Array.from({ length }, (_operation, index) => ({
      op: "copy",
      from: "",
      path: "/profile/x".repeat(2 ** index),
    }));
    const refused = await patch(`/users/${id}`, operations, "json-patch");
    expect(refused).toMatchObject({ status, body: { errorCode } });
    expect((await api(`/users/${id}`)).body).toEqual(before);
  });

  test("V4 PATCH reaches no prototype, and other types are 415 with Accept-Patch", async () => {
    const { id } = await create();
    for (const [body, type] of [
      ['{"profile":{"__proto__":{"a":1}}}', "merge-patch"],
      ['[{"op":"add","path":"/__proto__/a","value":1}]', "json-patch"],
      ['[{"op":"add","path":"/constructor/prototype/a","value":1}]', "json-patch"],
    ] as const) {
      expect((await patch(`/users/${id}`, body, type)).status).toBeGreaterThanOrEqual(400);
    }
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
    const unsupported = await send("PATCH", `/users/${id}`, {});
    expect(unsupported.status).toBe(415);
    expect(unsupported.headers["accept-patch"]).toContain("application/merge-patch+json");
    expect((await patch(`/users/${id}`, "")).body.errorCode).toBe("E0000003");
    expect((await patch(`/users/${id}`, [], "json-patch")).status).toBe(200);
  });

  test("T3 If-Match decides over a write", async () => {
    const { id } = await create();
    const etag = String((await api(`/users/${id}`)).headers.etag);
    const saved = await post(`/users/${id}`, { profile: { email: "new@example.com" } }, { "If-Match": etag });
    expect(saved).toMatchObject({ status: 200, body: { profile: { email: "new@example.com" } } });
    expect(saved.headers.etag).not.toBe(etag);

    const body = { profile: profile("stale") };
    const type = { "Content-Type": "application/merge-patch+json" };
    for (const answer of [
      await post(`/users/${id}`, body, { "If-Match": etag }),
      await send("PUT", `/users/${id}`, body, { "If-Match": etag }),
      await send("PATCH", `/users/${id}`, body, { "If-Match": etag, ...type }),
      await send("DELETE", `/users/${id}`, undefined, { "If-Match": etag }),
      await post(`/users/${id}/lifecycle/suspend`, undefined, { "If-Match": etag }),
      await post("/users", body, { "If-Match": "*" }),
      await send("PUT", `/users/${id}`, body, { "If-None-Match": "*" }),
    ]) {
      expect(answer).toMatchObject({ status: 412, body: { errorCode: "E0000231" } });
    }
    expect((await api(`/users/${id}`)).body).toEqual(saved.body);
    expect((await post(`/users/${id}`, {}, { "If-Match": "x" })).body.errorCode).toBe("E0000242");
    for (const condition of ["*", `"a", ${String(saved.headers.etag)}`, String(saved.headers.etag).slice(2)]) {
      expect((await post(`/users/${id}`, {}, { "If-Match": condition })).status).toBe(200);
    }
    expect((await post("/users", { profile: profile("new") }, { "If-None-Match": "*" })).status).toBe(200);
  });

  test("T4 of fifty writers with one tag exactly one wins, and nothing is lost", async () => {
    const { id } = await create();
    const etag = String((await api(`/users/${id}`)).headers.etag);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => post(`/users/${id}`, { profile: { [`w${i}`]: i } }, { "If-Match": etag })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(49);
    const winner = statuses.indexOf(200);
    const stored = (await api(`/users/${id}`)).body;
    expect(stored.profile).toEqual({ ...JOE, [`w${winner}`]: winner });
    expect((await readUserRow(org.options, JOE.login, org.subdomain))?.revision).toBe(2);
  });

  test("T4 of fifty writers without a tag none is lost", async () => {
    const { id } = await create();
    await Promise.all(Array.from({ length: 50 }, (_, i) => post(`/users/${id}`, { profile: { [`w${i}`]: i } })));
    const added = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`w${i}`, i]));
    expect((await api(`/users/${id}`)).body.profile).toEqual({ ...JOE, ...added });
    expect((await readUserRow(org.options, JOE.login, org.subdomain))?.revision).toBe(51);
  });

  test("a write that changes nothing keeps tag and dates, and is no event", async () => {
    const { id } = await create();
    const before = await api(`/users/${id}`);
    const reversed = Object.fromEntries(Object.entries(JOE).reverse());
    for (const answer of [
      await post(`/users/${id}`, {}),
      await post(`/users/${id}`, { profile: { nothing: null } }),
      await send("PUT", `/users/${id}`, { profile: reversed }),
      await patch(`/users/${id}`, before.body),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: before.body, headers: { etag: before.headers.etag } });
    }
    expect(await readUserEvents(org.options, org.subdomain)).toHaveLength(2);
  });
});
