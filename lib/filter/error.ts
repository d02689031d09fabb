/**
 * What is wrong with an expression: `syntax`, it can't be read; `cap`, it is too long, too deep or has too many terms;
 * `unsupported`, the schema has no such attribute, operator or use of one; `type`, the operand is of another type;
 * `date`, the operand is no date of the form `YYYY-MM-DDTHH:mm:ss.SSSZ`.
 */
export type FilterErrorKind = "syntax" | "cap" | "unsupported" | "type" | "date";

export interface FilterErrorFacts {
  /** Where, counted in UTF-16 code units of the decoded text from 0. */
  readonly offset: number;
  /** What stands there. */
  readonly found: string;
  /** What could stand there. */
  readonly expected: string;
}

/** An expression was refused. The message is for the person who wrote it. */
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
