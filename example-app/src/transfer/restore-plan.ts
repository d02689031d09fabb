import { excerpt } from "../model/faults.js";
import { nextMetadataState } from "../model/metadata-state.js";
import type { QuotaName } from "../model/quotas.js";
import type { Idp, Rule } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";
import type { Steps } from "../pace/steps.js";
import { isSameContent } from "../store/history/revisions.js";
import type { Usage } from "../store/records/usage.js";
import { costOf } from "./costs.js";
import type { Stored } from "./kind.js";
import { KINDS } from "./kinds.js";
import { findMoved } from "./moved-rules.js";

/** The kinds of records that have a history. Rules refer to those before. */
export const RESTORED_KINDS = ["idps", "zones", "trustedOrigins", "rules"] as const;

export type RestoredKind = (typeof RESTORED_KINDS)[number];

export type RestoredRecords = Pick<Stored, RestoredKind>;

/** The records to bring back, by id: as they were, or `undefined` if they were not there. */
export type Wanted = { readonly [K in RestoredKind]: ReadonlyMap<string, Stored[K][number] | undefined> };

export interface RestoredChange<R> {
  readonly before: R | undefined;
  readonly after: R | undefined;
  readonly event: "create" | "update" | "move" | "delete";
}

export interface RestorePlan {
  readonly changes: { [K in RestoredKind]: RestoredChange<Stored[K][number]>[] };
  /** Rules to write: those of the changes, and those that have another priority. */
  readonly rules: Rule[];
  readonly usage: Usage;
  /** Why the plan can't be carried out. */
  readonly faults: string[];
}

export interface RestoreState {
  readonly current: RestoredRecords;
  readonly wanted: Wanted;
  /** The ids of the rules in their order, if all of them are brought back. */
  readonly order: readonly string[] | undefined;
  readonly now: string;
}

/** How many rules are put in order in a microsecond. */
const RULES_PER_COST = 2;

/** What brings records back. The others stay, and rules that are not brought back keep their order. */
export function* planRestoreInSteps(state: RestoreState): Steps<RestorePlan> {
  const plan: RestorePlan = {
    changes: { idps: [], zones: [], trustedOrigins: [], rules: [] },
    rules: [],
    usage: {},
    faults: [],
  };
  for (const kind of ["idps", "zones", "trustedOrigins"] as const) yield* compareKind(kind, state, plan);
  const order = orderRules(state);
  yield order.length / RULES_PER_COST;
  yield* compareRules(state, order, plan);
  yield* measure(plan);
  yield* checkReferences(state, order, plan);
  const defaults = order.filter(({ system }) => system);
  if (defaults.length !== 1 || order.at(-1)?.system !== true) {
    plan.faults.push("The default rule was another one: bring both back, or all.");
  }
  return plan;
}

function* compareKind<K extends Exclude<RestoredKind, "rules">>(
  kind: K,
  { current, wanted, now }: RestoreState,
  { changes, faults }: RestorePlan,
): Steps<void> {
  type R = Stored[K][number];
  const records = new Map((current[kind] as R[]).map((record) => [record.id, record]));
  for (const [id, past] of wanted[kind] as ReadonlyMap<string, R | undefined>) {
    const before = records.get(id);
    yield costOf(before) + costOf(past);
    const after = past && withState(past, before, now);
    if (isSameContent(before, after)) continue;
    (changes[kind] as RestoredChange<R>[]).push({
      ...{ before, after: after && { ...after, lastUpdated: now } },
      event: eventOf(before, after),
    });
  }
  const others = (current[kind] as R[]).filter(({ id }) => !wanted[kind].has(id));
  for (const { after } of changes[kind] as RestoredChange<R>[]) if (after) reportTaken(kind, after, others, faults);
}

function eventOf(before: object | undefined, after: object | undefined): "create" | "update" | "delete" {
  return !before ? "create" : after ? "update" : "delete";
}

/** The history doesn't have what the server knows of the metadata of a provider. */
function withState<R extends object>(past: R, before: R | undefined, now: string): R {
  if (!("protocol" in past)) return past;
  return { ...past, metadata: nextMetadataState((past as unknown as Idp).protocol, before as Idp | undefined, now) };
}

function reportTaken(
  kind: RestoredKind,
  record: { readonly id: string; readonly name: string },
  others: readonly { readonly id: string; readonly name: string }[],
  faults: string[],
): void {
  const { origin } = record as { origin?: string };
  const owner = others.find(
    (other) => other.name === record.name || (origin !== undefined && (other as { origin?: string }).origin === origin),
  );
  if (!owner) return;
  const noun = KINDS[kind].noun;
  faults.push(
    `The ${noun} ${excerpt(record.name)} (${record.id}): another one (${owner.id}) has its name or origin now.`,
  );
}

