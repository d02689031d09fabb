/** An operator that compares an attribute with an operand. */
export type ComparisonOperator = "eq" | "ne" | "gt" | "ge" | "lt" | "le" | "sw" | "ew" | "co";

/** Any operator; `pr` takes no operand. */
export type FilterOperator = ComparisonOperator | "pr";

/** A decoded literal of an expression. A date is a string here; only the schema knows that it is a date. */
export type FilterOperand = string | number | boolean;

/** `attribute pr` */
export interface FilterPresence {
  readonly kind: "presence";
  readonly attribute: string;
  readonly operator: "pr";
  /** The place of the attribute in the text, counted in UTF-16 code units from 0. */
  readonly offset: number;
  readonly operatorOffset: number;
}

/** `attribute operator operand` */
export interface FilterComparison {
  readonly kind: "comparison";
  readonly attribute: string;
  readonly operator: ComparisonOperator;
  readonly operand: FilterOperand;
  readonly offset: number;
  readonly operatorOffset: number;
  readonly operandOffset: number;
}

/** `not (…)` */
export interface FilterNegation {
  readonly kind: "not";
  readonly operand: Filter;
  readonly offset: number;
}

/** Two or more expressions joined with `and`, or with `or`. */
export interface FilterJunction {
  readonly kind: "and" | "or";
  readonly operands: readonly Filter[];
  readonly offset: number;
}

/** An expression without `and`, `or` and `not`. */
export type FilterTerm = FilterPresence | FilterComparison;

/** A parsed expression. Its structure shows the groups; redundant parentheses are lost. */
export type Filter = FilterTerm | FilterNegation | FilterJunction;

export const COMPARISON_OPERATORS: readonly ComparisonOperator[] = [
  "eq",
  "ne",
  "gt",
  "ge",
  "lt",
  "le",
  "sw",
  "ew",
  "co",
];

/** The most terms of an expression. */
export const MAX_TERMS = 200;

export const FILTER_OPERATORS: readonly FilterOperator[] = [...COMPARISON_OPERATORS, "pr"];

/** Words with a special meaning, in any letter case. They can't be attributes. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(["and", "or", "not", "true", "false", "null"]);
