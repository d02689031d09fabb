import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../../../test/support/snippets.js";
import type { ShellSession } from "./shell-session.js";

const ROOT = join(__dirname, "../../..");

/** A block of commands in a page. */
export interface ShellBlock {
  readonly page: string;
  /** The heading that it is under. */
  readonly title: string;
  readonly text: string;
  /** In order. A block of the kind `console` shows what each command prints, if it prints something. */
  readonly steps: readonly { readonly command: string; readonly shown: string }[];
}

/** A fence of any kind, or a heading. */
const FENCE_OR_HEADING = /^ *```(\w*)\n([^]*?)^ *```$|^#+ (.*)$/gm;

/** The fences of a page in order, with the headings that they are under. */
function fencesOf(page: string): { title: string; kind: string; text: string }[] {
  let title = "";
  return [...readFileSync(join(ROOT, page), "utf8").matchAll(FENCE_OR_HEADING)].flatMap(
    ([, kind, text = "", heading]) => {
      if (heading !== undefined) title = heading;
      return kind === undefined ? [] : [{ title, kind, text }];
    },
  );
}

export const FENCES = PAGES.flatMap((page) => fencesOf(page).map((fence) => ({ page, ...fence })));

export const SHELL_BLOCKS: readonly ShellBlock[] = FENCES.flatMap(({ kind, ...block }) => {
  if (kind === "sh") return [{ ...block, steps: [{ command: block.text, shown: "" }] }];
  return kind === "console" ? [{ ...block, steps: stepsOf(block.text) }] : [];
});

/** `$ command`, its further lines if one ends with a backslash, and what it prints. */
function stepsOf(text: string): ShellBlock["steps"] {
  return [...text.matchAll(/^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)/gm)].map(([, command = "", shown = ""]) => ({
    command,
    shown,
  }));
}

/** What differs from run to run: a token, a UUID, a date, an id. */
const VOLATILE =
  /\b(?:etq_[0-9A-Za-z]{33}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9A-Za-z]{20})\b/g;

/** A text without what differs from run to run. The columns of a table may have any width. */
function withoutVolatile(text: string): string {
  return text
    .replaceAll(VOLATILE, (value) => `<${value.length}>`)
    .replaceAll(/ {2,}/g, "  ")
    .replaceAll(/\d+(?= bytes)/g, "<size>");
}

/** What was printed, without the lines that the page leaves out with a line `…`. */
function leaveOut(printed: string, shown: string): string {
  const [lines, wanted] = [printed.split("\n"), shown.split("\n")];
  const begin = wanted.indexOf("…");
  if (begin < 0) return printed;
  return [...lines.slice(0, begin), "…", ...lines.slice(begin + 1 - wanted.length)].join("\n");
}

/**
 * Run a block, and compare what it prints with what it shows.
 *
 * @param actual what appeared in place of the ids and tokens that the page shows; grows
 * @returns what it prints
 */
export async function runBlock(
  shell: ShellSession,
  { steps }: ShellBlock,
  actual = new Map<string, string>(),
): Promise<string> {
  let output = "";
  for (const { command, shown } of steps) {
    const printed = await shell.run([...actual].reduce((text, [from, to]) => text.replaceAll(from, to), command));
    if (shown !== "") {
      const compared = leaveOut(printed, shown);
      expect(withoutVolatile(compared)).toBe(withoutVolatile(shown));
      const appeared = compared.match(VOLATILE) ?? [];
      shown.match(VOLATILE)?.forEach((value, index) => actual.set(value, String(appeared[index])));
    }
    output += printed;
  }
  return output;
}
