import { formatPointer } from "../json/index.js";
import { cutText } from "../text/index.js";
import type { PlacedCause } from "./error-cause.js";

/** What is wrong with a value, as zod and Standard Schema tell it. */
export interface Issue {
  readonly message: string;
  /** The way to the value, from the outside; absent or empty for the value as a whole. */
  readonly path?: readonly unknown[] | undefined;
}

/** More issues than these are left out. */
export const MAX_ISSUES = 20;

/** The most characters of a message or a name that a library makes of what the client sent. */
const MAX_TEXT = 200;

/** The most steps of a path that are told. */
const MAX_STEPS = 100;

/** An issue of a body, with its JSON pointer. */
export function causeInBody({ message, path }: Issue): PlacedCause {
  return { message: sentence(message), pointer: formatPointer(keysOf(path)) };
}

/** An issue of the query or of the parameters of a path, with the name of the parameter. */
export function causeInParameters({ message, path }: Issue): PlacedCause {
  const [parameter] = keysOf(path);
  return parameter === undefined ? { message: sentence(message) } : { message: sentence(message), parameter };
}

/** The fields of `causes`, each once, for the summary of the error. */
export function fieldsOf(causes: readonly PlacedCause[]): string {
  return [...new Set(causes.map(fieldOf))].join(", ");
}

function fieldOf({ pointer, parameter }: PlacedCause): string {
  if (pointer === undefined) return parameter ?? "request";
  return pointer.slice(1).replaceAll("/", ".") || "body";
}

/** `text`, cut, with a full stop at its end. */
export function sentence(text: string): string {
  const short = cutText(text, MAX_TEXT);
  return /[.!?…]$/.test(short) ? short : `${short}.`;
}

/** A name or a message of a library, cut. */
export function cutName(text: string): string {
  return cutText(text, MAX_TEXT);
}

function keysOf(path: readonly unknown[] = []): readonly string[] {
  return path.slice(0, MAX_STEPS).map((step) => cutName(String(keyOf(step))));
}

/** Standard Schema has a key, or an object with one. */
function keyOf(step: unknown): unknown {
  return typeof step === "object" && step !== null && "key" in step ? step.key : step;
}
