import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportedNames, PUBLIC_FILES } from "../support/declarations.js";

/** What the package publishes: each path with its names. Change it by hand, on purpose. */
const LIST = readFileSync(path.join(__dirname, "public-names.md"), "utf8");

const listed = new Map(
  [...LIST.matchAll(/^## `(.+)`\n\n([^#]+)/gm)].map(([, name = "", names = ""]) => [
    name,
    [...names.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  ]),
);

const MANIFEST = path.join(__dirname, "../../package.json");
const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as {
  exports: Record<string, string>;
  typesVersions: unknown;
};
const targets = manifest.exports;

describe("the exports of package.json", () => {
  it("are in typesVersions too, for moduleResolution node10; `npm run pages` writes them", () => {
    const declarations = Object.entries(targets)
      .filter(([name, target]) => name !== "." && target.endsWith(".js"))
      .map(([name, target]) => [name.replace("./", ""), [target.replace(/\.js$/, ".d.ts")]]);
    const typesVersions = { "*": Object.fromEntries(declarations) };
    if (process.env["WRITE_PAGES"]) {
      writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, typesVersions }, undefined, 2)}\n`);
    } else expect(manifest.typesVersions).toEqual(typesVersions);
  });

  it("are the paths of public-names.md", () => {
    expect([...PUBLIC_FILES.keys()]).toEqual([...listed.keys()]);
  });

  it.each([...PUBLIC_FILES])("%s exports the names of public-names.md, and no other", (name, file) => {
    expect(existsSync(file)).toBe(true);
    expect(exportedNames(file)).toEqual(listed.get(name));
  });

  it("are all in the root as well", () => {
    const all = [...PUBLIC_FILES.values()].flatMap((file) => exportedNames(file));
    expect(exportedNames(PUBLIC_FILES.get("etiquette") ?? "")).toEqual(expect.arrayContaining(all));
  });

  it.each([...PUBLIC_FILES.keys()].filter((name) => name !== "etiquette"))("%s and the root are one module", (name) => {
    /* eslint-disable @typescript-eslint/no-require-imports -- the name is a value */
    const own = require(name) as Record<string, unknown>;
    const root = require("etiquette") as Record<string, unknown>;
    for (const [key, value] of Object.entries(own)) expect(root[key]).toBe(value);
  });
});
