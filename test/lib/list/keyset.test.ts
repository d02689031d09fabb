import fc from "fast-check";
import type { CursorKey } from "../../../lib/list/cursor.js";
import {
  compareKeys,
  keysetCondition,
  keysetOrder,
  selectRows,
  type KeysetComparison,
  type KeysetCondition,
  type SortTerm,
} from "../../../lib/list/keyset.js";
import { DATABASES } from "../../support/databases.js";
import { describeIf } from "../../support/requirements.js";

const BY_NAME: readonly SortTerm[] = [{ column: "name", nulls: "last" }, { column: "id" }];

const term = fc.record({
  direction: fc.constantFrom<"asc" | "desc">("asc", "desc"),
  nulls: fc.constantFrom<"first" | "last">("first", "last"),
});
/** Orders over a nullable text, a number, and an id that no two rows share. */
const anyOrder: fc.Arbitrary<SortTerm[]> = fc
  .tuple(term, term, term, fc.boolean())
  .map(([name, size, id, numberFirst]) => {
    const terms: SortTerm[] = [
      { column: "name", ...name },
      { column: "size", direction: size.direction },
    ];
    return [...(numberFirst ? terms.reverse() : terms), { column: "id", direction: id.direction }];
  });

interface Row {
  id: number;
  name: string | null;
  size: number;
}
const anyRows = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 30 }),
    name: fc.constantFrom(null, "a", "b", "é", "\uffff", "\u{1f600}"),
    size: fc.integer({ min: 0, max: 2 }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 15 },
);

function keysOf(order: readonly SortTerm[]): (row: Row) => CursorKey[] {
  return (row) => order.map(({ column }) => row[column as keyof Row]);
}

/** As a database orders them. */
function compareBytes(a: string | number, b: CursorKey): number {
  return typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b);
}

function holds(row: Row, { column, operator, value = null }: KeysetComparison): boolean {
  const found = row[column as keyof Row];
  if (operator === "isNull") return found === null;
  if (operator === "isNotNull") return found !== null;
  if (found === null || value === null) return false; // as in SQL
  if (operator === "eq") return found === value;
  const order = compareBytes(found, value);
  if (operator === "gt") return order > 0;
  if (operator === "ge") return order >= 0;
  return operator === "lt" ? order < 0 : order <= 0;
}

function satisfies(row: Row, { bound, alternatives }: KeysetCondition): boolean {
  const isBeyond = alternatives.some((all) => all.every((comparison) => holds(row, comparison)));
  if (isBeyond && bound) expect(holds(row, bound)).toBe(true);
  return isBeyond;
}

describe("compareKeys", () => {
  it.each<[CursorKey[], CursorKey[], number]>([
    [["a", 1], ["a", 1], 0],
    [["a", 1], ["b", 0], -1],
    [["b", 0], ["a", 1], 1],
    [["a", 1], ["a", 2], -1],
    [["a", 10], ["a", 9], 1],
    [[null, 1], ["z", 1], 1],
    [["z", 1], [null, 1], -1],
    [[null, 1], [null, 2], -1],
    [["Z", 1], ["a", 1], -1],
    [["\ud7ff", 1], ["\ue000", 1], -1],
    [["\uffff", 1], ["\u{10000}", 1], -1],
    [["a\u{1f600}", 1], ["a\ue000", 1], 1],
    [["\u{1f600}", 1], ["\u{1f601}", 1], -1],
    [[false, 1], [true, 1], -1],
  ])("P5 puts %j against %j at %d", (a, b, expected) => {
    expect(Math.sign(compareKeys(a, b, BY_NAME))).toBe(expected);
  });

  it("P5 goes by direction and by nulls, each on its own", () => {
    const order: SortTerm[] = [
      { column: "name", direction: "desc", nulls: "first" },
      { column: "id", direction: "desc" },
    ];
    const keys: CursorKey[][] = [
      ["a", 1],
      ["b", 1],
      [null, 1],
      ["b", 2],
    ];
    expect(keys.toSorted((a, b) => compareKeys(a, b, order))).toEqual([
      [null, 1],
      ["b", 2],
      ["b", 1],
      ["a", 1],
    ]);
  });

  it("refuses keys that do not fit the order", () => {
    expect(() => compareKeys(["a"], ["a", 1], BY_NAME)).toThrow(new TypeError("there are 1 keys for 2 sort terms"));
    expect(() => compareKeys(["a", 1], ["a"], BY_NAME)).toThrow(new TypeError("there are 1 keys for 2 sort terms"));
    expect(() => compareKeys(["a", null], ["a", 1], BY_NAME)).toThrow(new TypeError("id is null and has no `nulls`"));
    expect(() => compareKeys(["a", 1], ["a", "1"], BY_NAME)).toThrow(
      new TypeError("id is a number in one row and a string in another"),
    );
  });
});

describe("keysetOrder", () => {
  it("is the order itself, and for `before` its opposite", () => {
    expect(keysetOrder({}, BY_NAME)).toBe(BY_NAME);
    expect(keysetOrder({ after: ["a", 1] }, BY_NAME)).toBe(BY_NAME);
    expect(keysetOrder({ before: ["a", 1] }, [...BY_NAME, { column: "x", direction: "desc", nulls: "first" }])).toEqual(
      [
        { column: "name", direction: "desc", nulls: "first" },
        { column: "id", direction: "desc" },
        { column: "x", direction: "asc", nulls: "last" },
      ],
    );
  });
});

