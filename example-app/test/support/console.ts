import { createLink } from "../../src/program/operations/console-link.js";
import { openStore, type Store } from "../../src/store/store.js";
import { insertApiToken } from "./api.js";
import { buildSettings, call, startTestServer, type Answer, type Call, type TestServer } from "./server.js";
import type { TestDatabase } from "./stores.js";

/** The console of the demonstration org, as its own pages call it. */
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

export async function startConsole(
  database: Pick<TestDatabase, "options">,
  ...rest: [settings?: Parameters<typeof startTestServer>[1], document?: unknown]
): Promise<ConsoleClient> {
  const server = await startTestServer(database, ...rest);
  const { port } = server;
  const origin = `https://localhost:${port}`;
  const newLink = async (org = "demo") => {
    const store = await openStore(database.options);
    try {
      return await createLink(store, org, buildSettings({ port }));
    } finally {
      await store.close();
    }
  };
  return {
    server,
    origin,
    newLink,
    newCode: async (org) => (await newLink(org)).replace(/^.*#code=/, ""),
    openStore: () => openStore(database.options),
    newToken: (values) => insertApiToken(database.options, "demo", undefined, values),
    async signIn(body) {
      const answer = await call(server, "/console/session", { method: "POST", body, headers: { Origin: origin } });
      const [field = ""] = answer.headers["set-cookie"] ?? [];
      return { answer, cookie: field.split(";")[0] ?? "" };
    },
    visit: (cookie, path, { headers, ...options } = {}) =>
      call(server, path, { ...options, headers: { Cookie: cookie, Origin: origin, ...headers } }),
  };
}
