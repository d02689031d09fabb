import { excerpt } from "./faults.js";
import { LIMITS } from "./shapes.js";

/** A step of an expression. The first one gets the login, each other one the result of the step before. */
export type ProviderCall =
  | { readonly name: "substringBefore" | "substringAfter"; readonly separator: string }
  | { readonly name: "toLowerCase" };

/** An expression was refused. The message is for its sender. */
export class ProviderExpressionError extends Error {
  override readonly name = "ProviderExpressionError";

  constructor(
    /** In UTF-16 code units, from 0. */
    readonly offset: number,
    found: string,
    expected: string,
  ) {
    super(`found ${found} at offset ${offset}, expected ${expected}`);
  }
}

const SUBJECT = "login.identifier";
const NAMES = ["substringBefore", "substringAfter", "toLowerCase"] as const;
const EXPECTED_NAME = "substringBefore, substringAfter or toLowerCase";

/** The characters of a separator. */
const SEPARATOR_REGEXP = /[^'\p{Cc}]+/uy;

/** The most characters of the text that a message shows. */
const MAX_FOUND_LENGTH = 20;

/**
 * Parse an expression over the login.
 *
 * expression = "login.identifier" *( "." call )
 * call       = ( "substringBefore" / "substringAfter" ) "('" separator "')" / "toLowerCase()"
 * separator  = 1*( any character but "'" and control characters )
 *
 * There is no white space, except in a separator.
 *
 * @throws {ProviderExpressionError}
 */
export function parseProviderExpression(text: string): readonly ProviderCall[] {
  if (text.length > LIMITS.expression) {
    const expected = `at most ${LIMITS.expression} characters`;
    throw new ProviderExpressionError(LIMITS.expression, `${text.length} characters`, expected);
  }
  const calls: ProviderCall[] = [];
  let offset = 0;
  skip(SUBJECT, SUBJECT);
  while (offset < text.length) {
    skip(".", '"." or the end');
    if (calls.length === LIMITS.calls) fail(`at most ${LIMITS.calls} calls`);
    calls.push(readCall());
  }
  return calls;

  function readCall(): ProviderCall {
    const name = NAMES.find((known) => text.startsWith(known, offset)) ?? fail(EXPECTED_NAME);
    offset += name.length;
    skip("(", '"("');
    if (name === "toLowerCase") {
      skip(")", '")"');
      return { name };
    }
    skip("'", "a separator in single quotes");
    SEPARATOR_REGEXP.lastIndex = offset;
    const separator = SEPARATOR_REGEXP.exec(text)?.[0] ?? fail("a separator");
    offset += separator.length;
    skip("'", `"'"`);
    skip(")", '")"');
    return { name, separator };
  }

  function skip(token: string, expected: string): void {
    if (!text.startsWith(token, offset)) fail(expected);
    offset += token.length;
  }

  function fail(expected: string): never {
    const rest = text.slice(offset, offset + MAX_FOUND_LENGTH);
    throw new ProviderExpressionError(offset, rest === "" ? "the end" : excerpt(rest), expected);
  }
}
