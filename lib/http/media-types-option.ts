import { optionError, stringsOption } from "../factory/index.js";
import { parseMediaType } from "./media-type.js";

/** A copy of `value`, a list of `type/subtype` in lower case without wildcards or parameters, or `fallback`. */
export function mediaTypesOption(
  factory: string,
  option: string,
  value: unknown,
  fallback: readonly string[],
): readonly string[] {
  const types = stringsOption(factory, option, value, fallback);
  const isPlain = (type: string) => parseMediaType(type)?.type === type && !type.includes("*");
  if (types.length === 0 || !types.every(isPlain)) {
    throw optionError(factory, option, 'a non-empty array of media types in lower case, such as "application/json"');
  }
  return types;
}

/**
 * Whether bodies of `type` are JSON by the type's name: the subtype is `json`, or ends with `+json` (RFC 6839 section 3.1).
 *
 * @param type `type/subtype` in lower case
 */
export function isJsonType(type: string): boolean {
  return type.endsWith("/json") || type.endsWith("+json");
}
