import type { Filter } from "./ast.js";

/**
 * Format an expression as its canonical text: one space between words, operators in lower case, parentheses only where
 * necessary. Parsing it gives the same expression. The order of terms is kept, so equivalent expressions may differ.
 *
 * @example
 * formatFilter(parseFilter("(a EQ 1)  and (b pr)")); // "a eq 1 and b pr"
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

/** `and` binds more strongly than `or`. A junction within a junction of the same kind keeps its parentheses. */
function needsGroup(operand: Filter, parent: "and" | "or"): boolean {
  return operand.kind === "or" || (operand.kind === "and" && parent === "and");
}
