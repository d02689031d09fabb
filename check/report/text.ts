import { formatPrintable } from "../../lib/text/index.js";
import type { Exchange } from "../exchange.js";
import { countOutcomes, type Format, groupSkipped } from "./format.js";

/** Of a request or response: its head, as a rule. */
const MAX_LINES = 16;
const MAX_LINE_LENGTH = 200;

const INDENT = "    ";

/** For people: a line for each finding; verbose, also how to mend it and what was sent and received. */
export const TEXT: Format = {
  formatResult(result, { verbose, page, isKnown }) {
    const { check, outcome, message = "", exchanges } = result;
    const { rule, id, severity, title, mend } = check;
    if (outcome === "skipped") return "";
    if (outcome === "passed") return verbose ? `✓ ${rule} ${id}: ${title}.\n` : "";
    const known = isKnown(result);
    if (known && !verbose) return "";
    const line = `✗ ${severity}${known ? ", known" : ""}: ${id} (${rule}): ${title}. ${formatPrintable(message)}\n`;
    if (!verbose) return line;
    const last = exchanges.at(-1);
    const details = [`Mend: ${mend}`, `Page: ${page}#${id}`].map((text) => INDENT + text);
    return `${line}${[...details, ...(last ? formatExchange(last) : [])].join("\n")}\n\n`;
  },

  formatReport(report, { page, verbose, isKnown }) {
    const { passed, found, known, skipped } = countOutcomes(report, isKnown);
    const left = [...groupSkipped(report)].map(
      ([reason, ids]) => `– Not checked: ${ids.join(", ")}. ${formatPrintable(reason)}\n`,
    );
    const counts = `${passed} passed, ${found} found, ${known === 0 ? "" : `${known} known, `}${skipped} not checked, with ${report.requests} requests.`;
    const advice = found > 0 && !verbose ? [`How to mend them: --verbose, or ${page}`] : [];
    return `${left.join("")}\n${[counts, ...advice, ...report.notes.map(formatPrintable)].join("\n")}\n`;
  },
};

function formatExchange({ request, response, error }: Exchange): string[] {
  return [
    ...quote("> ", request),
    ...(response === undefined ? [`${INDENT}< (${formatPrintable(error ?? "")})`] : quote("< ", response)),
  ];
}

function quote(mark: string, text: string): string[] {
  const lines = text.replace(/(?:\r?\n)+$/, "").split(/\r?\n/);
  const shown = lines.slice(0, MAX_LINES).map((line) => `${INDENT}${mark}${formatPrintable(cut(line))}`.trimEnd());
  return lines.length > MAX_LINES ? [...shown, `${INDENT}${mark}…`] : shown;
}

function cut(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
}
