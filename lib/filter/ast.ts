/** Operators that compare an attribute with an operand. */
export type ComparisonOperator = "eq" | "ne" | "gt" | "ge" | "lt" | "le" | "sw" | "ew" | "co";

export type FilterOperator = ComparisonOperator | "pr";

/** A literal of an expression, decoded. A date is a string until a schema says otherwise. */
export type FilterOperand = string | number | boolean;

/** `attribute pr` */
export interface FilterPresence {
  readonly kind: "presence";
  readonly attribute: string;
  readonly operator: "pr";
  /** Where the attribute stands in the text, counted in UTF-16 code units from 0. */
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

/** One Boolean expression without `and`, `or`, `not`. */
export type FilterTerm = FilterPresence | FilterComparison;

/** A parsed expression. Groups are in its shape; redundant parentheses leave no trace. */
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

export const FILTER_OPERATORS: readonly FilterOperator[] = [...COMPARISON_OPERATORS, "pr"];

/** Words that, in any case, have a meaning of their own and are therefore no attribute. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(["and", "or", "not", "true", "false", "null"]);
