"use strict";

const { texts, word } = require("../text.js");
const { ensure, ensureEqual, isOneOf } = require("../checks.js");
const { requireLib } = require("../../../kit/compiled.js");

const { compileFilter, compileFilterSchema, compileFilterSql, FilterError, formatFilter, parseFilter } =
  requireLib("filter/index.js");

const ATTRIBUTES = [
  "status",
  "created",
  "profile.login",
  "profile.tags",
  "profile.age",
  "level",
  "on",
  "profile",
  "x-1",
];
const OPERATORS = ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co", "EQ", "Co"];
const OPERANDS = [
  '"ACTIVE"',
  '"2026-01-31T08:00:00.000Z"',
  "1",
  "-0.5e3",
  "true",
  "false",
  '""',
  '"\\"\\\\\\u00e9"',
  "null",
];
const TOKENS = [...OPERATORS, "and", "or", "not", "not (", "pr", "(", ")", "((((((((", ...OPERANDS, ...ATTRIBUTES];

const SCHEMA = compileFilterSchema({
  attributes: {
    status: { type: "string", column: "status", operators: ["eq", "ne", "sw", "ew", "co", "pr"] },
    created: { type: "date", column: "created" },
    level: { type: "number", column: "level" },
    on: { type: "boolean", column: "enabled" },
    "profile.login": { type: "string", column: "login" },
    "profile.tags": { type: "string", multiValued: true, column: { column: "profile", path: ["tags"] } },
    "profile.*": { type: "any", column: { column: "profile", path: [] } },
  },
});

const ROWS = [
  { status: "ACTIVE", created: "2026-01-31T08:00:00.000Z", level: 1, on: true, profile: { login: "a", tags: ["x"] } },
  { status: null, profile: { login: "É", age: 7, tags: "ACTIVE" } },
  {},
];

function expression(random, depth = 3) {
  const roll = random.fraction();
  if (depth > 0 && roll < 0.3) {
    const parts = random.list(2, random.isLikely(0.01) ? 210 : 5, () => expression(random, depth - 1));
    return parts.join(random.pick([" and ", " or ", " AND ", "  or\t"]));
  }
  if (depth > 0 && roll < 0.45) return `${random.pick(["", "not "])}(${expression(random, depth - 1)})`;
  const attribute = random.isLikely(0.9) ? random.pick(ATTRIBUTES) : word(random);
  if (roll < 0.6) return `${attribute} pr`;
  const operand = random.isLikely(0.7) ? random.pick(OPERANDS) : JSON.stringify(word(random, 0));
  return `${attribute} ${random.pick(OPERATORS)} ${operand}`;
}

const generate = texts(expression, TOKENS);

/** The expression without the places in its text. */
function withoutOffsets(filter) {
  return JSON.parse(JSON.stringify(filter, (key, value) => (/offset$/i.test(key) ? undefined : value)));
}

module.exports = [
  {
    name: "filter/parse",
    generate,
    allows: isOneOf(FilterError),
    check(text) {
      let parsed;
      try {
        parsed = parseFilter(text);
      } catch (error) {
        if (!(error instanceof FilterError)) throw error;
        ensure(error.offset >= 0 && error.offset <= text.length, "a fault lies in the text", () => error.offset);
        throw error;
      }
      const canonical = formatFilter(parsed);
      if (canonical.length > 8_192) return;
      const again = parseFilter(canonical);
      ensureEqual(withoutOffsets(again), withoutOffsets(parsed), "the printed expression means the same");
      ensureEqual(formatFilter(again), canonical, "printing is stable");
    },
  },
  {
    name: "filter/evaluate",
    generate,
    allows: isOneOf(FilterError),
    check(text) {
      const parsed = parseFilter(text);
      const matches = compileFilter(parsed, SCHEMA);
      const again = compileFilter(parseFilter(formatFilter(parsed)), SCHEMA);
      for (const row of ROWS) {
        const found = matches(row);
        ensure(typeof found === "boolean", "a filter is true or false");
        ensureEqual(again(row), found, "the printed expression selects the same rows");
      }
      for (const dialect of ["sqlite", "postgresql"]) {
        const { sql, parameters } = compileFilterSql(parsed, SCHEMA, dialect);
        ensure(!/['"]?ACTIVE/.test(sql), "operands are parameters, not SQL", () => sql);
        if (dialect === "postgresql") checkPlaceholders(sql, parameters);
      }
    },
  },
];

function checkPlaceholders(sql, parameters) {
  const numbers = [...sql.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits));
  ensure(
    numbers.every((number) => number >= 1 && number <= parameters.length),
    "each placeholder has a value",
    () => sql,
  );
}
