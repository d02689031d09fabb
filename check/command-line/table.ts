import { type FormatName, FORMATS } from "../report/index.js";
import { SEVERITIES, type Severity } from "../severity.js";
import { type Header, readHeaders } from "./headers.js";
import { readSelection, type Selection } from "./selection.js";
import {
  bodyOption,
  choiceOption,
  fileOption,
  filledOption,
  numberOption,
  originOption,
  pathOption,
  pointerOption,
  sourceOption,
} from "./values.js";

/** An option. The help, the page and the reader come from it. */
export interface Option<T> {
  /** What stands for the value in the help; absent for a switch. */
  readonly placeholder?: string;
  readonly help: string;
  /** The name of an option that must be there too. */
  readonly needs?: string;
  /** Whether it may come several times. */
  readonly multiple?: boolean;
  /** Reads the values, which are none when the option is absent. */
  readonly read: (values: readonly string[], name: string) => T;
}

/** What the options are, with all defaults filled in. */
export interface OptionValues {
  readonly list: string | undefined;
  readonly resource: string | undefined;
  readonly filter: string | undefined;
  readonly origin: string | undefined;
  readonly openapi: string | URL | undefined;
  readonly rules: Selection | undefined;
  readonly skip: Selection | undefined;
  readonly write: boolean;
  readonly writable: string | undefined;
  readonly method: string;
  readonly body: string | undefined;
  readonly field: string | undefined;
  readonly header: readonly Header[];
  readonly rate: number;
  readonly timeout: number;
  readonly "time-limit": number;
  readonly ca: string | undefined;
  readonly format: FormatName;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly "fail-on": Severity;
  readonly baseline: string | undefined;
  readonly "update-baseline": boolean;
}

const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

const METHODS = ["PUT", "POST", "PATCH"] as const;

const WHAT = {
  list: value("PATH", "a list, such as /v1/users", pathOption),
  resource: value("PATH", "one object, such as /v1/users/1", pathOption),
  filter: value("TEXT", `a filter with eq that the list takes, such as 'status eq "ACTIVE"'`, filledOption, "list"),
  origin: value("ORIGIN", "an origin that the API trusts", originOption),
  openapi: value("SOURCE", "a description, OpenAPI 3.0 or 3.1 in JSON: a file or a URL", sourceOption),
  rules: value("NAMES", "only these rules, checks or severities: S3,T,cursor-readable,security", readSelection),
  skip: value("NAMES", "all but these", readSelection),
};

const WRITING = {
  write: toggle("send other methods too"),
  writable: value("PATH", "an object that the checks may change; it is restored at the end", pathOption, "write"),
  method: value(
    "METHOD",
    "how to write it: PUT (default), POST or PATCH",
    (text = METHODS[0], name) => choiceOption(text, name, METHODS),
    "writable",
  ),
  body: value("FILE", "what to write, in place of what GET returns", bodyOption, "writable"),
  field: value(
    "POINTER",
    "a text in it that the checks may change, such as /profile/nickName",
    pointerOption,
    "writable",
  ),
};

const CREDENTIALS = {
  header: {
    placeholder: "TEXT",
    help: "'Name: value' for each request; @FILE reads lines from a file\nETIQUETTE_CHECK_HEADERS has such lines as well. No value is printed.",
    multiple: true,
    read: readHeaders,
  },
};

const HOW = {
  rate: number("requests per second", { fallback: 10, max: 1000 }),
  timeout: number("seconds for each request", { fallback: 10, max: 600 }),
  "time-limit": number("seconds for all of it", { fallback: 300, max: 86_400 }),
  ca: value("FILE", "certificates to trust in place of those of Node", fileOption),
};

const REPORT = {
  format: value("FORMAT", `text (default), ${FORMAT_NAMES.slice(1).join(", ")}`, (text = "text", name) =>
    choiceOption(text, name, FORMAT_NAMES),
  ),
  json: toggle("the same as --format json"),
  verbose: toggle("what passed too, and for each finding how to mend it and what was sent and received"),
  "fail-on": value("SEVERITY", `the least that counts for the exit code: ${SEVERITIES.join(", ")}`, (text, name) =>
    choiceOption(text ?? SEVERITIES[0], name, SEVERITIES),
  ),
  baseline: value("FILE", "findings that are known; only new ones count", filledOption),
  "update-baseline": toggle("write what was found to the baseline", "baseline"),
};

/** The options by the headings of the help. */
export const OPTION_GROUPS: Readonly<Record<string, Readonly<Record<string, Option<unknown>>>>> = {
  "What to check": WHAT,
  Writing: WRITING,
  Credentials: CREDENTIALS,
  How: HOW,
  Report: REPORT,
};

export const OPTIONS: { readonly [N in keyof OptionValues]: Option<OptionValues[N]> } = {
  ...WHAT,
  ...WRITING,
  ...CREDENTIALS,
  ...HOW,
  ...REPORT,
};

function value<T>(
  placeholder: string,
  help: string,
  read: (text: string | undefined, name: string) => T,
  needs?: string,
): Option<T> {
  return { placeholder, help, read: ([text], name) => read(text, name), ...(needs !== undefined && { needs }) };
}

function toggle(help: string, needs?: string): Option<boolean> {
  return { help, read: (values) => values.length > 0, ...(needs !== undefined && { needs }) };
}

function number(help: string, bounds: { fallback: number; max: number }): Option<number> {
  return value("N", `${help}: ${bounds.fallback}`, (text, name) => numberOption(text, name, bounds));
}
