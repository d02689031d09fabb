import type { FilterOperand } from "./ast.js";
import type { SqlFragment } from "./sql-fragment.js";

/** How an expression says the JSON type of a value and the value itself; made by a dialect for itself. */
export interface JsonNode {
  /** The type, in the database's own words. */
  readonly type: SqlFragment;
  /** The value: in PostgreSQL a jsonb, in SQLite the SQL value that the JSON one maps to. */
  readonly value: SqlFragment;
}

/** What databases say differently. Every comparison is binary, whatever the collation of a column. */
export interface SqlDialect {
  /** What stands for the parameter of that number. */
  readonly placeholder: (number: number) => string;

  column(name: string): SqlFragment;

  /** The operand as a parameter of its type; text with a binary collation. */
  operand(value: FilterOperand): SqlFragment;

  startsWith(value: SqlFragment, prefix: string): SqlFragment;
  endsWith(value: SqlFragment, suffix: string): SqlFragment;
  contains(value: SqlFragment, part: string): SqlFragment;

  /** The value at `path` in the document that `column` holds. */
  document(column: SqlFragment, path: readonly string[]): JsonNode;

  /** The value of a node as an SQL value, or NULL when it is of another type. */
  scalar(node: JsonNode, type: "string" | "number" | "boolean"): SqlFragment;

  /** Whether the node is there and not empty (rule F5). */
  isPresent(node: JsonNode): SqlFragment;

  /** Whether `test` is true of the value at `elementPath` in any element of the array at `path`; no array is one element. */
  anyElement(
    source: Readonly<{ column: SqlFragment; path: readonly string[]; elementPath: readonly string[] }>,
    test: (element: JsonNode) => SqlFragment,
  ): SqlFragment;
}
