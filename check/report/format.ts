import type { CheckResult, Report } from "../engine.js";
import type { RunPlan } from "../run-plan.js";

/** What the formats need besides the results. */
export interface Context {
  readonly plan: RunPlan;
  /** Where docs/reference/check.md is. */
  readonly page: string;
  /** Whether requests and responses are shown, and what passed. */
  readonly verbose: boolean;
  /** Whether the baseline has the finding. */
  readonly isKnown: (result: CheckResult) => boolean;
  /** The file with the description of the API. */
  readonly file: string | undefined;
}

/** One way to write a report. What the API sent is redacted, but may hold any character. */
export interface Format {
  /** Printed as soon as a check is done. */
  readonly formatResult?: (result: CheckResult, context: Context) => string;
  readonly formatReport: (report: Report, context: Context) => string;
}

/** How many checks ended in each way. */
export interface Counts {
  readonly passed: number;
  readonly found: number;
  /** Findings of the baseline. */
  readonly known: number;
  readonly skipped: number;
}

export function countOutcomes({ results }: Report, isKnown: Context["isKnown"]): Counts {
  const count = (fits: (result: CheckResult) => boolean) => results.filter(fits).length;
  const known = count((result) => result.outcome === "finding" && isKnown(result));
  return {
    passed: count(({ outcome }) => outcome === "passed"),
    found: count(({ outcome }) => outcome === "finding") - known,
    known,
    skipped: count(({ outcome }) => outcome === "skipped"),
  };
}

/** The checks that were skipped, by the reason. */
export function groupSkipped({ results }: Report): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { check, outcome, message = "" } of results) {
    if (outcome === "skipped") ids.set(message, [...(ids.get(message) ?? []), check.id]);
  }
  return ids;
}
