import type { ComponentType, ReactNode } from "react";
import type { Answer } from "../../api/http.js";
import type { zoneRecord } from "../../texts/en/zone-record.js";
import type { Faults } from "../faults.js";
import type { Term } from "../help.js";
import type { Allowance } from "../use-allowed-write.js";
import type { Rule, Status } from "../../api/types.js";

/** A record of the org that has a name and can be switched on and off. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
}

export interface FieldsProps<D> {
  draft: D;
  onChange: (changes: Partial<D>) => void;
  /** What the API finds wrong, by the member of the record: `gateways[0].value`. */
  faults: Faults;
  isNew: boolean;
}

export interface StartProps<D> {
  /** Shows the form, filled in with this. */
  onStart: (changes: Partial<D>) => void;
}

/** The requests for one kind of records. `body` is that of a write. */
export interface RecordRequests<R extends NamedRecord, Body> {
  readonly read: (id: string, signal: AbortSignal) => Promise<Answer<R>>;
  create(body: Body, allowed: Allowance): Promise<{ data?: { id: string } }>;
  /** @param seen the entity tag of the version that one has seen */
  replace(id: string, body: Body, seen: string | undefined, allowed: Allowance): Promise<unknown>;
  readonly remove: (id: string, seen: string | undefined, allowed: Allowance) => Promise<unknown>;
  readonly activate: (id: string, allowed: Allowance) => Promise<unknown>;
  readonly deactivate: (id: string, allowed: Allowance) => Promise<unknown>;
}

/** The pages of records. A record is at `/idps/{id}`, the form of a new one at `/idps/new`. */
export type RecordPath = "/rules" | "/idps" | "/zones" | "/origins";

/** In place of an id, for one that is not there yet. */
export const NEW = "new";

/** What every form holds. */
export interface Switched {
  readonly name: string;
  readonly isOn: boolean;
}

export function statusOf(isOn: boolean): Status {
  return isOn ? "ACTIVE" : "INACTIVE";
}

/** What lists and forms say of a kind of records. Each kind has its own: other languages decline its name. */
export type RecordTexts = typeof zoneRecord;

/** Records that share a page: a list, a form, and what is done when two people change one of them. */
export interface RecordKind<R extends NamedRecord, D extends Switched, Body extends Partial<R> = Partial<R>> {
  readonly title: string;
  /** What explains the title. */
  readonly term: Term;
  readonly about: string;
  readonly texts: RecordTexts;
  /** The path of the list. */
  readonly path: string;
  /** The path of the page. */
  readonly page: RecordPath;
  /** The first part of the keys of its queries. */
  readonly key: string;
  readonly requests: RecordRequests<R, Body>;
  /** Without the right: `zones`. */
  readonly scope: string;
  /** What a page without records says to do first. */
  readonly empty: ReactNode;
  /** What a form holds: members that are texts, lists of texts or booleans. */
  readonly newDraft: D;
  readonly toDraft: (record: R) => D;
  readonly toBody: (draft: D) => Body;
  readonly labels: Readonly<Record<keyof D, string>>;
  readonly Fields: ComponentType<FieldsProps<D>>;
  /** What a new record begins with, before its form. */
  readonly Start?: ComponentType<StartProps<D>>;
  /** A line about a record in the list. */
  readonly summarize: (record: R) => string;
  /** What the list shows of a record besides. */
  readonly Note?: ComponentType<{ record: R }>;
  /** Whether a rule uses the record. Then switching it off asks. */
  readonly uses?: (record: R, rule: Rule) => boolean;
  /** What the form shows of a stored record besides. */
  readonly Details?: ComponentType<{ record: R }>;
}
