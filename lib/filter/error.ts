/**
 * What is wrong with an expression:
 * - `syntax`: it can't be parsed
 * - `cap`: it is too long, too deep or has too many terms
 * - `unsupported`: the schema does not have the attribute or allow the operator
 * - `type`: the operand has another type than the attribute
 * - `date`: the operand is not a date-time of RFC 3339
 */
export type FilterErrorKind = "syntax" | "cap" | "unsupported" | "type" | "date";

/** The place of a fault in an expression. */
export interface FilterErrorFacts {
  /** Counted in UTF-16 code units of the decoded text, from 0. */
  readonly offset: number;
  /** What was found at the offset. */
  readonly found: string;
  /** What was expected at the offset. */
  readonly expected: string;
}

/**
 * An expression was refused. The message is for its sender.
 *
 * @example
 * if (error instanceof FilterError) console.log(error.kind, error.offset);
 */
export class FilterError extends Error {
  override readonly name = "FilterError";
  readonly kind: FilterErrorKind;
  readonly offset: number;
  readonly found: string;
  readonly expected: string;

  constructor(kind: FilterErrorKind, { offset, found, expected }: FilterErrorFacts) {
    super(`found ${found} at offset ${offset}, expected ${expected}`);
    this.kind = kind;
    this.offset = offset;
    this.found = found;
    this.expected = expected;
  }
}

/** The error for the term with this number. */
export function tooManyTerms(number: number, maxTerms: number, offset: number): FilterError {
  return new FilterError("cap", { offset, found: `term ${number}`, expected: `at most ${maxTerms} terms` });
}
