import { isApiToken } from "etiquette/api-token-verifier";
import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { startTestServer, type TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

describeStores((_engine, database) => {
  let db: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];

  async function start(settings: Parameters<typeof startApi>[1] = {}): Promise<void> {
    db = await database();
    ({ server, api } = await startApi(db, settings));
  }
  afterEach(() => server.close());

  const make = async (members: object = {}) =>
    (await api("/apiTokens", { method: "POST", body: { name: "Job", ...members } })).body;
  const rotate = (id: string, body?: unknown, headers: Record<string, string> = {}) =>
    api(`/apiTokens/${id}/lifecycle/rotate`, { method: "POST", body, headers });
  const statusOf = async (token: string, node = server) =>
    (await createClient(node, "demo", token).api("/apiTokens?limit=1")).status;
  const statuses = (...tokens: string[]) => Promise.all(tokens.map((token) => statusOf(token)));

  test("A2 a rotated token has a new secret; the old one stays valid for the overlap, on every node", async () => {
    await start();
    const other = await startTestServer(db);
    const { token: old, id, _links, ...before } = await make();
    expect(_links.rotate.href).toMatch(new RegExp(`/${id}/lifecycle/rotate$`));
    const { status, headers, body } = await rotate(id);
    expect([status, headers["cache-control"]]).toEqual([200, "private, no-store"]);
    expect(isApiToken(body.token)).toBe(true);
    expect(body.token).not.toBe(old);
    expect(body).toMatchObject({
      id,
      name: "Job",
      scopes: before.scopes,
      expiresAt: before.expiresAt,
      createdBy: before.createdBy,
      created: before.created,
      previousSecretExpiresAt: new Date(Date.parse(body.lastUpdated) + 86_400_000).toISOString(),
    });
    for (const node of [server, other]) {
      expect([await statusOf(old, node), await statusOf(body.token, node)]).toEqual([200, 200]);
    }
    const { token, ...record } = body;
    await other.close(); // which writes down that it saw the token used
    expect((await api(`/apiTokens/${id}`)).body).toMatchObject({ ...record, lastUsed: expect.anything() });
    expect((await api(`/apiTokens/${id}`)).body).not.toHaveProperty("token");
    expect(token).toBe(body.token);
  });

  test("A2 the old secret ends with the overlap, and at once without one", async () => {
    await start();
    const { token: first, id } = await make();
    const { body: second } = await rotate(id, { overlapSeconds: 1 });
    expect(await statuses(first, second.token)).toEqual([200, 200]);
    await until(() => Date.now() > Date.parse(second.previousSecretExpiresAt));
    expect(await statuses(first, second.token)).toEqual([401, 200]);

    const { body: third } = await rotate(id, { overlapSeconds: 0 });
    expect(third.previousSecretExpiresAt).toBeNull();
    expect(await statuses(first, second.token, third.token)).toEqual([401, 401, 200]);
  });

  test("A2 two secrets are valid at most: a second rotation ends the first", async () => {
    await start();
    const { token: first, id } = await make();
    const { body: second } = await rotate(id);
    const { body: third } = await rotate(id);
    expect(await statuses(first, second.token, third.token)).toEqual([401, 200, 200]);
  });

  test("A2 the overlap has a limit, which is the default too", async () => {
    await start({ tokenOverlap: 3_600_000 });
    const { id } = await make();
    const overlapOf = async (body?: unknown) => {
      const answer = await rotate(id, body);
      const { lastUpdated, previousSecretExpiresAt: end } = answer.body;
      return answer.status === 200 ? (Date.parse(end) - Date.parse(lastUpdated)) / 1_000 : answer.body.errorCauses;
    };
    expect(await overlapOf()).toBe(3_600);
    expect(await overlapOf({ overlapSeconds: null })).toBe(3_600);
    expect(await overlapOf({ overlapSeconds: 3_599 })).toBe(3_599);
    expect(await overlapOf({ overlapSeconds: 3_600 })).toBe(3_600);
    for (const overlapSeconds of [3_601, -1, 0.5, "60", 1e300, []]) {
      expect(await overlapOf({ overlapSeconds })).toEqual([
        { errorSummary: "overlapSeconds: must be an integer from 0 to 3600" },
      ]);
    }
  });

  test("A2 a rotation stores only hashes, and a secret that was rotated away opens nothing else", async () => {
    await start();
    const { token: first, id } = await make();
    const { body } = await rotate(id);
    const store = await db.open();
    const rows = await store.reader.selectFrom("api_tokens").selectAll().execute();
    for (const token of [first, body.token]) expect(JSON.stringify([rows, server.lines])).not.toContain(token);
    await api(`/apiTokens/${id}`, { method: "DELETE" });
    expect(await statuses(first, body.token)).toEqual([401, 401]);
  });

  test("A4 an expired token is not rotated, and has no link for it", async () => {
    await start();
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    await insertApiToken(db.options, "demo", ["users.read"], { name: "Old", expiresAt });
    const { id } = (await api("/apiTokens")).body.find(({ name }: { name: string }) => name === "Old");
    expect(Object.keys((await api(`/apiTokens/${id}`)).body._links)).toEqual(["self"]);
    expect(await rotate(id)).toMatchObject({
      status: 400,
      body: { errorCauses: [{ errorSummary: `expiresAt: was ${expiresAt}; create another token instead` }] },
    });
  });

  test("T3 a rotation changes the tag of a token and honours If-Match; a use changes nothing", async () => {
    await start();
    const { token, id } = await make();
    const tagOf = async () => String((await api(`/apiTokens/${id}`)).headers["etag"]);
    const first = await tagOf();
    expect(await statusOf(token)).toBe(200);
    await usedWithin5Seconds(id);
    expect(await tagOf()).toBe(first);

    const rotated = await rotate(id, {}, { "If-Match": first });
    expect(rotated.status).toBe(200);
    expect(rotated.headers["etag"]).toBe(await tagOf());
    expect(await tagOf()).not.toBe(first);
    expect((await rotate(id, {}, { "If-Match": first })).status).toBe(412);
    expect((await rotate(id, {}, { "If-Match": await tagOf() })).status).toBe(200);
  });

  test("T4 of rotations at once with one tag, one wins", async () => {
    await start();
    const { id } = await make();
    const tag = String((await api(`/apiTokens/${id}`)).headers["etag"]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(id, {}, { "If-Match": tag })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  });

  test("D2 a rotation is an event, without the secret", async () => {
    await start();
    const { id } = await make();
    const { headers, body } = await rotate(id);
    const store = await db.open();
    const rows = await store.reader
      .selectFrom("log_events")
      .selectAll()
      .where("event_type", "=", "system.api_token.rotate")
      .execute();
    expect(rows).toMatchObject([{ request_id: headers["x-svc-request-id"] }]);
    expect(JSON.parse(rows[0]!.event)).toMatchObject({ displayMessage: "Rotate API token", target: [{ id }] });
    expect(JSON.stringify(rows)).not.toContain(body.token);
  });

  async function usedWithin5Seconds(id: string): Promise<void> {
    expect(await until(async () => (await api(`/apiTokens/${id}`)).body.lastUsed)).toMatch(/^\d{4}-/);
  }
});
