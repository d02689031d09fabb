import { isToken } from "../text/index.js";

const FIELD_VALUE_REGEXP = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Check that `options` is an object and that `factory` knows each of its keys. A misspelled option would otherwise be
 * ignored.
 *
 * @param known every option of the factory; its type makes the compiler check that the list is complete
 * @param usage the code that uses what the factory returns
 * @throws {TypeError} when `options` is not an object, has an unknown key, or is a request because the factory itself
 *   was mounted (`app.use(requestId)`)
 */
export function assertKnownOptions<T extends object>(
  factory: string,
  options: Readonly<T>,
  known: Readonly<Record<keyof T, true>>,
  usage = `app.use(${factory}())`,
): void {
  if (typeof options !== "object" || (options as unknown) === null || Array.isArray(options)) {
    throw new TypeError(`${factory}: options must be an object; ${listOptions(known)}`);
  }
  if (isRequest(options)) {
    throw new TypeError(`${factory}: used without a call; write ${usage}`);
  }
  for (const key of Object.keys(options)) {
    if (!Object.hasOwn(known, key)) {
      throw new TypeError(`${factory}: option \`${key}\` is unknown; ${listOptions(known)}`);
    }
  }
}

function listOptions(known: object): string {
  const names = Object.keys(known).map((name) => `\`${name}\``);
  return names.length === 0 ? "there are none" : `the options are ${names.join(", ")}`;
}

/** The error for an option of the wrong type or out of bounds; `expected` completes "must be …". */
export function optionError(factory: string, option: string, expected: string): TypeError {
  return new TypeError(`${factory}: option \`${option}\` must be ${expected}`);
}

/** `value`, or `fallback` when it is absent. */
export function booleanOption(factory: string, option: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== "boolean") throw optionError(factory, option, "a boolean");
  return value;
}

/** `value`, or `fallback` when it is absent; `min` and `max` are inclusive. */
export function integerOption(
  factory: string,
  option: string,
  value: unknown,
  { fallback, min, max }: Readonly<{ fallback: number; min: number; max: number }>,
): number {
  if (value === undefined) return fallback;
  if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > max) {
    throw optionError(factory, option, `an integer from ${min} to ${max}`);
  }
  return value as number;
}

/** How many bytes of UTF-8 a character may take (rule S5): `value`, or 3 when it is absent. */
export function maxBytesPerCharacterOption(factory: string, value: unknown): 3 | 4 {
  if (value === undefined) return 3;
  if (value !== 3 && value !== 4) throw optionError(factory, "maxBytesPerCharacter", "3 or 4");
  return value;
}

/** `value`, or `fallback` when it is absent. */
export function functionOption<F>(factory: string, option: string, value: F | undefined, fallback: F): F {
  if (value === undefined) return fallback;
  if (typeof value !== "function") throw optionError(factory, option, "a function");
  return value;
}

/** `value`, or `fallback` when it is absent. The string can't be empty. */
export function stringOption(factory: string, option: string, value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value !== "string" || value === "") throw optionError(factory, option, "a non-empty string");
  return value;
}

/** The name of a field, which is a token (RFC 9110 section 5.1), or `fallback` when it is absent. */
export function fieldNameOption(factory: string, option: string, value: unknown, fallback: string): string {
  if (value === undefined) return fallback;
  if (typeof value !== "string" || !isToken(value)) {
    throw optionError(factory, option, "a header field name");
  }
  return value;
}

/** A copy of `value`, or of `fallback` when it is absent. `*` is refused: browsers read it as every name. */
export function fieldNamesOption(
  factory: string,
  option: string,
  value: unknown,
  fallback: readonly string[],
): string[] {
  return stringsOption(factory, option, value, fallback).map((name) => {
    if (name === "*") throw optionError(factory, option, "an array of header field names; `*` is not one");
    return fieldNameOption(factory, option, name, name);
  });
}

/** The value of a field (RFC 9110 section 5.5) in ASCII, or `fallback` when it is absent. */
export function fieldValueOption(factory: string, option: string, value: unknown, fallback: string): string {
  const text = stringOption(factory, option, value, fallback);
  if (!FIELD_VALUE_REGEXP.test(text)) throw optionError(factory, option, "a header field value");
  return text;
}

/** A copy of `value`, or `fallback` when it is absent. No string can be empty. */
export function stringsOption(
  factory: string,
  option: string,
  value: unknown,
  fallback: readonly string[],
): readonly string[] {
  if (value === undefined) return fallback;
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string" && item !== "")) {
    throw optionError(factory, option, "an array of non-empty strings");
  }
  return [...(value as string[])];
}

/**
 * Compile an option that is a string, or a function that returns one for each request, to a function. A string is
 * checked now, the result of a function at each call.
 *
 * @param expected completes "must be …, or a function that returns one"
 */
export function textPerRequestOption<R>(
  factory: string,
  option: string,
  value: string | ((req: R) => string),
  isValid: (text: string) => boolean,
  expected: string,
): (req: R) => string {
  if (typeof value === "function") return (req) => check(value(req));
  const text = check(value);
  return () => text;

  function check(candidate: unknown): string {
    if (typeof candidate === "string" && isValid(candidate)) return candidate;
    throw optionError(factory, option, `${expected}, or a function that returns one`);
  }
}

function isRequest(options: object): boolean {
  return "headers" in options && "method" in options && "url" in options;
}
