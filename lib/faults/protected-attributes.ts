import { isJsonEqual, parsePointer, readPointer } from "../json/index.js";
import { optionError, stringsOption } from "../factory/index.js";
import type { RequestFault } from "./request-head.js";

/** An attribute that a client must not change. */
export interface ProtectedAttribute {
  readonly pointer: string;
  readonly tokens: readonly string[];
  readonly code: "E0000077" | "E0000078";
}

/** The error for an attribute that only the server sets, and for one that is set once. */
const CODES = { readOnly: "E0000077", immutable: "E0000078" } as const;

/** An option that lists JSON Pointers of protected attributes. */
export function protectedAttributesOption(
  factory: string,
  option: keyof typeof CODES,
  value: unknown,
): ProtectedAttribute[] {
  return stringsOption(factory, option, value, []).map((pointer) => {
    const tokens = parsePointer(pointer);
    if (tokens === undefined) throw optionError(factory, option, "an array of JSON Pointers such as `/profile/login`");
    return { pointer, tokens, code: CODES[option] };
  });
}

/** Find a protected attribute that differs between `before` and `after`. An immutable one may be added. */
export function findProtectedChange(
  before: unknown,
  after: unknown,
  attributes: readonly ProtectedAttribute[],
): RequestFault | undefined {
  for (const { pointer, tokens, code } of attributes) {
    const value = readPointer(before, tokens);
    if (code === CODES.immutable && value === undefined) continue;
    if (!isJsonEqual(value, readPointer(after, tokens))) {
      return [code, { type: "patch.protected", detail: tokens.join("."), causes: [pointer] }];
    }
  }
  return undefined;
}
