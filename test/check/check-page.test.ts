import { readFileSync } from "node:fs";
import path from "node:path";
import type { Check } from "../../check/check.js";
import { CHECK_GROUPS, CHECKS } from "../../check/rules/index.js";
import { MAX_BODY_LENGTH, MAX_HEAD_LENGTH } from "../../check/response-parser.js";
import { HELP } from "../../check/command.js";
import { listRules } from "../support/rules.js";
import { expectPage } from "../support/page.js";

const PAGE = "docs/reference/check.md";
const START = "\n## Findings\n";

const page = readFileSync(path.join(__dirname, "../..", PAGE), "utf8");

it("docs/reference/check.md explains each check as the code has it", () => {
  const head = page.slice(0, page.indexOf(START));
  const sections = Object.entries(CHECK_GROUPS).map(
    ([group, checks]) => `### ${group}\n\n${checks.map(formatCheck).join("\n")}`,
  );
  expectPage(PAGE, `${head}${START}\n${sections.join("\n")}`);
});

it("docs/reference/check.md shows what --help shows", () => {
  expect(page).toContain(`\`\`\`text\n${HELP}\`\`\`\n`);
});

it("docs/reference/check.md has the bounds of responses", () => {
  for (const bound of [MAX_HEAD_LENGTH, MAX_BODY_LENGTH]) expect(page).toContain(bound.toLocaleString("en"));
});

it("each check has an id of its own and a rule of docs/reference/rules.md", () => {
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  expect(CHECKS.filter(({ rule }) => !listRules().includes(rule))).toEqual([]);
});

it("the texts of each check are sentences", () => {
  for (const { id, title, why, mend } of CHECKS) {
    expect([id, title]).toEqual([id, expect.not.stringMatching(/\.$/)]);
    for (const text of [why, mend]) expect([id, text]).toEqual([id, expect.stringMatching(/^[^a-z`].*[.`]$/)]);
  }
});

/** The rules by their ids. */
const RULES = new Map(
  [
    ...readFileSync(path.join(__dirname, "../../docs/reference/rules.md"), "utf8").matchAll(
      /^\| ([A-Z]\d+) +\| (.*?) +\|$/gm,
    ),
  ].map(([, id = "", text = ""]) => [id, text]),
);

function formatCheck({ id, rule, title, why, specification, mend, needs = [] }: Check): string {
  const cited = specification === undefined ? "" : `- Specification: ${specification}\n`;
  const needed = needs.length > 0 ? `- Needs: ${needs.map(describeNeed).join(", ")}\n` : "";
  return `#### ${id}

${title}.

- Rule [${rule}](rules.md): ${RULES.get(rule) ?? ""}
- Why: ${why}
${cited}- Mend: ${mend}
${needed}`;
}

function describeNeed(need: string): string {
  const texts: Record<string, string> = {
    success: "a path that responds 2xx",
    api: "another path than that of WebFinger",
    writable: "`--write` and `--writable`",
    credentials: "a header `Authorization`",
    tls: "an `https:` URL",
    http: "an `http:` URL",
  };
  return texts[need] ?? `\`--${need}\``;
}
