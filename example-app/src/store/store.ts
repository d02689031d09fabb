import { DEFAULT_QUOTAS, type Quotas } from "../model/quotas.js";
import type { ApiToken, ConsoleSession, Idp, Org } from "../model/records.js";
import type { TurnWatch } from "../pace/turn-watch.js";
import { findTokenByHash } from "./api-tokens.js";
import { findSession } from "./console.js";
import type { ChangeListener, Dialect, Engine, ReplicaState, StoreStats, Watcher } from "./dialects.js";
import type { PageRange } from "./pages.js";
import { openPostgres } from "./postgres.js";
import { findDomainOwner, findOrgRow, readOrg, readRevision, readUserProfile, type Attributes } from "./queries.js";
import { createReads, readSnapshot } from "./reads.js";
import { readRoutingData, readTrustData, type RoutingData, type TrustData } from "./routing-data.js";
import type { Db } from "./schema.js";
import { readRange, searchPage, type Found, type Search } from "./search.js";
import { openSqlite } from "./sqlite.js";
import type { SharedCounter } from "./shared-counter.js";
import { IDPS } from "./tables.js";
import type { WriteTransaction } from "./transaction.js";

export interface StoreOptions {
  /**
   * A PostgreSQL database, `postgres://…`.
   *
   * @default undefined, SQLite in the data folder
   */
  databaseUrl?: string | undefined;

  /**
   * The same database for the one connection that listens for changes; `databaseUrl` may then lead to a pool by
   * transaction, such as PgBouncer.
   *
   * @default databaseUrl
   */
  listenUrl?: string | undefined;

  /**
   * A replica of `databaseUrl`. It serves reads while it keeps up, and its faults are not seen.
   *
   * @default undefined: the primary serves all reads
   */
  readUrl?: string | undefined;

  /**
   * How long a read waits for the replica to catch up, in milliseconds. Then the primary serves it.
   *
   * @default 100
   */
  readMaxLag?: number;

  /**
   * Called when the replica begins or ceases to get reads.
   *
   * @default () => undefined
   */
  reportReplica?: (state: ReplicaState) => void;

  /** Folder of the SQLite file `etiquette.db`; created when it is missing. */
  dataFolder: string;

  /**
   * The most rows that a request of an org searches, one by one.
   *
   * @default 100000
   */
  searchLimit?: number;

  /**
   * How long PostgreSQL may run a statement of a request, in seconds.
   *
   * @default 10
   */
  statementTimeout?: number;

  /**
   * Connections to PostgreSQL for the resources of the API.
   *
   * @default 6
   */
  apiConnections?: number;

  /**
   * The current time.
   *
   * @default () => new Date()
   */
  clock?: () => Date;

  /**
   * What each org may store.
   *
   * @default DEFAULT_QUOTAS
   */
  quotas?: Quotas;

  /** Is told for whom statements work; by default nobody is. */
  watch?: TurnWatch;
}

/** The defaults of {@link StoreOptions}. */
const STORE_LIMITS = { searchLimit: 100_000, statementTimeout: 10, apiConnections: 6, readMaxLag: 100 } as const;

/**
 * The database for requests of one org. They share connections and time fairly with other orgs. If too many of one org
 * wait, they fail as unavailable. The functions must not be nested.
 */
export interface OrgStore {
  /** Run single reading statements. */
  query<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Run several reads on one snapshot. They may run twice. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Write everything or nothing. */
  write<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T>;
  /** The rows of a page of a list, and one more; fewer, when these have many bytes. */
  search<Row>(search: (dialect: Dialect, orgId: string) => Search<Row>, page: PageRange): Promise<Found<Row>>;
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
  loadTrustData(orgId: string): Promise<TrustData | undefined>;
  /** Attributes of the user with this login, see {@link readUserProfile}. */
  findUserProfile(orgId: string, login: string, names: readonly string[]): Promise<Attributes | undefined>;
  /** Grows with every change of the org, of its {@link loadRoutingData} or {@link loadTrustData}; `undefined` when there is no such org. */
  currentRevision(orgId: string): Promise<number | undefined>;
  findActiveIdp(orgId: string, id: string): Promise<Idp | undefined>;
  /** Find an API token by the SHA-256 of its secret, or of the one before the last rotation, expired or not. */
  findApiToken(orgId: string, hash: string): Promise<ApiToken | undefined>;
  /** Find a session of the console by its secret, idle or not. */
  findSession(orgId: string, secret: string): Promise<ConsoleSession | undefined>;
  hasOrgs(): Promise<boolean>;

  /** @param signal ends its searches when it is aborted */
  forOrg(orgId: string, signal?: AbortSignal): OrgStore;

