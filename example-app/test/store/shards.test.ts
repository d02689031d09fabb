import { Client } from "pg";
import { DEFAULT_RATE_LIMIT_SETTINGS } from "../../src/model/rate-limits.js";
import type { Store } from "../../src/store/store.js";
import { createClient, insertApiToken, listApiOperations, type ApiClient } from "../support/api.js";
import { startConsole, type ConsoleClient } from "../support/console.js";
import { fullOrg, samlIdp } from "../support/documents.js";
import { withMetadata } from "../support/metadata-idps.js";
import { LOOPBACK, samlMetadata, startMetadataServer } from "../support/metadata-server.js";
import { buildSettings, call, webfingerPath, type Call } from "../support/server.js";
import { administrate, describeCitus, type TestDatabase } from "../support/stores.js";

/** Enough for all requests, and so few that they are reported to the other processes. */
const LIMITS = {
  ...DEFAULT_RATE_LIMIT_SETTINGS,
  limits: { ...DEFAULT_RATE_LIMIT_SETTINGS.limits, read: 300, write: 300 },
};

const SETTINGS = { rateLimits: LIMITS, metadataNetworks: LOOPBACK, metadataInterval: false as const };

/** What the service does for itself, or for all orgs. */
const EXCEPTIONS: Readonly<Record<string, RegExp>> = {
  "the snapshot for a start without the database has the orgs with the newest events":
    /^\s*select orgs\.id, revision from orgs join org_revisions /,
  "retention looks for orgs with old events, and for events that have no partition":
    /^\s*select (?:1|org_id) from log_events_rest /,
  "retention looks for orgs with old decisions":
    /^select org_id from "(?:routing_decisions|decision_counts)" where "(?:last_used|day)" < /,
  "retention looks for orgs with old revisions": /^\s*select org_id from org_revisions where exists \(/,
  "the test brings a user into a state, for which there is no request": /^update users set status = /,
  "the watch over certificates looks at those of all orgs, once an hour":
    /^\s*select (?:org_id, id, name, last_updated, protocol(?:, certificate_expires as expires)?|count\(case when certificate_expires > \$1 then 1 end\) as soon,\s+count\(case when certificate_expires <= \$2 then 1 end\) as expired)\s+from idps\s+where certificate_expires /,
  "users without words are looked for in all orgs, every ten seconds":
    /^\s*select org_id, id, .+ as size from users where words_revision is distinct from revision\s+order by org_id, /,
  "old counts of clients are deleted": /^delete from rate_counts where expire /,
};

const RULE = { name: "New", actions: { idp: { providers: [{ type: "SVC" }] } } };
const USER = { profile: { login: "new@example.com", email: "a@b.example", firstName: "A", lastName: "B" } };
const USER_V2 = { login: "newer@example.com", email: "a@b.example", name: { given: "A", family: "B" } };
const ORIGIN = { name: "Page", origin: "https://page.example", scopes: [{ type: "CORS" }] };
const ZONE = { name: "New", gateways: [{ type: "CIDR", value: "203.0.113.0/24" }] };
const MERGE_PATCH = { "Content-Type": "application/merge-patch+json" };

/** The state that each change of a user's state begins with. */
const STATES: Readonly<Record<string, string>> = {
  activate: "STAGED",
  reactivate: "PROVISIONED",
  deactivate: "ACTIVE",
  suspend: "ACTIVE",
  unsuspend: "SUSPENDED",
  unlock: "LOCKED_OUT",
  expire_password: "ACTIVE",
  confirm_password: "PASSWORD_EXPIRED",
};

const LISTS = [
  "/v1/users?q=joe",
  "/v1/users?limit=1",
  "/v1/users?filter=status%20eq%20%22ACTIVE%22",
  "/v1/users?search=profile.login%20sw%20%22j%22&sortBy=profile.lastName",
  "/v1/users?search=profile.department%20co%20%22ver%22",
  "/v2/users?limit=1",
  "/v1/logs?q=user.&limit=1",
  "/v1/logs?filter=eventType%20eq%20%22x%22&sortOrder=DESCENDING&until=2999-01-01T00:00:00.000Z",
  "/v1/logs?filter=outcome.reason%20co%20%22xyz%22",
];

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Every statement that this process sends from now on, once. */
function collectStatements(): { statements: Map<string, Statement>; stop: () => void } {
  const statements = new Map<string, Statement>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the client
  const query = Client.prototype.query as (...given: unknown[]) => unknown;
  Client.prototype.query = function collect(this: Client, ...given: unknown[]) {
    const [first, second] = given;
    const { text, values = [] } = typeof first === "string" ? { text: first, values: second } : (first as Statement);
    if (/^\s*(?:select|insert|update|delete|with)\b/i.test(text) && !statements.has(text)) {
      statements.set(text, { text, values: Array.isArray(values) ? values : [] });
    }
    return query.apply(this, given);
  } as Client["query"];
  return { statements, stop: () => (Client.prototype.query = query as Client["query"]) };
}

/** The statements of which a part touches several shards, or of which several parts touch one. */
async function findWide(databaseUrl: string | undefined, statements: readonly Statement[]): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const wide: string[] = [];
  try {
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain ${text}`, [...values]);
      const counts = rows.flatMap((row) => /Task Count: (\d+)/.exec(row["QUERY PLAN"])?.slice(1) ?? []);
      if (counts.length > 1 || counts.some((count) => count !== "1")) wide.push(text);
    }
  } finally {
    await client.end();
  }
  return wide;
}

describeCitus((_engine, database) => {
  let db: TestDatabase;
  let console: ConsoleClient;
  let client: ApiClient;
  const operations = listApiOperations({
    settings: { ...buildSettings(), secrets: ["s".repeat(32)] },
    store: {} as Store,
  });
  const done = new Set<string>();

  /** Ask, expect success, and note the operation. */
  async function ask(method: string, path: string, rest: Omit<Call, "method"> = {}) {
    const answer = await client.api(`https://host/api${path}`, { method, ...rest });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    const [bare = ""] = path.split("?");
    const shape = (text: string) => new RegExp(`^${text.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.")}$`);
    const fixed = `${method} /api${bare}`;
    const operation = operations.find((name) => name === fixed) ?? operations.find((name) => shape(name).test(fixed));
    if (operation !== undefined) done.add(operation);
    return answer;
  }

  async function driveRecords(path: string, body: object, changed = body): Promise<void> {
    const { id } = (await ask("POST", path, { body })).body;
    await ask("GET", `${path}/${id}`);
    await ask("PUT", `${path}/${id}`, { body: { ...changed, name: "Changed" } });
    await ask("POST", `${path}/${id}/lifecycle/deactivate`);
    await ask("POST", `${path}/${id}/lifecycle/activate`);
    await ask("POST", `${path}/${id}/lifecycle/deactivate`);
    await ask("GET", `${path}?limit=1`);
    await ask("DELETE", `${path}/${id}`);
  }

  async function driveTests(path: string): Promise<void> {
    const body = { name: "Test", login: "joe", expected: { provider: { type: "SVC" } } };
    const { id } = (await ask("POST", path, { body })).body;
    await ask("GET", `${path}/${id}`);
    await ask("PUT", `${path}/${id}`, { body });
    await ask("GET", `${path}?limit=1`);
    await ask("GET", `${path}/results`);
    await ask("DELETE", `${path}/${id}`);
    await ask("POST", path, { body }); // so that later changes run it
  }

  async function driveUsers(path: string, user: object): Promise<void> {
    const { id } = (await ask("POST", path, { body: user })).body;
    await ask("GET", `${path}/${id}`);
    await ask("POST", `${path}/${id}`, { body: user });
    await ask("PUT", `${path}/${id}`, { body: user });
    await ask("PATCH", `${path}/${id}`, { body: {}, headers: MERGE_PATCH });
    for (const [change, state] of Object.entries(STATES)) {
      await administrate(`update users set status = '${state}' where id = '${id}'`, db.options.databaseUrl);
      await ask("POST", `${path}/${id}/lifecycle/${change}`);
    }
    await ask("GET", path);
    await ask("DELETE", `${path}/${id}`); // deactivates
    await ask("DELETE", `${path}/${id}`);
  }

  async function driveTokens(): Promise<void> {
    const body = { name: "New", scopes: ["svc.users.read"] };
    const { id } = (await ask("POST", "/v1/apiTokens", { body })).body;
    await ask("GET", `/v1/apiTokens/${id}`);
    await ask("GET", "/v1/apiTokens");
    await ask("POST", `/v1/apiTokens/${id}/lifecycle/rotate`);
    await ask("DELETE", `/v1/apiTokens/${id}`);
    await ask("POST", "/v1/apiTokens", { body });
    await ask("POST", "/v1/apiTokens/lifecycle/revoke", { body: { createdBefore: "2999-01-01T00:00:00.000Z" } });
  }

  async function driveMetadata(): Promise<void> {
    const host = await startMetadataServer(samlMetadata({ url: "https://new.example/sso" }));
    try {
      const { id } = (await ask("POST", "/v1/idps", { body: withMetadata("Fetched", host.url) })).body;
      await ask("POST", `/v1/idps/${id}/lifecycle/refresh_metadata`);
      await ask("POST", "/v1/idps/metadata", { body: { text: samlMetadata({ url: "https://new.example/sso" }) } });
    } finally {
      await host.close();
    }
  }

  async function driveDiscovery(): Promise<void> {
    const { server } = console;
    await call(server, webfingerPath("ann@example.com"));
    await call(server, webfingerPath("nobody@example.com"), { headers: { Host: "id.demo.example" } });
    await call(server, "/sso/login?login=joe@example.com");
    await call(server, "/readyz");
    const { cookie } = await console.signIn({ code: await console.newCode() });
    await console.visit(cookie, "/console/session");
    await console.visit(cookie, "/console/session", { method: "DELETE" });
  }

  it("no statement of a request touches more than one shard", async () => {
    db = await database();
    await db.open(); // migrates
    const { statements, stop } = collectStatements();
    console = await startConsole(db, SETTINGS, { orgs: [fullOrg("demo")] });
    try {
      client = createClient(console.server, "demo", await insertApiToken(db.options, "demo"));
      const [{ id: policyId }] = (await ask("GET", "/v1/policies?type=IDP_DISCOVERY")).body;
      const policy = `/v1/policies/${policyId}`;
      await ask("GET", policy);
      await ask("PUT", policy, { body: { whenProfileUnavailable: "NEXT_RULE" } });
      await ask("GET", `${policy}/trace?resource=svc:acct:joe@example.com`);
      await ask("GET", `${policy}/decisions`);
      await ask("GET", `${policy}/findings`);
      await ask("GET", `${policy}/rules`);
      await ask("POST", `${policy}/preview`, { body: { rule: RULE, logins: [{ login: "joe@example.com" }] } });
      await driveTests(`${policy}/routingTests`);
      await driveRecords(`${policy}/rules`, RULE);
      await driveRecords("/v1/idps", samlIdp("New"));
      await driveRecords("/v1/zones", ZONE);
      await driveRecords("/v1/trustedOrigins", ORIGIN);
      const revisions = `${policy}/revisions`;
      const [{ revision }, { revision: before }] = (await ask("GET", revisions)).body;
      await ask("GET", `${revisions}/${revision}`);
      await ask("GET", `${revisions}/${revision}/diff`);
      await ask("GET", `${policy}/trace?resource=svc:acct:joe@example.com&revision=${before}`);
      await ask("POST", `${revisions}/${before}/restore`);
      const [{ id: idpId }] = (await ask("GET", "/v1/idps")).body;
      await ask("GET", `/v1/idps/${idpId}/metadata.xml`);
      await driveMetadata();
      await driveUsers("/v1/users", USER);
      await driveUsers("/v2/users", USER_V2);
      await ask("GET", "/v1/org/export");
      await ask("POST", "/v1/org/import", { body: { orgs: [{ subdomain: "demo", zones: [ZONE] }] } });
      for (const version of ["v1", "v2"]) await ask("GET", `/${version}/openapi.json`);
      await driveDiscovery();
      for (const list of LISTS) {
        const next = /<([^>]*)>; rel="next"/.exec(String((await ask("GET", list)).headers["link"]))?.[1];
        if (next !== undefined) await client.api(next);
      }
      await driveTokens();
    } finally {
      await console.server.close(); // writes the events
      stop();
    }
    expect([...done].toSorted()).toEqual(operations.toSorted());

    const wide = await findWide(db.options.databaseUrl, [...statements.values()]);
    const exceptions = Object.values(EXCEPTIONS);
    expect(wide.filter((text) => !exceptions.some((pattern) => pattern.test(text)))).toEqual([]);
    expect(wide.some((text) => text.startsWith("update users"))).toBe(true); // so the check sees them
    expect(statements.size).toBeGreaterThan(100);
  }, 300_000);
});
