import { isDeepStrictEqual } from "node:util";
import type { AuditEvent } from "../audit/change-events.js";
import { describeOrg } from "../audit/describe-change.js";
import { runAtOnce, type Steps } from "../pace/steps.js";
import { buildOrg, type CreatedOrg } from "../model/orgs.js";
import type { QuotaName } from "../model/quotas.js";
import type { Org, Rule } from "../model/records.js";
import type { Usage } from "../store/records/usage.js";
import { costOf } from "./costs.js";
import { wantedOf, type DocumentOrg } from "./document.js";
import { listChanges, listRemovals, type Change } from "./changes.js";
import type { BuildContext, KindName, Merged, Stored } from "./kind.js";
import { KIND_NAMES, KINDS, mapKinds, type RecordKind } from "./kinds.js";
import type { Report } from "./located.js";
import { merge, type Counts } from "./merge.js";
import type { References } from "./references.js";
import { findRemoved, keepOthers, reportUses } from "./removed.js";

/** What the demonstration of the first start has, and an import may remove before it reads a file. */
const REMOVED_KINDS = ["idps", "rules"] as const;

/**
 * The stored state of an org in the file: everything that the import may change. Rules are in order, the default rule last, and
 * there may be none when the file needs none; users are those whose login or id is in the file.
 */
export interface OrgState extends Stored {
  org: Org;
  policyId: string;
  /** What the import has removed already. */
  removed?: Pick<OrgState, (typeof REMOVED_KINDS)[number]>;
}

/** The changes that bring an org in the store to the state in the file. */
export interface OrgPlan {
  org: Org;
  policyId: string;
  /** Set when the org is new. It includes the default rule, which is written before the rules below. */
  created: CreatedOrg | undefined;
  orgChanged: boolean;
  /** The records to write; rules also if they only change their place. */
  written: Stored;
  /** The records that the file's list has no more. */
  removed: Stored;
  merged: Merged;
  /** An event for each record that is created, updated or removed. */
  events: (() => AuditEvent)[];
  /** The changes of records of these kinds. */
  changes: (kinds: readonly KindName[]) => Iterable<Change>;
  /** Counts for the records in the file. */
  counts: Record<RecordKind, Counts>;
  /** How the quotas of the org are used. */
  usage: Usage;
}

/**
 * Compare an org in the file with the stored one. A member that a record leaves out keeps its value, or gets the
 * default when the record is new. An import removes nothing except custom domains and issuers.
 */
export function* planInSteps(
  file: DocumentOrg,
  state: OrgState | undefined,
  now: string,
  report: Report,
): Steps<OrgPlan> {
  const fresh = buildOrg(file.value, now);
  const stored = state ?? newState(fresh, file);
  const removed = findRemoved(stored, file);
  const kept = keepOthers(stored, removed);
  const { name, policyId = stored.policyId, status = stored.org.status } = file.value;
  const { domains, rateLimits, signInUrl, whenProfileUnavailable } = { ...stored.org, ...file.value };
  const org = { ...stored.org, name, status, domains, rateLimits, signInUrl, whenProfileUnavailable };
  const orgChanged =
    KIND_NAMES.some((kind) => KINDS[kind].isWhole && removed[kind].length > 0) ||
    policyId !== stored.policyId ||
    !isDeepStrictEqual(org, stored.org);
  if (orgChanged) org.lastUpdated = now;

  const merged = yield* mergeAll(file, { stored, kept }, now, report);
  yield* reportUses(file, { inFile: merged.rules.records, kept, removed }, report);
  const written = mapKinds<Stored>((kind) => findWritten(kind, merged, kept, now));
  const created = state ? undefined : { ...fresh, defaultRule: findDefaultRule(merged, fresh) };

  return {
    ...{ org, policyId, created, orgChanged, written, removed, merged },
    events: [
      ...(created || orgChanged ? [() => describeOrg(created ? "create" : "update", org)] : []),
      ...REMOVED_KINDS.flatMap((kind) => removalsOf(kind, state?.removed ?? {}, policyId)),
      ...KIND_NAMES.flatMap((kind) => [...removalsOf(kind, removed, policyId), ...eventsOf(kind, merged, policyId)]),
    ],
    *changes(kinds) {
      for (const kind of kinds) {
        yield* listRemovals(kind, file, removed[kind]);
        yield* listChanges(kind, wantedOf(file, kind), merged[kind], written[kind]);
      }
    },
    counts: {
      orgs: { created: created ? 1 : 0, updated: orgChanged ? 1 : 0, unchanged: created || orgChanged ? 0 : 1 },
      ...mapKinds<Record<KindName, Counts>>((kind) => {
        const { counts } = merged[kind];
        return file.isWhole ? { ...counts, removed: removed[kind].length } : counts;
      }),
    },
    usage: yield* measureUsage(merged, removed),
  };
}

