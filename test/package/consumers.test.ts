import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { PUBLIC_FILES } from "../support/declarations.js";
import { brokenLinks } from "../support/links.js";
import { PAGES } from "../support/snippets.js";

const run = promisify(execFile);
const ROOT = path.join(__dirname, "../..");
const MODULES = path.join(ROOT, "node_modules");
const CONSUMERS = path.join(__dirname, "consumers");

/** The packages that each consumer has installed, by the name it knows them under. */
const INSTALLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "cjs-express4": { express: "express4" },
  "esm-express5": { express: "express" },
  "ts-express4": { express: "express4", "@types/express": "@types/express4", "@types/node": "@types/node" },
  "ts-express5": { express: "express", "@types/express": "@types/express", "@types/node": "@types/node" },
  jest: { express: "express", supertest: "supertest" },
};

/** The resolution that TypeScript calls `node` too. It reads no `exports`. */
const NODE10 = ["--module", "commonjs", "--moduleResolution", "node10"];

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "etiquette-package-"));
  await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: ROOT });
  tarball = path.join(folder, (await readdir(folder)).find((file) => file.endsWith(".tgz")) ?? "");
  await Promise.all(Object.keys(INSTALLED).map(install));
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What tools read. */
const DOCUMENTS = ["docs/alerts.yml", "docs/grafana.json", "docs/openapi-v2.json", "docs/openapi.json"];

describe("the packed tarball", () => {
  it("passes publint", async () => {
    const { stdout } = await run(bin("publint"), [tarball, "--strict"]);
    expect(stdout).toContain("All good");
  }, 60_000);

  it("resolves for every kind of consumer (are the types wrong)", async () => {
    // exits with 1, and so rejects, when there is a problem
    await expect(run(bin("attw"), [tarball])).resolves.toHaveProperty("stdout");
  }, 60_000);

  it("holds the build and the pages, and nothing of the sources, tests or server", async () => {
    const { stdout } = await run("tar", ["-tzf", tarball]);
    const files = stdout
      .trim()
      .split("\n")
      .map((file) => file.replace("package/", ""));
    const others = files.filter((file) => !/^dist\/.*\.(js|d\.ts)$/.test(file) && !file.endsWith(".md"));
    expect(others.sort()).toEqual(["LICENSE", "dist/esm/package.json", ...DOCUMENTS, "package.json"]);
    expect(files.filter((file) => file.endsWith(".md")).sort()).toEqual([...PAGES].sort());
  });

  it("holds everything that its pages link to", () => {
    const home = path.join(folder, "jest/node_modules/etiquette");
    const pages = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
    expect(pages).toContain("README.md");
    // the pictures stay in the repository, which is where npm's site shows them from
    const broken = (page: string) => brokenLinks(home, page).filter((link) => !link.endsWith(".png"));
    expect(Object.fromEntries(pages.map((page) => [page, broken(page)]))).toEqual(
      Object.fromEntries(pages.map((page) => [page, []])),
    );
  });
});

describe("a consumer of the tarball", () => {
  it.each([
    ["CommonJS on Express 4", "cjs-express4", "index.js"],
    ["ESM on Express 5", "esm-express5", "index.mjs"],
  ])("runs as %s", async (_title, name, file) => {
    const { stdout } = await run(process.execPath, [file], { cwd: path.join(folder, name) });
    expect(stdout).toBe("works\n");
  });

  it.each([
    ["5.9", "nodenext", "Express 5", "typescript5", "ts-express5", []],
    ["5.9", "node10", "Express 4", "typescript5", "ts-express4", NODE10],
    ["6", "nodenext", "Express 4", "typescript", "ts-express4", []],
    ["6", "node10", "Express 5", "typescript", "ts-express5", [...NODE10, "--ignoreDeprecations", "6.0"]],
  ])(
    "compiles in TypeScript %s (%s) with the types of %s",
    async (version, _resolution, _express, compiler, name, flags) => {
      const cwd = path.join(folder, name);
      const tsc = path.join(MODULES, compiler, "bin/tsc");
      const { stdout } = await run(process.execPath, [tsc, "--version"]);
      expect(stdout).toMatch(`Version ${version}`);
      await expect(run(process.execPath, [tsc, "-p", ".", ...flags], { cwd })).resolves.toMatchObject({ stdout: "" });
    },
    60_000,
  );

  it("has the command etiquette, whose page is there", async () => {
    const cwd = path.join(folder, "cjs-express4");
    const home = path.join(cwd, "node_modules/etiquette");
    const { bin } = JSON.parse(await readFile(path.join(home, "package.json"), "utf8")) as {
      bin: { etiquette: string };
    };
    const command = path.join(home, bin.etiquette);
    expect(await readFile(command, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    const server = createServer((_req, res) => res.end("{}"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const args = [command, "check", `http://127.0.0.1:${port}/`, "--rules", "nosniff", "--verbose"];
    const { code, stdout }: { code?: number; stdout: string } = await run(process.execPath, args, { cwd }).catch(
      (error: unknown) => error as { code: number; stdout: string },
    );
    server.close();
    expect(code).toBe(4); // a finding of security
    const [, page = "", heading] = /^ +Page: (.*)#(.*)$/m.exec(stdout) ?? [];
    expect(await readFile(page, "utf8")).toContain(`#### ${heading}\n`);
  });

  it("runs in a user's own plain jest", async () => {
    const cwd = path.join(folder, "jest");
    const { stderr } = await run(bin("jest"), ["--rootDir", cwd, "--config", "{}"], { cwd });
    expect(stderr).toContain("1 passed");
  }, 60_000);
});

/** Lay a consumer out as npm would: the unpacked tarball and its dependencies beside it. */
async function install(name: string): Promise<void> {
  const home = path.join(folder, name);
  const modules = path.join(home, "node_modules");
  await mkdir(path.join(modules, "etiquette"), { recursive: true });
  const source = name.startsWith("ts-") ? "ts" : name; // one source, for the types of both majors
  await cp(path.join(CONSUMERS, source), home, { recursive: true });
  await writeFile(path.join(home, "package.json"), JSON.stringify({ name, private: true }));
  if (source === "ts") await writeFile(path.join(home, "paths.ts"), [...PUBLIC_FILES.keys()].map(importAll).join(""));
  await run("tar", ["-xzf", tarball, "--strip-components", "1", "-C", path.join(modules, "etiquette")]);
  const packages = { ...INSTALLED[name], cors: "cors", "http-errors": "http-errors" };
  for (const [alias, real] of Object.entries(packages)) {
    await mkdir(path.dirname(path.join(modules, alias)), { recursive: true });
    await symlink(path.join(MODULES, real), path.join(modules, alias), "dir");
  }
}

function importAll(name: string, index: number): string {
  return `import * as path${index} from "${name}";\nexport { path${index} };\n`;
}

function bin(name: string): string {
  return path.join(MODULES, ".bin", name);
}
