import { createClient, insertApiToken } from "../support/api.js";
import { createOnNodes } from "../support/citus.js";
import { user } from "../support/documents.js";
import { call, startTestServer, webfingerPath } from "../support/server.js";
import { administrate, describeCitus, makeFolder, nameDatabase } from "../support/stores.js";
import { startTcpProxy } from "../support/tcp-proxy.js";

const ZONE = { name: "Office", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] };

/** Enough orgs that no worker has all of them. */
const SUBDOMAINS = Array.from({ length: 16 }, (_, i) => `org${i}`);

describeCitus(() => {
  const folder = makeFolder();

  test("E1 a worker that goes away is 503 for its orgs alone, which come back with it", async () => {
    const { url, workers, join, drop } = await createOnNodes(nameDatabase());
    const proxies = await Promise.all(workers.map(startTcpProxy));
    await join(proxies.map(({ port }) => ({ host: "127.0.0.1", port })));
    const options = { databaseUrl: url, dataFolder: folder };
    const orgs = SUBDOMAINS.map((subdomain) => ({ subdomain, name: subdomain, users: [user("joe@example.com")] }));
    const server = await startTestServer({ options }, {}, { orgs });
    try {
      const [lost, kept] = await Promise.all(
        proxies.map(async ({ port }) => {
          const [org] = (await administrate(
            `select subdomain from orgs
             join pg_dist_placement on shardid = get_shard_id_for_distribution_column('org_revisions', id)
             join pg_dist_node using (groupid) where nodeport = ${port} and subdomain like 'org%' limit 1`,
            url,
          )) as { subdomain: string }[];
          const subdomain = String(org?.subdomain);
          return {
            ...createClient(server, subdomain, await insertApiToken(options, subdomain)),
            discover: () =>
              call(server, webfingerPath("joe@example.com"), { headers: { Host: `${subdomain}.localhost` } }),
          };
        }),
      );
      const rename = { method: "POST", body: { profile: { lastName: "Ng" } } };
      const statusOf = async (client: typeof lost) => [
        (await client!.discover()).status,
        (await client!.api("/users/joe@example.com")).status,
        (await client!.api("/users/joe@example.com", rename)).status,
        (await client!.api("/zones")).status,
      ];
      expect(await Promise.all([lost, kept].map(statusOf))).toEqual([Array(4).fill(200), Array(4).fill(200)]);

      await proxies[0]!.cut();
      const [gone, here] = await Promise.all([lost, kept].map(statusOf));
      expect(gone?.slice(1)).toEqual(Array(3).fill(503)); // WebFinger may still be answered from the cache
      expect(here).toEqual(Array(4).fill(200));
      expect(await kept!.api("/zones", { method: "POST", body: ZONE })).toMatchObject({ status: 200 });
      expect(await lost!.api("/users")).toMatchObject({
        status: 503,
        headers: { "retry-after": expect.stringMatching(/^\d+$/) },
        body: { errorCode: "E0009011" },
      });

      await proxies[0]!.restore();
      expect(await statusOf(lost)).toEqual(Array(4).fill(200));
    } finally {
      await proxies[0]!.restore().catch(() => undefined);
      await server.close();
      for (const proxy of proxies) await proxy.cut();
      await drop();
    }
  }, 180_000);
});
