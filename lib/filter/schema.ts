import { assertKnownOptions, booleanOption, integerOption } from "../factory/index.js";
import { isObject } from "../json/index.js";
import { FILTER_OPERATORS, RESERVED_WORDS } from "./ast.js";
import type { FilterOperator } from "./ast.js";

/**
 * The type of an attribute's value. `date` is a string `YYYY-MM-DDTHH:mm:ss.SSSZ`. `complex` is an object, which supports
 * only `pr`. `any` is any JSON value; a comparison matches only values of the operand's type.
 */
export type FilterAttributeType = "string" | "number" | "boolean" | "date" | "complex" | "any";

/** A column, or a value in a JSON document that is stored in a column. */
export type FilterColumn = string | Readonly<{ column: string; path: readonly string[] }>;

/** One attribute of a resource. */
export interface FilterAttribute {
  /** The type of the value. */
  readonly type: FilterAttributeType;

  /**
   * The operators that clients may use. `co` and `ew` must be listed, because no index supports them.
   *
   * @default all operators of the type except `co` and `ew`
   */
  readonly operators?: readonly FilterOperator[];

  /**
   * Whether the value is an array that matches when one element matches. A single value counts as one element.
   *
   * @default false
   */
  readonly multiValued?: boolean;

  /**
   * The path of the value in an object.
   *
   * @default the name of the attribute, split at its dots
   */
  readonly path?: readonly string[];

  /**
   * The path of the value in each element of a multi-valued attribute whose elements are objects.
   *
   * @default []: the element itself
   */
  readonly elementPath?: readonly string[];

  /**
   * For a name that ends in `.*`: the names that the `*` does not stand for.
   *
   * @default []
   */
  readonly except?: readonly string[];

  /**
   * The column of the value, for {@link compileFilterSql}: a plain column of the attribute's type, or a JSON document (of
   * type text or jsonb). A multi-valued, `complex` or `any` attribute is always JSON.
   *
   * @default undefined: the attribute works only in memory
   */
  readonly column?: FilterColumn;
}

/** The filters that clients of a resource may use. */
export interface FilterSchemaOptions {
  /**
   * The attributes by name. In a name that ends in `.*`, the `*` stands for any one name, which is appended to the paths.
   * The beginning of a name (`profile` of `profile.login`) is a complex attribute: `profile pr` is true if an attribute
   * below it that takes `pr` has a value.
   */
  attributes: Readonly<Record<string, FilterAttribute>>;

  /**
   * Whether `not` can be used.
   *
   * @default true
   */
  not?: boolean;

  /**
   * The least length of an operand of `co`, `sw` or `ew`, in characters.
   *
   * @default {}
   */
  minimumOperandLength?: Readonly<Partial<Record<"co" | "sw" | "ew", number>>>;
}

/** An attribute with its defaults. */
export interface CompiledAttribute {
  readonly type: FilterAttributeType;
  readonly operators: ReadonlySet<FilterOperator>;
  readonly multiValued: boolean;
  readonly path: readonly string[];
  readonly elementPath: readonly string[];
  readonly column: { readonly name: string; readonly path: readonly string[]; readonly isJson: boolean } | undefined;
  /** Members of the object that do not count, because clients can't name them. */
  readonly except?: readonly string[] | undefined;
  /** The attributes below the beginning of their names, which has a value if one of them has. */
  readonly members?: readonly CompiledAttribute[];
}

/** A compiled schema, see {@link compileFilterSchema}. */
export interface FilterSchema {
  readonly attributes: ReadonlyMap<string, CompiledAttribute>;
  readonly not: boolean;
  readonly minimumOperandLength: ReadonlyMap<FilterOperator, number>;
}

const SCHEMA_OPTIONS: Record<keyof FilterSchemaOptions, true> = {
  attributes: true,
  not: true,
  minimumOperandLength: true,
};

const ATTRIBUTE_OPTIONS: Record<keyof FilterAttribute, true> = {
  type: true,
  operators: true,
  multiValued: true,
  path: true,
  elementPath: true,
  except: true,
  column: true,
};

const OPERATORS_BY_TYPE: Readonly<Record<FilterAttributeType, readonly FilterOperator[]>> = {
  string: FILTER_OPERATORS,
  number: ["eq", "ne", "gt", "ge", "lt", "le", "pr"],
  boolean: ["eq", "ne", "pr"],
  date: ["eq", "ne", "gt", "ge", "lt", "le", "pr"],
  complex: ["pr"],
  any: FILTER_OPERATORS,
};

const UNINDEXED_OPERATORS: ReadonlySet<FilterOperator> = new Set(["co", "ew"]);

/** `word` of the grammar in lexer.ts, with `.*` at the end allowed. */
const ATTRIBUTE_REGEXP = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*(?:\.\*)?$/;

