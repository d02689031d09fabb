import { createHash } from "node:crypto";
import { samlIdp } from "../support/documents.js";
import { createClient, describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { startTestServer, TEST_NODES, type Answer, type TestServer } from "../support/server.js";

const KEY = '"8e03978e-40d5-43dd-bc93-6894a57f9324"';

/** In bytes: what an org keeps, and what a key counts at least. */
const MAX_BYTES = 16_777_216;
const MIN_SIZE = 4_096;

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];

  beforeEach(async () => {
    org = await openOrg();
    ({ api } = org);
  });

  function post(path: string, body?: object, key = KEY, client: Pick<ApiClient, "api"> = { api }): Promise<Answer> {
    return client.api(path, { method: "POST", body, headers: { "Idempotency-Key": key } });
  }

  function withSecrets(...secrets: string[]): Promise<TestServer> {
    return startTestServer(org, { secrets: secrets.map((secret) => secret.repeat(32)) });
  }

  function readRows() {
    const rows = org.store.reader.selectFrom("idempotency_keys").where("org_id", "=", org.id);
    return rows.selectAll().orderBy("expires").execute();
  }

  test("I1 a repeated POST is carried out once, and its response comes again byte for byte", async () => {
    const first = await post("/idps", samlIdp("Once"));
    expect(first.status).toBe(200);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    for (let node = 0; node < TEST_NODES; node++) {
      const again = await post("/idps", samlIdp("Once"));
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers).toMatchObject({
        "idempotent-replayed": "true",
        etag: first.headers["etag"],
        "x-svc-request-id": first.headers["x-svc-request-id"],
      });
    }
    const { body } = await api("/idps?q=Once");
    expect(body).toHaveLength(1);
  });

  test("I1 holds for actions and for errors", async () => {
    const { id } = (await post("/idps", samlIdp("Once"))).body;
    for (const replayed of [undefined, "true"]) {
      const answer = await post(`/idps/${id}/lifecycle/deactivate`, undefined, '"action"');
      expect([answer.status, answer.body.status, answer.headers["idempotent-replayed"]]).toEqual([
        200,
        "INACTIVE",
        replayed,
      ]);
      const refused = await post("/idps", {}, '"refused"');
      expect([refused.status, refused.headers["idempotent-replayed"]]).toEqual([400, replayed]);
    }
  });

  test("I1 one of several requests at a time is carried out", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => post("/idps", samlIdp("Once"))));
    for (const { status, body, headers } of answers) {
      if (status === 200) continue;
      expect([status, body.errorCode, headers["retry-after"]]).toEqual([409, "E0000195", expect.any(String)]);
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect((await api("/idps?q=Once")).body).toHaveLength(1);
  });

  test("I1 a key belongs to one request of one caller", async () => {
    const other = { api: await org.as(["idps.manage"]) };
    await post("/idps", samlIdp("Once"));
    expect(await post("/idps", samlIdp("Twice"))).toMatchObject({ status: 422, body: { errorCode: "E0009006" } });
    expect(await post("/zones", samlIdp("Once"))).toMatchObject({ status: 422, body: { errorCode: "E0009006" } });
    expect(await post("/idps", samlIdp("Other"), KEY, other)).toMatchObject({ status: 200, body: { name: "Other" } });
    expect(await post("/idps", samlIdp("None"), "no key")).toMatchObject({
      status: 400,
      body: { errorCode: "E0009000" },
    });
    const names = (await api("/idps")).body.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["Once", "Other"]));
    expect(names).not.toContain("Twice");
  });

  test("what changes nothing ignores the key", async () => {
    for (const key of [KEY, "no key"]) {
      expect((await api("/idps", { headers: { "Idempotency-Key": key } })).status).toBe(200);
    }
    expect(await readRows()).toEqual([]);
  });

  test("I1 the secret of a new API token comes again, and is encrypted in the database", async () => {
    const first = await post("/apiTokens", { name: "Once" });
    const again = await post("/apiTokens", { name: "Once" });
    expect(first.body.token).toMatch(/^\S{20,}$/);
    expect(again.text).toBe(first.text);
    const [row] = await readRows();
    expect(row?.value).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/); // JWE (RFC 7516), without an encrypted key
    expect(row?.key).toContain(createHash("sha256").update(KEY.slice(1, -1)).digest("base64url"));
  });

  test("a response is read with every secret of the server, and not without", async () => {
    const { token } = (await post("/apiTokens", { name: "Client" }, '"client"')).body;
    const ask = async (...secrets: string[]) => {
      const other = await withSecrets(...secrets);
      try {
        return await post("/idps", samlIdp("Once"), KEY, createClient(other, org.subdomain, token));
      } finally {
        await other.close();
      }
    };
    const first = await ask("a");
    expect(first.status).toBe(200);
    expect((await ask("b", "a")).text).toBe(first.text);
    expect(await ask("b")).toMatchObject({ status: 503, body: { errorCode: "E0009011" } });
    expect((await api("/idps?q=Once")).body).toHaveLength(1);
  });

  test("an expired key is free", async () => {
    await post("/idps", samlIdp("Once"));
    const expires = "2020-01-01T00:00:00.000Z";
    await org.store.write(({ db }) =>
      db.updateTable("idempotency_keys").set({ expires }).where("org_id", "=", org.id).execute(),
    );
    expect(await post("/idps", samlIdp("Later"))).toMatchObject({ status: 200, body: { name: "Later" } });
    expect(await readRows()).toHaveLength(1);
  });

  test("an org keeps 16 MB of responses, and at most 4,096 keys", async () => {
    const fill = (bytes: number) =>
      org.store.write(async ({ db }) => {
        await db.deleteFrom("idempotency_keys").where("org_id", "=", org.id).execute();
        const at = (place: number) => new Date(Date.now() + 3_600_000 + place).toISOString();
        const row = (place: number, size: number) => ({
          org_id: org.id,
          key: `k${place}`,
          value: "",
          size,
          expires: at(place),
        });
        await db
          .insertInto("idempotency_keys")
          .values([row(0, 1), row(1, 1), row(2, bytes - 2)])
          .execute();
      });
    for (const [bytes, left] of [
      [MAX_BYTES - 1, ["k0", "k1", "k2"]],
      [MAX_BYTES, ["k0", "k1", "k2"]],
      [MAX_BYTES + 1, ["k1", "k2"]],
    ] as const) {
      await fill(bytes);
      expect((await post("/idps", samlIdp(`With ${bytes}`), `"${bytes}"`)).status).toBe(200);
      const rows = await readRows();
      expect(rows.map(({ key }) => key)).toEqual([...left, expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/)]);
      expect(rows.at(-1)?.size).toBe(Math.max(MIN_SIZE, rows.at(-1)?.value.length ?? 0));
    }
  });

  test("O1 pages may send the key, and the description names it", async () => {
    const origin = "https://app.example";
    await api("/trustedOrigins", { method: "POST", body: { name: "App", origin, scopes: [{ type: "CORS" }] } });
    const { headers } = await org.visit("/api/v1/users", {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "idempotency-key",
      },
    });
    expect(headers["access-control-allow-headers"]).toMatch(/\bIdempotency-Key\b/);
    const page = await api("/users", { headers: { Origin: origin } });
    expect(page.headers["access-control-expose-headers"]).toMatch(/\bIdempotent-Replayed\b/);
    const { paths } = (await api("/openapi.json")).body;
    const reference = { $ref: "#/components/parameters/Idempotency-Key" };
    expect(paths["/api/v1/idps"].post.parameters).toContainEqual(reference);
    expect(paths["/api/v1/policies/{policyId}/preview"].post.parameters).not.toContainEqual(reference);
    expect(paths["/api/v1/idps/{id}"].put.parameters).not.toContainEqual(reference);
  });
});