/** {@link planInSteps} without a pause. */
export function planOrg(...args: Parameters<typeof planInSteps>): OrgPlan {
  return runAtOnce(planInSteps(...args));
}

/** What the org has, and what of it stays. */
interface Present {
  readonly stored: Stored;
  readonly kept: Stored;
}

function* mergeAll(file: DocumentOrg, present: Present, now: string, report: Report): Steps<Merged> {
  const merged = {} as Merged;
  let known: References | undefined;
  const references = (): References => (known ??= referencesOf(file, present.kept, merged));
  const context: BuildContext = { now, report, references };
  for (const kind of KIND_NAMES) yield* mergeKind(kind, file, present, merged, context);
  return merged;
}

function* mergeKind<K extends KindName>(
  name: K,
  file: DocumentOrg,
  { stored, kept }: Present,
  merged: Merged,
  context: BuildContext,
): Steps<void> {
  const { keyOf, build, check } = KINDS[name];
  const { now, report } = context;
  const wanted = wantedOf(file, name);
  const result = yield* merge(wanted, stored[name], {
    keyOf,
    build: (located, before) => build(located, before, context),
    now,
    report,
  });
  merged[name] = result as Merged[K];
  check?.(wanted, kept[name], report);
}

function referencesOf(file: DocumentOrg, kept: Stored, merged: Merged): References {
  const { idps, zones } = merged;
  let rules: ReturnType<References["rules"]> | undefined;
  return {
    idps: byName([...kept.idps, ...idps.records]),
    idpNames: file.idpNames,
    zones: byName([...kept.zones, ...zones.records]),
    zoneNames: file.zoneNames,
    rules: () => (rules ??= byName([...kept.rules, ...merged.rules.records])),
    ruleNames: file.ruleNames,
  };
}

function findWritten<K extends KindName>(name: K, merged: Merged, kept: Stored, now: string): Stored[K] {
  const { place } = KINDS[name];
  const records = place ? place(merged[name], kept[name], now) : [...merged[name].changed.keys()];
  return records as Stored[K];
}

function findDefaultRule({ rules }: Merged, fresh: CreatedOrg): Rule {
  return rules.records.find(({ system }) => system) ?? fresh.defaultRule;
}

function eventsOf<K extends KindName>(name: K, merged: Merged, policyId: string): (() => AuditEvent)[] {
  const { describe } = KINDS[name];
  const { changed, before } = merged[name];
  return Array.from(
    changed,
    ([record, event]) =>
      () =>
        describe(event, record, before.get(record.id), policyId),
  );
}

function removalsOf<K extends KindName>(name: K, removed: Partial<Stored>, policyId: string): (() => AuditEvent)[] {
  const { describe } = KINDS[name];
  const records: Stored[K] = removed[name] ?? [];
  return records.map((record) => () => describe("delete", record, undefined, policyId));
}

/** How the quotas of an org are used when an import writes what it merged, and removes the others. */
function* measureUsage(merged: Merged, removed: Stored): Steps<Usage> {
  const usage: Partial<Record<QuotaName, number>> = {};
  for (const kind of KIND_NAMES) yield* measureKind(kind, merged, removed, usage);
  return usage;
}

function* measureKind<K extends KindName>(
  name: K,
  merged: Merged,
  removed: Stored,
  usage: Partial<Record<QuotaName, number>>,
): Steps<void> {
  const { quotas, measure } = KINDS[name];
  const { changed, before } = merged[name];
  for (const record of removed[name]) {
    yield costOf(record);
    const changes = measure(record, undefined);
    for (const quota of quotas) usage[quota] = (usage[quota] ?? 0) - (changes[quota] ?? 0);
  }
  for (const record of changed.keys()) {
    const stored = before.get(record.id);
    yield costOf(record) + costOf(stored);
    const changes = measure(record, stored);
    for (const quota of quotas) usage[quota] = (usage[quota] ?? 0) + (changes[quota] ?? 0);
  }
}

function newState({ defaultRule, ...org }: CreatedOrg, file: DocumentOrg): OrgState {
  return { ...org, ...mapKinds<Stored>(() => []), rules: file.defaultRule ? [] : [defaultRule] };
}

function byName<R extends { name: string }>(records: readonly R[]): Map<string, R> {
  return new Map(records.map((record) => [record.name, record]));
}
