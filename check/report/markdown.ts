import { formatPrintable } from "../../lib/text/index.js";
import { SEVERITIES } from "../severity.js";
import { pathOf } from "../run-plan.js";
import { countOutcomes, type Format, groupSkipped } from "./format.js";

/** Markdown: a table for the summary of a job or a comment. The worst findings come first. */
export const MARKDOWN: Format = {
  formatReport(report, { plan, isKnown }) {
    const { passed, found, known, skipped } = countOutcomes(report, isKnown);
    const fresh = report.results.filter((result) => result.outcome === "finding" && !isKnown(result));
    const rows = [...SEVERITIES].reverse().flatMap((severity) =>
      fresh
        .filter(({ check }) => check.severity === severity)
        .map(({ check: { id, title, mend }, message = "" }) => {
          const cells = [severity, `\`${id}\``, `${title}. ${escapeMarkdown(message)}`, mend.replaceAll("|", "\\|")];
          return `| ${cells.join(" | ")} |`;
        }),
    );
    const counts = `${found} found, ${known} known, ${passed} passed, ${skipped} not checked.`;
    const left = [...groupSkipped(report)].map(
      ([reason, ids]) => `- ${ids.map((id) => `\`${id}\``).join(", ")}: ${escapeMarkdown(reason)}`,
    );
    return [
      `## etiquette check: ${escapeMarkdown(`${plan.url.origin}${pathOf(plan)}`)}`,
      counts,
      ...(rows.length > 0
        ? [["| severity | check | found | mend |", "| --- | --- | --- | --- |", ...rows].join("\n")]
        : []),
      ...report.notes.map(escapeMarkdown),
      ...(left.length > 0
        ? [["<details><summary>Not checked</summary>", "", ...left, "", "</details>"].join("\n")]
        : []),
      "",
    ].join("\n\n");
  },
};

/** What means nothing in Markdown. A dot before another character may be in a link. */
const UNSAFE_REGEXP = /[^\p{L}\p{N} .,;'"()/?=%+-]|\.(?=\S)/gu;

/** `text` as one line that Markdown shows as it is: no mark-up, link or cell in it counts. */
export function escapeMarkdown(text: string): string {
  return formatPrintable(text).replace(UNSAFE_REGEXP, (character) => `&#${character.codePointAt(0) ?? 0};`);
}
