import { createClient, insertApiToken } from "../../support/api.js";
import { startTestServer, type TestServer } from "../../support/server.js";
import { describePostgres, describeStores } from "../../support/stores.js";

/** The address of the second of two pages, and a function that asks a server for it. */
async function secondPage(server: TestServer, token: string): Promise<string> {
  const { headers } = await createClient(server, "demo", token).api("/apiTokens?limit=1");
  return String(/<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1]);
}

describeStores((_engine, database) => {
  test("P1 cursors are good on every node with the secret, and after it was replaced, while the old one is kept", async () => {
    const db = await database();
    const [before, after] = ["a".repeat(32), "b".repeat(32)];
    const servers = await Promise.all(
      [[before], [after, before], [after]].map((secrets) => startTestServer(db, { secrets })),
    );
    const token = await insertApiToken(db.options, "demo");
    const statusesOf = async (url: string) => {
      const answers = await Promise.all(servers.map((server) => createClient(server, "demo", token).api(url)));
      return answers.map(({ status }) => status);
    };
    expect(await statusesOf(await secondPage(servers[0]!, token))).toEqual([200, 200, 400]);
    expect(await statusesOf(await secondPage(servers[1]!, token))).toEqual([400, 200, 200]);
    for (const server of servers) await server.close();
  });
});

describePostgres((_engine, database) => {
  test("a server on PostgreSQL says in its log that other nodes need its secret, unless it is set", async () => {
    const db = await database();
    for (const [secrets, count] of [
      [[], 1],
      [["s".repeat(32)], 0],
    ] as const) {
      const server = await startTestServer(db, { secrets });
      expect(server.lines.filter(({ level }) => level === "warn")).toHaveLength(count);
      await server.close();
    }
  });
});
