import { isIP } from "node:net";
import { parseArgs } from "node:util";
import { parseUrl } from "../lib/net/index.js";
import { excerpt, TOKEN } from "../lib/text/index.js";
import { CHECKS } from "./rules/index.js";
import type { Check } from "./check.js";
import type { Target } from "./connection.js";
import {
  bodyOption,
  choiceOption,
  filledOption,
  numberOption,
  originOption,
  pathOption,
  pointerOption,
  readText,
  UsageError,
} from "./option-values.js";
import type { Settings } from "./settings.js";

/** What the command line asks for. */
export interface Command {
  readonly settings: Settings;
  readonly checks: readonly Check[];
  readonly json: boolean;
}

/** Lines such as in `--header @FILE`, so that no secret is in the list of processes. */
const HEADERS_VARIABLE = "ETIQUETTE_CHECK_HEADERS";

const OPTIONS = {
  list: { type: "string" },
  resource: { type: "string" },
  writable: { type: "string" },
  write: { type: "boolean" },
  method: { type: "string" },
  field: { type: "string" },
  body: { type: "string" },
  filter: { type: "string" },
  origin: { type: "string" },
  header: { type: "string", multiple: true },
  rules: { type: "string" },
  skip: { type: "string" },
  rate: { type: "string" },
  timeout: { type: "string" },
  "time-limit": { type: "string" },
  ca: { type: "string" },
  json: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parseCommandLine>["values"];

const WRITE_METHODS = ["PUT", "POST", "PATCH"];

/** `field-name` and `field-value` of RFC 9110 section 5, with the characters of latin1. */
const HEADER_REGEXP = new RegExp(
  String.raw`^(${TOKEN}):[ \t]*([\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)$`,
);

/** The checker writes these itself. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "transfer-encoding", "expect", "upgrade", "te"]);

const MAX_HEADERS = 50;

/**
 * Read the command line after `check`.
 *
 * @throws {UsageError}
 */
export function parseArguments(args: readonly string[], env: NodeJS.ProcessEnv = {}): Command {
  const { values, positionals } = parseCommandLine(args);
  if (positionals.length !== 1) throw new UsageError("Give one URL, such as https://api.example.com/v1/users.");
  const url = parseTarget(positionals[0] ?? "");
  const settings: Settings = {
    url,
    target: targetOf(url, values.ca),
    headers: readHeaders(values.header ?? [], env[HEADERS_VARIABLE]),
    list: pathOption("list", values.list),
    resource: pathOption("resource", values.resource),
    writable: pathOption("writable", values.writable),
    write: values.write ?? false,
    method: choiceOption("method", values.method, WRITE_METHODS),
    field: pointerOption(values.field),
    body: bodyOption(values.body),
    filter: filledOption("filter", values.filter),
    origin: originOption(values.origin),
    rate: numberOption("rate", values.rate, { default: 10, max: 1000 }),
    timeout: 1000 * numberOption("timeout", values.timeout, { default: 10, max: 600 }),
    timeLimit: 1000 * numberOption("time-limit", values["time-limit"], { default: 300, max: 86_400 }),
  };
  refuseUnused(settings, values);
  return { settings, checks: selectChecks(values.rules, values.skip), json: values.json ?? false };
}

/** No option is dropped silently: an option that needs another is refused without it. */
function refuseUnused({ write, writable, list }: Settings, values: Values): void {
  const needs = (name: string, value: unknown, other: string, given: boolean) => {
    if (value !== undefined && !given) throw new UsageError(`--${name} needs --${other}.`);
  };
  needs("writable", values.writable, "write", write);
  for (const name of ["method", "field", "body"] as const)
    needs(name, values[name], "writable", writable !== undefined);
  needs("filter", values.filter, "list", list !== undefined);
}

function parseCommandLine(args: readonly string[]) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    // the first sentence of Node's message names the option; the others are about its own syntax
    throw new UsageError(String((error as Error).message.split(". ", 1)[0]).replace(/\.?$/, "."));
  }
  const seen = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== "option" || token.name === "header") continue;
    if (seen.has(token.name)) throw new UsageError(`--${token.name} comes twice.`);
    seen.add(token.name);
  }
  return parsed;
}

function parseTarget(text: string): URL {
  const url = parseUrl(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new UsageError(`${excerpt(text)} is no http: or https: URL.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("The URL has credentials, which the list of processes shows; use --header @FILE.");
  }
  if (url.hash !== "") throw new UsageError("The URL has a fragment, which no request can send.");
  return url;
}

function targetOf(url: URL, caFile: string | undefined): Target {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (url.protocol === "http:") {
    if (caFile !== undefined) throw new UsageError("--ca needs an https: URL.");
    return { host, port: Number(url.port || 80), tls: undefined };
  }
  const ca = caFile === undefined ? {} : { ca: readText("ca", caFile) };
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return { host, port: Number(url.port || 443), tls: { ...ca, ...servername, ALPNProtocols: ["http/1.1"] } };
}

function readHeaders(texts: readonly string[], variable: string | undefined): [string, string][] {
  const lines = [
    ...texts.flatMap((text) => (text.startsWith("@") ? linesOf(readText("header", text.slice(1))) : [text])),
    ...linesOf(variable ?? ""),
  ];
  if (lines.length > MAX_HEADERS) throw new UsageError(`There are more than ${MAX_HEADERS} headers.`);
  return lines.map((line, index) => {
    const [, name, value] = HEADER_REGEXP.exec(line) ?? [];
    // without the text, which may be a secret
    if (name === undefined || value === undefined) {
      throw new UsageError(`Header ${index + 1} is not of the form "Name: value" in latin1.`);
    }
    if (OWN_HEADERS.has(name.toLowerCase())) throw new UsageError(`The checks set ${name} themselves.`);
    return [name, value];
  });
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== "");
}

/** The checks whose rule or id begins with one of the names in `rules`, without those of `skip`. */
function selectChecks(rules: string | undefined, skip: string | undefined): Check[] {
  const wanted = selection("rules", rules) ?? (() => true);
  const unwanted = selection("skip", skip) ?? (() => false);
  const checks = CHECKS.filter((check) => wanted(check) && !unwanted(check));
  if (checks.length === 0) throw new UsageError("--rules and --skip leave no check.");
  return checks;
}

function selection(option: string, text: string | undefined): ((check: Check) => boolean) | undefined {
  if (text === undefined) return undefined;
  const tests = text.split(",").map((name) => {
    const fits = ({ rule, id }: Check) =>
      id === name || rule === name || (/^[A-Z]$/.test(name) && rule.startsWith(name));
    if (!CHECKS.some(fits)) {
      const rulesOfChecks = [...new Set(CHECKS.map(({ rule }) => rule))].sort().join(", ");
      throw new UsageError(`--${option}: there is no check for ${excerpt(name)}. The rules are ${rulesOfChecks}.`);
    }
    return fits;
  });
  return (check) => tests.some((fits) => fits(check));
}
