import { assertKnownOptions, integerOption, maxBytesPerCharacterOption } from "../factory/index.js";
import { COMPARISON_OPERATORS, MAX_TERMS, RESERVED_WORDS } from "./ast.js";
import type { ComparisonOperator, Filter, FilterOperand } from "./ast.js";
import { FilterError, tooManyTerms } from "./error.js";
import { Lexer } from "./lexer.js";

/**
 * How large an expression may be, and which characters it may have. The defaults are also the maximums, because SQLite
 * can't parse deeper statements.
 */
export interface FilterCaps {
  /**
   * The most UTF-16 code units, 1–8192; a character of four bytes counts as two.
   *
   * @default 8192
   */
  maxLength?: number;

  /**
   * The most levels of parentheses, 1–32.
   *
   * @default 32
   */
  maxDepth?: number;

  /**
   * The most terms, 1–200. Each comparison and each `pr` is a term; `pr` on a complex attribute is one for each of its
   * attributes.
   *
   * @default 200
   */
  maxTerms?: number;

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const CAPS: Record<keyof FilterCaps, true> = {
  maxLength: true,
  maxDepth: true,
  maxTerms: true,
  maxBytesPerCharacter: true,
};

const OPERATORS: ReadonlyMap<string, ComparisonOperator> = new Map(
  COMPARISON_OPERATORS.map((operator) => [operator, operator]),
);

const EXPECTED_OPERATOR = `an operator (${COMPARISON_OPERATORS.join(", ")} or pr)`;

/**
 * Parse an expression of `filter` or `search`, percent-decoded. Does not check attributes and operands: {@link checkFilter}
 * does.
 *
 * filter      = conjunction *( "or" conjunction )
 * conjunction = factor *( "and" factor )
 * factor      = term / [ "not" ] "(" filter ")"
 * term        = word "pr" / word operator operand
 * operand     = string / number / "true" / "false"
 *
 * Operators, `and`, `or`, `not`, `true` and `false` are case-insensitive; attributes are case-sensitive.
 *
 * @throws {FilterError} of kind `syntax` or `cap`
 * @throws {TypeError} when a cap is unknown or out of bounds
 * @example
 * parseFilter("profile.age ge 18").kind; // "comparison"
 */
export function parseFilter(text: string, caps?: Readonly<FilterCaps>): Filter {
  if (caps !== undefined) assertKnownOptions("parseFilter", caps, CAPS);
  const checked = caps === undefined ? DEFAULT_CAPS : parseCaps("parseFilter", caps);
  try {
    return parseWithin(text, checked);
  } catch (error) {
    if (error instanceof FilterError) Error.captureStackTrace(error, parseFilter);
    throw error;
  }
}

/** {@link parseFilter} with caps that {@link parseCaps} has checked. An error of syntax has no stack. */
export function parseWithin(text: string, caps: Required<FilterCaps>): Filter {
  const { maxLength } = caps;
  if (text.length > maxLength) {
    throw new FilterError("cap", {
      offset: maxLength,
      found: `${text.length} characters`,
      expected: `at most ${maxLength}`,
    });
  }
  return new Parser(text, caps).parse();
}

/**
 * Check the caps and add the defaults.
 *
 * @param factory the function that the error message names
 * @throws {TypeError} when a cap is out of bounds
 */
export function parseCaps(
  factory: string,
  { maxLength, maxDepth, maxTerms, maxBytesPerCharacter }: Readonly<FilterCaps>,
): Required<FilterCaps> {
  return {
    maxLength: integerOption(factory, "maxLength", maxLength, { fallback: 8192, min: 1, max: 8192 }),
    maxDepth: integerOption(factory, "maxDepth", maxDepth, { fallback: 32, min: 1, max: 32 }),
    maxTerms: integerOption(factory, "maxTerms", maxTerms, { fallback: MAX_TERMS, min: 1, max: MAX_TERMS }),
    maxBytesPerCharacter: maxBytesPerCharacterOption(factory, maxBytesPerCharacter),
  };
}

const DEFAULT_CAPS = parseCaps("parseFilter", {});

/** A recursive-descent parser. It recurses only into groups, and counts their depth before. */
class Parser {
  readonly #lexer: Lexer;
  readonly #maxDepth: number;
  readonly #maxTerms: number;
  #terms = 0;

