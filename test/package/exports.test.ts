import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportedNames } from "../support/declarations.js";
import { PUBLIC_FILES } from "../support/public-files.js";

const MANIFEST = path.join(__dirname, "../../package.json");
const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as {
  exports: Record<string, string | { module: string; default: string }>;
  typesVersions: unknown;
};

/** The paths of modules, with the files that Node loads. */
const files = Object.entries(manifest.exports)
  .map(([name, target]) => [name, typeof target === "string" ? target : target.default] as const)
  .filter(([, file]) => file.endsWith(".js"));

describe("the exports of package.json", () => {
  it("have ES modules for bundlers, and are in typesVersions for moduleResolution node10; `npm run pages` writes both", () => {
    const modules = files.map(([name, file]) => [name, { module: file.replace("dist/", "dist/esm/"), default: file }]);
    const declarations = files
      .filter(([name]) => name !== ".")
      .map(([name, file]) => [name.replace("./", ""), [file.replace(/\.js$/, ".d.ts")]]);
    const written = {
      ...manifest,
      exports: { ...manifest.exports, ...Object.fromEntries(modules) },
      typesVersions: { "*": Object.fromEntries(declarations) },
    };
    if (process.env["WRITE_PAGES"]) writeFileSync(MANIFEST, `${JSON.stringify(written, undefined, 2)}\n`);
    else expect(manifest).toEqual(written);
  });

  it("declare what the reports in api/ say; `npm run api -- --write` writes them", () => {
    const program = path.join(__dirname, "../../tools/build/api-reports.js");
    const run = () => execFileSync(process.execPath, [program], { encoding: "utf8", stdio: "pipe" });
    expect(run).not.toThrow();
  }, 60_000);

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

describe("the compiled files", () => {
  const DIST = path.join(__dirname, "../../dist");
  const files = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));

  it("export values, not getters, which would make every call between them slow", () => {
    expect(files.length).toBeGreaterThan(100);
    const getters = files.filter((name) =>
      /defineProperty\(exports, "(?!__esModule)/.test(readFileSync(path.join(DIST, name), "utf8")),
    );
    expect(getters).toEqual([]);
  });
});
