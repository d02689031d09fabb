import { formatPrintable } from "../lib/text/index.js";
import type { CheckResult, Report } from "./engine.js";
import type { Exchange } from "./probe.js";
import type { Settings } from "./settings.js";

/** Of a request or response in the text: its head, as a rule. */
const MAX_LINES = 16;
const MAX_LINE_LENGTH = 200;

const MARKS = { passed: "✓", finding: "✗" } as const;

type Redact = (text: string) => string;

/** How many checks ended in each way. */
export function countOutcomes({ results }: Report): Record<CheckResult["outcome"], number> {
  const count = (outcome: CheckResult["outcome"]) => results.filter((result) => result.outcome === outcome).length;
  return { passed: count("passed"), finding: count("finding"), skipped: count("skipped") };
}

/** One result, for people: a line, and below a finding what to mend and what was sent and received. Skipped ones come later. */
export function formatResult(
  { check, outcome, message, exchanges }: CheckResult,
  page: string,
  redact: Redact,
): string {
  const { rule, id, title, mend } = check;
  if (outcome === "skipped") return "";
  const line = `${MARKS[outcome]} ${rule.padEnd(3)} ${id}: ${title}`;
  if (outcome === "passed") return `${line}\n`;
  const detail = formatPrintable(redact(message ?? ""));
  const last = exchanges.at(-1);
  return [
    line,
    `      ${detail}`,
    `      Mend: ${mend}`,
    `      Page: ${page}#${id}`,
    ...(last ? formatExchange(last, redact) : []),
    "",
    "",
  ].join("\n");
}

/** The last lines for people: what was not checked, by its reason, and the counts. */
export function formatSummary(report: Report, redact: Redact): string {
  const { passed, finding, skipped } = countOutcomes(report);
  const counts = `${passed} passed, ${finding} found, ${skipped} not checked, with ${report.requests} requests.`;
  return `${formatSkipped(report, redact)}\n${[counts, ...report.notes.map((note) => formatPrintable(redact(note)))].join("\n")}\n`;
}

function formatSkipped({ results }: Report, redact: Redact): string {
  const ids = new Map<string, string[]>();
  for (const { check, outcome, message = "" } of results) {
    if (outcome !== "skipped") continue;
    const reason = formatPrintable(redact(message));
    ids.set(reason, [...(ids.get(reason) ?? []), check.id]);
  }
  return [...ids].map(([reason, names]) => `– Not checked: ${names.join(", ")}. ${reason}\n`).join("");
}

/** The report for programs: docs/reference/check.md has its shape. */
export function formatJson(report: Report, { url }: Settings, redact: Redact): string {
  const { passed, finding, skipped } = countOutcomes(report);
  const document = {
    url: url.href,
    complete: report.complete,
    passed,
    findings: finding,
    skipped,
    requests: report.requests,
    notes: report.notes.map(redact),
    checks: report.results.map(({ check, outcome, message, exchanges }) => ({
      id: check.id,
      rule: check.rule,
      title: check.title,
      outcome,
      ...(message !== undefined && { message: redact(message) }),
      ...(outcome === "finding" && { mend: check.mend, page: `docs/reference/check.md#${check.id}` }),
      exchanges: exchanges.map((exchange) => redactExchange(exchange, redact)),
    })),
  };
  const lines = JSON.stringify(document, null, 2).split("\n");
  return `${lines.map(formatPrintable).join("\n")}\n`;
}

function redactExchange({ request, response, error }: Exchange, redact: Redact): Exchange {
  return {
    request: redact(request),
    ...(response !== undefined && { response: redact(response) }),
    ...(error !== undefined && { error: redact(error) }),
  };
}

function formatExchange({ request, response, error }: Exchange, redact: Redact): string[] {
  return [
    ...quote("> ", redact(request)),
    ...(response === undefined ? [`      < (${formatPrintable(redact(error ?? ""))})`] : quote("< ", redact(response))),
  ];
}

function quote(mark: string, text: string): string[] {
  const lines = text.replace(/(?:\r?\n)+$/, "").split(/\r?\n/);
  const shown = lines.slice(0, MAX_LINES).map((line) => `      ${mark}${formatPrintable(cut(line))}`.trimEnd());
  return lines.length > MAX_LINES ? [...shown, `      ${mark}…`] : shown;
}

function cut(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
}