describe("keysetCondition", () => {
  it("is none for the first page", () => {
    expect(keysetCondition({ after: undefined, before: undefined }, BY_NAME)).toBeUndefined();
  });

  it("P5 has a bound on the first column where that can't be null", () => {
    const order: SortTerm[] = [{ column: "created", direction: "desc" }, { column: "id" }];
    expect(keysetCondition({ after: ["2024", 7] }, order)).toEqual({
      bound: { column: "created", operator: "le", value: "2024" },
      alternatives: [
        [{ column: "created", operator: "lt", value: "2024" }],
        [
          { column: "created", operator: "eq", value: "2024" },
          { column: "id", operator: "gt", value: 7 },
        ],
      ],
    });
    expect(keysetCondition({ before: ["2024", 7] }, order)?.bound).toEqual({
      column: "created",
      operator: "ge",
      value: "2024",
    });
  });

  it("P5 speaks of nulls where there can be some", () => {
    expect(keysetCondition({ after: ["a", 7] }, BY_NAME)).toEqual({
      alternatives: [
        [{ column: "name", operator: "gt", value: "a" }],
        [{ column: "name", operator: "isNull" }],
        [
          { column: "name", operator: "eq", value: "a" },
          { column: "id", operator: "gt", value: 7 },
        ],
      ],
    });
    expect(keysetCondition({ before: [null, 7] }, BY_NAME)).toEqual({
      alternatives: [
        [{ column: "name", operator: "isNotNull" }],
        [
          { column: "name", operator: "isNull" },
          { column: "id", operator: "lt", value: 7 },
        ],
      ],
    });
  });

  it("refuses keys that do not fit the order", () => {
    expect(() => keysetCondition({ after: ["a"] }, BY_NAME)).toThrow(TypeError);
    expect(() => keysetCondition({ after: ["a", null] }, BY_NAME)).toThrow(TypeError);
  });

  it("P5 holds for exactly the rows that come later, in any order, in either direction", () => {
    fc.assert(
      fc.property(anyRows, anyOrder, fc.boolean(), fc.nat(), (rows, order, backwards, pick) => {
        const place = keysOf(order)(rows[pick % rows.length]!);
        const position = backwards ? { before: place } : { after: place };
        const condition = keysetCondition(position, order)!;
        const expected = selectRows(rows, { ...position, limit: Infinity }, keysOf(order), order);
        expect(new Set(rows.filter((row) => satisfies(row, condition)))).toEqual(new Set(expected));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("selectRows", () => {
  it("gives the rows nearest to the place, in walking order", () => {
    const rows = [3, 1, 2, 5, 4];
    const order: SortTerm[] = [{ column: "id" }];
    const select = (position: object, limit: number): number[] =>
      selectRows(rows, { ...position, limit }, (row) => [row], order);
    expect(select({}, 2)).toEqual([1, 2]);
    expect(select({ after: [2] }, 2)).toEqual([3, 4]);
    expect(select({ before: [4] }, 2)).toEqual([3, 2]);
    expect(select({ after: [5] }, 2)).toEqual([]);
    expect(select({ after: [2.5] }, 9)).toEqual([3, 4, 5]);
  });
});

const OPERATORS = { eq: "=", gt: ">", ge: ">=", lt: "<", le: "<=", isNull: "IS NULL", isNotNull: "IS NOT NULL" };

for (const { name, available, need, open } of DATABASES) {
  describeIf(available, `keysetCondition and keysetOrder on ${name}`, need, () => {
    it("P5 select what selectRows() does", async () => {
      const database = await open();
      const isPostgresql = database.dialect === "postgresql";
      const text = isPostgresql ? 'text COLLATE "C"' : "text";
      await database.run(`CREATE TEMPORARY TABLE keyset_rows (id integer, name ${text}, size integer)`);
      try {
        await fc.assert(
          fc.asyncProperty(
            anyRows,
            anyOrder,
            fc.constantFrom("after", "before"),
            fc.nat(),
            async (rows, order, side, pick) => {
              await database.run("DELETE FROM keyset_rows");
              const parameters: CursorKey[] = [];
              const bind = (value: CursorKey): string => {
                parameters.push(value);
                return isPostgresql ? `$${parameters.length}` : "?";
              };
              const values = rows.map((row) => `(${[row.id, row.name, row.size].map(bind).join(", ")})`).join(", ");
              await database.run(`INSERT INTO keyset_rows VALUES ${values}`, parameters);

              const position = { [side]: keysOf(order)(rows[pick % rows.length]!) };
              const { bound, alternatives } = keysetCondition(position, order)!;
              parameters.length = 0;
              const write = ({ column, operator, value }: KeysetComparison): string =>
                `${column} ${OPERATORS[operator]} ${value === undefined ? "" : bind(value)}`;
              const where = [
                bound ? write(bound) : "1 = 1",
                `(${alternatives.map((all) => all.map(write).join(" AND ")).join(" OR ") || "1 = 0"})`,
              ].join(" AND ");
              const orderBy = keysetOrder(position, order)
                .map(
                  ({ column, direction, nulls }) => `${column} ${direction ?? "asc"}${nulls ? ` NULLS ${nulls}` : ""}`,
                )
                .join(", ");
              const found = await database.all<Row>(
                `SELECT * FROM keyset_rows WHERE ${where} ORDER BY ${orderBy}`,
                parameters,
              );
              expect(found.map(({ id }) => id)).toEqual(
                selectRows(rows, { ...position, limit: Infinity }, keysOf(order), order).map(({ id }) => id),
              );
            },
          ),
          { numRuns: 200 },
        );
      } finally {
        await database.close();
      }
    });
  });
}
