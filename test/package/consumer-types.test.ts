import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { bin, MODULES, packTarball, run } from "../support/tarball.js";

const tarball = packTarball(["ts-express4", "ts-express5"]);

const CHECK = path.join(__dirname, "check-types.cjs");

/** The resolution that TypeScript calls `node` too. It reads no `exports`. */
const NODE10 = ["--module", "commonjs", "--moduleResolution", "node10"];

it("passes publint", async () => {
  const { stdout } = await run(bin("publint"), [tarball.file, "--strict"]);
  expect(stdout).toContain("All good");
}, 240_000);

it("resolves for every kind of consumer (are the types wrong)", async () => {
  const file = path.join(tarball.folder, "package.tgz");
  const unpacked = path.join(tarball.folder, "unpacked");
  await mkdir(unpacked);
  await run("tar", ["-xzf", tarball.file, "-C", unpacked]);
  // for each file of each path it reads the manifest that is next above it, and that of the package is long
  const { type } = JSON.parse(await readFile(path.join(unpacked, "package/package.json"), "utf8")) as { type: string };
  await writeFile(path.join(unpacked, "package/dist/package.json"), JSON.stringify({ type }));
  await run("tar", ["-czf", file, "--exclude", "*.md", "-C", unpacked, "package"]);
  // exits with 1, and so rejects, when there is a problem
  await expect(run(bin("attw"), [file])).resolves.toHaveProperty("stdout");
}, 240_000);

it.each([
  ["5.9", "typescript5", ["ts-express5"], ["ts-express4", ...NODE10]],
  ["6", "typescript", ["ts-express4"], ["ts-express5", ...NODE10, "--ignoreDeprecations", "6.0"]],
])(
  "compiles in TypeScript %s (nodenext, and node10 with the types of the other major version of Express)",
  async (version, compiler, ...consumers) => {
    const args = consumers.map(([name = "", ...flags]) => [path.join(tarball.folder, name), ...flags].join(" "));
    const { stdout } = await run(process.execPath, [CHECK, path.join(MODULES, compiler), ...args]);
    const said = JSON.parse(stdout) as { version: string; checked: [number, string][] };
    expect(said.version).toMatch(`${version}.`);
    for (const [files, faults] of said.checked) expect([files > 100, faults]).toEqual([true, ""]);
  },
  240_000,
);
