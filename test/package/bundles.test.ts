import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expectPage } from "../support/page.js";
import { exportedNames, PUBLIC_FILES } from "../support/declarations.js";
import { rowsBelow } from "../support/page-parts.js";
import { describeIf } from "../support/requirements.js";

const run = promisify(execFile);
const ROOT = path.join(__dirname, "../..");
const PAGE = "docs/reference/bundlers.md";
const TABLE = /^\| path[^]*?(?=\n\n<!-- \/generated -->)/m;

/** How much larger or smaller a bundle may be than the page says, so that not every change writes the page. */
const TOLERANCE = 0.15;

/** The limit of a new path, as a multiple of its size. */
const ROOM = 1.1;

const BUN = process.env["BUN_PATH"] ?? "";

/** The values that each path exports, by the name of its entry: `etiquette_weak-etag` and so on. */
const ENTRIES = new Map(
  [...PUBLIC_FILES].map(([name, file]) => [
    name.replace("/", "_"),
    exportedNames(file).filter((exported) => !exported.startsWith("type ")),
  ]),
);

/** Runs bundles where no package is installed, and tells what they export and do. */
const RUNNER = `
const [express, format, ...bundles] = process.argv.slice(2);
const load = format === "cjs" ? require : (file) => import(file);
Promise.all(bundles.map(load)).then(async (modules) => {
  const { suite, jwtVerifier } = Object.assign({}, ...modules);
  const verify = jwtVerifier({ issuer: "i", audience: "a", keys: { keys: [] } });
  const jose = await verify("token", {}).catch(({ message }) => message);
  const { guards, fallbacks } = suite({ errorFormatter: { log: false } });
  const server = require(express)().use(guards, fallbacks).listen(0, "127.0.0.1", async () => {
    const response = await fetch("http://localhost:" + server.address().port);
    const { errorCode } = await response.json();
    process.stdout.write(JSON.stringify({ names: modules.map(Object.keys), jose, errorCode }));
    process.exit();
  });
});
`;

const WORKS = { jose: expect.stringContaining("the package jose can't be loaded") as string, errorCode: "E0000008" };

let folder: string;
let modules: string; // the folder with a bundle of each path as an ES module

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "etiquette-bundles-"));
  const home = path.join(folder, "in/node_modules/etiquette");
  await cp(path.join(ROOT, "dist"), path.join(home, "dist"), { recursive: true });
  await cp(path.join(ROOT, "package.json"), path.join(home, "package.json"));
  for (const name of ["cors", "http-errors"]) {
    await symlink(path.join(ROOT, "node_modules", name), path.join(folder, "in/node_modules", name), "dir");
  }
  for (const name of ENTRIES.keys()) await writeEntry(name, `export * from "${name.replace("_", "/")}";\n`);
  await writeEntry("one", 'export { requestId } from "etiquette";\n');
  await writeEntry("part", 'export { suite, jwtVerifier } from "etiquette";\n');
  await writeFile(path.join(folder, "run.cjs"), RUNNER);
  modules = await bundle("esbuild", "esm", [...ENTRIES.keys()]);
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.each(["esm", "cjs"] as const)("as %s", (format) => {
  it("every path bundles with esbuild without jose, and runs where no package is installed", async () => {
    const output = format === "esm" ? modules : await bundle("esbuild", format, [...ENTRIES.keys()]);
    const { names, ...seen } = await runBundles(format, output, [...ENTRIES.keys()]);
    expect(Object.fromEntries(names)).toEqual(Object.fromEntries([...ENTRIES].map(([k, v]) => [k, [...v].sort()])));
    expect(seen).toEqual(WORKS);
  }, 60_000);

  it.each(["esbuild", "rollup", "webpack"])(
    "%s bundles the root, and leaves out what is unused",
    async (bundler) => {
      await expectTreeShaken(bundler, format);
    },
    120_000,
  );
});

describeIf(existsSync(BUN), "bun build", "bun at BUN_PATH", () => {
  it.each(["esm", "cjs"] as const)(
    "bundles the root, and leaves out what is unused, as %s",
    async (format) => {
      await expectTreeShaken("bun", format);
    },
    60_000,
  );
});

describe("docs/reference/bundlers.md", () => {
  const page = readFileSync(path.join(ROOT, PAGE), "utf8");
  const listed = new Map(
    rowsBelow(page, "Sizes").map(([name = "", size, limit]) => [
      name.replaceAll("`", ""),
      { size: Number(size), limit: Number(limit) },
    ]),
  );
  const sizes = () =>
    [...ENTRIES.keys()].map((name) => [name.replace("_", "/"), sizeOf(modules, name) / 1_000] as const);

  it("has the size of each path; `npm run pages` writes them, and leaves the limits", () => {
    if (process.env["WRITE_PAGES"]) {
      const rows = sizes().map(([name, size]) => {
        const { limit = Number.NaN } = listed.get(name) ?? {};
        const kept = Number.isNaN(limit) ? Math.ceil(size * ROOM) : limit;
        return `| \`${name}\` | ${size.toFixed(1)} | ${kept} |\n`;
      });
      expectPage(PAGE, page.replace(TABLE, `| path | kB | limit |\n| --- | ---: | ---: |\n${rows.join("").trimEnd()}`));
    } else {
      expect([...listed.keys()]).toEqual(sizes().map(([name]) => name));
      const changed = sizes().filter(
        ([name, size]) => Math.abs(size - (listed.get(name)?.size ?? 0)) > size * TOLERANCE + 0.5,
      );
      expect(changed).toEqual([]);
    }
  });

  it("has limits that no path exceeds; change one by hand, on purpose", () => {
    expect(sizes().filter(([name, size]) => size > (listed.get(name)?.limit ?? Infinity))).toEqual([]);
  });
});

/** A bundle of one middleware is small, and one of the suite works. */
async function expectTreeShaken(bundler: string, format: string): Promise<void> {
  const output = await bundle(bundler, format, ["one", "part"]);
  const { names, ...seen } = await runBundles(format, output, ["one", "part"]);
  expect(names).toEqual([
    ["one", ["requestId"]],
    ["part", ["jwtVerifier", "suite"]],
  ]);
  expect(seen).toEqual(WORKS);
  expect(sizeOf(output, "one")).toBeLessThan(25_000);
}

/** @returns the folder of the bundles */
async function bundle(bundler: string, format: string, names: readonly string[]): Promise<string> {
  const output = await mkdtemp(path.join(folder, "out-"));
  await writeFile(
    path.join(output, "package.json"),
    JSON.stringify({ type: format === "esm" ? "module" : "commonjs" }),
  );
  const entries = names.map((name) => path.join(folder, "in", `${name}.mjs`));
  await run(process.execPath, [path.join(__dirname, "bundlers.mjs"), bundler, format, output, ...entries]);
  return output;
}

async function runBundles(format: string, output: string, names: readonly string[]) {
  const files = names.map((name) => path.join(output, `${name}.js`));
  const args = [path.join(folder, "run.cjs"), path.join(ROOT, "node_modules/express"), format, ...files];
  const { stdout } = await run(process.execPath, args);
  const seen = JSON.parse(stdout) as { names: string[][]; jose: string; errorCode: string };
  return { ...seen, names: names.map((name, index) => [name, seen.names[index]?.sort()] as const) };
}

function sizeOf(output: string, name: string): number {
  return statSync(path.join(output, `${name}.js`)).size;
}

async function writeEntry(name: string, text: string): Promise<void> {
  await mkdir(path.join(folder, "in"), { recursive: true });
  await writeFile(path.join(folder, "in", `${name}.mjs`), text);
}
