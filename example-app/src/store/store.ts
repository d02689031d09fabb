import { DEFAULT_QUOTAS, type Quotas } from "../model/quotas.js";
import type { ApiToken, ConsoleSession, Idp, Org } from "../model/records.js";
import { findTokenByHash } from "./records/api-tokens.js";
import { findSession } from "./records/console.js";
import { ChangeNotes } from "./contract/change-notes.js";
import type { ChangeListener, Engine, EngineWatcher, StoreStats, Watcher } from "./contract/engine.js";
import type { Dialect } from "./contract/dialect.js";
import type { PageRange } from "./lists/pages.js";
import { openPostgres } from "./engine/postgres.js";
import {
  findDomainOwner,
  findOrgRow,
  raiseRevision,
  readHosts,
  readOrg,
  readRevision,
  readUserProfile,
  type Attributes,
} from "./records/queries.js";
import { recordRevision, SYSTEM } from "./history/revisions.js";
import { STORE_LIMITS, type StoreOptions } from "./contract/options.js";
import { createReads, readSnapshot } from "./engine/reads.js";
import { readRoutingData, readTrustData, type RoutingData, type TrustData } from "./records/routing-data.js";
import type { Db } from "./contract/schema.js";
import { countRows, type Total } from "./lists/count.js";
import { readRange, searchPage, type Found, type Search } from "./lists/search.js";
import { openSqlite } from "./engine/sqlite.js";
import type { SharedCounter } from "./contract/counter.js";
import { IDPS } from "./records/resource-tables.js";
import type { OwnDatabase, WriteTransaction } from "./contract/transaction.js";

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
  /** How many rows a list has, at most `most`. */
  count<Row>(search: (dialect: Dialect, orgId: string) => Search<Row>, most: number): Promise<Total>;
}

/**
 * The database. Every function may fail while the database is unavailable; `isUnavailable(error)` identifies such
 * errors. The store recovers by itself.
 */
export interface Store extends OwnDatabase {
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
  /** Hosts of orgs, see {@link readHosts}. */
  listHosts(suffix: string | undefined, limit: number): Promise<string[]>;
  /** Milliseconds since the database last confirmed what is served instead; `undefined` once it was opened. */
  snapshotAge(): number | undefined;

  /** @param signal ends its searches when it is aborted */
  forOrg(orgId: string, signal?: AbortSignal): OrgStore;

  /** Migrations of the next version of the server, which have run already. */
  readonly newer: readonly string[];
  /** Adds up the rate limits of several processes; `undefined` for SQLite, which is for one. */
  readonly sharedCounter: SharedCounter | undefined;
  /**
   * Get notified of changes to data that routing depends on: of changes through this store at their commit, of changes
   * by other processes within a second. The listener may also be called without a change.
   */
  watchChanges(listener: ChangeListener): Watcher;
  /** Whether listeners know of each change that was committed more than half a second ago. */
  hears(): boolean;
  /** How many callers wait for a connection now. */
  waiting(): number;
  stats(): StoreStats;
  /**
   * Ask the database for something, in turn with the requests of orgs. It fails when the database does not answer. Whoever
   * watches changes has its answer only when each change is heard of from then on.
   */
  ping(): Promise<unknown>;
  /** Waits for running work. */
  close(): Promise<void>;
}

/**
 * Open the database and bring its schema up to date, unless it is one version newer. Several processes may do so at once.
 *
 * @throws {StoreError} when the database can't be opened, with the reason in one line
 */
export async function openStore(options: Readonly<StoreOptions>): Promise<Store> {
  const { databaseUrl, dataFolder, clock = () => new Date(), quotas = DEFAULT_QUOTAS } = options;
  const limits = { ...STORE_LIMITS, ...options };
  const engine = await (databaseUrl === undefined
    ? openSqlite(dataFolder, options)
    : openPostgres(databaseUrl, limits));
  return createStore(engine, { clock, quotas, searchLimit: limits.searchLimit });
}

interface CreateOptions {
  readonly clock: () => Date;
  readonly quotas: Quotas;
  readonly searchLimit: number;
}

// eslint-disable-next-line max-lines-per-function -- the functions of a store share its connections and listeners
function createStore(engine: Engine, { clock, quotas, searchLimit }: CreateOptions): Store {
  const { dialect, newer, sharedCounter, own, discovery, tokens, api } = engine;
  const discoveryReads = createReads(discovery, engine.replica?.discovery);
  const apiReads = createReads(api, engine.replica?.api);
  const listeners = new Set<ChangeListener>();
  let watcher: EngineWatcher | undefined; // one for all listeners, because on PostgreSQL it has a connection of its own
  let closing: Promise<void> | undefined;

  async function findOrgBy(db: Db, column: "id" | "subdomain", value: string): Promise<Org | undefined> {
    const row = await findOrgRow(db, column, value);
    return row && readOrg(db, row);
  }

  async function writeOn<T>(writer: Db, work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    const touched = new Map<string, number>();
    const changes = new ChangeNotes();
    const committed: (() => void)[] = [];
    const result = await writer.transaction().execute(async (db) => {
      const transaction: WriteTransaction = {
        db,
        dialect,
        now: clock().toISOString(),
        quotas,
        changes,
        async touch(orgId) {
          const known = touched.get(orgId);
          if (known !== undefined) return known;
          const revision = await raiseRevision(db, orgId);
          touched.set(orgId, revision);
          return revision;
        },
        onCommit: (done) => void committed.push(done),
      };
      const done = await work(transaction);
      for (const orgId of changes.orgs()) await recordRevision(transaction, orgId, SYSTEM);
      await dialect.publish(db, [...touched.keys()]);
      return done;
    });
    for (const orgId of touched.keys()) notify(orgId);
    for (const done of committed) done();
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
    newer,
    sharedCounter,
    reader: own.reader,
    read: (work) => readSnapshot(own.snapshots, work),
    write: (work) => writeOn(own.writer, work),
    waiting: () => engine.waiting(),
    stats: () => engine.stats(),
    async ping() {
      await discovery.turns.run("", () => hasOrgs(discovery.reader));
      await watcher?.ready();
    },

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
      count: (create, most) =>
        countRows(create(dialect, orgId), most, { engine, orgId, limit: searchLimit, signal }, (work) =>
          apiReads.query(orgId, work, signal),
        ),
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
    listHosts: (suffix, limit) => readHosts(own.reader, suffix, limit),
    snapshotAge: () => undefined,

    hears: () => watcher?.hears() ?? true,
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
