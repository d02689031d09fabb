import { ListenError } from "../listen.js";
import { StoreError } from "../store/contract/errors.js";
import { ImportError } from "../transfer/faults.js";
import { parseCommandLine } from "./command-line.js";
import { tell } from "./commands/output.js";
import { DoctorError } from "./doctor/doctor.js";
import { EraseError } from "./operations/erase.js";
import { OrgError } from "./operations/orgs.js";
import { TokenError } from "./operations/tokens.js";
import { SettingsError } from "./settings/settings.js";

/** Exit code of a command that failed. */
const FAILURE = 1;

/** Exit code for wrong arguments, as usual on Unix. */
const WRONG_USE = 2;

const FAILURES = [StoreError, ListenError, ImportError, TokenError, EraseError, OrgError, DoctorError];

/**
 * Run one command. Output for programs goes to standard output, everything else to standard error.
 *
 * @returns the exit code
 */
export async function run(args: readonly string[], env: Readonly<NodeJS.ProcessEnv>): Promise<number> {
  try {
    await parseCommandLine(args, env).run();
    return 0;
  } catch (error) {
    if (error instanceof SettingsError) return fail(error.message, WRONG_USE);
    if (FAILURES.some((kind) => error instanceof kind)) return fail((error as Error).message, FAILURE);
    throw error;
  }
}

function fail(message: string, code: number): number {
  tell(`etiquette: ${message}`);
  return code;
}