  readonly dialect: Dialect;
  /** Adds up the rate limits of several processes; `undefined` for SQLite, which is for one. */
  readonly sharedCounter: SharedCounter | undefined;
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
  /** How many callers wait for a connection now. */
  waiting(): number;
  stats(): StoreStats;
  /** Ask the database for something, in turn with the requests of orgs. It fails when the database does not answer. */
  ping(): Promise<unknown>;
  /** Waits for running work. */
  close(): Promise<void>;
}

/**
 * Open the database and bring its schema up to date. Several processes may do so at once.
 *
 * @throws {StoreError} when the database can't be opened, with the reason in one line
 */
export async function openStore(options: Readonly<StoreOptions>): Promise<Store> {
  const { databaseUrl, dataFolder, clock = () => new Date(), quotas = DEFAULT_QUOTAS, watch } = options;
  const limits = { ...STORE_LIMITS, ...options };
  const engine = await (databaseUrl === undefined ? openSqlite(dataFolder, watch) : openPostgres(databaseUrl, limits));
  return createStore(engine, { clock, quotas, searchLimit: limits.searchLimit });
}

interface CreateOptions {
  readonly clock: () => Date;
  readonly quotas: Quotas;
  readonly searchLimit: number;
}

// eslint-disable-next-line max-lines-per-function -- the functions of a store share its connections and listeners
function createStore(engine: Engine, { clock, quotas, searchLimit }: CreateOptions): Store {
  const { dialect, sharedCounter, own, discovery, tokens, api } = engine;
  const discoveryReads = createReads(discovery, engine.replica?.discovery);
  const apiReads = createReads(api, engine.replica?.api);
  const listeners = new Set<ChangeListener>();
  let watcher: Watcher | undefined; // one for all listeners, because on PostgreSQL it has a connection of its own
  let closing: Promise<void> | undefined;

  async function findOrgBy(db: Db, column: "id" | "subdomain", value: string): Promise<Org | undefined> {
    const row = await findOrgRow(db, column, value);
    return row && readOrg(db, row);
  }

  async function writeOn<T>(writer: Db, work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const touched = new Set<string>();
    const result = await writer.transaction().execute(async (db) => {
      const done = await work({
        db,
        dialect,
        now: clock().toISOString(),
        quotas,
        async touch(orgId) {
          if (touched.has(orgId)) return;
          touched.add(orgId);
          await db
            .updateTable("org_revisions")
            .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
            .where("org_id", "=", orgId)
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
    sharedCounter,
    reader: own.reader,
    read: (work) => readSnapshot(own.snapshots, work),
    write: (work) => writeOn(own.writer, work),
    waiting: () => engine.waiting(),
    stats: () => engine.stats(),
    ping: () => discovery.turns.run("", () => hasOrgs(discovery.reader)),

    forOrg: (orgId, signal) => ({
      query: (work) => api.turns.run(orgId, () => work(api.reader), signal),
      read: (work) => apiReads.read(orgId, work, signal),
      write: (work) => api.turns.run(orgId, () => writeOn(api.writer, work), signal),
      async search(create, page) {
        const search = create(dialect, orgId);
        if (search.tests > 0 && page.fetchLimit > 0) {
          return searchPage(search, page, { engine, orgId, limit: searchLimit, signal });
        }
        return apiReads.query(orgId, (db) => readRange(search, db, page), signal);
      },
    }),

    findOrgBySubdomain: (subdomain) =>
      discovery.turns.run(subdomain, () => findOrgBy(discovery.reader, "subdomain", subdomain)),

    findOrgByDomain: (domain) =>
      discovery.turns.run(domain, async () => {
        const owner = await findDomainOwner(discovery.reader, domain);
        return owner && findOrgBy(discovery.reader, "id", owner.org_id);
      }),

    loadRoutingData: (orgId) => discoveryReads.read(orgId, (db) => readRoutingData(db, orgId)),
    loadTrustData: (orgId) => discoveryReads.read(orgId, (db) => readTrustData(db, orgId)),
    findUserProfile: (orgId, login, names) =>
      discoveryReads.query(orgId, (db) => readUserProfile({ db, dialect }, orgId, login, names)),

    async findActiveIdp(orgId, id) {
      const idp = await discovery.turns.run(orgId, () => IDPS.find(discovery.reader, orgId, id));
      return idp?.status === "ACTIVE" ? idp : undefined;
    },

    currentRevision: (orgId) => discovery.turns.run(orgId, () => readRevision(discovery.reader, orgId)),

    findApiToken: (orgId, hash) => tokens.turns.run(orgId, () => findTokenByHash(tokens.reader, orgId, hash)),
    findSession: (orgId, secret) => tokens.turns.run(orgId, () => findSession(tokens.reader, orgId, secret)),

    hasOrgs: () => hasOrgs(own.reader),

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

async function hasOrgs(db: Db): Promise<boolean> {
  return (await db.selectFrom("orgs").select("id").limit(1).executeTakeFirst()) !== undefined;
}
