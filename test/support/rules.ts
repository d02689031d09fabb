import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");
const TESTS = ["test", "example-app/test"];

/** A title that begins with ids of rules: `"S4 writes …"`, `"L1 L2 L3 let …"`. */
const TITLE_REGEXP = /["'`]((?:[A-Z]\d{1,2}[ ,]+)+)\S/g;

/** The ids of docs/reference/rules.md, in its order. */
export function listRules(): string[] {
  const text = readFileSync(path.join(ROOT, "docs/reference/rules.md"), "utf8");
  return [...text.matchAll(/^\| ([A-Z]\d+) +\|/gm)].map(([, id = ""]) => id);
}

/** The files of tests whose titles begin with each rule. */
export function findTests(): Map<string, Set<string>> {
  const found = new Map(listRules().map((id) => [id, new Set<string>()]));
  for (const file of TESTS.flatMap(listTestFiles)) {
    for (const [, ids = ""] of readFileSync(path.join(ROOT, file), "utf8").matchAll(TITLE_REGEXP)) {
      for (const id of ids.match(/\w+/g) ?? []) found.get(id)?.add(file);
    }
  }
  return found;
}

function listTestFiles(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => path.posix.join(folder, file))
    .sort();
}
