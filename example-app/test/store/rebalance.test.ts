import { createClient, insertApiToken } from "../support/api.js";
import { createOnNodes } from "../support/citus.js";
import { user } from "../support/documents.js";
import { startTestServer } from "../support/server.js";
import { administrate, describeCitus, makeFolder, nameDatabase } from "../support/stores.js";

const SUBDOMAINS = Array.from({ length: 4 }, (_, i) => `org${i}`);

/** Where the rows of each org are: the port of the worker by the org's subdomain. */
async function readPlaces(url: string): Promise<Record<string, number>> {
  const rows = (await administrate(
    `select subdomain, nodeport as port from orgs
     join pg_dist_placement on shardid = get_shard_id_for_distribution_column('org_revisions', id)
     join pg_dist_node using (groupid) where subdomain like 'org%'`,
    url,
  )) as { subdomain: string; port: number }[];
  return Object.fromEntries(rows.map(({ subdomain, port }) => [subdomain, port]));
}

describeCitus(() => {
  const folder = makeFolder();

  test("the rows of orgs move to a new worker, and one org to a worker of its own, while clients read and write", async () => {
    const { url, workers, join, drop } = await createOnNodes(nameDatabase());
    const [first, second] = workers;
    await join([first!]);
    const options = { databaseUrl: url, dataFolder: folder };
    const orgs = SUBDOMAINS.map((subdomain) => ({ subdomain, name: subdomain, users: [user("joe@example.com")] }));
    const server = await startTestServer({ options }, {}, { orgs });
    const clients = await Promise.all(
      SUBDOMAINS.map(async (org) => createClient(server, org, await insertApiToken(options, org))),
    );
    const created: string[][] = SUBDOMAINS.map(() => []);
    const others: unknown[] = [];
    let isDone = false;
    const use = async ({ api }: (typeof clients)[number], index: number): Promise<void> => {
      for (let number = 0; !isDone; number++) {
        const login = `user${number}@example.com`;
        const profile = { login, email: login, firstName: "A", lastName: "B" };
        const written = await api("/users", { method: "POST", body: { profile } });
        if (written.status === 200) created[index]!.push(login);
        for (const { status, headers } of [written, await api("/users/joe@example.com")]) {
          if (status !== 200 && !(status === 503 && headers["retry-after"] !== undefined)) others.push(status);
        }
      }
    };
    const using = clients.map(use);
    try {
      expect(new Set(Object.values(await readPlaces(url)))).toEqual(new Set([first!.port]));

      await administrate(`select citus_add_node('${second!.host}', ${second!.port})`, url);
      await administrate("select citus_rebalance_start()", url);
      await administrate("select citus_rebalance_wait()", url);
      const [{ nodes } = { nodes: 0 }] = (await administrate(
        "select count(distinct groupid)::int as nodes from pg_dist_placement join pg_dist_shard using (shardid) where logicalrelid = 'users'::regclass",
        url,
      )) as { nodes: number }[];
      expect(nodes).toBe(2);

      const [org] = (await administrate("select id from orgs where subdomain = 'org0'", url)) as { id: string }[];
      const [{ shard } = { shard: 0 }] = (await administrate(
        `select isolate_tenant_to_new_shard('org_revisions', '${org!.id}', 'CASCADE', shard_transfer_mode => 'block_writes') as shard`,
        url,
      )) as { shard: number }[];
      const [from, to] = (await readPlaces(url))["org0"] === first!.port ? [first!, second!] : [second!, first!];
      await administrate(
        `select citus_move_shard_placement(${shard}, '${from.host}', ${from.port}, '${to.host}', ${to.port})`,
        url,
      );
      expect((await readPlaces(url))["org0"]).toBe(to.port);

      isDone = true;
      await Promise.all(using);
      expect(others).toEqual([]);
      for (const [index, { api }] of clients.entries()) {
        for (const login of created[index]!) expect(await api(`/users/${login}`)).toMatchObject({ status: 200 });
      }
      expect(created.map(({ length }) => length > 10)).toEqual(SUBDOMAINS.map(() => true));
    } finally {
      isDone = true;
      await Promise.all(using);
      await server.close();
      await drop();
    }
  }, 300_000);
});
