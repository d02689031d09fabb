import type { Probe } from "./probe.js";
import type { Severity } from "./severity.js";
import type { Verdict } from "./verdict.js";

/** What a check needs besides the URL. Without it, the check is skipped. */
export type Need =
  | "success" // a path that responds 2xx
  | "api" // a path with the rules of an API: WebFinger has its own
  | "list"
  | "resource"
  | "write"
  | "object" // --writable
  | "writable" // --writable, and a write that changes nothing is 2xx
  | "field"
  | "origin"
  | "filter"
  | "credentials"
  | "tls"
  | "http";

/** One rule of docs/reference/rules.md, tried on an API in one way. docs/reference/check.md shows all texts. */
export interface Check {
  /** Unique; the heading of docs/reference/check.md. */
  readonly id: string;
  /** An id of docs/reference/rules.md. */
  readonly rule: string;
  readonly severity: Severity;
  /** What holds. */
  readonly title: string;
  /** What goes wrong otherwise. */
  readonly why: string;
  /** The sections of the standards that the rule rests on; absent for a rule of etiquette's own. */
  readonly specification?: string;
  /** What to change in the API. */
  readonly mend: string;
  readonly needs?: readonly Need[];
  readonly run: (probe: Probe) => Promise<Verdict>;
}
