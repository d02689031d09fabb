import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Idp, Org, RoutedIdp, Rule, Zone } from "../model/records.js";
import type { ChangeListener, Watcher } from "../store/contract/engine.js";
import { createErrorCounts } from "../store/contract/error-counts.js";
import { messageOf } from "../store/contract/errors.js";
import { issuerOf } from "../store/contract/rows.js";
import type { RoutingData, TrustData } from "../store/records/routing-data.js";
import type { OrgStore, Store } from "../store/store.js";
import type { IndexedOrg, Snapshot, SnapshotOrg } from "./snapshot-file.js";

/** The pause between two attempts to open the database, in milliseconds. */
const PAUSE_MS = 1_000;

export interface DetachedStoreOptions {
  readonly snapshot: Snapshot;
  /** Milliseconds after the database last confirmed it for which it counts. */
  readonly limit: number;
  /** Opens the database. It rejects while that is away. */
  readonly open: () => Promise<Store>;
  readonly log: Pick<Logger, "warn">;
}

/**
 * A store whose database does not answer yet: look-ups of discovery are answered from a snapshot, everything else fails as
 * unavailable. When the database answers, it becomes the store of that, and tells its listeners that all may have changed.
 */
// eslint-disable-next-line max-lines-per-function -- the functions of a store
export function createDetachedStore({ snapshot, limit, open, log }: DetachedStoreOptions): Store {
  let real: Store | undefined;
  const listeners = new Map<ChangeListener, Watcher | undefined>();
  const closing = new AbortController();
  const source = createSource(snapshot, limit);
  const attaching = attachWhenOpen();

  return {
    get dialect() {
      return opened().dialect;
    },
    get reader() {
      return opened().reader;
    },
    sharedCounter: {
      add: async (...count) => {
        const { sharedCounter } = opened();
        return sharedCounter ? sharedCounter.add(...count) : Promise.reject(unavailable());
      },
      close: () => Promise.resolve(),
    },
    get newer() {
      return real?.newer ?? [];
    },
    snapshotAge: () => (real ? undefined : source.age()),
    read: async (work) => opened().read(work),
    write: async (work) => opened().write(work),
    findOrgBySubdomain: async (subdomain) => real?.findOrgBySubdomain(subdomain) ?? source.findOrg(subdomain),
    findOrgByDomain: async (domain) => real?.findOrgByDomain(domain) ?? source.findOrg(domain),
    loadRoutingData: async (orgId) => real?.loadRoutingData(orgId) ?? source.loadRouting(orgId),
    loadTrustData: async (orgId) => real?.loadTrustData(orgId) ?? source.loadTrust(orgId),
    findUserProfile: async (...login) => opened().findUserProfile(...login),
    currentRevision: async (orgId) => real?.currentRevision(orgId) ?? source.find(orgId).revision,
    findActiveIdp: async (orgId, id) => real?.findActiveIdp(orgId, id) ?? source.findActiveIdp(orgId, id),
    findApiToken: async (...token) => opened().findApiToken(...token),
    findSession: async (...session) => opened().findSession(...session),
    listHosts: async (suffix, count) => real?.listHosts(suffix, count) ?? source.listHosts(suffix, count),
    hasOrgs: async () => opened().hasOrgs(),
    forOrg: (orgId, signal) => openedLater(() => opened().forOrg(orgId, signal)),
    watchChanges(listener) {
      listeners.set(listener, real?.watchChanges(listener));
      return {
        async close() {
          await listeners.get(listener)?.close();
          listeners.delete(listener);
        },
      };
    },
    hears: () => real?.hears() ?? true,
    waiting: () => real?.waiting() ?? 0,
    stats: () => real?.stats() ?? { pools: [], refused: 0, errors: createErrorCounts().counts },
    ping: async () => opened().ping(),
    async close() {
      closing.abort();
      await attaching;
      await real?.close();
      await snapshot.close();
    },
  };

  function opened(): Store {
    if (!real) throw unavailable();
    return real;
  }

  async function attachWhenOpen(): Promise<void> {
    let reported = "";
    for (;;) {
      await sleep(PAUSE_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      if (closing.signal.aborted) return;
      try {
        attach(await open());
        return;
      } catch (error) {
        if (messageOf(error) !== reported)
          log.warn({ err: error }, "the database is not open yet: a snapshot is served");
        reported = messageOf(error);
      }
    }
  }

  function attach(store: Store): void {
    real = store;
    for (const listener of listeners.keys()) {
      listeners.set(listener, store.watchChanges(listener));
      listener(undefined);
    }
    log.warn("the database is open: the snapshot is served no longer");
  }
}

/** The database of an org that is looked up with each call. */
function openedLater(find: () => OrgStore): OrgStore {
  return {
    query: async (work) => find().query(work),
    read: async (work) => find().read(work),
    write: async (work) => find().write(work),
    search: async (search, page) => find().search(search, page),
    count: async (search, most) => find().count(search, most),
  };
}

/** What a snapshot knows. An org that it does not have may be in the database all the same. */
function createSource(snapshot: Snapshot, limit: number) {
  const byId = new Map(snapshot.orgs.map((org) => [org.id, org]));
  const byHost = new Map(snapshot.orgs.flatMap((org) => [org.subdomain, ...org.domains].map((host) => [host, org])));
  const age = (): number => Date.now() - snapshot.time;

  return { age, find, findOrg, loadRouting, loadTrust, findActiveIdp, listHosts };

  function find(id: string): IndexedOrg {
    const org = byId.get(id);
    if (!org || age() >= limit) throw unavailable();
    return org;
  }

  /** @param host a subdomain, which has no dot, or a custom domain */
  async function findOrg(host: string): Promise<Org> {
    return (await readHead(find(byHost.get(host)?.id ?? ""))).org;
  }

  async function readHead(org: IndexedOrg): Promise<SnapshotOrg> {
    for await (const [kind, value] of snapshot.read(org)) if (kind === "org") return value;
    throw unavailable();
  }

  async function loadRouting(id: string): Promise<RoutingData> {
    const org = find(id);
    const { policyId, whenProfileUnavailable, routingBytes: bytes } = await readHead(org);
    const [idps, zones, rules]: [RoutedIdp[], Zone[], Rule[]] = [[], [], []];
    for await (const [kind, value] of snapshot.read(org)) {
      if (kind === "idp") idps.push(toRouted(value));
      if (kind === "zone") zones.push(value);
      if (kind === "rule") rules.push(value);
    }
    return { policyId, whenProfileUnavailable, revision: org.revision, idps, zones, rules, bytes };
  }

  async function loadTrust(id: string): Promise<TrustData> {
    const org = find(id);
    const { trustedOrigins, redirectOrigins, issuers, trustBytes: bytes } = await readHead(org);
    const zones: Zone[] = [];
    for await (const [kind, value] of snapshot.read(org)) {
      if (kind === "zone") zones.push(value);
      if (kind === "rule") break;
    }
    return { revision: org.revision, zones, trustedOrigins, redirectOrigins, issuers, bytes };
  }

  async function findActiveIdp(orgId: string, id: string): Promise<Idp | undefined> {
    for await (const [kind, value] of snapshot.read(find(orgId))) {
      if (kind === "idp" && value.id === id) return value.status === "ACTIVE" ? value : undefined;
      if (kind === "zone" || kind === "rule") break;
    }
    return undefined;
  }

  function listHosts(suffix: string | undefined, count: number): string[] {
    const hosts = snapshot.orgs.flatMap(({ subdomain, domains }) => [
      ...domains,
      ...(suffix === undefined ? [] : [subdomain + suffix]),
    ]);
    return hosts.slice(0, count);
  }
}

function toRouted({ id, type, name, status, protocol }: Idp): RoutedIdp {
  return { id, type, name, status, issuer: issuerOf(protocol) };
}

function unavailable(): Error {
  return Object.assign(new Error("The database does not answer"), { code: "ECONNREFUSED" });
}
