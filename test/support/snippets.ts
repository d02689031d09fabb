import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import * as etiquette from "etiquette";

const ROOT = path.join(__dirname, "../..");

const EXAMPLES = "docs/examples";

/** The pages of the package, relative to its root. */
export const PAGES = ["", "docs", "lib", "middleware"].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: folder !== "", encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => path.posix.join(folder, file)),
);

/** The code of each page that has some, as a TypeScript module, and the apps that pages name. */
export const MODULES: ReadonlyMap<string, string> = new Map([
  ...PAGES.map((page) => [page, blocksOf(page)] as const)
    .filter(([, blocks]) => blocks.length > 0)
    .map(([page, blocks]) => [page, toModule(blocks)] as const),
  ...readdirSync(path.join(ROOT, EXAMPLES))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [`${EXAMPLES}/${file}`, readFileSync(path.join(ROOT, EXAMPLES, file), "utf8")] as const),
]);

function blocksOf(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  return [...text.matchAll(/^```[jt]s\n([^]*?)^```/gm)].map(([, block = ""]) => block);
}

/**
 * The first example, and below it every other one in a block of its own, where it sees the names of the first. What the
 * others use of etiquette without importing it is imported. The reader has the files of relative imports, and makes
 * `error: any` of an exported `error`.
 */
function toModule(blocks: readonly string[]): string {
  const lines = /^import .* from "(.*)";\n/gm;
  const imports = new Set(blocks.flatMap((block) => block.match(lines) ?? []).filter((line) => !line.includes('"./')));
  const [first = "", ...others] = blocks.map((block) =>
    block.replaceAll(lines, "").replaceAll(/^export (function \w+\(error)/gm, "$1: any"),
  );
  const known = [...imports, first].join("");
  const missing = Object.keys(etiquette).filter((name) => hasWord(others.join(""), name) && !hasWord(known, name));
  return [
    ...imports,
    `import { ${missing.join(", ")} } from "etiquette";\n`,
    first,
    ...others.map((other) => `{\n${other}}\n`),
  ].join("");
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text);
}
