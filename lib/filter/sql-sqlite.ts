import { countCodePoints } from "../text/index.js";
import type { JsonNode, SqlDialect } from "./sql-dialect.js";
import { identifier, sql, type SqlFragment } from "./sql-fragment.js";

/**
 * SQLite 3.38 and later, with its JSON functions. Booleans are 0 and 1. Names are quoted with backticks, because SQLite
 * reads an unknown name in double quotes as a string.
 */
export const SQLITE: SqlDialect = {
  column: (name) => identifier(name, "`"),
  placeholder: () => "?",

  operand(value) {
    if (typeof value === "string") return text(value);
    return typeof value === "boolean" ? sql`${Number(value)}` : sql`${value}`;
  },

  startsWith: (value, prefix) => sql`substr(${value}, 1, ${countCodePoints(prefix)}) = ${text(prefix)}`,
  endsWith: (value, suffix) => sql`substr(${value}, ${-countCodePoints(suffix)}) = ${text(suffix)}`,
  contains: (value, part) => sql`instr(${value}, ${part}) > 0`,

  document: (column, path) => node(column, path),

  scalar({ type, value }, scalarType) {
    switch (scalarType) {
      case "string":
        return sql`CASE ${type} WHEN 'text' THEN ${value} END`;
      case "number":
        return sql`CASE WHEN ${type} IN ('integer', 'real') THEN ${value} END`;
      case "boolean":
        return sql`CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`;
    }
  },

  without({ type, value }, names) {
    const rest = names.reduce((object, name) => sql`json_remove(${object}, ${formatPath([name])})`, value);
    return { type, value: sql`CASE ${type} WHEN 'object' THEN ${rest} END` };
  },

  isPresent({ type, value }) {
    const holds = sql`EXISTS (SELECT 1 FROM (SELECT ${value} AS node) AS source, json_tree(source.node) AS member WHERE member.atom <> '')`;
    return sql`CASE WHEN ${type} IN ('array', 'object') THEN ${holds} ELSE ${value} <> '' END`;
  },

  anyElement({ column, path, elementPath }, test) {
    const { type } = node(column, path);
    const json = sql`${column} -> ${formatPath(path)}`;
    const elements = sql`CASE ${type} WHEN 'array' THEN ${json} ELSE json_array(json(${json})) END`;
    const element: JsonNode =
      elementPath.length === 0
        ? { type: sql`element.type`, value: sql`element.value` }
        : node(sql`CASE element.type WHEN 'object' THEN element.value END`, elementPath);
    // the inner SELECT separates columns of the outer table from those of json_each with the same names (id, key, type, …)
    return sql`EXISTS (SELECT 1 FROM (SELECT ${elements} AS elements) AS source, json_each(source.elements) AS element WHERE ${test(element)})`;
  },
};

function text(value: string): SqlFragment {
  return sql`${value} COLLATE BINARY`;
}

function node(document: SqlFragment, path: readonly string[]): JsonNode {
  const jsonPath = formatPath(path);
  return { type: sql`json_type(${document}, ${jsonPath})`, value: sql`json_extract(${document}, ${jsonPath})` };
}

/** A path in SQLite's syntax. The schema has checked that names contain no quote and no backslash. */
function formatPath(path: readonly string[]): string {
  return `$${path.map((name) => `."${name}"`).join("")}`;
}
