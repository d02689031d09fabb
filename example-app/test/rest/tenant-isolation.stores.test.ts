import type { Store } from "../../src/store/store.js";
import { createClient, insertApiToken, listApiOperations, type ApiClient } from "../support/api.js";
import { fullOrg, samlIdp } from "../support/documents.js";
import { oidcMetadata } from "../support/metadata-server.js";
import { buildSettings, startTestServer, type Answer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

/** What a request tries: a path with records, a list with pages, or a body that makes something. */
type Probe =
  | { names: Kind | "rule"; body?: unknown }
  | { lists: Kind | "rule" | "event" }
  | { makes: Kind | "rule"; body?: object }
  | { revokes: object }
  | { exports: true }
  | { imports: true }
  | { reads: { body: object; has: object } }
  | { isPublic: true };
type Kind = "apiToken" | "idp" | "policy" | "test" | "trustedOrigin" | "user" | "zone";

const USER = { profile: { login: "new@example.com", email: "a@b.example", firstName: "A", lastName: "B" } };
const USER_V2 = { login: "new@example.com", email: "a@b.example", name: { given: "A", family: "B" } };
const ORIGIN = { name: "Page", origin: "https://page.example", scopes: [{ type: "CORS" }] };
const ZONE = { name: "New", gateways: [{ type: "CIDR", value: "203.0.113.0/24" }] };
const TEST = { name: "New", login: "joe", expected: { provider: { type: "SVC" } } };
const RULE = { name: "New", actions: { idp: { providers: [{ type: "SVC" }] } } };

/** Every operation there is: who adds one says here how it keeps the orgs apart. */
const OPERATIONS: Readonly<Record<string, Probe>> = {
  "GET /api/v1/apiTokens": { lists: "apiToken" },
  "POST /api/v1/apiTokens": { makes: "apiToken" },
  "GET /api/v1/apiTokens/:id": { names: "apiToken" },
  "DELETE /api/v1/apiTokens/:id": { names: "apiToken" },
  "POST /api/v1/apiTokens/:id/lifecycle/rotate": { names: "apiToken" },
  "POST /api/v1/apiTokens/lifecycle/revoke": { revokes: { createdBefore: "2999-01-01T00:00:00.000Z" } },
  "GET /api/v1/idps": { lists: "idp" },
  "POST /api/v1/idps": { makes: "idp" },
  "GET /api/v1/idps/:id": { names: "idp" },
  "PUT /api/v1/idps/:id": { names: "idp", body: samlIdp("New") },
  "DELETE /api/v1/idps/:id": { names: "idp" },
  "POST /api/v1/idps/metadata": { reads: { body: { text: oidcMetadata() }, has: { type: "OIDC" } } },
  "POST /api/v1/idps/:id/lifecycle/activate": { names: "idp" },
  "POST /api/v1/idps/:id/lifecycle/deactivate": { names: "idp" },
  "POST /api/v1/idps/:id/lifecycle/refresh_metadata": { names: "idp" },
  "GET /api/v1/idps/:id/metadata.xml": { names: "idp" },
  "GET /api/v1/logs": { lists: "event" },
  "GET /api/v1/openapi.json": { isPublic: true },
  "GET /api/v1/org/export": { exports: true },
  "POST /api/v1/org/import": { imports: true },
  "GET /api/v1/policies": { lists: "policy" },
  "GET /api/v1/policies/:policyId": { names: "policy" },
  "PUT /api/v1/policies/:policyId": { names: "policy", body: {} },
  "GET /api/v1/policies/:policyId/revisions": { names: "policy" },
  "GET /api/v1/policies/:policyId/revisions/:revision": { names: "policy" },
  "GET /api/v1/policies/:policyId/revisions/:revision/diff": { names: "policy" },
  "POST /api/v1/policies/:policyId/revisions/:revision/restore": { names: "policy", body: {} },
  "GET /api/v1/policies/:policyId/routingTests": { names: "policy" },
  "POST /api/v1/policies/:policyId/routingTests": { names: "policy", body: TEST },
  "GET /api/v1/policies/:policyId/routingTests/results": { names: "policy" },
  "GET /api/v1/policies/:policyId/routingTests/:testId": { names: "test" },
  "PUT /api/v1/policies/:policyId/routingTests/:testId": { names: "test", body: TEST },
  "DELETE /api/v1/policies/:policyId/routingTests/:testId": { names: "test" },
  "GET /api/v1/policies/:policyId/rules": { names: "policy" },
  "POST /api/v1/policies/:policyId/rules": { names: "policy", body: RULE },
  "GET /api/v1/policies/:policyId/rules/:ruleId": { names: "rule" },
  "PUT /api/v1/policies/:policyId/rules/:ruleId": { names: "rule", body: RULE },
  "DELETE /api/v1/policies/:policyId/rules/:ruleId": { names: "rule" },
  "POST /api/v1/policies/:policyId/rules/:ruleId/lifecycle/activate": { names: "rule" },
  "POST /api/v1/policies/:policyId/rules/:ruleId/lifecycle/deactivate": { names: "rule" },
  "GET /api/v1/policies/:policyId/decisions": { names: "policy" },
  "GET /api/v1/policies/:policyId/findings": { names: "policy" },
  "GET /api/v1/policies/:policyId/trace": { names: "policy" },
  "POST /api/v1/policies/:policyId/preview": { names: "policy", body: { rule: RULE, logins: [{ login: "joe" }] } },
  "GET /api/v1/trustedOrigins": { lists: "trustedOrigin" },
  "POST /api/v1/trustedOrigins": { makes: "trustedOrigin" },
  "GET /api/v1/trustedOrigins/:id": { names: "trustedOrigin" },
  "PUT /api/v1/trustedOrigins/:id": { names: "trustedOrigin", body: ORIGIN },
  "DELETE /api/v1/trustedOrigins/:id": { names: "trustedOrigin" },
  "POST /api/v1/trustedOrigins/:id/lifecycle/activate": { names: "trustedOrigin" },
  "POST /api/v1/trustedOrigins/:id/lifecycle/deactivate": { names: "trustedOrigin" },
  "GET /api/v1/users": { lists: "user" },
  "POST /api/v1/users": { makes: "user" },
  "GET /api/v1/users/:id": { names: "user" },
  "POST /api/v1/users/:id": { names: "user", body: USER },
  "PUT /api/v1/users/:id": { names: "user", body: USER },
  "PATCH /api/v1/users/:id": { names: "user", body: USER },
  "DELETE /api/v1/users/:id": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/activate": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/reactivate": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/deactivate": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/suspend": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/unsuspend": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/unlock": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/expire_password": { names: "user" },
  "POST /api/v1/users/:id/lifecycle/confirm_password": { names: "user" },
  "GET /api/v1/zones": { lists: "zone" },
  "POST /api/v1/zones": { makes: "zone" },
  "GET /api/v1/zones/:id": { names: "zone" },
  "PUT /api/v1/zones/:id": { names: "zone", body: ZONE },
  "DELETE /api/v1/zones/:id": { names: "zone" },
  "POST /api/v1/zones/:id/lifecycle/activate": { names: "zone" },
  "POST /api/v1/zones/:id/lifecycle/deactivate": { names: "zone" },
  "GET /api/v2/openapi.json": { isPublic: true },
  "GET /api/v2/users": { lists: "user" },
  "POST /api/v2/users": { makes: "user", body: { ...USER_V2, login: "newer@example.com" } },
  "GET /api/v2/users/:id": { names: "user" },
  "POST /api/v2/users/:id": { names: "user", body: USER_V2 },
  "PUT /api/v2/users/:id": { names: "user", body: USER_V2 },
  "PATCH /api/v2/users/:id": { names: "user", body: USER_V2 },
  "DELETE /api/v2/users/:id": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/activate": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/reactivate": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/deactivate": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/suspend": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/unsuspend": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/unlock": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/expire_password": { names: "user" },
  "POST /api/v2/users/:id/lifecycle/confirm_password": { names: "user" },
};

const NEW: Readonly<Record<string, object>> = {
  apiToken: { name: "New" },
  idp: samlIdp("Another"),
  trustedOrigin: { ...ORIGIN, name: "Another", origin: "https://another.example" },
  user: USER,
  zone: { ...ZONE, name: "Another" },
};

const UNKNOWN_ID = "0".repeat(20);

/** As `fullOrg`, with what a trusted origin adds; both orgs have the same names. */
const orgs = ["demo", "acme"].map((subdomain) => ({
  ...fullOrg(subdomain),
  domains: [],
  routingTests: [{ ...TEST, name: "One" }],
  trustedOrigins: [ORIGIN, { ...ORIGIN, name: "Second", origin: "https://second.example" }],
}));

test("the table has every operation", () => {
  const settings = { ...buildSettings(), secrets: ["s".repeat(32)] };
  expect(Object.keys(OPERATIONS).sort()).toEqual(listApiOperations({ settings, store: {} as Store }).sort());
});

describeStores((_engine, database) => {
  test("A2 what another org has behaves as if it did not exist, for every operation", async () => {
    const { options, ...rest } = await database();
    const server = await startTestServer({ options, ...rest }, {}, { orgs });
    try {
      const tokens = [await insertApiToken(options, "demo"), await insertApiToken(options, "acme")] as const;
      const own = createClient(server, "demo", tokens[0]);
      const foreign = createClient(server, "acme", tokens[1]);
      const ids = await readIds(foreign);
      const before = await dump(foreign, ids);

      for (const [operation, probe] of Object.entries(OPERATIONS)) {
        const [method = "", template = ""] = operation.split(" ");
        const target = (values: Readonly<Record<string, string>>, probe: Probe) =>
          `https://host${template
            .replace(":id", values["names" in probe ? probe.names : ""] ?? "")
            .replace(":policyId", values["policy"] ?? "")
            .replace(":revision", "1")
            .replace(":ruleId", values["rule"] ?? "")}`;

        if ("names" in probe) {
          const ask = (values: Readonly<Record<string, string>>): Promise<Answer> =>
            own.api(target(values, probe), {
              method,
              body: probe.body,
              ...(method === "PATCH" && { headers: { "Content-Type": "application/merge-patch+json" } }),
            });
          const unknown = Object.fromEntries(Object.keys(ids).map((kind) => [kind, UNKNOWN_ID]));
          const answer = await ask(ids);
          expect({ operation, ...essence(answer, ids) }).toEqual({
            operation,
            ...essence(await ask(unknown), unknown),
          });
          expect(answer).toMatchObject({ status: 404, body: { errorCode: "E0000007" } });
        } else if ("lists" in probe) {
          const query = probe.lists === "policy" ? "type=IDP_DISCOVERY&" : "";
          const list = `https://host${template}?${query}`;
          const known = new Set((await rowsOf(foreign, list)).map(({ id, uuid }) => id ?? uuid));
          const found = await rowsOf(own, list);
          expect(found.length).toBeGreaterThan(0);
          expect(found.filter(({ id, uuid }) => known.has(id ?? uuid))).toEqual([]);
          const next = /<([^>]*)>; rel="next"/.exec(String((await foreign.api(`${list}limit=1`)).headers["link"]))?.[1];
          if (next !== undefined) {
            expect(await own.api(next)).toMatchObject({ status: 400, body: { errorCode: "E0000029" } });
          } else {
            expect(known.size).toBeLessThan(2);
          }
        } else if ("isPublic" in probe) {
          const [mine, theirs] = [
            await own.api(`https://host${template}`),
            await foreign.api(`https://host${template}`),
          ];
          expect([mine.status, mine.text.replaceAll("//demo.", "//acme.")]).toEqual([200, theirs.text]);
        } else if ("exports" in probe) {
          const { text } = await own.api(`https://host${template}`);
          expect(text).toContain('"subdomain": "demo"');
          // whole words: a random id may contain `acme`
          const foreigners = [...Object.values(ids), "acme"].map((value) => new RegExp(`\\b${value}\\b`));
          expect(foreigners.filter((value) => value.test(text))).toEqual([]);
        } else if ("imports" in probe) {
          const ask = (org: object) => own.api(`https://host${template}`, { method, body: { orgs: [org] } });
          const org = { subdomain: "demo", zones: [ZONE] };
          expect(await ask({ ...org, subdomain: "acme" })).toMatchObject({ status: 400 });
          expect(await ask({ ...org, policyId: ids["policy"] })).toMatchObject({ status: 400 });
          expect(await ask(org)).toMatchObject({ status: 200, body: { changes: [{ event: "create" }] } });
        } else if ("reads" in probe) {
          const { body, has } = probe.reads;
          const read = await own.api(`https://host${template}`, { method, body });
          expect(read).toMatchObject({ status: 200, body: has });
        } else if ("revokes" in probe) {
          expect(await own.api(`https://host${template}`, { method, body: probe.revokes })).toMatchObject({
            status: 200,
            body: { revoked: 1 }, // the one that was made above
          });
        } else {
          const id = ids[probe.makes] ?? "";
          const made = await own.api(`https://host${template}`, {
            method,
            body: { ...(probe.body ?? NEW[probe.makes]), id, orgId: "x" },
          });
          expect({ operation, status: made.status }).toEqual({ operation, status: 200 });
          expect(made.body.id).not.toBe(id);
        }
      }
      expect(await dump(foreign, ids)).toEqual(before);
    } finally {
      await server.close();
    }
  });

  test("A2 a token of another org opens nothing", async () => {
    const { options, ...rest } = await database();
    const server = await startTestServer({ options, ...rest }, {}, { orgs });
    try {
      const intruder = createClient(server, "demo", await insertApiToken(options, "acme"));
      for (const operation of Object.keys(OPERATIONS)) {
        const [method = "", template = ""] = operation.split(" ");
        if (/(?:metadata\.xml|openapi\.json)$/.test(template)) continue; // are for everyone
        const path = `https://host${template.replace(/:\w+/g, UNKNOWN_ID)}`;
        const answer = await intruder.api(path, {
          method,
          ...(method === "PATCH" && { headers: { "Content-Type": "application/merge-patch+json" } }),
        });
        expect({ operation, status: answer.status }).toEqual({ operation, status: 401 });
      }
    } finally {
      await server.close();
    }
  });
});

/** One id of each kind. */
async function readIds({ api }: ApiClient): Promise<Readonly<Record<string, string>>> {
  const first = async (path: string): Promise<string> => (await api(path)).body[0].id;
  const policy = await first("/policies?type=IDP_DISCOVERY");
  return {
    policy,
    rule: await first(`/policies/${policy}/rules`),
    test: await first(`/policies/${policy}/routingTests`),
    idp: await first("/idps"),
    zone: await first("/zones"),
    trustedOrigin: await first("/trustedOrigins"),
    user: await first("/users"),
    apiToken: await first("/apiTokens"),
  };
}

/** All that an org has, except the log and when tokens were used. */
async function dump({ api }: ApiClient, { policy = "" }: Readonly<Record<string, string>>): Promise<unknown> {
  const paths = [
    `/policies/${policy}/rules`,
    `/policies/${policy}/routingTests`,
    "/idps",
    "/zones",
    "/trustedOrigins",
    "/users",
    "/apiTokens",
  ];
  return Promise.all(
    paths.map(async (path) => (await api(path)).text.replace(/"lastUsed":"[^"]*"/g, '"lastUsed":null')),
  );
}

async function rowsOf({ api }: ApiClient, url: string): Promise<{ id?: string; uuid?: string }[]> {
  const { body } = await api(url);
  return Array.isArray(body) ? body : body.items;
}

/** The answer but for what names the request and the record. */
function essence({ status, text, headers }: Answer, ids: Readonly<Record<string, string>>): object {
  let words = text.replaceAll(String(headers["x-svc-request-id"]), "");
  for (const id of Object.values(ids)) words = words.replaceAll(id, "");
  return { status, words };
}
