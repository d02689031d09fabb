import { countCodePoints } from "../text/index.js";
import type { JsonNode, SqlDialect } from "./sql-dialect.js";
import { identifier, sql, type SqlFragment } from "./sql-fragment.js";

/** Numbers, booleans, and strings that are not empty, at any depth. */
const PRESENT_PATH = 'strict $.** ? (@ > "" || @.type() == "number" || @.type() == "boolean")';

/**
 * PostgreSQL. It can use an index on a text column only when the column or the index has the collation "C". Parameters are
 * cast because drivers send them as untyped text.
 */
export const POSTGRESQL: SqlDialect = {
  column: (name) => identifier(name, '"'),
  placeholder: (number) => `$${number}`,

  operand(value) {
    if (typeof value === "string") return text(value);
    if (typeof value === "boolean") return sql`${value}::boolean`;
    // the widest type with which PostgreSQL still uses the index of an integer column
    return Number.isSafeInteger(value) ? sql`${value}::bigint` : sql`${value}::numeric`;
  },

  startsWith: (value, prefix) => sql`starts_with(${value}, ${text(prefix)})`,
  endsWith: (value, suffix) => sql`right(${value}, ${countCodePoints(suffix)}::integer) = ${text(suffix)}`,
  contains: (value, part) => sql`strpos(${value}, ${text(part)}) > 0`,

  document: (column, path) => node(member(sql`${column}::jsonb`, path)),

  scalar({ type, value }, scalarType) {
    switch (scalarType) {
      case "string":
        return sql`CASE ${type} WHEN 'string' THEN ${value} #>> '{}' END`;
      case "number":
        return sql`CASE ${type} WHEN 'number' THEN (${value})::numeric END`;
      case "boolean":
        return sql`CASE ${type} WHEN 'boolean' THEN (${value})::boolean END`;
    }
  },

  without({ type, value }, names) {
    const rest = names.reduce((object, name) => sql`(${object}) - ${name}::text`, value);
    return { type, value: sql`CASE ${type} WHEN 'object' THEN ${rest} END` };
  },

  // a parameter, because query builders take the `?` of a path for a placeholder
  isPresent: ({ value }) => sql`jsonb_path_exists(${value}, ${PRESENT_PATH}::jsonpath)`,

  anyElement({ column, path, elementPath }, test) {
    const { type, value } = this.document(column, path);
    const elements = sql`CASE ${type} WHEN 'array' THEN ${value} ELSE jsonb_build_array(${value}) END`;
    const element = node(member(sql`element.node`, elementPath));
    return sql`EXISTS (SELECT 1 FROM jsonb_array_elements(${elements}) AS element (node) WHERE ${test(element)})`;
  },
};

function text(value: string): SqlFragment {
  return sql`${value}::text COLLATE "C"`;
}

/** `->` with a text operand finds only members of objects, never elements of arrays. */
function member(document: SqlFragment, path: readonly string[]): SqlFragment {
  return path.reduce((value, name) => sql`${value} -> ${name}::text`, document);
}

function node(value: SqlFragment): JsonNode {
  return { type: sql`jsonb_typeof(${value})`, value };
}