/** The rules as they will be. Those that are brought back get their priorities, the others follow in their order. */
function orderRules({ current, wanted, order }: RestoreState): Rule[] {
  const past = wanted.rules;
  const present = new Map(current.rules.map((rule) => [rule.id, rule]));
  const atPlace = (rule: Rule, index: number) => ({ ...rule, priority: index + 1 });
  if (order) return order.flatMap((id) => past.get(id) ?? present.get(id) ?? []).map(atPlace);
  const rules = current.rules.filter(({ id }) => !past.has(id));
  const back = [...past.values()].flatMap((rule) => rule ?? []).sort((a, b) => a.priority - b.priority);
  const isLast = ({ system }: Rule) => system;
  const places = rules.filter((rule) => !isLast(rule));
  for (const rule of back) if (!isLast(rule)) places.splice(rule.priority - 1, 0, rule);
  return [...places, ...rules.filter(isLast), ...back.filter(isLast)].map(atPlace);
}

function* compareRules(
  { current, wanted, now, order: wholeOrder }: RestoreState,
  order: readonly Rule[],
  { changes, rules, faults }: RestorePlan,
): Steps<void> {
  const present = new Map(current.rules.map((rule) => [rule.id, rule]));
  const after = new Map(order.map((rule) => [rule.id, rule]));
  const changed = new Set<string>();
  for (const id of wanted.rules.keys()) {
    const [before, next] = [present.get(id), after.get(id)];
    yield costOf(before) + costOf(next);
    if (!isSameContent(before && { ...before, priority: 0 }, next && { ...next, priority: 0 })) changed.add(id);
  }
  yield order.length / RULES_PER_COST;
  const kept = order.filter(({ id }) => present.has(id) && !changed.has(id));
  const moved = findMoved(
    current.rules.filter(({ id }) => after.has(id) && !changed.has(id)),
    kept,
    wholeOrder ? undefined : wanted.rules,
  );
  for (const id of [...changed, ...moved]) {
    const next = after.get(id);
    const before = present.get(id);
    const event = changed.has(id) ? eventOf(before, next) : "move";
    changes.rules.push({ before, after: next && { ...next, lastUpdated: now }, event });
    yield 1;
  }
  const written = new Map(changes.rules.flatMap(({ after: rule }) => (rule ? [[rule.id, rule] as const] : [])));
  for (const rule of order) {
    yield 1;
    const { priority } = rule;
    const next = written.get(rule.id) ?? { ...(present.get(rule.id) ?? rule), priority };
    if (written.has(rule.id) || present.get(rule.id)?.priority !== priority) rules.push(next);
  }
  const others = order.filter(({ id }) => !changed.has(id));
  const names = new Map(others.map((rule) => [rule.name, rule]));
  for (const rule of written.values()) {
    const owner = names.get(rule.name);
    if (owner && owner.id !== rule.id) reportTaken("rules", rule, [owner], faults);
  }
}

function* measure({ changes, usage }: RestorePlan): Steps<void> {
  const sums = usage as Partial<Record<QuotaName, number>>;
  for (const kind of RESTORED_KINDS) {
    const { measure: measureOne } = KINDS[kind] as { measure: (record: object, before: object | undefined) => Usage };
    for (const { before, after } of changes[kind] as RestoredChange<object>[]) {
      yield costOf(before) + costOf(after);
      const [record, sign] = after ? [after, 1] : [before ?? {}, -1];
      const counts = Object.entries(measureOne(record, after && before)) as [QuotaName, number][];
      for (const [quota, count] of counts) sums[quota] = (sums[quota] ?? 0) + sign * count;
    }
  }
}

/** Rules must lead to providers and name zones that will be there. */
function* checkReferences(
  { current }: RestoreState,
  order: readonly Rule[],
  { changes, faults }: RestorePlan,
): Steps<void> {
  const idps = afterwards(current.idps, changes.idps);
  const zones = afterwards(current.zones, changes.zones);
  for (const { id, name, actions, conditions } of order) {
    const { network } = conditions;
    const providers = actions.idp.idpSelectionType === "SPECIFIC" ? actions.idp.providers : [];
    const named = [...(network?.include ?? []), ...(network?.exclude ?? [])].filter((zone) => zone !== ALL_ZONES);
    yield 1 + providers.length + named.length;
    const missing = [
      ...providers.flatMap((provider) => (provider.id !== undefined && !idps.has(provider.id) ? provider.id : [])),
      ...named.filter((zone) => !zones.has(zone)),
    ];
    for (const target of missing) {
      faults.push(`The rule ${excerpt(name)} (${id}) needs ${target}, which would not be there: bring both back.`);
    }
  }
}

function afterwards<R extends { id: string }>(
  records: readonly R[],
  changes: readonly RestoredChange<R>[],
): Set<string> {
  const ids = new Set(records.map(({ id }) => id));
  for (const { before, after } of changes) if (before && !after) ids.delete(before.id);
  for (const { after } of changes) if (after) ids.add(after.id);
  return ids;
}
