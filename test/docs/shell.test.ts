import { readFileSync } from "node:fs";
import path from "node:path";
import { PAGES } from "../support/snippets.js";

/** The commands that the pages show run on Linux and on macOS, whose tools are those of BSD and whose bash is 3.2. */

const ROOT = path.join(__dirname, "../..");

const SHELL = PAGES.map((page) => ({ page, text: readFileSync(path.join(ROOT, page), "utf8") }))
  .flatMap(({ page, text }) =>
    [...text.matchAll(/^```(?:sh|bash|console)\n([^]*?)^```/gm)].map(([, commands = ""]) => ({ page, commands })),
  )
  .map(({ page, commands }) => ({ page, commands: commands.replaceAll("\\\n", " ") }))
  .filter(({ commands }) => !/^system(?:ctl|d-run) /m.test(commands)); // there is systemd on Linux only

/** The tools whose options differ. None of them has long options on macOS. */
const TOOLS = "awk|base64|cat|cp|cut|date|find|grep|head|ls|mkdir|mktemp|mv|rm|sed|sort|stat|tail|touch|tr|wc|xargs";

const NOT_PORTABLE: Readonly<Record<string, RegExp>> = {
  "a long option of a standard tool": new RegExp(`(?<![-\\w])(?:${TOOLS})\\b(?: +-\\S+)* +--[a-z]`),
  "sed -i, -r, -s or -z": /\bsed +(?:-\w+ +)*-\w*[irsz]/,
  "the flag I of sed": /\bsed\b.*s\/[^/]*\/[^/]*\/\w*I/,
  "\\+, \\? or \\| in a basic expression of sed": /\bsed +(?!-\w*E)[^|]*\\[+?|]/,
  "grep -P": /\bgrep +(?:-\w+ +)*-\w*P/,
  "base64 -w": /\bbase64 +-\w*w/,
  "date -d or %N": /\bdate\b.*(?: -d\b|%N)/,
  "readlink -f": /\breadlink +-/,
  "mktemp with -p or -t": /\bmktemp +(?:-\w+ +)*-\w*[pt]/,
  "head with a negative count": /\bhead +-(?:n|c) *-/,
  "xargs -r or -d": /\bxargs +(?:-\w+ +)*-\w*[rd]\b/,
  "stat, which has other options": /\bstat +-/,
  "find -printf": /-printf\b/,
  "sort -V": /\bsort +-\w*V/,
  "cp -a or -t": /\bcp +-\w*[at]/,
  "a tool that macOS doesn't have": /(?<![-\w])(?:md5sum|nproc|sha\d+sum|shuf|ss|tac|timeout|wget)\b +[-\w]/,
  "bash 4": /\b(?:mapfile|readarray|coproc)\b|declare -A|\|&|&>>|\$\{\w+(?:,,?|\^\^?)\}/,
};

it("there are commands in the pages", () => {
  expect(SHELL.map(({ page }) => page)).toEqual(expect.arrayContaining(["README.md", "docs/tutorials/server.md"]));
});

describe.each(SHELL)("the commands of $page", ({ commands }) => {
  it.each(Object.entries(NOT_PORTABLE))("have no %s", (_name, pattern) => {
    expect(commands.split("\n").filter((line) => pattern.test(line))).toEqual([]);
  });
});

it.each([
  ["a long option of a standard tool", "tail --lines 1", "tail -n 1"],
  ["sed -i, -r, -s or -z", "sed -i s/a/b/ x", "sed -n s/a/b/p x"],
  ["the flag I of sed", 'sed -n "s/^a: //Ip"', 'sed -n "s/^a: //p"'],
  ["\\+, \\? or \\| in a basic expression of sed", "sed 's/a\\+//'", "sed -E 's/a+//'"],
  ["grep -P", "grep -oP a", "grep -oE a"],
  ["base64 -w", "base64 -w0 x", "base64 < x"],
  ["date -d or %N", "date -u -d yesterday", "date -u +%F"],
  ["mktemp with -p or -t", "mktemp -d -p /x", "mktemp -d"],
  ["bash 4", "echo ${x,,}", "echo ${x}"],
])("%s is found", (name, found, allowed) => {
  expect(NOT_PORTABLE[name]?.test(found)).toBe(true);
  expect(NOT_PORTABLE[name]?.test(allowed)).toBe(false);
});
