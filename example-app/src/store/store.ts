import type { ApiToken, Idp, Issuer, Org, Rule, User, Zone } from "../model/records.js";
import { API_TOKENS } from "./api-tokens.js";
import type { ChangeListener, Dialect, Engine, Watcher } from "./dialects.js";
import { openPostgres } from "./postgres.js";
import {
  findOrgRow,
  readCorsOrigins,
  readIdps,
  readIssuers,
  readOrg,
  readRevision,
  readRules,
  readZones,
} from "./queries.js";
import { foldLogin } from "./rows.js";
import type { Db } from "./schema.js";
import { openSqlite } from "./sqlite.js";
import { IDPS } from "./tables.js";
import type { WriteTransaction } from "./transaction.js";

export interface StoreOptions {
  /**
   * A PostgreSQL database, `postgres://…`.
   *
   * @default undefined, SQLite in the data folder
   */
  databaseUrl?: string | undefined;

  /** Folder of the SQLite file `etiquette.db`; created when it is missing. */
  dataFolder: string;

  /**
   * The current time.
   *
   * @default () => new Date()
   */
  clock?: () => Date;
}

/** The input for compiling the routing of one org, read from one snapshot. */
export interface RoutingData {
  revision: number;
  /** The ACTIVE rules, in the order in which they are tried. */
  rules: Rule[];
  /** By name, inactive ones included. */
  idps: Idp[];
  /** By name, inactive ones included. */
  zones: Zone[];
  /** The ACTIVE trusted origins with the scope CORS. */
  trustedOrigins: string[];
  issuers: Issuer[];
}

/**
 * The database. Every function may fail while the database is unavailable; `isUnavailable(error)` identifies such
 * errors. The store recovers by itself.
 */
export interface Store {
  findOrgBySubdomain(subdomain: string): Promise<Org | undefined>;
  /** Find an org by a custom domain in lower case. */
  findOrgByDomain(domain: string): Promise<Org | undefined>;
  loadRoutingData(orgId: string): Promise<RoutingData | undefined>;
  /** The profile of the user with this login, case-insensitive, in any status. */
  findUserProfile(orgId: string, login: string): Promise<User["profile"] | undefined>;
  /** Grows with every change of the org or of its {@link loadRoutingData}; `undefined` when there is no such org. */
  currentRevision(orgId: string): Promise<number | undefined>;
  findActiveIdp(orgId: string, id: string): Promise<Idp | undefined>;
  /** Find an API token by the SHA-256 of its secret. */
  findApiToken(orgId: string, hash: string): Promise<ApiToken | undefined>;
  hasOrgs(): Promise<boolean>;

  readonly dialect: Dialect;
  /** For single reading statements. */
  readonly reader: Db;
  /** Run several reads on one snapshot. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Write everything or nothing. */
  write<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;

  /**
   * Get notified of changes to data that routing depends on: of changes through this store at their commit, of changes
   * by other processes within a second. The listener may also be called without a change.
   */
  watchChanges(listener: ChangeListener): Watcher;
  /** Waits for running work. */
  close(): Promise<void>;
}

/**
 * Open the database and bring its schema up to date. Several processes may do so at once.
 *
 * @throws {StoreError} when the database can't be opened, with the reason in one line
 */
export async function openStore({ databaseUrl, dataFolder, clock }: Readonly<StoreOptions>): Promise<Store> {
  const engine = await (databaseUrl === undefined ? openSqlite(dataFolder) : openPostgres(databaseUrl));
  return createStore(engine, clock ?? (() => new Date()));
}

// eslint-disable-next-line max-lines-per-function -- the functions of a store share its connections and listeners
function createStore({ dialect, reader, writer, ...engine }: Engine, clock: () => Date): Store {
  const listeners = new Set<ChangeListener>();
  let watcher: Watcher | undefined; // one for all listeners, because on PostgreSQL it has a connection of its own
  let closing: Promise<void> | undefined;

  async function findOrgBy(column: "id" | "subdomain", value: string): Promise<Org | undefined> {
    const row = await findOrgRow(reader, column, value);
    return row && readOrg(reader, row);
  }

  function read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return reader.transaction().setAccessMode("read only").setIsolationLevel("repeatable read").execute(work);
  }

  async function write<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const touched = new Set<string>();
    const result = await writer.transaction().execute(async (db) => {
      const done = await work({
        db,
        dialect,
        now: clock().toISOString(),
        async touch(orgId) {
          if (touched.has(orgId)) return;
          touched.add(orgId);
          await db
            .updateTable("orgs")
            .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
            .where("id", "=", orgId)
            .execute();
        },
      });
      await dialect.publish(db, [...touched]);
      return done;
    });
    for (const orgId of touched) notify(orgId);
    return result;
  }

  function notify(orgId: string | undefined): void {
    for (const listener of listeners) listener(orgId);
  }

  async function close(): Promise<void> {
    listeners.clear();
    await watcher?.close();
    await engine.close();
  }

  return {
    dialect,
    reader,
    read,
    write,
    findOrgBySubdomain: (subdomain) => findOrgBy("subdomain", subdomain),

    async findOrgByDomain(domain) {
      const owner = await reader
        .selectFrom("org_domains")
        .select("org_id")
        .where("domain", "=", domain)
        .executeTakeFirst();
      return owner && findOrgBy("id", owner.org_id);
    },

    loadRoutingData: (orgId) =>
      read(async (db) => {
        const revision = await readRevision(db, orgId);
        if (revision === undefined) return undefined;
        return {
          revision,
          rules: await readRules(db, orgId, "ACTIVE"),
          idps: await readIdps(db, orgId),
          zones: await readZones(db, orgId),
          trustedOrigins: await readCorsOrigins(db, orgId),
          issuers: await readIssuers(db, orgId),
        };
      }),

    async findUserProfile(orgId, login) {
      const row = await reader
        .selectFrom("users")
        .select("profile")
        .where("org_id", "=", orgId)
        .where("login", "=", foldLogin(login))
        .executeTakeFirst();
      return row && (JSON.parse(row.profile) as User["profile"]);
    },

    async findActiveIdp(orgId, id) {
      const idp = await IDPS.find(reader, orgId, id);
      return idp?.status === "ACTIVE" ? idp : undefined;
    },

    currentRevision: (orgId) => readRevision(reader, orgId),

    async findApiToken(orgId, hash) {
      const row = await reader
        .selectFrom("api_tokens")
        .selectAll()
        .where("org_id", "=", orgId)
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row && API_TOKENS.toRecord(row);
    },

    async hasOrgs() {
      return (await reader.selectFrom("orgs").select("id").limit(1).executeTakeFirst()) !== undefined;
    },

    watchChanges(listener) {
      listeners.add(listener);
      watcher ??= engine.watch(notify);
      return {
        close() {
          listeners.delete(listener);
          return Promise.resolve();
        },
      };
    },

    close() {
      closing ??= close();
      return closing;
    },
  };
}
