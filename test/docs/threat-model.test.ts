import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { listRules } from "../support/rules.js";

const ROOT = path.join(__dirname, "../..");

const PAGES = ["docs/explanation/threat-model.md", "docs/reference/inputs.md"];

/** The cells below the heading "held by", in all tables of a page. */
function listHolders(page: string): string[] {
  const lines = readFileSync(path.join(ROOT, page), "utf8").split("\n");
  let isHolder = false;
  return lines.flatMap((line) => {
    if (!line.startsWith("|")) isHolder = false;
    else if (/\| held by +\|$/.test(line)) isHolder = true;
    else if (isHolder && !/^[|\s-]+$/.test(line)) return [line.split("|").at(-2) ?? ""];
    return [];
  });
}

describe.each(PAGES)("%s", (page) => {
  const holders = listHolders(page);

  it("names rules that exist", () => {
    const rules = listRules();
    const named = holders.flatMap((cell) => cell.replaceAll(/`[^`]*`/g, "").match(/\b[A-Z]\d+\b/g) ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((id) => !rules.includes(id))).toEqual([]);
  });

  it("names tests that exist", () => {
    const named = holders.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, file = ""]) => file));
    expect(named.length).toBeGreaterThan(10);
    const places = ["example-app/test/*.test.ts", "example-app/test/*.stores.test.ts", "test/*.test.ts"];
    const isThere = (file: string) => places.some((place) => existsSync(path.join(ROOT, place.replace("*", file))));
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });
});
