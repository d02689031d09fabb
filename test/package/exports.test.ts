import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as root from "etiquette";

const ROOT = path.join(__dirname, "../..");
const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  exports: Record<string, string>;
};
const subpaths = Object.entries(manifest.exports).filter(([name]) => name !== "." && name !== "./package.json");

describe("the exports of package.json", () => {
  it.each(subpaths)("%s names a source file", (_name, target) => {
    const source = target.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts");
    expect(existsSync(path.join(ROOT, source))).toBe(true);
  });

  it.each(subpaths)("what %s exports is also exported by the root, or is documented as its own path's", (name) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the name is a value
    const module = require(`etiquette/${name.slice(2)}`) as Record<string, unknown>;
    const shared = Object.keys(module).filter((key) => key in root);
    expect(shared.length).toBeGreaterThan(0);
    for (const key of shared) expect((root as Record<string, unknown>)[key]).toBe(module[key]);
  });
});
