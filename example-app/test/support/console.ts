import { createLink } from "../../src/program/operations/console-link.js";
import { openStore, type Store } from "../../src/store/store.js";
import { insertApiToken, type TestOrg } from "./api.js";
import { buildSettings, call, startTestServer, type Answer, type Call, type TestServer } from "./server.js";
import { withStore, type TestDatabase } from "./stores.js";

/** The console of an org, as its own pages call it. */
export interface ConsoleClient {
  readonly server: TestServer;
  readonly origin: string;
  /** The link that `npm start -- console` prints. */
  readonly newLink: (org?: string) => Promise<string>;
  readonly newCode: (org?: string) => Promise<string>;
  readonly openStore: () => Promise<Store>;
  readonly newToken: (values?: Parameters<typeof insertApiToken>[3]) => Promise<string>;
  /** Sign in. @returns the cookie */
  readonly signIn: (body: unknown) => Promise<{ answer: Answer; cookie: string }>;
  /** A request with a cookie by a page of this origin. */
  readonly visit: (cookie: string, path: string, call?: Call) => Promise<Answer>;
}

/** That of the demonstration org, on a server of its own. */
export async function startConsole(
  database: Pick<TestDatabase, "options">,
  ...rest: [settings?: Parameters<typeof startTestServer>[1], document?: unknown]
): Promise<ConsoleClient> {
  const server = await startTestServer(database, ...rest);
  return openConsole({ server, ...database, subdomain: "demo", origin: `https://localhost:${server.port}` });
}

/** The console of an org on a server that is there. */
export function openConsole({
  server,
  options,
  subdomain,
  origin,
}: Pick<TestOrg, "server" | "options" | "subdomain" | "origin">): ConsoleClient {
  const { port } = server;
  const page = { Host: new URL(origin).host, Origin: origin };
  const newLink = (org = subdomain) => withStore(options, (store) => createLink(store, org, buildSettings({ port })));
  return {
    server,
    origin,
    newLink,
    newCode: async (org) => (await newLink(org)).replace(/^.*#code=/, ""),
    openStore: () => openStore(options),
    newToken: (values) => insertApiToken(options, subdomain, undefined, values),
    async signIn(body) {
      const answer = await call(server, "/console/session", { method: "POST", body, headers: page });
      const [field = ""] = answer.headers["set-cookie"] ?? [];
      return { answer, cookie: field.split(";")[0] ?? "" };
    },
    visit: (cookie, path, { headers, ...rest } = {}) =>
      call(server, path, { ...rest, headers: { Cookie: cookie, ...page, ...headers } }),
  };
}
