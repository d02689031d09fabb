import { formatPrintable } from "../../lib/text/index.js";
import { countOutcomes, type Format } from "./format.js";

/** For programs: docs/reference/check.md has the shape. */
export const JSON_REPORT: Format = {
  formatReport(report, { plan, verbose, isKnown }) {
    const { passed, found, known, skipped } = countOutcomes(report, isKnown);
    const { complete, requests, notes, results } = report;
    return formatJson({
      url: plan.url.href,
      complete,
      passed,
      findings: found,
      known,
      skipped,
      requests,
      notes,
      checks: results.map((result) => {
        const { check, outcome, message, exchanges } = result;
        const { id, rule, severity, title, mend } = check;
        return {
          ...{ id, rule, severity, title, outcome },
          ...(message !== undefined && { message }),
          ...(outcome === "finding" && { known: isKnown(result), mend, page: `docs/reference/check.md#${id}` }),
          ...(verbose && { exchanges }),
        };
      }),
    });
  },
};

/** JSON that can't rule a terminal. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split("\n").map(formatPrintable).join("\n")}\n`;
}
