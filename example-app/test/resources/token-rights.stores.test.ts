import { hashApiToken } from "etiquette/api-token-verifier";
import { findLiveCaller } from "../../src/resources/token-rights.js";
import type { Caller } from "../../src/access/caller.js";
import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { importDocument, startTestServer, type Answer, type TestServer } from "../support/server.js";

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const UNKNOWN_ID = "0".repeat(20);

describeStores((_engine, database) => {
  let db: TestDatabase;
  let server: TestServer;
  let admin: ApiClient;

  beforeEach(async () => {
    db = await database();
    ({ server, ...admin } = await startApi(db));
  });
  afterEach(() => server.close());

  const clientOf = (token: string) => createClient(server, "demo", token);
  const clientWith = async (...rest: [scopes?: string[], values?: Parameters<typeof insertApiToken>[3]]) =>
    clientOf(await insertApiToken(db.options, "demo", ...rest));
  const make = ({ api }: ApiClient, name: string, members: object = {}) =>
    api("/apiTokens", { method: "POST", body: { name, ...members } });
  const namesOf = (answer: Answer) => answer.body.map(({ name }: { name: string }) => name);
  const causesOf = ({ status, body }: Answer) => [status, ...body.errorCauses.map((cause: any) => cause.errorSummary)]; // eslint-disable-line

  test("A4 a token for an hour makes none that lives longer", async () => {
    const expiresAt = inMinutes(60);
    const short = await clientWith(undefined, { expiresAt });
    const made = await make(short, "no time");
    expect(made.body.expiresAt).toBe(expiresAt);
    expect((await make(short, "less", { expiresAt: inMinutes(30) })).status).toBe(200);
    expect(causesOf(await make(short, "more", { expiresAt: inMinutes(61) }))).toEqual([
      400,
      `expiresAt: must not be after ${expiresAt}, when the token of this request expires`,
    ]);
    expect((await make(clientOf(made.body.token), "grandchild")).body.expiresAt).toBe(expiresAt);
    expect(namesOf(await admin.api("/apiTokens"))).not.toContain("more");
  });

  test("A4 the server's own limits hold for tokens whose maker never ends", async () => {
    await server.close();
    ({ server, ...admin } = await startApi(db, { tokenLifetime: 60_000, tokenMaxLifetime: 3_600_000 }));
    const { body } = await make(admin, "no time");
    expect(Date.parse(body.expiresAt) - Date.parse(body.created)).toBe(60_000);
    expect((await make(admin, "less", { expiresAt: inMinutes(59) })).status).toBe(200);
    const [status, cause] = causesOf(await make(admin, "more", { expiresAt: inMinutes(61) }));
    expect([status, cause]).toEqual([400, expect.stringMatching(/^expiresAt: must not be after 20\S+Z: tokens of/)]);
  });

  test("A4 a token lists, reads, rotates and revokes only tokens whose scopes it has", async () => {
    const narrow = await clientWith(["apiTokens.manage", "users.manage"], { name: "narrow" });
    const ids: Record<string, string> = {};
    for (const [name, ...scopes] of [
      ["a foreign", "svc.users.read", "svc.logs.read"],
      ["b own", "svc.users.read"],
      ["c foreign", "svc.zones.manage"],
      ["d own", "svc.apiTokens.read", "svc.users.manage"],
      ["e foreign", "svc.users.manage", "svc.apiTokens.manage", "svc.idps.read"],
    ]) {
      ids[name!] = (await make(admin, name!, { scopes })).body.id;
    }
    expect(namesOf(await narrow.api("/apiTokens"))).toEqual(["b own", "d own", "narrow"]);
    const first = await narrow.api("/apiTokens?limit=1");
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers["link"]))![1]!;
    expect([...namesOf(first), ...namesOf(await narrow.api(next))]).toEqual(["b own", "d own"]);

    for (const [name, id] of Object.entries(ids)) {
      const isOwn = name.endsWith("own");
      for (const [method, path] of [
        ["GET", ""],
        ["POST", "/lifecycle/rotate"],
        ["DELETE", ""],
      ] as const) {
        const essence = ({ status, body }: Answer, asked: string) =>
          JSON.stringify([status, { ...body, errorId: "" }]).replaceAll(asked, "ID");
        const answer = await narrow.api(`/apiTokens/${id}${path}`, { method });
        if (isOwn) expect([name, method, answer.status]).toEqual([name, method, method === "DELETE" ? 204 : 200]);
        else {
          const unknown = await narrow.api(`/apiTokens/${UNKNOWN_ID}${path}`, { method });
          expect([name, method, essence(answer, id)]).toEqual([name, method, essence(unknown, UNKNOWN_ID)]);
        }
      }
    }
    expect(namesOf(await admin.api("/apiTokens")).slice(0, 4)).toEqual([
      "First start",
      "a foreign",
      "c foreign",
      "e foreign",
    ]);
  });

  test("A4 a token says which one made it", async () => {
    const parent = (await make(admin, "parent")).body;
    const child = (await make(clientOf(parent.token), "child")).body;
    expect(child.createdBy).toEqual({ type: "ApiToken", id: parent.id });
    const [first] = (await admin.api("/apiTokens")).body;
    expect(first).toMatchObject({ name: "First start", createdBy: { type: "Command", id: "start" } });
  });

  test("A4 a token that is revoked while it makes others leaves none of them", async () => {
    const parent = (await make(admin, "parent")).body;
    const client = clientOf(parent.token);
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, i) => make(client, `child ${i}`)),
      admin.api(`/apiTokens/${parent.id}`, { method: "DELETE" }),
      ...Array.from({ length: 10 }, (_, i) => make(client, `late ${i}`)),
    ]);
    expect(answers[10]).toMatchObject({ status: 204 });
    for (const { status } of answers) expect([200, 204, 401, 403]).toContain(status);
    expect(namesOf(await admin.api("/apiTokens")).filter((name: string) => /child|late/.test(name))).toEqual([]);
  });

  test("A4 a token rotates none that lives longer, but itself", async () => {
    const mortal = (await make(admin, "mortal", { expiresAt: inMinutes(1) })).body;
    const longer = (await make(admin, "longer", { expiresAt: inMinutes(2) })).body;
    const shorter = (await make(admin, "shorter", { expiresAt: inMinutes(0.9) })).body;
    const client = clientOf(mortal.token);
    const rotate = (id: string) => client.api(`/apiTokens/${id}/lifecycle/rotate`, { method: "POST" });
    expect(causesOf(await rotate(longer.id))).toEqual([
      403,
      "The token lives longer than the credentials of this request, so they can't rotate it.",
    ]);
    const eternal = (await admin.api("/apiTokens")).body.find(({ expiresAt }: any) => expiresAt === null); // eslint-disable-line
    expect((await rotate(eternal.id)).status).toBe(403);
    expect((await rotate(shorter.id)).status).toBe(200);
    const rotated = await rotate(mortal.id);
    expect(rotated).toMatchObject({ status: 200, body: { expiresAt: mortal.expiresAt } });
  });

  test("A4 the old secret of a rotated token gives nothing that outlives it", async () => {
    const { id, token: old, expiresAt } = (await make(admin, "Job")).body;
    const body = { overlapSeconds: 60 };
    const { token, previousSecretExpiresAt: end } = (
      await admin.api(`/apiTokens/${id}/lifecycle/rotate`, { method: "POST", body })
    ).body;
    const late = clientOf(old);
    expect((await make(late, "no time")).body.expiresAt).toBe(end);
    expect(causesOf(await make(late, "more", { expiresAt }))).toEqual([
      400,
      `expiresAt: must not be after ${end}, when the token of this request expires`,
    ]);
    const itself = { method: "POST" };
    expect((await late.api(`/apiTokens/${id}/lifecycle/rotate`, itself)).status).toBe(403);
    expect((await make(clientOf(token), "current", { expiresAt })).body.expiresAt).toBe(expiresAt);
    expect((await clientOf(token).api(`/apiTokens/${id}/lifecycle/rotate`, itself)).status).toBe(200);
  });

  test("A4 a caller whose secret changed while its request waited has the end that the secret has now", async () => {
    const { id, token: old } = (await make(admin, "Job")).body;
    const body = { overlapSeconds: 60 };
    const { previousSecretExpiresAt } = (await admin.api(`/apiTokens/${id}/lifecycle/rotate`, { method: "POST", body }))
      .body;
    const store = await db.open();
    const org = (await store.findOrgBySubdomain("demo"))!;
    const read: Caller = { type: "ApiToken", id, scopes: new Set(), addresses: [], expiresAt: null };
    const find = (secretHash: string) =>
      store.write((transaction) => findLiveCaller(transaction, org.id, { ...read, secretHash }));
    expect(await find(hashApiToken(old))).toMatchObject({ expiresAt: previousSecretExpiresAt });
    await expect(find(hashApiToken("another"))).rejects.toMatchObject({ status: 403, type: "token.revoked" });
    await admin.api(`/apiTokens/${id}/lifecycle/rotate`, { method: "POST", body: { overlapSeconds: 0 } });
    await expect(find(hashApiToken(old))).rejects.toMatchObject({ status: 403, type: "token.revoked" });
  });

  test("A4 the proxies of an org's zones don't say where its tokens are used", async () => {
    await server.close();
    const zones = [{ name: "Own", proxies: ["127.0.0.1", "203.0.113.1"].map((value) => ({ type: "RANGE", value })) }];
    const values = { addresses: ["192.0.2.1"] };
    const from = async (address: string, more: Record<string, string> = {}) => {
      const { api } = await clientWith(undefined, values);
      return (await api("/users", { headers: { "X-Forwarded-For": address, ...more } })).status;
    };
    await importDocument(db.options, { orgs: [{ subdomain: "demo", name: "Demo", zones }] });
    server = await startTestServer(db);
    expect(await from("192.0.2.1")).toBe(401);
    await server.close();

    server = await startTestServer(db, { http: true, trustedProxies: ["loopback"] });
    const https = { "X-Forwarded-Proto": "https" };
    expect(await from("192.0.2.1", https)).toBe(200);
    expect(await from("192.0.2.1, 203.0.113.1", https)).toBe(401);
    expect(await from("192.0.2.1, 127.0.0.1", https)).toBe(200); // one of the service
  });

  test("A4 a token gives no address that it may not be used from", async () => {
    const local = await clientWith(undefined, { addresses: ["127.0.0.0/8", "2001:db8::/32"] });
    expect((await make(local, "inherits")).body.addresses).toEqual(["127.0.0.0/8", "2001:db8::/32"]);
    const fewer = ["127.0.0.1", "2001:db8:1::1-2001:db8:1::9"];
    expect((await make(local, "fewer", { addresses: fewer })).body.addresses).toEqual(fewer);
    for (const range of ["192.0.2.1", "126.255.255.255-127.0.0.1", "::/0", "0.0.0.0/0", "2001:db8::/31"]) {
      expect(causesOf(await make(local, "more", { addresses: ["127.0.0.1", range] }))).toEqual([
        403,
        `addresses: the token of this request is not allowed from all of ${range}, so it can't allow that.`,
      ]);
    }
    expect((await make(admin, "chosen", { addresses: ["192.0.2.0/24"] })).body.addresses).toEqual(["192.0.2.0/24"]);

    const [free, chosen] = (await admin.api("/apiTokens")).body.filter(({ name }: any) => /First|chosen/.test(name)); // eslint-disable-line
    for (const { id } of [free, chosen]) {
      const refused = await local.api(`/apiTokens/${id}/lifecycle/rotate`, { method: "POST" });
      expect(causesOf(refused)).toEqual([
        403,
        "The token is allowed from addresses that the one of this request is not, so it can't rotate it.",
      ]);
    }
  });
});
