import { parsePointer } from "../json/index.js";

/** One element of `errorCauses`. */
export interface ErrorCause {
  /** `<field>: <message>` for a cause that has a place, otherwise the message alone. */
  readonly errorSummary: string;
  /** The message alone, when the cause has a place. */
  readonly detail?: string;
  /** The place in the request body: a JSON Pointer (RFC 6901), `/emails/0`. */
  readonly pointer?: string;
  /** The parameter of the query or of the path that is wrong. */
  readonly parameter?: string;
}

/** A reason with its place: a pointer into the body, or the name of a parameter. */
export interface PlacedCause {
  /** One sentence, without the name of the field. */
  readonly message: string;
  /** A JSON Pointer (RFC 6901), `/emails/0`; empty for the body as a whole. */
  readonly pointer?: string;
  /** The name of a parameter of the query or of the path. */
  readonly parameter?: string;
}

/** More causes than these are counted in the message of an error. */
const MAX_TOLD = 3;

/** Format a reason as an element of `errorCauses`. */
export function formatCause(cause: string | PlacedCause): ErrorCause {
  if (typeof cause === "string") return { errorSummary: cause };
  const { message, pointer, parameter } = cause;
  if (parameter !== undefined) return { errorSummary: `${parameter}: ${message}`, detail: message, parameter };
  if (pointer === undefined) return { errorSummary: message };
  return { errorSummary: `${nameField(pointer)}: ${message}`, detail: message, pointer };
}

/** `summary` and the first causes, as one text for a log. */
export function formatMessage(summary: string, causes: readonly ErrorCause[]): string {
  if (causes.length === 0) return summary;
  const told = causes.slice(0, MAX_TOLD).map(({ errorSummary }) => errorSummary);
  const more = causes.length > MAX_TOLD ? ` (and ${causes.length - MAX_TOLD} more)` : "";
  return `${summary.replace(/\.$/, "")}: ${told.join(" ")}${more}`;
}

/** `/emails/0` as `emails.0`. */
function nameField(pointer: string): string {
  const field = parsePointer(pointer)?.join(".") ?? "";
  return field === "" ? "body" : field;
}
