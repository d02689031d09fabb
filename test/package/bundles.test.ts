import { execFile } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expectPage } from "../support/page.js";
import { exportedNames } from "../support/declarations.js";
import { PUBLIC_FILES } from "../support/public-files.js";
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

const FORMATS = ["esm", "cjs"] as const;

/** Runs bundles of both formats where no package is installed, and tells what they export and do. */
const RUNNER = `
const [express, folder, ...files] = process.argv.slice(2);
const formats = { esm: (file) => import(file), cjs: require };
async function run(format) {
  const modules = await Promise.all(files.map((file) => formats[format](folder + "/" + format + "/" + file)));
  const { suite, jwtVerifier } = Object.assign({}, ...modules);
  const verify = jwtVerifier({ issuer: "i", audience: "a", keys: { keys: [] } });
  const jose = await verify("token", {}).catch(({ message }) => message);
  const { guards, fallbacks } = suite({ errorFormatter: { log: false } });
  const server = require(express)().use(guards, fallbacks).listen(0, "127.0.0.1");
  await require("node:events").once(server, "listening");
  const response = await fetch("http://localhost:" + server.address().port);
  const { errorCode } = await response.json();
  return [format, { names: modules.map(Object.keys), jose, errorCode }];
}
Promise.all(Object.keys(formats).map(run)).then((seen) => {
  process.stdout.write(JSON.stringify(Object.fromEntries(seen)));
  process.exit();
});
`;

/** Bundles of parts of the root. */
const PARTS = ["one", "part"];

const WORKS = { jose: expect.stringContaining("the package jose can't be loaded") as string, errorCode: "E0000008" };

let folder: string;
let esbuilt: string; // the folder with a bundle of each path

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
  esbuilt = await bundle("esbuild", [...ENTRIES.keys(), ...PARTS]);
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it("every path bundles with esbuild without jose, and runs where no package is installed", async () => {
  await expectBundles(esbuilt, ENTRIES);
}, 60_000);

it.each(["esbuild", "rollup", "webpack"])(
  "%s bundles the root, and leaves out what is unused",
  async (bundler) => {
    await expectTreeShaken(bundler === "esbuild" ? esbuilt : await bundle(bundler, PARTS));
  },
  120_000,
);

describeIf(existsSync(BUN), "bun build", "bun at BUN_PATH", () => {
  it("bundles the root, and leaves out what is unused", async () => {
    await expectTreeShaken(await bundle("bun", PARTS));
  }, 60_000);
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
    [...ENTRIES.keys()].map((name) => [name.replace("_", "/"), sizeOf(esbuilt, name) / 1_000] as const);

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
async function expectTreeShaken(output: string): Promise<void> {
  const [one = "", part = ""] = PARTS;
  await expectBundles(
    output,
    new Map([
      [one, ["requestId"]],
      [part, ["jwtVerifier", "suite"]],
    ]),
  );
  for (const format of FORMATS) expect(sizeOf(output, "one", format)).toBeLessThan(25_000);
}

/** @returns the folder with a folder of bundles for each format */
async function bundle(bundler: string, names: readonly string[]): Promise<string> {
  const output = await mkdtemp(path.join(folder, "out-"));
  for (const [format, type] of Object.entries({ esm: "module", cjs: "commonjs" })) {
    await mkdir(path.join(output, format));
    await writeFile(path.join(output, format, "package.json"), JSON.stringify({ type }));
  }
  const entries = names.map((name) => path.join(folder, "in", `${name}.mjs`));
  await run(process.execPath, [path.join(__dirname, "bundlers.mjs"), bundler, output, ...entries]);
  return output;
}

/** The bundles of both formats export these names, and work. */
async function expectBundles(output: string, expected: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const files = [...expected.keys()].map((name) => `${name}.js`);
  const args = [path.join(folder, "run.cjs"), path.join(ROOT, "node_modules/express"), output, ...files];
  const { stdout } = await run(process.execPath, args);
  const seen = JSON.parse(stdout) as Record<string, { names: string[][] }>;
  for (const format of FORMATS) {
    const { names, ...does } = seen[format] ?? { names: [] };
    const exported = [...expected.keys()].map((name, index) => [name, names[index]?.sort()]);
    expect(Object.fromEntries(exported)).toEqual(Object.fromEntries([...expected].map(([k, v]) => [k, [...v].sort()])));
    expect(does).toEqual(WORKS);
  }
}

function sizeOf(output: string, name: string, format: (typeof FORMATS)[number] = "esm"): number {
  return statSync(path.join(output, format, `${name}.js`)).size;
}

async function writeEntry(name: string, text: string): Promise<void> {
  await mkdir(path.join(folder, "in"), { recursive: true });
  await writeFile(path.join(folder, "in", `${name}.mjs`), text);
}
