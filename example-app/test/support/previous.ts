import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");

/** The version before this one, from which nodes are exchanged one by one. */
export interface Previous {
  readonly commit: string;
  /** Whether its packages are not those that are installed here. */
  readonly hasOtherPackages: boolean;
}

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe", maxBuffer: 1e9 }).trim();

/** The commit of the newest tag before this commit, or else of `.ci/previous`; `undefined` where there is no history. */
export function findPrevious(): Previous | undefined {
  const commit = attempt(() => git("describe", "--tags", "--abbrev=0", "HEAD^")) ?? readNamed();
  if (attempt(() => git("cat-file", "-e", `${commit}^{commit}`)) === undefined) return undefined;
  const hasOtherPackages = git("diff", "--name-only", commit, "--", "package-lock.json") !== "";
  return { commit, hasOtherPackages };
}

function readNamed(): string {
  return readFileSync(join(ROOT, ".ci/previous"), "utf8").trim();
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // git is not there, or does not know that
  }
}

/**
 * Makes the program of a commit, once a run: its sources beside the packages that are installed here.
 *
 * @returns the file that `node` runs
 */
export function buildPrevious({ commit }: Previous): string {
  const folder = join(tmpdir(), `etiquette-${String(process.env["TEST_RUN"])}`); // in node_modules esbuild finds no source
  const program = join(folder, "program");
  if (existsSync(program)) return join(program, "main.js");
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9 });
  execFileSync("tar", ["-x"], { cwd: making, input: archive });
  linkPackages(making);
  if (existsSync(folder)) throw new Error(`${folder} has been made meanwhile`);
  renameSync(making, folder);
  execFileSync(process.execPath, [join(folder, "example-app/test/support/program-file.js"), program]);
  return join(program, "main.js");
}

/** What belongs to this commit in its folder of packages; the last is a name of before. */
const OWN = new Set([".cache", "etiquette", "etiquette-server", "etiquette-example-app"]);

/** The packages of this repository are those of the commit. */
function linkPackages(folder: string): void {
  const installed = join(ROOT, "node_modules");
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(installed)) {
    if (!OWN.has(name)) symlinkSync(join(installed, name), join(folder, "node_modules", name));
  }
  symlinkSync("..", join(folder, "node_modules/etiquette"));
}
