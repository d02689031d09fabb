import type { FilterOperand } from "./ast.js";
import type { SqlFragment } from "./sql-fragment.js";

/** SQL for the JSON type of a value, and for the value itself. Only the dialect that made it reads it. */
export interface JsonNode {
  /** The type, as the database names it. */
  readonly type: SqlFragment;
  /** The value: in PostgreSQL a jsonb, in SQLite the SQL value that the JSON one maps to. */
  readonly value: SqlFragment;
}

/** The SQL that differs between databases. Every comparison is binary, whatever the collation of a column. */
export interface SqlDialect {
  /** The placeholder of the parameter with that number. */
  readonly placeholder: (number: number) => string;

  column(name: string): SqlFragment;

  /** The operand as a parameter of its type; text with a binary collation. */
  operand(value: FilterOperand): SqlFragment;

  startsWith(value: SqlFragment, prefix: string): SqlFragment;
  endsWith(value: SqlFragment, suffix: string): SqlFragment;
  contains(value: SqlFragment, part: string): SqlFragment;

  /** The value at `path` in the document in `column`. */
  document(column: SqlFragment, path: readonly string[]): JsonNode;

  /** The value of a node as an SQL value, or NULL when it has another type. */
  scalar(node: JsonNode, type: "string" | "number" | "boolean"): SqlFragment;

  /** An object without these members. A node of another type has no value. */
  without(node: JsonNode, names: readonly string[]): JsonNode;

  /** Whether the node exists and is not empty (rule F5). */
  isPresent(node: JsonNode): SqlFragment;

  /** Whether `test` is true for `elementPath` in any element of the array at `path`. Any other value is one element. */
  anyElement(
    source: Readonly<{ column: SqlFragment; path: readonly string[]; elementPath: readonly string[] }>,
    test: (element: JsonNode) => SqlFragment,
  ): SqlFragment;
}
