import { readFileSync } from "node:fs";
import path from "node:path";
import { expectPage } from "../../../test/support/page.js";
import { formatCall, type Command } from "../../src/program/commands/command.js";
import { COMMANDS, FLAGS } from "../../src/program/commands/index.js";
import { SETTING_GROUPS, SETTING_NAMES, variableOf, type SettingName } from "../../src/program/settings/index.js";
import type { SettingFacts, SettingGroup } from "../../src/program/settings/setting.js";
import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import { DEFAULT_RATE_LIMITS } from "../../src/model/rate-limits.js";

/** What pages say of the command line is made from the code: `npm run pages` writes it. */

const read = (page: string): string => readFileSync(path.join(__dirname, "../../..", page), "utf8");

test("docs/reference/settings.md lists each setting as the code has it", () => {
  const page = "docs/reference/settings.md";
  const [head] = read(page).split(/^## /m, 1);
  const groups = Object.entries(SETTING_GROUPS).map(([title, group]) => `## ${title}\n\n${formatGroup(group)}`);
  expectPage(page, `${head}${groups.join("\n\n")}\n`);
});

test("each setting is in one group", () => {
  const grouped = Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group));
  expect(grouped.toSorted()).toEqual(SETTING_NAMES.toSorted());
});

test("docs/reference/commands.md lists each command and flag as the code has it", () => {
  const page = "docs/reference/commands.md";
  const [head] = read(page).split(/^## /m, 1);
  const flags = Object.entries(FLAGS).filter(([, { help }]) => help !== undefined);
  const text = `${head}## Commands

| command | what it does |
| --- | --- |
${COMMANDS.map(formatCommand).join("\n")}

## Flags

Those of the commands on one org; all but \`--org\` are for \`token create\` only.

| flag | value |
| --- | --- |
${flags.map(([name, { placeholder, help = "" }]) => `| \`--${name} ${placeholder}\` | ${toMarkdown(help)} |`).join("\n")}
`;
  expectPage(page, text);
});

describe("docs/reference/limits.md", () => {
  const rows = [...read("docs/reference/limits.md").matchAll(/^\| `(\w+)` .*\| +([\d,]+) +\|/gm)];
  const shown = Object.fromEntries(
    rows.map(([, name = "", number = ""]) => [name, Number(number.replaceAll(",", ""))]),
  );

  it("has each quota and each rate limit with its default", () => {
    expect(shown).toEqual({ ...DEFAULT_QUOTAS, ...DEFAULT_RATE_LIMITS });
  });
});

function formatGroup(group: SettingGroup): string {
  const rows = Object.entries<SettingFacts>(group).map(([name, { placeholder, fallback, help, details }]) => {
    const flag = placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
    const value = fallback === undefined ? "" : `\`${fallback}\``;
    return `| \`${flag}\` | \`${variableOf(name as SettingName)}\` | ${value} | ${toSentences(help, details)} |`;
  });
  return ["| flag | variable | default | what it sets |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function formatCommand(command: Command): string {
  return `| \`${formatCall(command)}\` | ${toSentences(command.help, command.details)} |`;
}

function toSentences(help: string, details: string | undefined): string {
  const first = toMarkdown(help);
  return details === undefined ? first : `${first}. ${details}`;
}

/** Flags and names in angle brackets as code. */
function toMarkdown(help: string): string {
  return help.replaceAll(/--[a-z][a-z0-9-]*|<\w+>[\w:]*/g, "`$&`");
}
