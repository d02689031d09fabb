/** Where a store of a test is. */
interface Place {
  readonly databaseUrl?: string;
}

/**
 * How the stores and servers in the processes of the tests reach it: with `TEST_POOL` through the PgBouncer in front of its
 * server, if there is one. A test that puts something else in between goes there.
 */
export function reach<P extends Place>(place: P): P & { listenUrl?: string } {
  const { TEST_POOL, DATABASE_URL, PGBOUNCER_URL, CITUS_URL, CITUS_PGBOUNCER_URL } = process.env;
  const { databaseUrl } = place;
  if (TEST_POOL === undefined || databaseUrl === undefined) return place;
  const pools = [
    [DATABASE_URL, PGBOUNCER_URL],
    [CITUS_URL, CITUS_PGBOUNCER_URL],
  ] as const;
  const poolUrl = pools.find(([url]) => url && new URL(url).host === new URL(databaseUrl).host)?.[1];
  return poolUrl === undefined ? place : { ...place, ...throughPool(poolUrl, databaseUrl) };
}

/** The database of `url` through a PgBouncer. */
export function throughPool(poolUrl: string, url: string): { databaseUrl: string; listenUrl: string } {
  const { pathname } = new URL(url);
  return { databaseUrl: Object.assign(new URL(poolUrl), { pathname }).href, listenUrl: url };
}
