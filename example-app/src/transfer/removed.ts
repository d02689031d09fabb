import { excerpt } from "../model/faults.js";
import type { Rule } from "../model/records.js";
import type { Steps } from "../pace/steps.js";
import { wantedOf, type DocumentOrg } from "./document.js";
import type { KindName, Stored } from "./kind.js";
import { KINDS, mapKinds } from "./kinds.js";
import type { Report } from "./located.js";

/** Whether an import needs all stored records of a kind, not only those that the file names. */
export function needsAll(kind: KindName, file: DocumentOrg): boolean {
  if (kind === "rules" && file.routingTests?.length) return true; // which refer to rules
  return file.isWhole === true && (kind === "rules" || file[kind] !== undefined); // rules refer to records that may go
}

/** The stored records that whole lists of the file leave out. The default rule stays. */
export function findRemoved(stored: Stored, file: DocumentOrg): Stored {
  return mapKinds<Stored>((kind) => findRemovedOf(kind, stored, file));
}

function findRemovedOf<K extends KindName>(name: K, stored: Stored, file: DocumentOrg): Stored[K] {
  const { isWhole, keyOf } = KINDS[name];
  if (file[name] === undefined || !(isWhole || file.isWhole === true)) return [];
  const named = new Set(wantedOf(file, name).map(({ value }) => keyOf(value)));
  const isKept = (record: Stored[K][number]) => named.has(keyOf(record)) || ("system" in record && record.system);
  return stored[name].filter((record) => !isKept(record)) as Stored[K];
}

/** The stored records without those that go. */
export function keepOthers(stored: Stored, removed: Stored): Stored {
  return mapKinds<Stored>((kind) => without(kind, stored, removed));
}

function without<K extends KindName>(name: K, stored: Stored, removed: Stored): Stored[K] {
  const ids = new Set(removed[name].map(({ id }) => id));
  return stored[name].filter(({ id }) => !ids.has(id)) as Stored[K];
}

/**
 * Report records that go although rules refer to them which are not in the file.
 *
 * @param inFile the rules of the file
 */
export function* reportUses(
  file: DocumentOrg,
  { inFile, kept, removed }: Readonly<{ inFile: readonly Rule[]; kept: Stored; removed: Stored }>,
  report: Report,
): Steps<void> {
  if (removed.idps.length + removed.zones.length === 0) return;
  const written = new Set(inFile.map(({ id }) => id));
  const idps = new Map(removed.idps.map(({ id, name }) => [id, name]));
  const zones = new Map(removed.zones.map(({ id, name }) => [id, name]));
  for (const { id, name, conditions, actions } of kept.rules) {
    if (written.has(id)) continue;
    const { include = [], exclude = [] } = conditions.network ?? {};
    const providers = actions.idp.idpSelectionType === "SPECIFIC" ? actions.idp.providers : [];
    yield 1 + include.length + exclude.length;
    const used = [
      ...providers.map((provider) => ["idps", idps.get(provider.id ?? "")] as const),
      ...[...include, ...exclude].map((zone) => ["zones", zones.get(zone)] as const),
    ];
    for (const [kind, lost] of used) {
      if (lost === undefined) continue;
      report([...file.path, kind], `must have ${excerpt(lost)}: the rule ${excerpt(name)}, which stays, refers to it`);
    }
  }
}
