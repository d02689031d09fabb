import { isApiToken } from "etiquette/api-token-verifier";
import { ALL_SCOPES, SCOPES } from "../../src/model/scopes.js";
import { createToken } from "../../src/program/operations/tokens.js";
import { createClient, insertApiToken, listApiOperations, startApi } from "../support/api.js";
import { buildSettings, importDocument, startTestServer, type TestServer } from "../support/server.js";
import { createOrg, describeStores, type TestDatabase } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

const ALL = ALL_SCOPES.map((scope) => `svc.${scope}`);
const ACCEPTED = SCOPES.map((scope) => `svc.${scope}`);

describeStores((_engine, database) => {
  let db: TestDatabase;
  let server: TestServer;
  let api: ReturnType<typeof createClient>["api"];

  beforeEach(async () => {
    db = await database();
    ({ server, api } = await startApi(db));
  });
  afterEach(() => server.close());

  const post = (body: unknown) => api("/apiTokens", { method: "POST", body });
  const use = (token: string, path = "/apiTokens") => createClient(server, "demo", token).api(path);
  const causesOf = ({ body }: Awaited<ReturnType<typeof post>>) => [
    body.errorCode,
    ...body.errorCauses.map(({ errorSummary }: { errorSummary: string }) => errorSummary),
  ];

  test("A1 a token is made, told once, used, listed, read and revoked", async () => {
    const created = await post({ name: "Deploy", scopes: ["svc.apiTokens.read"] });
    expect(created).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
    const { token, ...record } = created.body;
    const url = `https://localhost:${server.port}/api/v1/apiTokens/${record.id}`;
    expect(token).toMatch(/^etq_[0-9A-Za-z]{33}$/);
    expect(isApiToken(token)).toBe(true);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{20}$/),
      name: "Deploy",
      scopes: ["svc.apiTokens.read"],
      expiresAt: new Date(Date.parse(record.created) + 90 * 86_400_000).toISOString(),
      previousSecretExpiresAt: null,
      addresses: [],
      createdBy: { type: "ApiToken", id: expect.stringMatching(/^[0-9A-Za-z]{20}$/) },
      lastUsed: null,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUpdated: record.created,
      _links: { self: { href: url }, rotate: { href: `${url}/lifecycle/rotate`, method: "post" } },
    });

    const { _links, lastUsed, ...rest } = record;
    expect((await use(token, url)).body).toMatchObject({ ...rest, _links });
    expect((await use(token)).body.find(({ id }: { id: string }) => id === record.id)).toMatchObject({
      ...rest,
      _links: { self: { href: url } },
    });
    expect(lastUsed).toBeNull();

    expect(await api(record._links.self.href, { method: "DELETE" })).toMatchObject({ status: 204, text: "" });
    expect(await use(token)).toMatchObject({ status: 401, body: { errorCode: "E0000011" } });
    expect((await api(record._links.self.href)).status).toBe(404);
    expect((await api(record._links.self.href, { method: "DELETE" })).body).toMatchObject({
      errorCode: "E0000007",
      errorSummary: `Not found: Resource not found: ${record.id} (ApiToken)`,
    });
  });

  test("A2 only the hash of a token is stored, and nothing of it is logged", async () => {
    const { token } = (await post({ name: "Deploy" })).body;
    await use(token);
    await use(`${token.slice(0, -1)}x`);
    const store = await db.open();
    const tables = await store.read((reader) =>
      Promise.all([
        reader.selectFrom("api_tokens").selectAll().execute(),
        reader.selectFrom("log_events").selectAll().execute(),
      ]),
    );
    const text = JSON.stringify([tables, server.lines]);
    expect(text).not.toContain(token);
    expect(text).not.toContain(token.slice(0, -1));
    expect(JSON.stringify((await api("/apiTokens")).body)).not.toMatch(/hash|token"/);
  });

  test("A2 a revoked token is refused by another node at once", async () => {
    const other = await startTestServer(db);
    const { id, token } = (await post({ name: "Deploy" })).body;
    const callOther = () => createClient(other, "demo", token).api("/apiTokens");
    expect((await callOther()).status).toBe(200);
    await api(`/apiTokens/${id}`, { method: "DELETE" });
    expect((await callOther()).status).toBe(401);
    await other.close();
  });

  test("A2 a token gives no more than its maker has", async () => {
    const limited = createClient(
      server,
      "demo",
      await insertApiToken(db.options, "demo", ["apiTokens.manage", "users.read"]),
    );
    const make = (name: string, scopes?: string[]) =>
      limited.api("/apiTokens", { method: "POST", body: { name, scopes } });
    expect((await make("all of it")).body.scopes).toEqual(["svc.users.read", "svc.apiTokens.manage"]);
    expect((await make("one", ["svc.users.read"])).body.scopes).toEqual(["svc.users.read"]);
    expect((await make("implied", ["svc.apiTokens.read"])).body.scopes).toEqual(["svc.apiTokens.read"]);
    for (const scope of ["svc.users.manage", "svc.logs.read"]) {
      const refused = await make("more", ["svc.users.read", scope]);
      expect(refused.status).toBe(403);
      expect(causesOf(refused)).toEqual([
        "E0000006",
        `scopes: the credentials of this request don't have ${scope}, so they can't give it.`,
      ]);
    }
    expect((await api("/apiTokens")).body.map(({ name }: { name: string }) => name)).not.toContain("more");
  });

  test("A2 each operation needs its scope", async () => {
    const { id } = (await post({ name: "Deploy", scopes: ["svc.apiTokens.read"] })).body;
    const reader = createClient(server, "demo", await insertApiToken(db.options, "demo", ["apiTokens.read"]));
    const stranger = createClient(server, "demo", await insertApiToken(db.options, "demo", ["users.manage"]));
    expect((await reader.api("/apiTokens")).status).toBe(200);
    expect((await reader.api(`/apiTokens/${id}`)).status).toBe(200);
    for (const [client, method, path] of [
      [reader, "POST", "/apiTokens"],
      [reader, "DELETE", `/apiTokens/${id}`],
      [stranger, "GET", "/apiTokens"],
      [stranger, "GET", `/apiTokens/${id}`],
    ] as const) {
      const { status, body, headers } = await client.api(path, { method });
      expect([status, body.errorCode]).toEqual([403, "E0000006"]);
      expect(headers["www-authenticate"]).toContain('error="insufficient_scope"');
    }
  });

  test("A2 a token can have every scope that an operation needs", async () => {
    const nobody = createClient(server, "demo", await insertApiToken(db.options, "demo", []));
    const operations = listApiOperations({
      settings: buildSettings({ secrets: ["s".repeat(32)] }),
      store: await db.open(),
    });
    const needed = new Set<string>();
    for (const operation of operations) {
      const [method = "", path = ""] = operation.replaceAll(/:\w+/g, "x").split(" ");
      const { status, headers } = await nobody.api(`https://host${path}`, { method });
      const [, scopes] = /scope="([^"]*)"/.exec(String(headers["www-authenticate"])) ?? [];
      if (scopes !== undefined) for (const scope of scopes.split(" ")) needed.add(scope);
      else expect([operation, status]).not.toEqual([operation, 403]);
    }
    expect(ACCEPTED).toEqual(expect.arrayContaining([...needed]));
    expect(needed.size).toBeGreaterThan(2);
  });

  test("E2 what is wrong with a token is told by field", async () => {
    await post({ name: "Deploy" });
    for (const [body, ...causes] of [
      [{}, "name: is required"],
      [{ name: " x" }, "name: must be one line without white space around it"],
      [{ name: "x".repeat(129) }, "name: is too long: 129 characters; at most 128 are allowed"],
      [{ name: "Deploy" }, "name: another ApiToken has it already"],
      [{ name: "a", scopes: [] }, "scopes: must not be empty"],
      [{ name: "a", scopes: "svc.users.read" }, 'scopes: must be an array, not "svc.users.read"'],
      [{ name: "a", scopes: ["svc.users.read", "svc.users.read"] }, "scopes: must have each scope once"],
      [
        { name: "a", scopes: ["users.read"] },
        `scopes[0]: must be ${ACCEPTED.slice(0, -1).join(", ")} or ${ACCEPTED.at(-1)}, not "users.read"`,
      ],
      [{ name: "a", expiresAt: 7 }, "expiresAt: must be a string, not 7"],
      ...["2100-01-01", "2100-01-01T00:00:00", "2100-02-30T00:00:00.000Z", ""].map((expiresAt) => [
        { name: "a", expiresAt },
        "expiresAt: must be a date such as 2026-01-31T08:00:00.000Z",
      ]),
      [{ name: "a", expiresAt: new Date().toISOString() }, "expiresAt: must be in the future"],
      [{ name: "a", addresses: [] }, "addresses: must not be empty"],
      [{ name: "a", addresses: "192.0.2.1" }, 'addresses: must be an array, not "192.0.2.1"'],
      [{ name: "a", addresses: [7] }, "addresses[0]: must be a string, not 7"],
      [
        { name: "a", addresses: ["192.0.2.1", "192.0.2.9/24"] },
        'addresses[1]: "192.0.2.9/24" has bits set outside its prefix; the block is "192.0.2.0/24"',
      ],
      [
        { name: "a", addresses: Array(51).fill("192.0.2.1") },
        "addresses: is too long: 51 elements; at most 50 are allowed",
      ],
    ] as [object, ...string[]][]) {
      const answer = await post(body);
      expect([answer.status, ...causesOf(answer)]).toEqual([400, "E0000001", ...causes]);
    }
    for (const count of [49, 50]) {
      expect((await post({ name: `x ${count}`, addresses: Array(count).fill("192.0.2.1") })).status).toBe(200);
    }
    expect((await api("/apiTokens?limit=2")).body.map(({ name }: { name: string }) => name)).toEqual([
      "Deploy",
      "First start",
    ]);
  });

  test("A2 a token is good until it expires", async () => {
    const expiresAt = new Date(Date.now() + 4_000).toISOString();
    const { body } = await post({ name: "Short", expiresAt });
    expect(body.expiresAt).toBe(expiresAt);
    expect((await use(body.token)).status).toBe(200);
    await until(() => Date.now() >= Date.parse(expiresAt));
    expect((await use(body.token)).status).toBe(401);
    expect((await api(`/apiTokens/${body.id}`)).status).toBe(200);
  });

  test("N3 null and unknown members are as if they were not there, and read-only ones take no effect", async () => {
    const { body } = await post({
      name: "a",
      scopes: null,
      expiresAt: null,
      id: "x",
      hash: "y",
      token: "z",
      created: "2000-01-01T00:00:00.000Z",
      orgId: "other",
    });
    expect(body).toMatchObject({ name: "a", scopes: ALL, expiresAt: expect.stringMatching(/^20/) });
    expect([body.id, body.token, body.created]).not.toEqual(expect.arrayContaining(["x"]));
    expect(body.created > "2001").toBe(true);
    expect(body).not.toHaveProperty("orgId");
  });

  test("P3 tokens are listed by name, page by page", async () => {
    for (const name of ["c", "a", "b"]) await post({ name });
    const names: string[] = [];
    let url: string | undefined = "/apiTokens?limit=2";
    while (url !== undefined) {
      const { body, headers }: Awaited<ReturnType<typeof api>> = await api(url);
      names.push(...body.map(({ name }: { name: string }) => name));
      for (const { _links } of body) expect(Object.keys(_links)).toEqual(["self"]);
      url = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    expect(names).toEqual(["First start", "a", "b", "c", expect.stringMatching(/^test/)]);
    expect((await api("/apiTokens?limit=201")).status).toBe(400);
  });

  test("A2 a token of one org is not there for another", async () => {
    await importDocument(db.options, { orgs: [{ subdomain: "other", name: "Other" }] });
    const other = createClient(server, "other", await insertApiToken(db.options, "other"));
    const { id, token } = (await post({ name: "Deploy" })).body;
    expect((await other.api("/apiTokens")).body).toHaveLength(1);
    expect((await other.api(`/apiTokens/${id}`)).status).toBe(404);
    expect((await other.api(`/apiTokens/${id}`, { method: "DELETE" })).status).toBe(404);
    expect((await other.api("/apiTokens", { method: "POST", body: { name: "Deploy" } })).status).toBe(200);
    expect((await use(token)).status).toBe(200);
  });

  test("D2 making and revoking are events, without the secret", async () => {
    const created = await post({ name: "Deploy" });
    const revoked = await api(`/apiTokens/${created.body.id}`, { method: "DELETE" });
    await post({ name: " refused" });
    const store = await db.open();
    const rows = await store.reader
      .selectFrom("log_events")
      .selectAll()
      .where("event_type", "like", "system.api_token.%")
      .where("event", "not like", '%"id":"cli"%')
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ event_type, request_id }) => [event_type, request_id])).toEqual([
      ["system.api_token.create", created.headers["x-svc-request-id"]],
      ["system.api_token.revoke", revoked.headers["x-svc-request-id"]],
    ]);
    const target = { id: created.body.id, type: "ApiToken", alternateId: "Deploy", displayName: "Deploy" };
    for (const { event } of rows) expect(JSON.parse(event).target).toMatchObject([target]);
  });

  test("of tokens with one name that are made at once, one is", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => post({ name: "Deploy" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test("of revocations at once, one finds the token", async () => {
    const { id } = (await post({ name: "Deploy" })).body;
    const answers = await Promise.all(Array.from({ length: 5 }, () => api(`/apiTokens/${id}`, { method: "DELETE" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });
});

describeStores((_engine, database) => {
  describe("createToken()", () => {
    const request = { org: "acme", name: undefined, scopes: ["users.read"], lifetime: Infinity, addresses: [] };

    test("makes a token of the org, with a name of its own and an expiry", async () => {
      const db = await database();
      const store = await db.open({ clock: () => new Date("2026-01-01T00:00:00.000Z") });
      await createOrg(store, { subdomain: "acme", name: "Acme" });
      const tokens = [await createToken(store, request), await createToken(store, { ...request, lifetime: 60_000 })];
      expect(new Set(tokens).size).toBe(2);
      const rows = await store.reader.selectFrom("api_tokens").selectAll().orderBy("expires").execute();
      expect(rows.map(({ expires }) => expires)).toEqual(expect.arrayContaining([null, "2026-01-01T00:01:00.000Z"]));
      for (const row of rows)
        expect(row).toMatchObject({ scopes: '["users.read"]', name: expect.stringMatching(/^Command line /) });
    });

    test.each([
      [{ org: "nobody" }, 'There is no org with the subdomain "nobody"'],
      [{ name: "Deploy" }, 'The org acme has a token with the name "Deploy"'],
    ])("refuses %j in one line", async (members, message) => {
      const store = await (await database()).open();
      await createOrg(store, { subdomain: "acme", name: "Acme" });
      await createToken(store, { ...request, name: "Deploy" });
      await expect(createToken(store, { ...request, ...members })).rejects.toMatchObject({
        name: "TokenError",
        message,
      });
    });
  });
});
