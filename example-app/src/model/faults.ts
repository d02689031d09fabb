import type { z } from "zod";

/** Where a value is wrong and why, in words for the person who sent it. */

/** Keys and indices from the root of the document to a value. */
export type Path = readonly (string | number)[];

/** `orgs[0].idps[1].name`; a key that is not a plain word is quoted: `profile["first name"]`. */
export function formatPath(path: Path): string {
  return path
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[A-Za-z_]\w*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");
}

/** The beginning of `value`, for messages. */
export function excerpt(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

/** The message of the error that `action` throws, or `undefined` when it throws none. */
export function faultOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Messages for faults for which the shapes have none. */
export function explain(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type":
      if (input === undefined) return "is required";
      return `must be ${nounOf(issue.expected)}, not ${excerpt(input)}`;
    case "invalid_value":
      if (input === undefined) return "is required";
      return notAmong(issue.values, input);
    case "invalid_union":
      if (issue.inclusive === false || issue.discriminator === undefined) return undefined;
      return notAmong(issue.options ?? [], (input as Record<string, unknown>)[issue.discriminator]);
    case "too_big":
      return `is too long: ${lengthOf(input)}; at most ${issue.maximum} are allowed`;
    case "too_small":
      return "must not be empty";
    default:
      return undefined;
  }
}

function notAmong(choices: readonly unknown[], input: unknown): string {
  const known = choices.filter((choice) => choice !== undefined).map(String);
  return `must be ${known.join(", ").replace(/, (?=[^,]+$)/, " or ")}, not ${excerpt(input)}`;
}

function nounOf(type: string): string {
  return type === "object" || type === "array" ? `an ${type}` : `a ${type}`;
}

function lengthOf(input: unknown): string {
  return typeof input === "string" ? `${input.length} characters` : `${(input as unknown[]).length} elements`;
}
