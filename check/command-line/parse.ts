import { parseArgs } from "node:util";
import type { Check } from "../check.js";
import type { FormatName } from "../report/index.js";
import type { RunPlan } from "../run-plan.js";
import type { Severity } from "../severity.js";
import { targetOf } from "../target.js";
import { UsageError } from "../usage-error.js";
import { MAX_HEADERS, parseHeaders } from "./headers.js";
import { selectChecks } from "./selection.js";
import { type Option, OPTIONS, type OptionValues } from "./table.js";
import { readUrl } from "./values.js";

/** What the command line asks for. */
export interface Command {
  readonly plan: RunPlan;
  readonly checks: readonly Check[];
  /** Where paths and examples are described: a file or a URL. */
  readonly openapi: string | URL | undefined;
  readonly format: FormatName;
  readonly verbose: boolean;
  readonly failOn: Severity;
  readonly baseline: string | undefined;
  readonly updateBaseline: boolean;
}

/** Lines such as in `--header @FILE`, so that no secret is in the list of processes. */
const HEADERS_VARIABLE = "ETIQUETTE_CHECK_HEADERS";

const ENTRIES: readonly (readonly [name: string, option: Option<unknown>])[] = Object.entries(OPTIONS);

const DECLARATIONS = Object.fromEntries(
  ENTRIES.map(([name, { placeholder }]) => [
    name,
    { type: placeholder === undefined ? ("boolean" as const) : ("string" as const), multiple: true },
  ]),
);

/**
 * Read the command line after `check`.
 *
 * @throws {UsageError}
 */
export function parseArguments(args: readonly string[], env: NodeJS.ProcessEnv = {}): Command {
  const { given, positionals } = parseCommandLine(args);
  const [address, ...others] = positionals;
  if (address === undefined || others.length > 0) {
    throw new UsageError("Give one URL, such as https://api.example.com/v1/users.");
  }
  const url = readUrl(address);
  const values = readOptions(given);
  if (values.json && given.has("format")) throw new UsageError("--json and --format exclude each other.");
  const headers = [...values.header, ...parseHeaders(env[HEADERS_VARIABLE] ?? "")];
  if (headers.length > MAX_HEADERS) throw new UsageError(`There are more than ${MAX_HEADERS} headers.`);
  if (values.ca !== undefined && url.protocol === "http:") throw new UsageError("--ca needs an https: URL.");
  const { list, resource, writable, write, method, field, body, filter, origin, rate } = values;
  return {
    plan: {
      url,
      target: targetOf(url, values.ca),
      headers,
      ...{ list, resource, writable, write, method, field, body, filter, origin, rate },
      timeout: 1000 * values.timeout,
      timeLimit: 1000 * values["time-limit"],
    },
    checks: selectChecks(values.rules, values.skip),
    openapi: values.openapi,
    format: values.json ? "json" : values.format,
    verbose: values.verbose,
    failOn: values["fail-on"],
    baseline: values.baseline,
    updateBaseline: values["update-baseline"],
  };
}

interface CommandLine {
  /** The texts of each option that is there; a switch has one. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

function parseCommandLine(args: readonly string[]): CommandLine {
  try {
    const { tokens, positionals } = parseArgs({
      args: [...args],
      options: DECLARATIONS,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
    const given = new Map<string, string[]>();
    for (const token of tokens) {
      if (token.kind !== "option") continue;
      given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? ""]);
    }
    return { given, positionals };
  } catch (error) {
    // the first sentence of Node's message names the option; the others are about its own syntax
    throw new UsageError(String((error as Error).message.split(". ", 1)[0]).replace(/\.?$/, "."));
  }
}

/** No option is dropped silently: one that needs another is refused without it. */
function readOptions(given: CommandLine["given"]): OptionValues {
  const values: Record<string, unknown> = {};
  for (const [name, { multiple, needs, read }] of ENTRIES) {
    const texts = given.get(name) ?? [];
    if (texts.length > 1 && !multiple) throw new UsageError(`--${name} comes twice.`);
    const value = read(texts, name);
    // a description may have the list
    const met = needs === undefined || given.has(needs) || (needs === "list" && given.has("openapi"));
    if (texts.length > 0 && !met) throw new UsageError(`--${name} needs --${needs}.`);
    values[name] = value;
  }
  return values as unknown as OptionValues;
}
