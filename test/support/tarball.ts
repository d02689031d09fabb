import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { PUBLIC_FILES } from "./public-files.js";

export const run = promisify(execFile);

const ROOT = path.join(__dirname, "../..");
const CONSUMERS = path.join(ROOT, "test/package/consumers");

export const MODULES = path.join(ROOT, "node_modules");

/** The packages that each consumer has installed, by the name it knows them under. */
const INSTALLED = {
  "cjs-express4": { express: "express4" },
  "esm-express5": { express: "express" },
  "ts-express4": { express: "express4", "@types/express": "@types/express4", "@types/node": "@types/node" },
  "ts-express5": { express: "express", "@types/express": "@types/express", "@types/node": "@types/node" },
  jest: { express: "express", supertest: "supertest" },
};

type Consumer = keyof typeof INSTALLED;

/** The packed package. */
export interface Tarball {
  readonly file: string;
  /** The folder of each consumer that has it installed. */
  readonly folder: string;
}

/** Packs the package once for a test file, and installs it for these consumers. */
export function packTarball(consumers: readonly Consumer[]): Tarball {
  const tarball = { file: "", folder: "" };
  beforeAll(async () => {
    tarball.folder = await mkdtemp(path.join(os.tmpdir(), "etiquette-package-"));
    await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", tarball.folder], { cwd: ROOT });
    const packed = (await readdir(tarball.folder)).find((file) => file.endsWith(".tgz")) ?? "";
    tarball.file = path.join(tarball.folder, packed);
    await Promise.all(consumers.map((name) => install(name, tarball)));
  }, 120_000);
  afterAll(() => rm(tarball.folder, { recursive: true, force: true }));
  return tarball;
}

/** Lay a consumer out as npm would: the unpacked tarball and its dependencies beside it. */
async function install(name: Consumer, { file, folder }: Tarball): Promise<void> {
  const home = path.join(folder, name);
  const modules = path.join(home, "node_modules");
  await mkdir(path.join(modules, "etiquette"), { recursive: true });
  const source = name.startsWith("ts-") ? "ts" : name; // one source, for the types of both majors
  await cp(path.join(CONSUMERS, source), home, { recursive: true });
  await writeFile(path.join(home, "package.json"), JSON.stringify({ name, private: true }));
  if (source === "ts") await writeFile(path.join(home, "paths.ts"), [...PUBLIC_FILES.keys()].map(importAll).join(""));
  await run("tar", ["-xzf", file, "--strip-components", "1", "-C", path.join(modules, "etiquette")]);
  const packages = { ...INSTALLED[name], cors: "cors", "http-errors": "http-errors" };
  for (const [alias, real] of Object.entries(packages)) {
    await mkdir(path.dirname(path.join(modules, alias)), { recursive: true });
    await symlink(path.join(MODULES, real), path.join(modules, alias), "dir");
  }
}

function importAll(name: string, index: number): string {
  return `import * as path${index} from "${name}";\nexport { path${index} };\n`;
}

/** The command of a package that is installed here. */
export function bin(name: string): string {
  return path.join(MODULES, ".bin", name);
}
