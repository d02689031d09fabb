import path from "node:path";
import { bin, MODULES, packTarball, run } from "../support/tarball.js";

const tarball = packTarball(["ts-express4", "ts-express5"]);

/** The resolution that TypeScript calls `node` too. It reads no `exports`. */
const NODE10 = ["--module", "commonjs", "--moduleResolution", "node10"];

it("passes publint", async () => {
  const { stdout } = await run(bin("publint"), [tarball.file, "--strict"]);
  expect(stdout).toContain("All good");
}, 240_000);

it("resolves for every kind of consumer (are the types wrong)", async () => {
  // exits with 1, and so rejects, when there is a problem
  await expect(run(bin("attw"), [tarball.file])).resolves.toHaveProperty("stdout");
}, 240_000);

it.each([
  ["5.9", "nodenext", "Express 5", "typescript5", "ts-express5", []],
  ["5.9", "node10", "Express 4", "typescript5", "ts-express4", NODE10],
  ["6", "nodenext", "Express 4", "typescript", "ts-express4", []],
  ["6", "node10", "Express 5", "typescript", "ts-express5", [...NODE10, "--ignoreDeprecations", "6.0"]],
])(
  "compiles in TypeScript %s (%s) with the types of %s",
  async (version, _resolution, _express, compiler, name, flags) => {
    const cwd = path.join(tarball.folder, name);
    const tsc = path.join(MODULES, compiler, "bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "--version"]);
    expect(stdout).toMatch(`Version ${version}`);
    await expect(run(process.execPath, [tsc, "-p", ".", ...flags], { cwd })).resolves.toMatchObject({ stdout: "" });
  },
  240_000,
);
