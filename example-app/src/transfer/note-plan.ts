import type { WriteTransaction } from "../store/contract/transaction.js";
import { batchesInTurns } from "../store/records/batches.js";
import type { KindName, Merged } from "./kind.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import { findMoved } from "./moved-rules.js";
import type { OrgPlan } from "./plan.js";

type Note = readonly [table: string, before: object | undefined, after: object | undefined];

/** Note what the plan has written, for the history of its org. */
export async function notePlan({ changes }: WriteTransaction, plan: OrgPlan): Promise<void> {
  const notes = KIND_NAMES.flatMap((kind) => [...notesOf(kind, plan)]);
  for await (const batch of batchesInTurns(notes)) {
    for (const note of batch) changes.add(plan.org.id, ...note);
  }
}

function* notesOf<K extends KindName>(kind: K, plan: OrgPlan): Generator<Note> {
  const { removed, written, merged, created } = plan;
  const { table } = KINDS[kind];
  for (const record of removed[kind]) yield [table, record, undefined];
  if (kind === "rules") yield* notesOfRules(plan);
  else {
    const before = (merged[kind] as Merged[KindName]).before;
    for (const record of written[kind]) yield [table, created ? undefined : before.get(record.id), record];
  }
}

/** Rules that only make room for others are not noted. */
function* notesOfRules({ merged: { rules }, written, removed, created }: OrgPlan): Generator<Note> {
  if (created) {
    const isWritten = written.rules.some(({ system }) => system);
    for (const rule of isWritten ? written.rules : [...written.rules, created.defaultRule])
      yield ["rules", undefined, rule];
    return;
  }
  const changed = new Set([...rules.changed.keys()].map(({ id }) => id));
  const after = new Map(written.rules.map((rule) => [rule.id, rule]));
  const gone = new Set(removed.rules.map(({ id }) => id));
  const others = [...rules.before.values()].filter(({ id }) => !changed.has(id) && !gone.has(id));
  const moved = findMoved(
    others,
    others.map((rule) => after.get(rule.id) ?? rule),
  );
  for (const rule of written.rules) {
    if (changed.has(rule.id) || moved.has(rule.id)) yield ["rules", rules.before.get(rule.id), rule];
  }
}
