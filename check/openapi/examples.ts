import { isObject } from "../../lib/json/index.js";
import { SURROGATE } from "../../lib/text/index.js";
import { type Document, listOf } from "./document.js";

/** What fits into a path or a query. */
const MAX_EXAMPLE_LENGTH = 200;

/** The example of a parameter or of a media type: its own, or that of its schema. */
export function exampleOf(document: Document, owner: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(owner, "example")) return owner["example"];
  const [first] = Object.values(document.member(owner, "examples") ?? {});
  const named = document.resolve(first);
  if (named && Object.hasOwn(named, "value")) return named["value"];
  const schema = document.member(owner, "schema");
  if (!schema) return undefined;
  const [listed] = listOf(schema["examples"], 1);
  const [choice] = listOf(schema["enum"], 1);
  return schema["example"] ?? listed ?? schema["default"] ?? choice;
}

/** Half of a character, which no URL can have. */
const HALF_REGEXP = new RegExp(SURROGATE, "u");

/** Whether an example can stand in a path or a query. */
export function isExample(value: unknown): value is string | number {
  return (
    typeof value === "number" ||
    (typeof value === "string" && value !== "" && value.length <= MAX_EXAMPLE_LENGTH && !HALF_REGEXP.test(value))
  );
}

/** The id of the first object of a list: the member with the name of the parameter, or `id`. */
export function firstId(list: unknown, name: string): string | undefined {
  const [first] = listOf(list, 1);
  if (!isObject(first)) return undefined;
  const id = Object.hasOwn(first, name) ? first[name] : first["id"];
  return isExample(id) ? String(id) : undefined;
}
