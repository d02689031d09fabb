import { createApiToken } from "etiquette/api-token-verifier";
import { createId } from "../../src/model/ids.js";
import type { Org } from "../../src/model/records.js";
import { createResources, listOperations } from "../../src/resources/index.js";
import type { ApiDependencies } from "../../src/rest/resource.js";
import type { NewToken } from "../../src/store/records/api-tokens.js";
import type { Store } from "../../src/store/store.js";
import type { Settings } from "../../src/program/settings/settings.js";
import { createAnalysisCache } from "../../src/tenancy/analysis-cache.js";
import { createRoutingCache } from "../../src/tenancy/routing-cache.js";
import { call, importDocument, startTestServer, type Answer, type Call, type TestServer } from "./server.js";
import { describeStores, withStore, type Engine, type TestDatabase } from "./stores.js";

/** What an administrator can do. */
const ALL_SCOPES = ["users", "logs", "idps", "policies", "trustedOrigins", "zones", "apiTokens"].map(
  (resource) => `${resource}.manage`,
);

/** A caller of the API with a token of one org. */
export interface ApiClient {
  /** Below `/api/v1`, or an absolute URL as the server gives it; with the token unless there is another one. */
  readonly api: (path: string, call?: Call) => Promise<Answer>;
}

/** `GET /api/v1/users` and so on: all that there is. */
export function listApiOperations(dependencies: Omit<ApiDependencies, "routings" | "analyses">): string[] {
  const cache = { store: dependencies.store, maxBytes: 0 };
  const caches = { routings: createRoutingCache(cache), analyses: createAnalysisCache(cache) };
  return createResources({ ...dependencies, ...caches }).flatMap(([version, resources]) =>
    listOperations(resources).map((operation) => operation.replace(" ", ` /api/${version}`)),
  );
}

/** Put a token into the org with this subdomain; without `scopes` it may do everything, and without `values` for ever. No quota counts it. */
export async function insertApiToken(
  options: TestDatabase["options"],
  subdomain: string,
  scopes: readonly string[] = ALL_SCOPES,
  values: Partial<Pick<NewToken, "name" | "expiresAt" | "addresses">> = {},
): Promise<string> {
  return withStore(options, async (store) => {
    const org = await store.findOrgBySubdomain(subdomain);
    if (!org) throw new Error(`no org ${subdomain}`);
    const { token, hash } = createApiToken();
    const id = createId();
    await store.write(({ db, now }) =>
      db
        .insertInto("api_tokens")
        .values({
          org_id: org.id,
          id,
          name: values.name ?? `test ${id}`,
          hash,
          scopes: JSON.stringify(scopes),
          expires: values.expiresAt ?? null,
          addresses: JSON.stringify(values.addresses ?? []),
          previous_hash: null,
          previous_expires: null,
          creator_type: null,
          creator_id: null,
          last_used: null,
          created: now,
          last_updated: now,
        })
        .execute(),
    );
    return token;
  });
}

/** Calls the server as the org with this subdomain, with this token. */
export function createClient(server: TestServer, subdomain: string, token: string): ApiClient {
  return {
    api: (path, { headers, ...rest } = {}) => {
      const { pathname, search } = new URL(path, "https://host");
      const target = path.startsWith("http") ? pathname + search : `/api/v1${path}`;
      return call(server, target, {
        ...rest,
        headers: { Host: `${subdomain}.localhost:${server.port}`, Authorization: `SVC ${token}`, ...headers },
      });
    },
  };
}

/** A server on `database` and an administrator of the demonstration org. */
export async function startApi(
  database: Pick<TestDatabase, "options">,
  ...rest: [settings?: Parameters<typeof startTestServer>[1], document?: unknown]
): Promise<ApiClient & { server: TestServer }> {
  const server = await startTestServer(database, ...rest);
  const token = await insertApiToken(database.options, "demo");
  return { server, ...createClient(server, "demo", token) };
}

/** Where the orgs of the tests are that share a server. */
interface Place {
  readonly server: TestServer;
  readonly options: TestDatabase["options"];
  /** Open until the last of the tests ends. */
  readonly store: Store;
}

/** An org of one test on a server that it shares with others, and an administrator of the org. */
export interface TestOrg extends Place, ApiClient {
  readonly id: string;
  readonly subdomain: string;
  /** That of the administrator. */
  readonly token: string;
  /** What the URLs of its API begin with. */
  readonly origin: string;
  /** Calls it without credentials. */
  readonly visit: (path: string, call?: Call) => Promise<Answer>;
  /** Calls its API with a token of these scopes. */
  readonly as: (scopes: readonly string[]) => Promise<ApiClient["api"]>;
  /** Imports it again, with these records. */
  readonly change: (values: object) => Promise<void>;
  /** The same org on another server. */
  readonly at: (server: TestServer) => TestOrg;
}

/** Makes an org of what an import file has about it. The subdomain is a new one. */
export type OpenOrg = (describe?: (subdomain: string) => object) => Promise<TestOrg>;

/**
 * Declares tests once for each engine, as {@link describeStores} does, which share one server: each test opens an org of
 * its own.
 */
export function describeApi(
  declare: (openOrg: OpenOrg, engine: Engine) => void,
  settings: Partial<Settings> = {},
): void {
  describeStores((engine, database) => {
    let place: Place;
    let orgs = 0;
    beforeAll(async () => {
      const { options, open } = await database();
      const server = await startTestServer({ options }, { demo: false, ...settings });
      place = { server, options, store: await open() };
    });
    afterAll(() => place.server.close());
    const openOrg: OpenOrg = async (describe) => {
      const subdomain = `org${++orgs}`;
      await importOrg(place, { name: subdomain, ...describe?.(subdomain), subdomain });
      const { id, domains } = (await place.store.findOrgBySubdomain(subdomain))!;
      return connect(place, { id, subdomain, domains, token: await insertApiToken(place.options, subdomain) });
    };
    declare(openOrg, engine);
  }, afterAll);
}

const importOrg = ({ options }: Place, org: object) => importDocument(options, { orgs: [org] });

function connect(place: Place, org: Pick<Org, "id" | "subdomain" | "domains"> & { token: string }): TestOrg {
  const { server, options } = place;
  const { id, subdomain, domains, token } = org;
  const Host = `${subdomain}.localhost:${server.port}`;
  return {
    ...place,
    ...createClient(server, subdomain, token),
    id,
    subdomain,
    token,
    origin: domains[0] === undefined ? `https://${Host}` : `https://${domains[0]}:${server.port}`,
    visit: (path, { headers, ...rest } = {}) => call(server, path, { ...rest, headers: { Host, ...headers } }),
    as: async (scopes) => createClient(server, subdomain, await insertApiToken(options, subdomain, scopes)).api,
    change: (values) => importOrg(place, { name: subdomain, ...values, subdomain }),
    at: (other) => connect({ ...place, server: other }, org),
  };
}
