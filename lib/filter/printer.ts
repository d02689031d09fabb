import type { Filter } from "./ast.js";

/**
 * The canonical text of an expression: one space between words, operators in lower case, parentheses only where the
 * meaning needs them. Parsing it gives the same expression; two texts of one meaning in another order stay two.
 */
export function formatFilter(filter: Filter): string {
  switch (filter.kind) {
    case "presence":
      return `${filter.attribute} pr`;
    case "comparison":
      return `${filter.attribute} ${filter.operator} ${JSON.stringify(filter.operand)}`;
    case "not":
      return `not (${formatFilter(filter.operand)})`;
    case "and":
    case "or":
      return filter.operands
        .map((operand) => (needsGroup(operand, filter.kind) ? `(${formatFilter(operand)})` : formatFilter(operand)))
        .join(` ${filter.kind} `);
  }
}

/** `and` binds more strongly than `or`; a junction directly within its like is kept apart, as it was written. */
function needsGroup(operand: Filter, parent: "and" | "or"): boolean {
  return operand.kind === "or" || (operand.kind === "and" && parent === "and");
}