  constructor(text: string, { maxDepth, maxTerms, maxBytesPerCharacter }: Required<FilterCaps>) {
    this.#lexer = new Lexer(text, maxBytesPerCharacter);
    this.#maxDepth = maxDepth;
    this.#maxTerms = maxTerms;
  }

  parse(): Filter {
    const filter = this.#readDisjunction(0);
    if (this.#lexer.kind !== "end") this.#lexer.fail('"and", "or" or the end');
    return filter;
  }

  #readDisjunction(depth: number): Filter {
    const first = this.#readConjunction(depth);
    if (!this.#skip("or")) return first;
    const operands = [first];
    do operands.push(this.#readConjunction(depth));
    while (this.#skip("or"));
    return { kind: "or", operands, offset: first.offset };
  }

  #readConjunction(depth: number): Filter {
    const first = this.#readFactor(depth);
    if (!this.#skip("and")) return first;
    const operands = [first];
    do operands.push(this.#readFactor(depth));
    while (this.#skip("and"));
    return { kind: "and", operands, offset: first.offset };
  }

  #readFactor(depth: number): Filter {
    const lexer = this.#lexer;
    if (lexer.kind === "(") return this.#readGroup(depth + 1);
    if (lexer.kind !== "word") lexer.fail('an attribute, "not" or "("');
    const offset = lexer.start;
    if (this.#skip("not")) {
      // the cast is needed because the compiler does not know that #skip() moved the lexer
      if ((lexer.kind as string) !== "(") lexer.fail('"(" after "not"');
      return { kind: "not", operand: this.#readGroup(depth + 1), offset };
    }
    return this.#readTerm();
  }

  #readGroup(depth: number): Filter {
    const lexer = this.#lexer;
    if (depth > this.#maxDepth) {
      throw new FilterError("cap", {
        offset: lexer.start,
        found: `a parenthesis at level ${depth}`,
        expected: `at most ${this.#maxDepth} levels`,
      });
    }
    lexer.next();
    const filter = this.#readDisjunction(depth);
    if (lexer.kind !== ")") lexer.fail('"and", "or" or ")"');
    lexer.next();
    return filter;
  }

  #readTerm(): Filter {
    const lexer = this.#lexer;
    const attribute = lexer.written;
    const offset = lexer.start;
    if (lexer.keyword !== "" && RESERVED_WORDS.has(lexer.keyword)) lexer.fail('an attribute, "not" or "("');
    if (++this.#terms > this.#maxTerms) throw tooManyTerms(this.#terms, this.#maxTerms, offset);
    lexer.next();
    const operatorOffset = lexer.start;
    if (this.#skip("pr")) return { kind: "presence", attribute, operator: "pr", offset, operatorOffset };
    const operator = OPERATORS.get(lexer.keyword);
    if (operator === undefined) return lexer.fail(EXPECTED_OPERATOR);
    lexer.next();
    const operandOffset = lexer.start;
    const operand = this.#readOperand();
    return { kind: "comparison", attribute, operator, operand, offset, operatorOffset, operandOffset };
  }

  #readOperand(): FilterOperand {
    const lexer = this.#lexer;
    const { value } = lexer;
    if (lexer.kind === "string" || lexer.kind === "number") {
      lexer.next();
      return value;
    }
    if (this.#skip("true")) return true;
    if (this.#skip("false")) return false;
    return lexer.fail("a string in double quotes, a number, true or false");
  }

  /** Move past `keyword` when it is the current token. */
  #skip(keyword: string): boolean {
    if (this.#lexer.keyword !== keyword) return false;
    this.#lexer.next();
    return true;
  }
}
