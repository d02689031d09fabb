import { formatDate, type Instant, parseInstant } from "../text/index.js";
import type { ComparisonOperator } from "./ast.js";

/** A comparison with dates of whole milliseconds, in the form that the API writes and databases hold. */
export interface DateComparison {
  readonly operator: ComparisonOperator;
  readonly operand: string;
}

/** @throws {TypeError} when `operand` is no date; the schema has checked that it is */
export function parseOperand(operand: string): Instant {
  const instant = parseInstant(operand);
  if (instant === undefined) throw new TypeError(`"${operand}" is no date`);
  return instant;
}

/**
 * The comparison that is true for the same whole milliseconds. Between two milliseconds lies no date: `lt` and `le` take the
 * earlier one too, `gt` and `ge` only what is after it, and nothing is equal.
 */
export function toMilliseconds(operator: ComparisonOperator, { milliseconds, fraction }: Instant): DateComparison {
  const date = formatDate(milliseconds);
  if (fraction === "") return { operator, operand: date };
  if (operator === "lt" || operator === "le") return { operator: "le", operand: date };
  if (operator === "gt" || operator === "ge") return { operator: "gt", operand: date };
  return { operator, operand: date.replace("Z", `${fraction}Z`) };
}
