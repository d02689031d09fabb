import { isDeepStrictEqual } from "node:util";
import type { Idp, Rule, TrustedOrigin, Zone } from "../../model/records.js";

/** The tables of which an org has a history, and the kind of their records in it. */
export const HISTORY_KINDS = { rules: "rule", idps: "idp", zones: "zone", trusted_origins: "trustedOrigin" } as const;

export type HistoryKind = (typeof HISTORY_KINDS)[keyof typeof HISTORY_KINDS];

/** A record of each kind as the history keeps it. What the server knows of metadata is no change of a provider. */
interface HistoricRecords {
  rule: Rule;
  idp: Omit<Idp, "metadata">;
  zone: Zone;
  trustedOrigin: TrustedOrigin;
}

export type HistoricRecord = HistoricRecords[HistoryKind];

/** A record that a transaction creates (without `before`), changes or removes (without `after`). */
export interface NotedChange {
  readonly kind: HistoryKind;
  readonly before: HistoricRecord | undefined;
  readonly after: HistoricRecord | undefined;
}

interface OrgNotes {
  /** Those that the history doesn't have yet. */
  pending: NotedChange[];
  /** All, by the id of the record. */
  readonly byId: Map<string, NotedChange>;
}

/**
 * The changes of one transaction, by org. The rules of a transaction are one set: to undo it, take out all that it wrote,
 * and put back what was before, by ascending priority. Rules that are not noted keep their order.
 */
export class ChangeNotes {
  readonly #notes = new Map<string, OrgNotes>();

  /** Note the change of a row, if its table has a history and anything changes. */
  add(orgId: string, table: string, before: object | undefined, after: object | undefined): void {
    if (!isHistoryTable(table)) return;
    const change = { kind: HISTORY_KINDS[table], before: toHistoric(before), after: toHistoric(after) };
    const id = (change.after ?? change.before)?.id;
    if (id === undefined || isDeepStrictEqual(change.before, change.after)) return;
    let notes = this.#notes.get(orgId);
    if (!notes) this.#notes.set(orgId, (notes = { pending: [], byId: new Map() }));
    notes.pending.push(change);
    notes.byId.set(id, change);
  }

  find(orgId: string, id: string): NotedChange | undefined {
    return this.#notes.get(orgId)?.byId.get(id);
  }

  /** The changes that were noted since the last call. */
  take(orgId: string): readonly NotedChange[] {
    const notes = this.#notes.get(orgId);
    if (!notes) return [];
    const { pending } = notes;
    notes.pending = [];
    return pending;
  }

  has(orgId: string): boolean {
    return this.#notes.has(orgId);
  }

  orgs(): Iterable<string> {
    return this.#notes.keys();
  }
}

function isHistoryTable(table: string): table is keyof typeof HISTORY_KINDS {
  return Object.hasOwn(HISTORY_KINDS, table);
}

/** A record as the history keeps it. */
export function toHistoric(record: object | undefined): HistoricRecord | undefined {
  if (!record) return undefined;
  const historic = { ...record };
  Reflect.deleteProperty(historic, "metadata");
  return historic as HistoricRecord;
}
