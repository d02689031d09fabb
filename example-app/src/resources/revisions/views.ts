import { setImmediate } from "node:timers/promises";
import type { LogEntity } from "../../model/records.js";
import { makePatch } from "../../model/patch.js";
import type { HistoricRecord, HistoryKind } from "../../store/contract/change-notes.js";
import type { RevisionRow } from "../../store/contract/log-schema.js";
import type { Compared } from "../../store/history/compare.js";
import type { ListedChange } from "../../store/history/revisions.js";
import { presentRule } from "../rule-shape.js";

/** The names of the kinds of records, as the log has them. */
export const TYPES = {
  rule: "PolicyRule",
  idp: "IdentityProvider",
  zone: "Zone",
  trustedOrigin: "TrustedOrigin",
} as const satisfies Record<HistoryKind, string>;

export function presentRevision(row: RevisionRow) {
  const { revision, published, source, restored, request_id: requestId, client_ip: ipAddress } = row;
  const { id, type, displayName } = JSON.parse(row.actor) as LogEntity;
  return {
    revision,
    published,
    actor: { id, type, displayName },
    client: { ipAddress },
    requestId,
    source,
    ...(restored !== null && { restored }),
    changeCount: row.change_count,
  };
}

export function presentListed(row: RevisionRow) {
  const summary = JSON.parse(row.summary) as ListedChange[];
  return { ...presentRevision(row), changes: summary.map(presentChange) };
}

/** A kind that a newer version of the server has written has no other name here. */
export function presentChange({ kind, id, name, event }: ListedChange) {
  const names: Readonly<Record<string, string | undefined>> = TYPES;
  return { type: names[kind] ?? kind, id, name, event };
}

/** Records with more characters take a turn of the event loop each. */
const LONG = 65_536;

/** @param orgType the API's name for the org itself among the providers */
export async function presentCompared(compared: readonly Compared[], orgType: string) {
  const present = (record: HistoricRecord | null) =>
    record && "conditions" in record ? presentRule(record, orgType) : record;
  const changes = [];
  let size = 0;
  for (const change of compared) {
    size += change.size;
    if (size > LONG) {
      await setImmediate();
      size = change.size;
    }
    const [before, after] = [present(change.before), present(change.after)];
    changes.push({ ...presentChange(change), before, after, patch: makePatch(before, after) });
  }
  return changes;
}
