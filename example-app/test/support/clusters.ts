import path from "node:path";
import { describeIf } from "../../../test/support/requirements.js";

/** An instance of PostgreSQL in a temporary folder. */
export interface Cluster {
  readonly port: number;
  url(database: string, port?: number): string;
  /** A new, empty database. */
  createDatabase(): Promise<string>;
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** A copy that follows it. */
  createStandby(): Promise<Cluster>;
  promote(): Promise<void>;
  start(): Promise<void>;
  end(signal: "SIGINT" | "SIGKILL"): Promise<void>;
  signalAll(signal: "SIGSTOP"): void;
  remove(): Promise<void>;
}

/** A way to an instance. */
export interface Proxy {
  readonly port: number;
  lead(port: number): void;
  strand(): void;
  /** Pass nothing on, and accept. */
  hang(): void;
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

const SERVERS = path.join(__dirname, "../../../tools/torture/servers");

const postgres = jest.requireActual<{
  Cluster: { create(settings?: Record<string, string>): Promise<Cluster> };
  hasPrograms(): boolean;
}>(path.join(SERVERS, "postgres.js"));

const { Proxy: ProxyClass } = jest.requireActual<{ Proxy: { to(port: number): Promise<Proxy> } }>(
  path.join(SERVERS, "proxy.js"),
);

/** Declares tests that start instances of PostgreSQL. */
export function describeClusters(title: string, block: () => void): void {
  describeIf(postgres.hasPrograms(), title, "the programs of PostgreSQL (initdb, pg_basebackup)", block);
}

/** A primary and its standby, which wait for no disk. */
export async function createPair(): Promise<{ primary: Cluster; standby: Cluster }> {
  const primary = await postgres.Cluster.create({ fsync: "off", max_connections: "60", shared_buffers: "16MB" });
  return { primary, standby: await primary.createStandby() };
}

export function createProxy(port: number): Promise<Proxy> {
  return ProxyClass.to(port);
}
