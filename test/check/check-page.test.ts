import { readFileSync } from "node:fs";
import path from "node:path";
import type { Check, Need } from "../../check/check.js";
import { formatHelp } from "../../check/command-line/help.js";
import { EXIT_CODES } from "../../check/exit-codes.js";
import { MAX_DESCRIPTION_LENGTH } from "../../check/openapi/read.js";
import { MAX_BODY_LENGTH, MAX_HEAD_LENGTH } from "../../check/response-parser.js";
import { CHECK_GROUPS, CHECKS } from "../../check/rules/index.js";
import { SEVERITIES } from "../../check/severity.js";
import { listRules } from "../support/rules.js";
import { expectPage } from "../support/page.js";

const PAGE = "docs/reference/check.md";
const START = "\n## The checks\n";

/** The page is read from top to bottom, once. */
const MAX_WORDS = 5500;

const page = readFileSync(path.join(__dirname, "../..", PAGE), "utf8");

it("docs/reference/check.md has the help, the exit codes and each check as the code has them", () => {
  const codes = EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning} |`).join("\n");
  const head = page
    .slice(0, page.indexOf(START))
    .replace(/(?<=^```text\n)Usage: [^]*?(?=^```$)/m, formatHelp)
    .replace(/(?<=^\| exit code \| meaning \|\n\| --- \| --- \|\n)[^]*?(?=\n\n)/m, () => codes);
  const sections = Object.entries(CHECK_GROUPS).map(formatGroup);
  expectPage(PAGE, `${head}${START}\n${sections.join("\n\n")}\n`);
});

it("docs/reference/check.md is short", () => {
  expect(page.split(/\s+/).length).toBeLessThan(MAX_WORDS);
});

it("docs/reference/check.md has the bounds of what is read", () => {
  for (const bound of [MAX_HEAD_LENGTH, MAX_BODY_LENGTH, MAX_DESCRIPTION_LENGTH]) {
    expect(page).toContain(bound.toLocaleString("en"));
  }
});

it("each check has an id of its own, a severity and a rule of docs/reference/rules.md", () => {
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  expect(CHECKS.filter(({ rule }) => !listRules().includes(rule))).toEqual([]);
  expect(new Set(CHECKS.map(({ severity }) => severity))).toEqual(new Set(SEVERITIES));
});

it("the texts of each check are sentences", () => {
  for (const { id, title, why, mend } of CHECKS) {
    expect([id, title]).toEqual([id, expect.not.stringMatching(/\.$/)]);
    for (const text of [why, mend]) expect([id, text]).toEqual([id, expect.stringMatching(/^[^a-z`].*[.`]$/)]);
  }
});

function formatGroup([group, checks]: [string, readonly Check[]]): string {
  const [first] = checks;
  const common = namedNeeds(first).filter((need) => checks.every((check) => namedNeeds(check).includes(need)));
  const head = common.length > 0 ? [`All of these need ${common.join(" and ")}.`] : [];
  return [`### ${group}`, ...head, ...checks.map((check) => formatCheck(check, checks, common))].join("\n\n");
}

/** What is the same for an earlier check of the group, and for all of it, is said once. */
function formatCheck(check: Check, group: readonly Check[], common: readonly string[]): string {
  const { id, rule, severity, title, why, specification, mend } = check;
  const cited = specification === undefined ? "" : `, ${shorten(specification)}`;
  const alike = group.find((other) => other.why === why && other.mend === mend) ?? check;
  const reason = alike === check ? `${why} _Mend:_ ${mend}` : `As [${alike.id}](#${alike.id}).`;
  const named = namedNeeds(check).filter((need) => !common.includes(need));
  const needed = named.length > 0 ? ` Needs ${named.join(" and ")}.` : "";
  return `#### ${id}\n\n**${severity}**, [${rule}](rules.md)${cited}. ${title}. ${reason}${needed}`;
}

function namedNeeds(check: Check | undefined): string[] {
  return (check?.needs ?? []).flatMap((need) => NEEDS[need] ?? []);
}

function shorten(specification: string): string {
  return specification.replaceAll(/ sections? /g, " §");
}

/** Those that a person can give. */
const NEEDS: Readonly<Partial<Record<Need, string>>> = {
  list: "`--list`",
  resource: "`--resource`",
  write: "`--write`",
  writable: "`--writable`",
  object: "`--writable`",
  field: "`--field`",
  origin: "`--origin`",
  filter: "`--filter`",
  credentials: "`Authorization`",
  tls: "`https:`",
  http: "`http:`",
};
