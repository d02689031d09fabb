import { countCodePoints, excerpt, isDate } from "../text/index.js";
import { MAX_TERMS } from "./ast.js";
import type { Filter, FilterComparison, FilterOperand, FilterOperator, FilterTerm } from "./ast.js";
import { FilterError, tooManyTerms } from "./error.js";
import type { CompiledAttribute, FilterAttributeType, FilterSchema } from "./schema.js";

const STRING_OPERATORS: ReadonlySet<FilterOperator> = new Set(["co", "sw", "ew"]);

const EQUALITY_OPERATORS: ReadonlySet<FilterOperator> = new Set(["eq", "ne"]);

/** A term with the attribute that it names. */
export interface ResolvedTerm {
  readonly kind: "term";
  readonly term: FilterTerm;
  readonly attribute: CompiledAttribute;
}

/** An expression that a schema allows, with the attributes that its terms name. */
export type ResolvedFilter =
  | ResolvedTerm
  | { readonly kind: "not"; readonly operand: ResolvedFilter }
  | { readonly kind: "and" | "or"; readonly operands: readonly ResolvedFilter[] };

/**
 * Check that `schema` allows everything in `filter`. {@link compileFilter} and {@link compileFilterSql} also check it.
 *
 * @throws {FilterError} of kind `unsupported`, `type`, `date` or `cap`
 * @example
 * const schema = compileFilterSchema({ attributes: { status: { type: "string" } } });
 * checkFilter(parseFilter("status gt 5"), schema); // FilterError of kind "type"
 */
export function checkFilter(filter: Filter, schema: FilterSchema): void {
  resolveFilter(filter, schema);
}

/**
 * {@link checkFilter}, which also returns the attributes that it found. A term on a complex attribute becomes a term for
 * each of its members.
 *
 * @throws {FilterError} of kind `unsupported`, `type`, `date` or `cap`
 */
export function resolveFilter(filter: Filter, schema: FilterSchema, maxTerms: number = MAX_TERMS): ResolvedFilter {
  return resolve(filter, { schema, maxTerms, terms: 0 });
}

interface Resolution {
  readonly schema: FilterSchema;
  readonly maxTerms: number;
  /** How many terms there are up to here. */
  terms: number;
}

function resolve(part: Filter, resolution: Resolution): ResolvedFilter {
  const { schema, maxTerms } = resolution;
  switch (part.kind) {
    case "presence":
    case "comparison": {
      const attribute = resolveTerm(part, schema);
      const { members } = attribute;
      resolution.terms += members?.length ?? 1;
      if (resolution.terms > maxTerms) throw tooManyTerms(resolution.terms, maxTerms, part.offset);
      return members ? anyOf(part, members) : { kind: "term", term: part, attribute };
    }
    case "not":
      checkNegation(part.offset, schema);
      return { kind: "not", operand: resolve(part.operand, resolution) };
    case "and":
    case "or":
      return { kind: part.kind, operands: part.operands.map((operand) => resolve(operand, resolution)) };
  }
}

function anyOf(term: FilterTerm, members: readonly CompiledAttribute[]): ResolvedFilter {
  return { kind: "or", operands: members.map((attribute): ResolvedTerm => ({ kind: "term", term, attribute })) };
}

/** @throws {FilterError} when `schema` has no `not` */
function checkNegation(offset: number, schema: FilterSchema): void {
  if (schema.not) return;
  throw new FilterError("unsupported", { offset, found: '"not"', expected: 'an expression without "not"' });
}

/**
 * Find the attribute of one term.
 *
 * @throws {FilterError} when the schema has no such attribute, or does not allow this operator and operand for it
 */
function resolveTerm(term: FilterTerm, schema: FilterSchema): CompiledAttribute {
  const { attribute: name, operator } = term;
  const attribute = findAttribute(name, schema);
  if (attribute === undefined) {
    throw new FilterError("unsupported", {
      offset: term.offset,
      found: `the attribute ${excerpt(name)}`,
      expected: oneOf(schema.attributes.keys()),
    });
  }
  if (!attribute.operators.has(operator)) {
    throw new FilterError("unsupported", {
      offset: term.operatorOffset,
      found: `"${operator}"`,
      expected: `${oneOf(attribute.operators)} after ${excerpt(name)}`,
    });
  }
  if (term.kind === "comparison") checkOperand(term, attribute, schema);
  return attribute;
}

function findAttribute(name: string, schema: FilterSchema): CompiledAttribute | undefined {
  const attribute = schema.attributes.get(name);
  if (attribute !== undefined) return attribute;
  const dot = name.lastIndexOf(".");
  const family = dot === -1 ? undefined : schema.attributes.get(`${name.slice(0, dot)}.*`);
  const segment = name.slice(dot + 1);
  if (!family || family.except?.includes(segment)) return undefined;
  return {
    ...family,
    except: undefined,
    path: [...family.path, segment],
    column: family.column && { ...family.column, path: [...family.column.path, segment] },
  };
}

function checkOperand(term: FilterComparison, attribute: CompiledAttribute, schema: FilterSchema): void {
  const { operand, operator, operandOffset: offset } = term;
  const expected = expectedOperand(attribute.type, operator);
  if (!expected.includes(typeof operand)) {
    throw new FilterError("type", {
      offset,
      found: describe(operand),
      expected: `a ${expected.join(" or ")} after ${excerpt(`${term.attribute} ${operator}`)}`,
    });
  }
  if (typeof operand !== "string") return;
  if (attribute.type === "date" && !isDate(operand)) {
    throw new FilterError("date", {
      offset,
      found: describe(operand),
      expected: "a date such as 2026-01-31T08:00:00.000Z",
    });
  }
  const minimum = schema.minimumOperandLength.get(operator) ?? 0;
  if (operand.length < 2 * minimum && countCodePoints(operand) < minimum) {
    throw new FilterError("unsupported", {
      offset,
      found: `${countCodePoints(operand)} characters`,
      expected: `${minimum} or more after "${operator}"`,
    });
  }
}

/** The types that an operand may have, as `typeof` returns them. */
function expectedOperand(type: FilterAttributeType, operator: FilterOperator): readonly string[] {
  if (type === "number" || type === "boolean") return [type];
  if (type !== "any" || STRING_OPERATORS.has(operator)) return ["string"];
  return EQUALITY_OPERATORS.has(operator) ? ["string", "number", "boolean"] : ["string", "number"];
}

function describe(operand: FilterOperand): string {
  return `the ${typeof operand} ${typeof operand === "string" ? excerpt(operand) : operand}`;
}

function oneOf(names: Iterable<string>): string {
  return `one of ${[...names].join(", ")}`;
}
