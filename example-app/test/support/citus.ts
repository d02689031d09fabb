import { Client } from "pg";
import { administrate } from "./administrate.js";

/** The address of a cluster's coordinator, whose user may create databases and connects to the workers as well. */
export const CITUS_URL = process.env["CITUS_URL"];

/** Fewer than usual, because each costs time and tests have few orgs. */
const SHARDS = 4;

interface Node {
  readonly groupid: number;
  readonly nodename: string;
  readonly nodeport: number;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** A database on all nodes of the cluster, which is one of Citus after `join`. */
export interface ClusterDatabase {
  readonly url: string;
  readonly workers: readonly Address[];
  /**
   * Make a cluster of the nodes' databases.
   *
   * @param workers where the nodes find them
   * @default their own addresses
   */
  readonly join: (workers?: readonly Address[]) => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Citus fails when two databases get their nodes at a time: each writes to the roles of all databases. */
async function alone(work: () => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: CITUS_URL });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(1)");
    await work();
  } finally {
    await client.end();
  }
}

/** Create a database on each node. */
export async function createOnNodes(name: string): Promise<ClusterDatabase> {
  const nodes = (await administrate("select * from pg_dist_node order by groupid", CITUS_URL)) as Node[];
  const [coordinator, ...others] = nodes;
  const urlOf = ({ nodename, nodeport }: Node, database: string): string =>
    Object.assign(new URL(String(CITUS_URL)), { host: `${nodename}:${nodeport}`, pathname: `/${database}` }).href;
  const onAll = (database: string | undefined, sql: string): Promise<unknown> =>
    Promise.all(
      nodes.map((node) => administrate(sql, database === undefined ? maintenanceUrl(node) : urlOf(node, database))),
    );
  const maintenanceUrl = (node: Node): string => urlOf(node, new URL(String(CITUS_URL)).pathname.slice(1));
  if (!coordinator) throw new Error("CITUS_URL names no coordinator of a cluster");

  await onAll(undefined, `create database ${name}`);
  const url = urlOf(coordinator, name);
  const workers = others.map(({ nodename, nodeport }) => ({ host: nodename, port: nodeport }));
  return {
    url,
    workers,
    async join(addresses = workers) {
      await onAll(name, "create extension citus");
      const { nodename, nodeport } = coordinator;
      const adding = addresses.map(({ host, port }) => `select citus_add_node('${host}', ${port})`);
      const joining = [`select citus_set_coordinator_host('${nodename}', ${nodeport})`, ...adding];
      await alone(() => administrate(joining.join("; "), url));
      await administrate(`alter database ${name} set citus.shard_count = ${SHARDS}`, url);
    },
    async drop() {
      await onAll(undefined, `drop database ${name} with (force)`);
    },
  };
}
