import type { z } from "zod";

/** Where a value is wrong and why, in words for the person who sent it. */

/** Keys and indices from the root of the document to a value. */
export type Path = readonly (string | number)[];

/** The most characters of a value, or of a name in a path, that a message shows. */
const MAX_EXCERPT = 60;

/** The most steps of a path that a message shows. The deepest place that the API knows has fewer. */
const MAX_STEPS = 16;

/** A word that stands in a path as it is. */
const WORD_REGEXP = /^[A-Za-z_]\w{0,63}$/;

/**
 * `orgs[0].idps[1].name`; a key that is not a plain word is quoted: `profile["first name"]`. Long keys and paths are cut:
 * they cost what is shown of them.
 */
export function formatPath(path: Path): string {
  const text = path.slice(0, MAX_STEPS).map((step, i) => {
    if (typeof step === "number") return `[${step}]`;
    if (!WORD_REGEXP.test(step)) return `[${excerpt(step)}]`;
    return i === 0 ? step : `.${step}`;
  });
  return `${text.join("")}${path.length > MAX_STEPS ? "…" : ""}`;
}

/** The beginning of the JSON value `value`, for messages. Costs what is shown, however large it is. */
export function excerpt(value: unknown): string {
  const text = beginningOf(value, MAX_EXCERPT);
  return text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT)}…`;
}

/** `value` as JSON text, or a text of more than `length` characters that begins like it. */
function beginningOf(value: unknown, length: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, length));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  let text = isArray ? "[" : "{";
  for (const key in value) {
    if (text.length > length) return text;
    const name = isArray ? "" : `${beginningOf(key, length - text.length)}:`;
    const separator = text.length > 1 ? "," : "";
    text += separator + name;
    text += beginningOf((value as Readonly<Record<string, unknown>>)[key], Math.max(0, length - text.length));
  }
  return text + (isArray ? "]" : "}");
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
  if (input === undefined) return "is required";
  const known = choices.filter((choice) => choice !== undefined).map(String);
  return `must be ${known.join(", ").replace(/, (?=[^,]+$)/, " or ")}, not ${excerpt(input)}`;
}

function nounOf(type: string): string {
  return type === "object" || type === "array" ? `an ${type}` : `a ${type}`;
}

function lengthOf(input: unknown): string {
  return typeof input === "string" ? `${input.length} characters` : `${(input as unknown[]).length} elements`;
}
