import { execFileSync } from "node:child_process";
import { join } from "node:path";

const BUILD = join(__dirname, "../../console/build.mjs");

/** A process keeps this module for all of its test files. */
let isBuilt = false;

/** Builds the console once a process, unless it is built. */
export function buildConsole(): void {
  if (!isBuilt) execFileSync(process.execPath, [BUILD]);
  isBuilt = true;
}
