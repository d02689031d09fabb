import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArguments } from "../../check/command-line/parse.js";
import { runChecks } from "../../check/engine.js";
import { insertApiToken, createClient } from "./support/api.js";
import { trustedOrigin, user, zone } from "./support/documents.js";
import { startTestServer, type TestServer } from "./support/server.js";
import { describeStores, makeFolder, type TestDatabase } from "./support/stores.js";

const ORIGIN = "https://app.example.com";

/**
 * Checks that the server has nothing for: it is asked at localhost, speaks HTTPS only, its tests have no rate limits,
 * and it takes idempotency keys with POST, not with the PATCH that is sent here.
 */
const NOT_APPLICABLE = [
  ...["hsts", "http-refused", "forwarded-proto", "rate-limit-fields"],
  ...["idempotency-replayed", "idempotency-key", "idempotency-payload"],
];

const LISTS = ["logs", "idps", "zones", "trustedOrigins", "apiTokens"];

describeStores((_engine, database) => {
  const ca = join(makeFolder(), "ca.pem");

  /** The arguments that every run needs, for a server with something in each list. */
  async function prepare(own: TestDatabase, server: TestServer): Promise<string[]> {
    const token = await insertApiToken(own.options, "demo");
    const { api } = createClient(server, "demo", token);
    const documents: [path: string, body: unknown][] = [
      ...["ann", "ben", "cat"].map((name): [string, unknown] => ["/users", user(`${name}@example.com`)]),
      ["/trustedOrigins", { ...trustedOrigin("app"), origin: ORIGIN, scopes: [{ type: "CORS" }] }],
      ["/zones", zone("office")],
    ];
    for (const [path, body] of documents)
      expect(await api(path, { method: "POST", body })).toHaveProperty("status", 200);
    writeFileSync(ca, server.ca ?? "");
    const url = `https://localhost:${server.port}/api/v1/users`;
    return [url, "--rate", "1000", "--ca", ca, "--header", `Authorization: SVC ${token}`];
  }

  test("etiquette check finds nothing", async () => {
    const own = await database();
    const server = await startTestServer(own);
    try {
      const common = await prepare(own, server);
      const path = "/api/v1/users/ann@example.com";
      const users = await check([
        ...[...common, "--list", "/api/v1/users", "--resource", path, "--filter", 'status eq "ACTIVE"'],
        ...["--origin", ORIGIN, "--write", "--writable", path, "--field", "/profile/firstName"],
      ]);
      expect(users).toEqual({ found: [], skipped: NOT_APPLICABLE, notes: [] });
      const webfinger = "/.well-known/webfinger?resource=svc:acct:joe@example.com";
      expect(await check([...common, "--resource", webfinger])).toMatchObject({ found: [] });
      for (const name of LISTS) {
        const { found } = await check([...common, "--list", `/api/v1/${name}`]);
        expect({ [name]: found }).toEqual({ [name]: [] });
      }
    } finally {
      await server.close();
    }
  }, 120_000);
});

/** What the checks found, and which could not run. */
async function check(args: string[]): Promise<{ found: string[]; skipped: string[]; notes: readonly string[] }> {
  const { plan, checks } = parseArguments(args);
  const { results, notes } = await runChecks(plan, checks);
  const findings = results.filter(({ outcome }) => outcome === "finding");
  return {
    found: findings.map(({ check: { id }, message = "" }) => `${id}: ${message}`),
    skipped: results.filter(({ outcome }) => outcome === "skipped").map(({ check: { id } }) => id),
    notes,
  };
}
