import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { COPIES } from "./description-copies.js";

const ROOT = join(__dirname, "../../..");

/** Published as ES modules only, so it runs in a process of its own. */
const GENERATOR = join(ROOT, "node_modules/openapi-typescript/bin/cli.js");

/** The types of the API that the console and the typed client use. */
export const CONSOLE_TYPES = join(ROOT, "example-app/console/src/api/openapi.d.ts");

/** What {@link CONSOLE_TYPES} has, of the copy of the description. */
export function generateTypes(): string {
  return execFileSync(process.execPath, [GENERATOR, String(COPIES["v1"])], { encoding: "utf8", stdio: "pipe" });
}
