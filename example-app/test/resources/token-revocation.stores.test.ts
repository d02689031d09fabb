import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { importDocument, startTestServer, type Answer, type TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

const FUTURE = "2999-01-01T00:00:00.000Z";

describeStores((_engine, database) => {
  let db: TestDatabase;
  let server: TestServer;
  let admin: ApiClient;

  beforeEach(async () => {
    db = await database();
    ({ server, ...admin } = await startApi(db));
  });
  afterEach(() => server.close());

  const clientOf = (token: string, subdomain = "demo") => createClient(server, subdomain, token);
  const make = async ({ api }: ApiClient, name: string, members: object = {}) =>
    (await api("/apiTokens", { method: "POST", body: { name, ...members } })).body;
  const revoke = ({ api }: ApiClient, body?: unknown, headers: Record<string, string> = {}) =>
    api("/apiTokens/lifecycle/revoke", { method: "POST", body, headers });
  const names = async ({ api }: ApiClient = admin) =>
    (await api("/apiTokens")).body
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => !/^(?:First start|test )/.test(name));
  const events = async () => {
    const store = await db.open();
    const rows = await store.reader
      .selectFrom("log_events")
      .selectAll()
      .where("event_type", "=", "system.api_token.revoke")
      .orderBy("sequence")
      .execute();
    return rows.map(({ event, request_id: id }) => [JSON.parse(event).target[0].displayName, id]);
  };
  const causesOf = ({ status, body }: Answer) => [status, ...body.errorCauses.map((cause: any) => cause.errorSummary)]; // eslint-disable-line

  test("A4 the tokens that a token made end with it, on every node, each with an event", async () => {
    const other = await startTestServer(db);
    const parent = await make(admin, "parent");
    const child = await make(clientOf(parent.token), "child");
    const grandchild = await make(clientOf(child.token), "grandchild");
    const sibling = await make(admin, "sibling");
    const statuses = () =>
      Promise.all(
        [parent, child, grandchild, sibling].map(
          async ({ token }) => (await createClient(other, "demo", token).api("/apiTokens?limit=1")).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const { status, headers } = await admin.api(`/apiTokens/${parent.id}`, { method: "DELETE" });
    expect(status).toBe(204);
    expect(await statuses()).toEqual([401, 401, 401, 200]);
    const id = headers["x-svc-request-id"];
    expect(await events()).toEqual([
      ["parent", id],
      ["child", id],
      ["grandchild", id],
    ]);
    await other.close();
  });

  test("A4 many are revoked by who made them, and the answer counts them", async () => {
    const parent = await make(admin, "parent");
    for (const name of ["a", "b"]) await make(clientOf(parent.token), name);
    const child = await make(clientOf(parent.token), "c");
    await make(clientOf(child.token), "d");
    await make(admin, "e");

    expect(await revoke(admin, { createdBy: child.id })).toMatchObject({ status: 200, body: { revoked: 1 } });
    expect(await names()).toEqual(["a", "b", "c", "e", "parent"]);
    await make(clientOf(child.token), "d");
    const answer = await revoke(admin, { below: parent.id });
    expect([answer.status, answer.text]).toEqual([200, '{"revoked":4}']);
    expect(await names()).toEqual(["e", "parent"]);
    expect((await events()).map(([name]) => name).sort()).toEqual(["a", "b", "c", "d", "d"]);
    expect((await revoke(admin, { below: parent.id })).body).toEqual({ revoked: 0 });
    expect((await revoke(admin, { createdBy: "nobody" })).body).toEqual({ revoked: 0 });
    expect((await revoke(admin, { below: "0".repeat(20) })).body).toEqual({ revoked: 0 });
  });

  test("A4 many are revoked by their age and their last use", async () => {
    const [used, unused] = [await make(admin, "used"), await make(admin, "unused")];
    const between = new Date(Date.parse(unused.created) + 1).toISOString();
    await until(() => new Date().toISOString() > between);
    expect((await clientOf(used.token).api("/apiTokens?limit=1")).status).toBe(200);
    await usedSoon(used.id);
    await make(admin, "new");
    expect((await revoke(admin, { createdBefore: used.created })).body).toMatchObject({ revoked: 1 }); // First start
    expect((await revoke(admin, { unusedSince: between })).body).toEqual({ revoked: 1 });
    expect(await names()).toEqual(["new", "used"]);
    expect((await revoke(admin, { createdBefore: between, unusedSince: FUTURE })).body).toEqual({ revoked: 1 });
    expect(await names()).toEqual(["new"]);
  });

  test("A4 all conditions must hold", async () => {
    const parent = await make(admin, "parent");
    await make(clientOf(parent.token), "child");
    const criteria = { below: parent.id, createdBy: parent.id, createdBefore: FUTURE, unusedSince: FUTURE };
    for (const [member, value] of [
      ["below", "0".repeat(20)],
      ["createdBy", "x"],
      ["createdBefore", "2000-01-01T00:00:00.000Z"],
      ["unusedSince", "2000-01-01T00:00:00.000Z"],
    ] as const) {
      expect([member, (await revoke(admin, { ...criteria, [member]: value })).body]).toEqual([member, { revoked: 0 }]);
    }
    expect((await revoke(admin, { ...criteria, x: 1 })).body).toEqual({ revoked: 1 });
  });

  test("A4 the token of the request and those above it stay", async () => {
    const parent = await make(admin, "parent");
    const child = await make(clientOf(parent.token), "child");
    const client = clientOf(child.token);
    await make(client, "grandchild");
    await make(clientOf(parent.token), "sibling");
    expect((await revoke(client, { createdBefore: FUTURE })).body.revoked).toBeGreaterThan(2);
    expect(await names(client)).toEqual(["child", "parent"]);
    expect((await admin.api("/apiTokens?limit=1")).status).toBe(200);
  });

  test("A4 only tokens whose scopes the one of the request has are revoked", async () => {
    for (const [name, scope] of [
      ["a own", "svc.users.read"],
      ["b foreign", "svc.logs.read"],
    ]) {
      await make(admin, name!, { scopes: [scope] });
    }
    const narrow = clientOf(await insertApiToken(db.options, "demo", ["apiTokens.manage", "users.read"]));
    expect((await revoke(narrow, { createdBefore: FUTURE })).body).toEqual({ revoked: 1 });
    expect(await names()).toEqual(["b foreign"]);
    const reader = clientOf(await insertApiToken(db.options, "demo", ["apiTokens.read", "users.manage"]));
    expect((await revoke(reader, { createdBefore: FUTURE })).status).toBe(403);
  });

  test("A2 tokens of another org stay", async () => {
    await importDocument(db.options, { orgs: [{ subdomain: "other", name: "Other" }] });
    const other = clientOf(await insertApiToken(db.options, "other"), "other");
    const parent = await make(other, "parent");
    await make(clientOf(parent.token, "other"), "child");
    for (const body of [{ createdBefore: FUTURE }, { below: parent.id }, { createdBy: parent.id }]) {
      expect((await revoke(admin, body)).status).toBe(200);
    }
    expect(await names(other)).toEqual(["child", "parent"]);
  });

  test("E2 a body that says no condition, or a wrong one, revokes nothing", async () => {
    await make(admin, "a");
    const none = "Say which tokens, with at least one of below, createdBy, createdBefore, unusedSince.";
    const date = "must be a date such as 2026-01-31T08:00:00.000Z";
    for (const [body, cause] of [
      [undefined, none],
      [{}, none],
      [{ createdBy: null, all: true }, none],
      [{ createdBefore: "2999" }, `createdBefore: ${date}`],
      [{ unusedSince: 7 }, "unusedSince: must be a string, not 7"],
      [{ createdBy: "" }, "createdBy: must not be empty"],
      [{ createdBy: "a\u0000b" }, "createdBy: must not have control characters"],
      [{ below: "x" }, "below: must be the id of a token"],
    ] as const) {
      expect(causesOf(await revoke(admin, body))).toEqual([400, cause]);
    }
    expect(await names()).toEqual(["a"]);
  });

  test("T7 If-Match can't hold for many", async () => {
    expect((await revoke(admin, { createdBefore: FUTURE }, { "If-Match": 'W/"1.x"' })).status).toBe(412);
  });

  test("A4 many tokens go at once", async () => {
    const { id, token } = await make(admin, "parent");
    const store = await db.open();
    const { api } = clientOf(token);
    const [{ body: one }] = [await api("/apiTokens", { method: "POST", body: { name: "child" } })];
    await store.write(async ({ db: writer }) => {
      const row = await writer.selectFrom("api_tokens").selectAll().where("id", "=", one.id).executeTakeFirstOrThrow();
      for (let i = 0; i < 1_200; i++) {
        const own = { id: String(i).padStart(20, "x"), name: `n${i}`, hash: `h${i}` };
        await writer
          .insertInto("api_tokens")
          .values({ ...row, ...own })
          .execute();
      }
    });
    expect((await revoke(admin, { createdBy: id })).body).toEqual({ revoked: 1_201 });
    expect(await names()).toEqual(["parent"]);
    expect(await events()).toHaveLength(1_201);
  });

  async function usedSoon(id: string): Promise<void> {
    await until(async () => (await admin.api(`/apiTokens/${id}`)).body.lastUsed);
  }
});
