import { EXIT_CODES } from "../exit-codes.js";
import { type Option, OPTION_GROUPS } from "./table.js";

/** Columns before the text of an option. */
const COLUMN = 21;

/** docs/reference/check.md has it as well. */
export function formatHelp(): string {
  return `Usage: etiquette check URL [options]

Tries the rules of etiquette on an API and says, rule by rule, what to mend.
Without --write it sends only GET, HEAD and OPTIONS, and QUERY to a list that names it.

${Object.entries(OPTION_GROUPS).map(formatGroup).join("\n")}
Exit codes: ${EXIT_CODES.map(({ code, short }) => `${code} ${short}`).join(", ")}.
`;
}

function formatGroup([heading, options]: [string, Readonly<Record<string, Option<unknown>>>]): string {
  const lines = Object.entries(options).flatMap(([name, { placeholder, help }]) => {
    const flag = `  --${name}${placeholder === undefined ? "" : ` ${placeholder}`}`;
    const [first = "", ...others] = help.split("\n");
    return [`${flag.padEnd(COLUMN - 1)} ${first}`, ...others.map((line) => " ".repeat(COLUMN) + line)];
  });
  return `${heading}\n${lines.join("\n")}\n`;
}
