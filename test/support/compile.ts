import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.join(__dirname, "../..");
const MODULES = path.join(ROOT, "node_modules");
const COMPILER = path.join(MODULES, "typescript7/bin/tsc");

/** "Cannot find name", "… Did you mean" and "No value exists in scope": an example leaves out what the reader has. */
const LEFT_OUT = new Set(["2304", "2552", "18004"]);

/** An error as the compiler prints it: a line, and lines below it that begin with spaces. */
const ERROR = /^(?:.*\/)?snippet-(\d+)\.mts\((\d+),\d+\): error TS(\d+): (.*(?:\n .*)*)/gm;

/**
 * Compiles texts as TypeScript modules of a user, in one program.
 *
 * @param types the package with the types of Express
 * @returns for each name, the errors of its text
 */
export async function compile(texts: ReadonlyMap<string, string>, types: string): Promise<Map<string, string[]>> {
  const names = [...texts.keys()];
  const folder = await mkdtemp(path.join(os.tmpdir(), "etiquette-snippets-"));
  try {
    await symlink(MODULES, path.join(folder, "node_modules"), "dir");
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(await configure(types)));
    await Promise.all([...texts.values()].map((text, i) => writeFile(path.join(folder, `snippet-${i}.mts`), text)));
    const errors = new Map(names.map((name) => [name, [] as string[]]));
    for (const [, index, line, code = "", message] of (await run(folder)).matchAll(ERROR)) {
      if (!LEFT_OUT.has(code)) errors.get(names[Number(index)]!)!.push(`${line}: TS${code} ${message}`);
    }
    return errors;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function configure(types: string): Promise<object> {
  const { target, paths } = (
    JSON.parse(await readFile(path.join(ROOT, "tsconfig.json"), "utf8")) as {
      compilerOptions: { target: string; paths: Record<string, string[]> };
    }
  ).compilerOptions;
  const absolute = Object.entries(paths).map(([name, files]) => [name, files.map((file) => path.join(ROOT, file))]);
  return {
    compilerOptions: {
      target,
      module: "node20",
      paths: { ...Object.fromEntries(absolute), express: [path.join(MODULES, "@types", types, "index.d.ts")] },
      types: ["node"],
      strict: true,
      experimentalDecorators: true,
      skipLibCheck: true,
      noEmit: true,
    },
  };
}

/** What the compiler prints. It fails when a text has errors. */
async function run(folder: string): Promise<string> {
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)(process.execPath, [COMPILER, "-p", ".", "--pretty", "false"], options)).stdout;
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
