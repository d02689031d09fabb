import fc from "fast-check";
import {
  compileFilterSchema,
  type ComparisonOperator,
  type Filter,
  type FilterOperand,
  type FilterOperator,
} from "../../lib/filter/index.js";

/** An object as an API shows it, of all kinds of attributes. */
export interface Resource {
  id: string;
  status: string | null;
  login: string;
  priority: number;
  score: number | null;
  active: boolean | null;
  created: string | null;
  type: string[];
  profile: Record<string, unknown>;
  target: unknown;
}

const ALL: readonly FilterOperator[] = ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co", "pr"];

export const schema = compileFilterSchema({
  attributes: {
    status: { type: "string", column: "status", operators: ALL },
    login: { type: "string", column: "resources.login", operators: ALL },
    priority: { type: "number", column: "priority" },
    score: { type: "number", column: "score" },
    active: { type: "boolean", column: "active" },
    created: { type: "date", column: "created" },
    "entry.login": { type: "string", path: ["login"], column: "resources.login", operators: ALL },
    "entry.score": { type: "number", path: ["score"], column: "score" },
    type: { type: "string", multiValued: true, column: "type", operators: ALL },
    "profile.nick": { type: "string", column: { column: "profile", path: ["nick"] }, operators: ALL },
    "profile.age": { type: "number", column: { column: "profile", path: ["age"] } },
    "profile.admin": { type: "boolean", column: { column: "profile", path: ["admin"] } },
    "profile.hired": { type: "date", column: { column: "profile", path: ["hired"] } },
    "profile.address": { type: "complex", column: { column: "profile", path: ["address"] } },
    "profile.address.city": {
      type: "string",
      column: { column: "profile", path: ["address", "city"] },
      operators: ALL,
    },
    "profile.*": { type: "any", multiValued: true, column: "profile", operators: ALL },
    "rest.*": {
      type: "any",
      multiValued: true,
      path: ["profile"],
      except: ["nick", "address", "toString", "missing"],
      column: "profile",
      operators: ALL,
    },
    "target.id": {
      type: "any",
      multiValued: true,
      path: ["target"],
      elementPath: ["id"],
      column: "target",
      operators: ALL,
    },
  },
});

/** Names that `profile.*` resolves, two of which every object inherits. */
const FREE_NAMES = ["nick", "age", "admin", "tags", "toString", "__proto__", "length"];

const text = fc.string({
  unit: fc.constantFrom(...Array.from("abA1%_\\\"'é\u07ff中\ud7ff\ue000\uffff\u{1f600}\u{10ffff} +$.[]{}*?")),
  maxLength: 4,
});
const number = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.1, 0.30000000000000004, -1.5, 1e21, 5e-324, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER),
);
const date = fc.constantFrom(
  "0001-01-01T00:00:00.000Z",
  "2024-02-29T00:00:00.000Z",
  "2024-02-29T00:00:00.001Z",
  "9999-12-31T23:59:59.999Z",
);
const dateOperand = fc.oneof(
  date,
  fc.constantFrom(
    "0001-01-01T00:00:00Z",
    "2024-02-29T01:00:00+01:00",
    "2024-02-29t00:00:00.0000z",
    "2024-02-28T23:59:59.9999Z",
    "2024-02-29T00:00:00.0001Z",
    "2024-02-29T00:00:00.001000000000000001Z",
    "9999-12-31T23:59:59.999999Z",
  ),
);
const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.constantFrom<unknown>({}, { id: "a" }, { city: "a" }, { city: "" }, [{}], [[]], [["a"]]),
);
const members = fc.oneof(scalar, fc.constantFrom<unknown>({}, [], ["a"], { id: "a" }));

export const resource: fc.Arbitrary<Omit<Resource, "id">> = fc.record({
  status: fc.option(text),
  login: text,
  priority: fc.integer({ min: -2, max: 3 }),
  score: fc.option(number),
  active: fc.option(fc.boolean()),
  created: fc.option(date),
  type: fc.array(text, { maxLength: 3 }),
  profile: fc.dictionary(
    fc.constantFrom("nick", "age", "admin", "hired", "address", "tags", "toString", "length"),
    fc.oneof(value, date),
  ),
  target: fc.oneof(
    members,
    fc.array(
      fc.oneof(
        members,
        members.map((id) => ({ id })),
      ),
      { maxLength: 3 },
    ),
  ),
});

const OFFSETS = { offset: 0, operatorOffset: 0, operandOffset: 0 };
const ORDERED: readonly ComparisonOperator[] = ["eq", "ne", "gt", "ge", "lt", "le"];

function comparison(
  attributes: readonly string[],
  operators: readonly ComparisonOperator[],
  operand: fc.Arbitrary<FilterOperand>,
): fc.Arbitrary<Filter> {
  return fc
    .record({
      attribute: fc.constantFrom(...attributes),
      operator: fc.constantFrom(...operators),
      operand,
    })
    .map((term): Filter => ({ kind: "comparison", ...term, ...OFFSETS }));
}

const free = FREE_NAMES.map((name) => `profile.${name}`).filter((name) => !schema.attributes.has(name));
const strings = ["status", "login", "type", "profile.nick", "profile.address.city", "target.id", ...free];

const term: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 4, arbitrary: comparison(strings, [...ORDERED, "sw", "ew", "co"], text) },
  comparison(["priority", "score", "profile.age", "target.id", ...free], ORDERED, number),
  comparison(["active", "profile.admin", "target.id", ...free], ["eq", "ne"], fc.boolean()),
  comparison(["created", "profile.hired"], ORDERED, dateOperand),
  fc
    .constantFrom(...[...schema.attributes.keys()].filter((name) => !name.endsWith("*")), ...free)
    .map((attribute): Filter => ({ kind: "presence", attribute, operator: "pr", offset: 0, operatorOffset: 0 })),
);

/** Expressions that {@link schema} allows. Their offsets are all 0. */
export const expression: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthIdentifier: "filter" },
    { weight: 3, arbitrary: term },
    tie("filter").map((operand): Filter => ({ kind: "not", operand, offset: 0 })),
    fc
      .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(tie("filter"), { minLength: 2, maxLength: 3 }))
      .map(([kind, operands]): Filter => ({ kind, operands, offset: 0 })),
  ),
})).filter;

/** `filter` with every offset 0, to compare expressions regardless of their text. */
export function withoutOffsets(filter: Filter): Filter {
  switch (filter.kind) {
    case "presence":
      return { ...filter, offset: 0, operatorOffset: 0 };
    case "comparison":
      return { ...filter, ...OFFSETS };
    case "not":
      return { ...filter, offset: 0, operand: withoutOffsets(filter.operand) };
    default:
      return { ...filter, offset: 0, operands: filter.operands.map(withoutOffsets) };
  }
}
