import type { AuditEvent } from "../audit/change-events.js";
import { toLogEntity } from "../audit/describe-change.js";
import { apiError } from "../model/api-error.js";
import type { Policy, Rule } from "../model/records.js";
import { runInSlices, type NextTurn } from "../pace/slices.js";
import { invalid } from "../rest/body.js";
import { HISTORY_KINDS, type HistoryKind } from "../store/contract/change-notes.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import type { ListedChange } from "../store/history/revisions.js";
import { readTexts } from "../store/history/versions.js";
import {
  goBack,
  readKnown,
  readPresent,
  type KnownRevisions,
  type PastState,
  type Version,
} from "../store/history/walk.js";
import { batchesInTurns, deleteRows } from "../store/records/batches.js";
import { lockOrg } from "../store/records/orgs.js";
import { addUsage, QuotaError } from "../store/records/usage.js";
import type { Store } from "../store/store.js";
import { KINDS } from "./kinds.js";
import { rehearse } from "./rehearse.js";
import {
  planRestoreInSteps,
  RESTORED_KINDS,
  type RestoredChange,
  type RestoredKind,
  type RestoredRecords,
  type RestorePlan,
  type Wanted,
} from "./restore-plan.js";

/** The changes that a response lists; the others are only counted. */
export const MAX_RESTORED_LISTED = 1_000;

/** The causes that an error lists. */
const MAX_FAULTS = 20;

export interface RestoreOptions {
  orgId: string;
  policy: Policy;
  revision: number;
  /** The ids of the records to bring back; all without it. */
  targets: readonly string[] | undefined;
  /** Find out what it would do, and do nothing. */
  isDryRun: boolean;
  /** May throw, when the org is not as it should be. */
  check: (known: KnownRevisions) => void;
  /** May throw, when the caller may not bring a rule back. */
  checkRule: (after: Rule, before: Rule | undefined) => void;
  /** Runs before it writes. The function that it returns runs after that, and may refuse it. */
  begin: (transaction: WriteTransaction) => Promise<() => Promise<void>>;
  /** Writes the events in the transaction. */
  record: (transaction: WriteTransaction, events: readonly (() => AuditEvent)[]) => Promise<void>;
  /** Ends it; then nothing changes. */
  signal: AbortSignal;
  nextTurn?: NextTurn | undefined;
}

export interface RestoreResult {
  /** `null` if nothing was written. */
  readonly revision: number | null;
  /** That of the org now. */
  readonly current: number;
  readonly changes: readonly ListedChange[];
}

/**
 * Make the routing of an org what it was right after a revision, or only some records of it. All of it or nothing.
 *
 * @throws {ApiError} E0000001 or E0000195 with the reasons why that isn't possible
 * @throws {QuotaError} when the org may not have so much any more
 */
export async function restoreRevision(
  store: Pick<ReturnType<Store["forOrg"]>, "write">,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const { orgId, revision, targets, isDryRun, signal, nextTurn } = options;
  const write = async (transaction: WriteTransaction): Promise<RestoreResult> => {
    await lockOrg(transaction, orgId);
    const { db, now } = transaction;
    const known = await readKnown(db, orgId);
    options.check(known);
    const past = await goBack(db, orgId, await readPresent(db, orgId), revision);
    const wanted = await readWanted(transaction, orgId, past, targets);
    const current = await readCurrent(transaction, orgId);
    const order = targets ? undefined : past.order;
    const { value: plan } = await runInSlices(planRestoreInSteps({ current, wanted, order, now }), nextTurn);
    if (plan.faults.length > 0) throw conflict(plan.faults);
    for (const { before, after } of plan.changes.rules) if (after) options.checkRule(after, before);
    signal.throwIfAborted();
    const changes = RESTORED_KINDS.flatMap((kind) => listChanges(kind, plan));
    if (changes.length === 0) return { revision: null, current: known.last, changes };
    const made = await transaction.touch(orgId);
    const finish = await options.begin(transaction);
    await writePlan(transaction, orgId, plan);
    const [excess] = await addUsage(transaction, orgId, plan.usage);
    if (excess) throw new QuotaError(excess);
    await finish();
    if (isDryRun) return { revision: null, current: known.last, changes };
    await options.record(transaction, eventsOf(options, plan, made));
    signal.throwIfAborted();
    return { revision: made, current: made, changes };
  };
  return isDryRun ? rehearse(store, write) : store.write(write);
}

