import { assertKnownOptions, integerOption, optionError } from "../factory/index.js";
import type { Filter, FilterComparison, FilterTerm } from "./ast.js";
import { resolveFilter, type ResolvedFilter, type ResolvedTerm } from "./check.js";
import { parseOperand, toMilliseconds } from "./date-operand.js";
import type { CompiledAttribute, FilterSchema } from "./schema.js";
import type { JsonNode, SqlDialect } from "./sql-dialect.js";
import { join, sql, type SqlFragment, type SqlParameter } from "./sql-fragment.js";
import { POSTGRESQL } from "./sql-postgresql.js";
import { SQLITE } from "./sql-sqlite.js";

/** The databases that {@link compileFilterSql} supports. */
export type FilterDialect = "postgresql" | "sqlite";

/** Options of {@link compileFilterSql}. */
export interface FilterSqlOptions {
  /**
   * The number of the first placeholder, 1–65,535, if the statement has other parameters before. For PostgreSQL only.
   *
   * @default 1
   */
  firstParameter?: number;
}

/** A condition for `WHERE`, in parentheses. It is true for matching rows, and false or NULL for others. Frozen. */
export interface FilterSql {
  /** The condition with placeholders: `$1`, `$2`, … for PostgreSQL, `?` for SQLite. */
  readonly sql: string;
  /** The values for the placeholders, in order. */
  readonly parameters: readonly SqlParameter[];
  /** The texts around the parameters, for a template tag such as Kysely's: ``sql(strings, ...parameters)``. */
  readonly strings: TemplateStringsArray;
}

const OPTIONS: Record<keyof FilterSqlOptions, true> = { firstParameter: true };

const DIALECTS: Readonly<Record<FilterDialect, SqlDialect>> = { postgresql: POSTGRESQL, sqlite: SQLITE };

const LAST_CODE_POINT = 0x10ffff;

