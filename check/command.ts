import { formatPrintable } from "../lib/text/index.js";
import { parseArguments } from "./arguments.js";
import { runChecks, UnreachableError } from "./engine.js";
import { UsageError } from "./option-values.js";
import { countOutcomes, formatJson, formatResult, formatSummary } from "./report.js";
import { compileRedaction } from "./secrets.js";

/** 0: no finding. 1: findings. 2: a wrong command line, no response, no check that could run, or too little time. */
export type ExitCode = 0 | 1 | 2;

/** What the command uses of the process. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Where docs/reference/check.md is. */
  readonly page: string;
}

/** docs/reference/check.md has it as well. */
export const HELP = `Usage: etiquette check URL [options]

Tries the rules of etiquette on an API and says, rule by rule, what to mend.
Without --write it sends only GET, HEAD and OPTIONS.

What to check
  --list PATH        a list, such as /v1/users
  --resource PATH    one object, such as /v1/users/1
  --filter TEXT      a filter with eq that the list takes, such as 'status eq "ACTIVE"'
  --origin ORIGIN    an origin that the API trusts
  --rules NAMES      only these rules or checks: S3,T,cursor-readable
  --skip NAMES       all but these

Writing
  --write            send other methods too
  --writable PATH    an object that the checks may change; it is restored at the end
  --method METHOD    how to write it: PUT (default), POST or PATCH
  --body FILE        what to write, in place of what GET returns
  --field POINTER    a text in it that the checks may change, such as /profile/nickName

Credentials
  --header TEXT      'Name: value' for each request; @FILE reads lines from a file
                     ETIQUETTE_CHECK_HEADERS has such lines as well. No value is printed.

How
  --rate N           requests per second: 10
  --timeout N        seconds for each request: 10
  --time-limit N     seconds for all of it: 300
  --ca FILE          certificates to trust in place of those of Node
  --json             print JSON

Exit codes: 0 nothing found, 1 findings, 2 not checked.
`;

/** Run `etiquette` with the arguments of its command line. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [command, ...others] = args;
  try {
    if (command === "--help" || others.includes("--help")) {
      terminal.out(HELP);
      return 0;
    }
    if (command !== "check") throw new UsageError(`Usage: etiquette check URL [options]; --help shows all.`);
    return await check(others, terminal);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof UnreachableError)) throw error;
    terminal.error(`etiquette: ${formatPrintable(error.message)}\n`);
    return 2;
  }
}

async function check(args: readonly string[], { env, out, page }: Terminal): Promise<ExitCode> {
  const { settings, checks, json } = parseArguments(args, env);
  const redact = compileRedaction(settings.headers);
  const report = await runChecks(settings, checks, (result) => {
    if (!json) out(formatResult(result, page, redact));
  });
  out(json ? formatJson(report, settings, redact) : formatSummary(report, redact));
  const { passed, finding } = countOutcomes(report);
  if (finding > 0) return 1;
  return report.complete && passed > 0 ? 0 : 2;
}
