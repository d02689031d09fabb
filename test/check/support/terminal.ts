import { runCommand } from "../../../check/command.js";
import type { ExitCode } from "../../../check/exit-codes.js";

/** What the command did. */
export interface CommandResult {
  readonly code: ExitCode;
  readonly out: string;
  readonly error: string;
}

/** Run `etiquette` in this process. */
export async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  let out = "";
  let error = "";
  const code = await runCommand(args, {
    env,
    out: (text) => (out += text),
    error: (text) => (error += text),
    page: "docs/reference/check.md",
  });
  return { code, out, error };
}