const SQL_OPERATORS = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` };

/**
 * Compile an expression to a condition for `WHERE`. Names and literals of the expression are always parameters. The
 * condition matches the same rows as the predicate of {@link compileFilter}. `eq`, `gt`, `ge`, `lt`, `le` and `sw` on a
 * plain column can use its index.
 *
 * @throws {FilterError} when `schema` does not allow the expression
 * @throws {TypeError} when an attribute of it has no `column` in the schema, or an argument is wrong
 * @example
 * const schema = compileFilterSchema({ attributes: { status: { type: "string", column: "status" } } });
 * const { sql, parameters } = compileFilterSql(parseFilter('status eq "ACTIVE"'), schema, "postgresql");
 * // sql: ("status" = $1::text COLLATE "C"), parameters: ["ACTIVE"]
 */
export function compileFilterSql(
  filter: Filter,
  schema: FilterSchema,
  dialect: FilterDialect,
  options: Readonly<FilterSqlOptions> = {},
): FilterSql {
  const firstParameter = parseSqlOptions("compileFilterSql", dialect, options);
  return compileSql(resolveFilter(filter, schema), dialect, firstParameter);
}

/**
 * Check the arguments of the function `name`. Returns the number of the first placeholder.
 *
 * @throws {TypeError} when `dialect` or an option is wrong
 */
export function parseSqlOptions(
  name: string,
  dialect: FilterDialect,
  options: Readonly<FilterSqlOptions> = {},
): number {
  assertKnownOptions(name, options, OPTIONS);
  if (!Object.hasOwn(DIALECTS, dialect)) throw optionError(name, "dialect", '"postgresql" or "sqlite"');
  return integerOption(name, "firstParameter", options.firstParameter, { fallback: 1, min: 1, max: 65_535 });
}

/** {@link compileFilterSql} for an expression that was resolved before. */
export function compileSql(filter: ResolvedFilter, dialect: FilterDialect, firstParameter: number): FilterSql {
  const { condition } = new Compiler(DIALECTS[dialect]).compile(filter);
  const { texts, parameters } = sql`(${condition})`;
  const strings = Object.assign([...texts], { raw: Object.freeze(texts) });
  return formatSql({ strings: Object.freeze(strings), parameters: Object.freeze(parameters) }, dialect, firstParameter);
}

/** Number the placeholders of a condition from `firstParameter` on. */
export function formatSql(
  { strings, parameters }: Omit<FilterSql, "sql">,
  dialect: FilterDialect,
  firstParameter: number,
): FilterSql {
  const { placeholder } = DIALECTS[dialect];
  const text = strings.reduce((before, next, index) => before + placeholder(firstParameter + index - 1) + next);
  return Object.freeze({ sql: text, parameters, strings });
}

/** A condition, and how many stack entries the parser of the database needs for it. */
interface Compiled {
  readonly condition: SqlFragment;
  readonly stack: number;
}

class Compiler {
  readonly #dialect: SqlDialect;

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  compile(filter: ResolvedFilter): Compiled {
    switch (filter.kind) {
      case "term":
        return { condition: this.#compileTerm(filter), stack: 0 };
      case "not": {
        const { condition, stack } = this.compile(filter.operand);
        return { condition: negate(condition), stack: stack + 1 };
      }
      case "and":
      case "or":
        return this.#compileJunction(filter.kind, filter.operands);
    }
  }

  /**
   * The parser of SQLite has a stack of 100 entries; `a OR (` takes three, `(` only one. So that every expression within the
   * caps fits, the operand that needs most goes first, and `AND` within `OR` has no parentheses.
   */
  #compileJunction(kind: "and" | "or", operands: readonly ResolvedFilter[]): Compiled {
    const compiled = operands.map((operand) => {
      const { condition, stack } = this.compile(operand);
      const isGroup = operand.kind === "or" && kind === "and";
      return isGroup ? { condition: sql`(${condition})`, stack: stack + 1 } : { condition, stack };
    });
    compiled.sort((a, b) => b.stack - a.stack);
    return {
      condition: join(
        compiled.map(({ condition }) => condition),
        kind === "and" ? " AND " : " OR ",
      ),
      stack: Math.max(...compiled.map(({ stack }, index) => (index === 0 ? stack : stack + 2))),
    };
  }

  #compileTerm({ term: written, attribute }: ResolvedTerm): SqlFragment {
    const { column, elementPath, multiValued, except, type } = attribute;
    if (column === undefined) {
      throw new TypeError(`compileFilterSql: attribute \`${written.attribute}\` has no \`column\` in the schema`);
    }
    const term = type === "date" ? toStoredDate(written) : written;
    const name = this.#dialect.column(column.name);
    let condition: SqlFragment;
    if (!column.isJson) {
      condition = this.#testColumn(name, term, attribute);
    } else if (multiValued) {
      const source = { column: name, path: column.path, elementPath };
      condition = this.#dialect.anyElement(source, (element) => this.#testNode(element, term));
    } else {
      const node = this.#dialect.document(name, column.path);
      condition = this.#testNode(except ? this.#dialect.without(node, except) : node, term);
    }
    return term.operator === "ne" ? negate(condition) : condition;
  }

  #testColumn(column: SqlFragment, term: FilterTerm, { type }: CompiledAttribute): SqlFragment {
    if (term.kind === "presence") {
      return type === "string" || type === "date" ? sql`${column} <> ''` : sql`${column} IS NOT NULL`;
    }
    const { operator, operand } = term;
    if (operator === "sw" && operand !== "") {
      // a range, because it can use an index
      const prefix = operand as string;
      const end = followingPrefix(prefix);
      const dialect = this.#dialect;
      const isAtLeast = sql`${column} >= ${dialect.operand(prefix)}`;
      return end === undefined ? isAtLeast : sql`${isAtLeast} AND ${column} < ${dialect.operand(end)}`;
    }
    return this.#compare(column, term);
  }

  #testNode(node: JsonNode, term: FilterTerm): SqlFragment {
    if (term.kind === "presence") return this.#dialect.isPresent(node);
    return this.#compare(this.#dialect.scalar(node, typeof term.operand as "string" | "number" | "boolean"), term);
  }

  /** Compare a value of the operand's type. `ne` compares like `eq`; the caller negates it. */
  #compare(value: SqlFragment, { operator, operand }: FilterComparison): SqlFragment {
    const dialect = this.#dialect;
    switch (operator) {
      case "eq":
      case "ne":
        return sql`${value} = ${dialect.operand(operand)}`;
      case "gt":
      case "ge":
      case "lt":
      case "le":
        return sql`${value} ${SQL_OPERATORS[operator]} ${dialect.operand(operand)}`;
    }
    if (operand === "") return sql`${value} IS NOT NULL`; // every string contains the empty string
    switch (operator) {
      case "sw":
        return dialect.startsWith(value, operand as string);
      case "ew":
        return dialect.endsWith(value, operand as string);
      case "co":
        return dialect.contains(value, operand as string);
    }
  }
}

/** A comparison with a date in the form that databases hold. */
function toStoredDate(term: FilterTerm): FilterTerm {
  if (term.kind === "presence") return term;
  return { ...term, ...toMilliseconds(term.operator, parseOperand(term.operand as string)) };
}

/** NULL counts as false, so that a negation is true or false, never NULL. */
function negate(condition: SqlFragment): SqlFragment {
  return sql`(${condition}) IS NOT TRUE`;
}

/**
 * The least string, in the order of code points, that is greater than all strings with this prefix: the last character is
 * replaced by the next one. No character follows U+10FFFF, so it is removed. `undefined` when nothing is left.
 */
function followingPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    if (last === LAST_CODE_POINT) continue;
    // surrogates follow U+D7FF, and are not characters
    return String.fromCodePoint(...characters, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}
