import { isObject } from "../json/index.js";
import { compareCodePoints, compareInstants, hasUnitOrder, type Instant, parseInstant } from "../text/index.js";
import type { ComparisonOperator, Filter, FilterOperand } from "./ast.js";
import { resolveFilter, type ResolvedFilter, type ResolvedTerm } from "./check.js";
import { parseOperand, toMilliseconds } from "./date-operand.js";
import type { FilterAttributeType, FilterSchema } from "./schema.js";

type Predicate = (row: object) => boolean;
type ValueTest = (value: unknown) => boolean;

/** Whether a value passes, by its comparison with the operand; negative means that the value comes first. */
const ORDERED: Readonly<Partial<Record<ComparisonOperator, (difference: number) => boolean>>> = {
  gt: (difference) => difference > 0,
  ge: (difference) => difference >= 0,
  lt: (difference) => difference < 0,
  le: (difference) => difference <= 0,
};

/** `YYYY-MM-DDTHH:mm:ss.SSSZ` */
const CANONICAL_DATE_LENGTH = 24;
const Z = 0x5a;

/**
 * Compile an expression to a predicate. It matches the same objects as the SQL of {@link compileFilterSql} matches rows. A
 * value of another type than the operand counts as absent, and an absent value matches only `ne`, which negates `eq`.
 * Inherited properties (`toString`) don't count.
 *
 * @throws {FilterError} when `schema` does not allow the expression
 * @example
 * const schema = compileFilterSchema({ attributes: { status: { type: "string" } } });
 * const matches = compileFilter(parseFilter('status eq "ACTIVE"'), schema);
 * users.filter(matches);
 */
export function compileFilter(filter: Filter, schema: FilterSchema): (row: object) => boolean {
  return compilePredicate(resolveFilter(filter, schema));
}

/** {@link compileFilter} for an expression that was resolved before. */
export function compilePredicate(filter: ResolvedFilter): (row: object) => boolean {
  switch (filter.kind) {
    case "term":
      return compileTerm(filter);
    case "not": {
      const operand = compilePredicate(filter.operand);
      return (row) => !operand(row);
    }
    case "and":
      return every(filter.operands.map(compilePredicate));
    case "or":
      return some(filter.operands.map(compilePredicate));
  }
}

function every(predicates: readonly Predicate[]): Predicate {
  return (row) => {
    for (const predicate of predicates) if (!predicate(row)) return false;
    return true;
  };
}

function some(predicates: readonly Predicate[]): Predicate {
  return (row) => {
    for (const predicate of predicates) if (predicate(row)) return true;
    return false;
  };
}

function compileTerm({ term, attribute }: ResolvedTerm): Predicate {
  const { type, multiValued, path, elementPath, except = [] } = attribute;
  const read = compilePath(path);
  const test = term.kind === "presence" ? compilePresence(except) : compileTest(term.operator, term.operand, type);
  const matches = multiValued ? anyElement(compilePath(elementPath), test) : test;
  if (term.operator === "ne") return (row) => !matches(read(row));
  return (row) => matches(read(row));
}

/** Rule F5: a multi-valued attribute matches when any element matches. A single value counts as one element. */
function anyElement(read: (element: unknown) => unknown, test: ValueTest): ValueTest {
  return (value) => {
    if (!Array.isArray(value)) return test(read(value));
    for (const element of value) if (test(read(element))) return true;
    return false;
  };
}

/** A function that follows a path of member names. Arrays have no members. */
function compilePath(path: readonly string[]): (value: unknown) => unknown {
  const [name, ...rest] = path;
  if (name === undefined) return (value) => value;
  const read = compileMember(name);
  if (rest.length === 0) return read;
  const inner = compilePath(rest);
  return (value) => inner(read(value));
}

function compileMember(name: string): (value: unknown) => unknown {
  // only names that arrays have or inherit (`toString`, `__proto__`, `length`) need a check for own properties
  if (name in Array.prototype) {
    return (value) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);
  }
  return (value) => (isObject(value) ? value[name] : undefined);
}

/** The test of `pr`. Members in `except` don't count. */
function compilePresence(except: readonly string[]): ValueTest {
  if (except.length === 0) return isPresent;
  return (value) =>
    isObject(value) && Object.entries(value).some(([name, member]) => !except.includes(name) && isPresent(member));
}

/** Rule F5: `""`, `null` and an absent value are empty, and so are an array and an object that hold nothing else. */
function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || value instanceof Date || Object.values(value).some(isPresent);
}

/** The test of one value. For `ne` it is the test of `eq`; the caller negates it. */
function compileTest(operator: ComparisonOperator, operand: FilterOperand, type: FilterAttributeType): ValueTest {
  if (typeof operand !== "string") return compileScalarTest(operator, operand);
  // a copy, because the operand may be a slice of the expression, and comparing with a slice takes five times as long
  const text = JSON.parse(JSON.stringify(operand)) as string;
  return type === "date" ? compileDateTest(operator, text) : compileStringTest(operator, text);
}

function compileStringTest(operator: ComparisonOperator, operand: string): ValueTest {
  switch (operator) {
    case "sw":
      return (value) => typeof value === "string" && value.startsWith(operand);
    case "ew":
      return (value) => typeof value === "string" && value.endsWith(operand);
    case "co":
      return (value) => typeof value === "string" && value.includes(operand);
    default:
      return compileCodePointTest(operator, operand);
  }
}

/** Compares by code point, because databases order strings by their bytes in UTF-8, which is the same order. */
function compileCodePointTest(operator: ComparisonOperator, operand: string): ValueTest {
  const isOrdered = ORDERED[operator];
  if (isOrdered === undefined || hasUnitOrder(operand)) return compileScalarTest(operator, operand);
  return (value) => typeof value === "string" && isOrdered(compareCodePoints(value, operand));
}

function compileScalarTest(operator: ComparisonOperator, operand: FilterOperand): ValueTest {
  const type = typeof operand;
  switch (operator) {
    case "gt":
      return (value) => isOfType(value, type) && value > operand;
    case "ge":
      return (value) => isOfType(value, type) && value >= operand;
    case "lt":
      return (value) => isOfType(value, type) && value < operand;
    case "le":
      return (value) => isOfType(value, type) && value <= operand;
    default:
      return (value) => value === operand;
  }
}

function isOfType(value: unknown, type: string): value is FilterOperand {
  return typeof value === type;
}

/**
 * As in a database, dates in the canonical form are compared as text, and so is text that is not a date. A date-time of
 * another form, and a `Date`, are compared as instants, exactly.
 */
function compileDateTest(operator: ComparisonOperator, text: string): ValueTest {
  const operand = parseOperand(text);
  const canonical = toMilliseconds(operator, operand);
  const testText = compileScalarTest(canonical.operator, canonical.operand);
  const isOrdered = ORDERED[operator] ?? ((difference) => difference === 0);
  const testInstant = (instant: Instant) => isOrdered(compareInstants(instant, operand));
  return (value) => {
    if (typeof value !== "string") {
      return value instanceof Date && testInstant({ milliseconds: value.getTime(), fraction: "" });
    }
    const isCanonical = value.length === CANONICAL_DATE_LENGTH && value.charCodeAt(CANONICAL_DATE_LENGTH - 1) === Z;
    const instant = isCanonical ? undefined : parseInstant(value);
    return instant ? testInstant(instant) : testText(value);
  };
}