/** An unquoted identifier of SQL, qualified or not. */
const COLUMN_REGEXP = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** A member name that can stand between double quotes in a path of SQLite. */
const SEGMENT_REGEXP = /^[^"\\\x00-\x1f\p{Surrogate}]+$/u;

/**
 * Declare the filters that clients of a resource may use. Everything else is refused.
 *
 * @throws {TypeError} when the schema has a fault; the message names the attribute and the option
 * @example
 * const schema = compileFilterSchema({
 *   attributes: { status: { type: "string", column: "status" }, created: { type: "date", column: "created" } },
 * });
 */
export function compileFilterSchema(options: Readonly<FilterSchemaOptions>): FilterSchema {
  const factory = "compileFilterSchema";
  assertKnownOptions(factory, options, SCHEMA_OPTIONS);
  const { attributes, minimumOperandLength = {} } = options;
  if (!isObject(attributes)) throw new TypeError(`${factory}: option \`attributes\` must be an object`);
  if (!isObject(minimumOperandLength)) {
    throw new TypeError(`${factory}: option \`minimumOperandLength\` must be an object`);
  }

  assertKnownOptions(`${factory}: option \`minimumOperandLength\``, minimumOperandLength, {
    co: true,
    sw: true,
    ew: true,
  });
  const compiled = new Map(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      compileAttribute(`${factory}: attribute \`${name}\``, name, attribute),
    ]),
  );
  return {
    attributes: new Map([...compiled, ...findComplex(compiled)]),
    not: booleanOption(factory, "not", options.not, true),
    minimumOperandLength: new Map(
      Object.entries(minimumOperandLength).map(([operator, length]) => [
        operator as FilterOperator,
        integerOption(factory, `minimumOperandLength.${operator}`, length, { fallback: 0, min: 0, max: 8192 }),
      ]),
    ),
  };
}

function compileAttribute(place: string, name: string, options: FilterAttribute): CompiledAttribute {
  assertKnownOptions(place, options, ATTRIBUTE_OPTIONS);
  if (!ATTRIBUTE_REGEXP.test(name) || RESERVED_WORDS.has(name.toLowerCase())) {
    throw new TypeError(`${place} must be names joined with dots: letters, digits, _ and -, but not a reserved word`);
  }
  const { type, path = name.replace(/\.\*$/, "").split("."), elementPath = [], except } = options;
  if (!Object.hasOwn(OPERATORS_BY_TYPE, type)) {
    throw new TypeError(`${place}: option \`type\` must be one of ${Object.keys(OPERATORS_BY_TYPE).join(", ")}`);
  }
  const multiValued = booleanOption(place, "multiValued", options.multiValued, false);
  assertPath(place, "path", path);
  assertPath(place, "elementPath", elementPath);
  if (elementPath.length > 0 && !multiValued) {
    throw new TypeError(`${place}: option \`elementPath\` is for a multi-valued attribute`);
  }
  if (except !== undefined) {
    assertPath(place, "except", except);
    if (!name.endsWith(".*")) throw new TypeError(`${place}: option \`except\` is for a name that ends in .*`);
  }
  return {
    type,
    operators: compileOperators(place, type, options.operators),
    multiValued,
    path: [...path],
    elementPath: [...elementPath],
    ...(except && { except: [...except] }),
    column: compileColumn(place, options.column, multiValued || type === "complex" || type === "any"),
  };
}

/** An attribute for each beginning of the names that is not declared itself. */
function findComplex(attributes: ReadonlyMap<string, CompiledAttribute>): Map<string, CompiledAttribute> {
  const members = new Map<string, CompiledAttribute[]>();
  for (const [name, attribute] of attributes) {
    if (!attribute.operators.has("pr")) continue;
    const member = name.endsWith(".*") ? toDocument(attribute) : attribute;
    for (let dot = name.lastIndexOf("."); dot !== -1; dot = name.lastIndexOf(".", dot - 1)) {
      const beginning = name.slice(0, dot);
      if (attributes.has(beginning)) continue;
      const siblings = members.get(beginning);
      if (siblings) siblings.push(member);
      else members.set(beginning, [member]);
    }
  }
  const complex = {
    type: "complex",
    operators: new Set<FilterOperator>(["pr"]),
    multiValued: false,
    path: [],
    elementPath: [],
    column: undefined,
  } as const;
  return new Map(Array.from(members, ([name, found]) => [name, { ...complex, members: found }]));
}

/** The object whose members a name with `.*` stands for. */
function toDocument(family: CompiledAttribute): CompiledAttribute {
  const { column } = family;
  return { ...family, type: "complex", multiValued: false, column: column && { ...column, isJson: true } };
}

function compileOperators(place: string, type: FilterAttributeType, operators: unknown): ReadonlySet<FilterOperator> {
  const possible = OPERATORS_BY_TYPE[type];
  if (operators === undefined) return new Set(possible.filter((operator) => !UNINDEXED_OPERATORS.has(operator)));
  if (!Array.isArray(operators) || !operators.every((operator) => possible.includes(operator as FilterOperator))) {
    throw new TypeError(`${place}: option \`operators\` must be an array of ${possible.join(", ")}`);
  }
  return new Set(operators as FilterOperator[]);
}

function compileColumn(place: string, column: FilterColumn | undefined, isJson: boolean): CompiledAttribute["column"] {
  if (column === undefined) return undefined;
  const { column: name, path }: Partial<Exclude<FilterColumn, string>> =
    typeof column === "object" ? { ...column } : { column, path: [] };
  if (typeof name !== "string" || !COLUMN_REGEXP.test(name)) {
    throw new TypeError(`${place}: option \`column\` must be an identifier, qualified or not`);
  }
  assertPath(place, "column.path", path);
  return { name, path: [...path], isJson: isJson || typeof column !== "string" };
}

function assertPath(place: string, option: string, path: unknown): void {
  if (!Array.isArray(path) || !path.every((segment) => typeof segment === "string" && SEGMENT_REGEXP.test(segment))) {
    throw new TypeError(
      `${place}: option \`${option}\` must be an array of member names without quotes and backslashes`,
    );
  }
}
