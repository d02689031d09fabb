import { type Severity } from "./severity.js";

/** 2 is, as in other commands, that of a wrong command line. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** The code of the worst finding. */
export const CODE_OF_SEVERITY: Readonly<Record<Severity, ExitCode>> = { style: 1, interoperability: 3, security: 4 };

export const NOT_CHECKED = 2;

/** docs/reference/check.md and `--help` have them. */
export const EXIT_CODES: readonly { readonly code: ExitCode; readonly short: string; readonly meaning: string }[] = [
  { code: 0, short: "nothing found", meaning: "nothing was found, or nothing new" },
  { code: 1, short: "style", meaning: "the worst that was found is of style" },
  {
    code: NOT_CHECKED,
    short: "not checked",
    meaning:
      "the command line or a file is wrong, the API doesn't respond, no check could run, or a limit of time or of the API (429) was reached",
  },
  { code: 3, short: "interoperability", meaning: "the worst that was found is of interoperability" },
  { code: 4, short: "security", meaning: "something was found that is of security" },
];
