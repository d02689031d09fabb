import { formatPrintable, SURROGATE } from "../../lib/text/index.js";
import type { CheckResult } from "../engine.js";
import { CHECK_GROUPS } from "../rules/index.js";
import type { Context, Format } from "./format.js";

/** JUnit XML: a suite for each group of checks. */
export const JUNIT: Format = {
  formatReport({ results, notes }, context) {
    const suites = Object.entries(CHECK_GROUPS).flatMap(([group, checks]) => {
      const cases = results.filter(({ check }) => checks.includes(check));
      return cases.length === 0 ? [] : [formatSuite(group, cases, context)];
    });
    const output = notes.length === 0 ? [] : [`  <!-- ${notes.map(escapeComment).join(" ")} -->`];
    return ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", ...suites, ...output, "</testsuites>", ""].join(
      "\n",
    );
  },
};

function formatSuite(group: string, results: readonly CheckResult[], context: Context): string {
  const failures = results.filter((result) => result.outcome === "finding" && !context.isKnown(result)).length;
  const passed = results.filter(({ outcome }) => outcome === "passed").length;
  const counts = `tests="${results.length}" failures="${failures}" errors="0" skipped="${results.length - failures - passed}"`;
  const cases = results.map((result) => formatCase(group, result, context));
  return [`  <testsuite name="${escapeXml(group)}" ${counts}>`, ...cases, "  </testsuite>"].join("\n");
}

function formatCase(group: string, result: CheckResult, { isKnown, verbose }: Context): string {
  const { check, outcome, message = "", exchanges } = result;
  const head = `    <testcase classname="${escapeXml(group)}" name="${escapeXml(`${check.id}: ${check.title}`)}"`;
  if (outcome === "passed") return `${head}/>`;
  if (outcome === "skipped") return `${head}><skipped message="${escapeXml(message)}"/></testcase>`;
  if (isKnown(result)) return `${head}><skipped message="${escapeXml(`In the baseline: ${message}`)}"/></testcase>`;
  const { request = "", response = "", error = "" } = exchanges.at(-1) ?? {};
  const lines = [check.mend, ...(verbose ? `${request}\n${response}${error}`.split(/\r?\n/) : [])];
  const text = lines.map(escapeXml).join("\n");
  return `${head}><failure type="${check.severity}" message="${escapeXml(message)}">${text}</failure></testcase>`;
}

/** A half of a pair, and what XML 1.0 section 2.2 leaves out besides controls. */
const FORBIDDEN_REGEXP = new RegExp(String.raw`${SURROGATE}|[\ufffe\uffff]`, "gu");

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** `text` as one line of XML, in content or between double quotes. */
export function escapeXml(text: string): string {
  return formatPrintable(text)
    .replace(FORBIDDEN_REGEXP, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** A comment has no two hyphens in a row. */
function escapeComment(text: string): string {
  return escapeXml(text).replaceAll("-", "‐");
}