const KIND_OF: Readonly<Record<RestoredKind, HistoryKind>> = {
  idps: HISTORY_KINDS.idps,
  zones: HISTORY_KINDS.zones,
  trustedOrigins: HISTORY_KINDS.trusted_origins,
  rules: HISTORY_KINDS.rules,
};

/** The records that have changed since, as they were. */
async function readWanted(
  { db }: WriteTransaction,
  orgId: string,
  { touched, order }: PastState,
  targets: readonly string[] | undefined,
): Promise<Wanted> {
  const places = new Map(order.map((id, index) => [id, index + 1]));
  const left = new Set(targets);
  const wanted: Partial<Record<RestoredKind, Map<string, object | undefined>>> = {};
  for (const kind of RESTORED_KINDS) {
    const versions = new Map<string, Version | null>();
    for (const [id, version] of touched[KIND_OF[kind]]) {
      if (targets && !left.has(id)) continue;
      versions.set(id, version);
    }
    const records = new Map<string, object | undefined>([...versions.keys()].map((id) => [id, undefined]));
    await readTexts(db, orgId, versions, (id, text) => {
      const record = JSON.parse(text) as object;
      records.set(id, kind === "rules" ? { ...record, priority: places.get(id) } : record);
    });
    wanted[kind] = records;
  }
  const found = new Set(Object.values(wanted).flatMap((records) => [...records.keys()]));
  const unchanged = [...left].filter((id) => !found.has(id));
  if (unchanged.length > 0) {
    const reason = "has not changed since this revision; give ids of changes";
    throw invalid(unchanged.map((id) => [["targets", targets?.indexOf(id) ?? 0], reason]));
  }
  return wanted as Wanted;
}

async function readCurrent({ db }: WriteTransaction, orgId: string): Promise<RestoredRecords> {
  return {
    idps: await KINDS.idps.read(db, orgId),
    zones: await KINDS.zones.read(db, orgId),
    trustedOrigins: await KINDS.trustedOrigins.read(db, orgId),
    rules: await KINDS.rules.read(db, orgId),
  };
}

function conflict(faults: readonly string[]) {
  const causes = faults.slice(0, MAX_FAULTS);
  if (faults.length > MAX_FAULTS) causes.push("There are more faults than these.");
  return apiError("E0000195", {
    type: "revision.conflict",
    detail: "the revision does not fit the present state",
    causes,
  });
}

/** Changed records are removed first: names may move from one to another. */
async function writePlan(transaction: WriteTransaction, orgId: string, { changes, rules }: RestorePlan): Promise<void> {
  const { db } = transaction;
  for (const kind of RESTORED_KINDS) {
    const { table, write } = KINDS[kind] as { table: (typeof KINDS)[RestoredKind]["table"]; write: Write };
    const changed: readonly RestoredChange<{ id: string }>[] = changes[kind];
    await deleteRows(
      db,
      table,
      orgId,
      changed.flatMap(({ before }) => before ?? []),
    );
    await write(transaction, orgId, kind === "rules" ? rules : changed.flatMap(({ after }) => after ?? []));
    for await (const batch of batchesInTurns(changed)) {
      for (const { before, after } of batch) transaction.changes.add(orgId, table, before, after);
    }
  }
}

type Write = (transaction: WriteTransaction, orgId: string, records: readonly object[]) => Promise<void>;

function listChanges(kind: RestoredKind, { changes }: RestorePlan): ListedChange[] {
  return changes[kind].flatMap(({ before, after, event }) => {
    const record = after ?? before;
    return record ? [{ kind: KIND_OF[kind], id: record.id, name: record.name, event }] : [];
  });
}

function eventsOf(
  { policy, revision: restored }: RestoreOptions,
  { changes }: RestorePlan,
  revision: number,
): (() => AuditEvent)[] {
  const restore = (): AuditEvent => ({
    eventType: "policy.lifecycle.restore",
    displayMessage: "Restore Policy",
    target: [{ ...toLogEntity(policy, "Policy"), detailEntry: { restored, revision } }],
  });
  const described = RESTORED_KINDS.flatMap((kind) => {
    const { describe } = KINDS[kind] as { describe: Describe };
    return changes[kind].map(({ before, after, event }) => () => {
      return describe(event === "move" ? "update" : event, after ?? before ?? {}, before, policy.id);
    });
  });
  return [restore, ...described];
}

type Describe = (event: string, record: object, before: object | undefined, policyId: string) => AuditEvent;
