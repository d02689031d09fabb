import { formatPrintable } from "../lib/text/index.js";
import { type Baseline, listMended, readBaseline, updateBaseline, writeBaseline } from "./baseline.js";
import { formatHelp } from "./command-line/help.js";
import { type Command, parseArguments } from "./command-line/parse.js";
import { type CheckResult, type Report, runChecks, UnreachableError } from "./engine.js";
import { CODE_OF_SEVERITY, type ExitCode, NOT_CHECKED } from "./exit-codes.js";
import { describeApi } from "./openapi/index.js";
import { type Context, type Format, FORMATS } from "./report/index.js";
import { pathOf, type RunPlan } from "./run-plan.js";
import { isAtLeast } from "./severity.js";
import { UsageError } from "./usage-error.js";

/** What the command uses of the process. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** Where docs/reference/check.md is. */
  readonly page: string;
}

/** Run `etiquette` with the arguments of its command line. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [command, ...others] = args;
  try {
    if (command === "--help" || others.includes("--help")) {
      terminal.out(formatHelp());
      return 0;
    }
    if (command !== "check") throw new UsageError(`Usage: etiquette check URL [options]; --help shows all.`);
    return await check(parseArguments(others, terminal.env), terminal);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof UnreachableError)) throw error;
    terminal.error(`etiquette: ${formatPrintable(error.message)}\n`);
    return NOT_CHECKED;
  }
}

async function check(command: Command, { out, page }: Terminal): Promise<ExitCode> {
  const { baseline: file, updateBaseline: isUpdate, openapi, verbose } = command;
  const known = file === undefined ? new Map<string, never>() : readBaseline(file, isUpdate);
  const { plan, notes } = openapi === undefined ? { ...command, notes: [] } : await describeApi(command, openapi);
  const context: Context = {
    ...{ plan, page, verbose },
    isKnown: ({ check: { id } }) => known.get(pathOf(plan))?.has(id) ?? false,
    file: typeof openapi === "string" ? openapi : undefined,
  };
  const { formatResult, formatReport }: Format = FORMATS[command.format];
  const run = await runChecks(plan, command.checks, (result) => {
    if (formatResult) out(formatResult(result, context));
  });
  const report = { ...run, notes: [...notes, ...run.notes, ...noteMended(known, plan, run, isUpdate)] };
  out(formatReport(report, context));
  if (file !== undefined && isUpdate) writeBaseline(file, updateBaseline(known, pathOf(plan), report));
  return exitCodeOf(report, (result) => !isUpdate && !context.isKnown(result), command);
}

function noteMended(known: Baseline, plan: RunPlan, report: Report, isUpdate: boolean): string[] {
  const mended = isUpdate ? [] : listMended(known, pathOf(plan), report);
  return mended.length === 0
    ? []
    : [`The baseline has what is not found any more: ${mended.join(", ")}. --update-baseline leaves it out.`];
}

/** The code of the worst finding that counts. */
function exitCodeOf(
  { results, complete }: Report,
  counts: (result: CheckResult) => boolean,
  { failOn }: Command,
): ExitCode {
  const codes = results
    .filter((result) => result.outcome === "finding" && counts(result) && isAtLeast(result.check.severity, failOn))
    .map(({ check: { severity } }) => CODE_OF_SEVERITY[severity]);
  if (codes.length > 0) return codes.reduce((worst, code) => (code > worst ? code : worst));
  return complete && results.some(({ outcome }) => outcome !== "skipped") ? 0 : NOT_CHECKED;
}
