import fc from "fast-check";
import { compileFilter, compileFilterSql, formatFilter, parseFilter } from "../../../lib/filter/index.js";
import { DATABASES, selectIds, type TestDatabase } from "../../support/databases.js";
import { expression, resource, schema, type Resource } from "../../support/filter.js";
import { describeIf } from "../../support/requirements.js";

const TABLE = {
  sqlite: `CREATE TEMPORARY TABLE resources (
    id TEXT NOT NULL PRIMARY KEY, status TEXT, login TEXT NOT NULL COLLATE NOCASE, priority INTEGER NOT NULL,
    score REAL, active INTEGER, created TEXT, type TEXT, profile TEXT, target TEXT)`,
  postgresql: `CREATE TEMPORARY TABLE resources (
    id text NOT NULL PRIMARY KEY, status text, login text NOT NULL, priority integer NOT NULL,
    score double precision, active boolean, created text, type text, profile jsonb, target text)`,
};

const COLUMNS = [
  "id",
  "status",
  "login",
  "priority",
  "score",
  "active",
  "created",
  "type",
  "profile",
  "target",
] as const;

async function store(database: TestDatabase, rows: readonly Resource[]): Promise<void> {
  await database.run("DELETE FROM resources");
  const isSqlite = database.dialect === "sqlite";
  const parameters = rows.flatMap((row) =>
    COLUMNS.map((column) => {
      const value = row[column];
      if (column === "type" || column === "profile" || column === "target") return JSON.stringify(value);
      return typeof value === "boolean" && isSqlite ? Number(value) : value;
    }),
  );
  const tuples = rows.map((_row, row) => {
    const first = row * COLUMNS.length + 1;
    return `(${COLUMNS.map((_column, column) => (isSqlite ? "?" : `$${first + column}`)).join(", ")})`;
  });
  await database.run(`INSERT INTO resources (${COLUMNS.join(", ")}) VALUES ${tuples.join(", ")}`, parameters);
}

/** A table that has no rows but these, and the expressions that are asked of it. */
const scenario = fc.record({
  rows: fc
    .array(resource, { minLength: 1, maxLength: 12 })
    .map((rows) => rows.map((row, index): Resource => ({ id: String(index + 10), ...row }))),
  filters: fc.array(expression, { minLength: 5, maxLength: 15 }),
});

describe.each(DATABASES)("an expression in $name", ({ available, name, need, open }) => {
  describeIf(available, `and in memory (${name})`, need, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await open();
      await database.run(TABLE[database.dialect]);
    });
    afterAll(() => database.close());

    it("F10 selects the same rows, whatever the expression and the rows", async () => {
      let selected = 0;
      await fc.assert(
        fc.asyncProperty(scenario, async ({ rows, filters }) => {
          await store(database, rows);
          for (const filter of filters) {
            const matches = compileFilter(filter, schema);
            const expected = rows.filter(matches).map(({ id }) => id);
            selected += expected.length;
            const actual = await selectIds(database, "resources", compileFilterSql(filter, schema, database.dialect));
            expect({ filter: formatFilter(filter), rows: actual }).toEqual({
              filter: formatFilter(filter),
              rows: expected,
            });
          }
        }),
        { numRuns: 150 },
      );
      expect(selected).toBeGreaterThan(1000);
    }, 60_000);

    const base: Resource = {
      id: "1",
      status: null,
      login: "",
      priority: 0,
      score: null,
      active: null,
      created: null,
      type: [],
      profile: {},
      target: null,
    };

    it.each<[string, Partial<Resource>, string, boolean]>([
      ["a percent sign is no wildcard", { status: "abc" }, 'status sw "%"', false],
      ["an underscore is no wildcard", { status: "abc" }, 'status co "_"', false],
      ["a percent sign is itself", { status: "100%" }, 'status ew "%"', true],
      ["case counts in sw", { status: "Abc" }, 'status sw "a"', false],
      ["case counts in co", { status: "Abc" }, 'status co "a"', false],
      ["case counts in a column without case", { login: "Abc" }, 'login eq "abc"', false],
      ["capitals come before small letters", { status: "Z" }, 'status lt "a"', true],
      ["accents come after all of ASCII", { status: "é" }, 'status gt "z"', true],
      ["U+E000 is greater than U+D7FF", { status: "\ue000" }, 'status gt "\ud7ff"', true],
      ["sw ends where the next character begins", { status: "\ue000" }, 'status sw "\ud7ff"', false],
      ["sw takes the last character of the plane", { status: "a\uffff\uffff" }, 'status sw "a\uffff"', true],
      ["a character of four bytes is greater than U+FFFF", { status: "\u{10000}" }, 'status gt "\uffff"', true],
      ["U+FFFF is less than a character of four bytes", { status: "\uffff" }, 'status le "\u{10000}"', true],
      ["sw takes a character of four bytes", { status: "\u{1f600}a" }, 'status sw "\u{1f600}"', true],
      [
        "sw ends where the next character of four bytes begins",
        { status: "\u{1f601}" },
        'status sw "\u{1f600}"',
        false,
      ],
      ["sw takes the last character", { status: "a\u{10ffff}b" }, 'status sw "a\u{10ffff}"', true],
      ["sw has no end after the last characters", { status: "\u{10ffff}b" }, 'status sw "\u{10ffff}"', true],
      ["sw goes no further than the character before the last", { status: "b" }, 'status sw "a\u{10ffff}"', false],
      ["ew counts a character of four bytes as one", { status: "b\u{1f600}a" }, 'status ew "\u{1f600}a"', true],
      ["ew wants all of a character of four bytes", { status: "\u{1f601}a" }, 'status ew "\u{1f600}a"', false],
      ["co takes a character of four bytes", { status: "b\u{1f600}a" }, 'status co "\u{1f600}"', true],
      ["sw counts it as one in a document", { profile: { nick: "\u{1f600}ab" } }, 'profile.nick sw "\u{1f600}a"', true],
      ["sw matches the identical string", { status: "abc" }, 'status sw "abc"', true],
      ["ew matches the identical string", { status: "abc" }, 'status ew "abc"', true],
      ["co matches the identical string", { status: "abc" }, 'status co "abc"', true],
      ["ew counts characters, not bytes", { status: "中é" }, 'status ew "é"', true],
      ["every string ends with the empty one", { status: "x" }, 'status ew ""', true],
      ["an absent value starts with nothing", {}, 'status sw ""', false],
      ["an absent value differs", {}, 'status ne "x"', true],
      ["an absent value is not less", {}, "score lt 5", false],
      ["not is true of what is absent", {}, "not (score lt 5)", true],
      ["not twice is the same again", {}, "not (not (score lt 5))", false],
      ["ne under not", {}, 'not (status ne "x" or status pr)', false],
      ["pr is false of the empty string", { status: "" }, "status pr", false],
      ["pr is true of zero", { score: 0 }, "score pr", true],
      ["pr is true of false", { active: false }, "active pr", true],
      ["pr is false of an empty array", { profile: { tags: [] } }, "profile.tags pr", false],
      ["pr is false of an array of empty elements", { profile: { tags: ["", null] } }, "profile.tags pr", false],
      ["pr is false of an empty object", { profile: { address: {} } }, "profile.address pr", false],
      [
        "pr is false of an object of empty members",
        { profile: { address: { a: "", b: [{}] } } },
        "profile.address pr",
        false,
      ],
      [
        "pr is true of an object of which one is not",
        { profile: { address: { a: "", b: 0 } } },
        "profile.address pr",
        true,
      ],
      [
        "pr is true of false, at any depth",
        { profile: { address: { a: { b: [[false]] } } } },
        "profile.address pr",
        true,
      ],
      ["pr is true of a complex attribute that has a value", { profile: { other: "a" } }, "profile pr", true],
      ["pr is false of a complex attribute of empty ones", { profile: { nick: "", address: {} } }, "profile pr", false],
      [
        "pr does not count the names that a family leaves out",
        { profile: { nick: "a", address: [1] } },
        "rest pr",
        false,
      ],
      ["pr counts the others", { profile: { nick: "a", tags: [{ nick: false }] } }, "rest pr", true],
      ["pr is false of others that are empty", { profile: { nick: "a", age: null, tags: [""] } }, "rest pr", false],
      ["a family finds the members that it does not leave out", { profile: { tags: ["a"] } }, 'rest.tags eq "a"', true],
      ["pr is true of a complex attribute of columns", { score: 0 }, "entry pr", true],
      ["pr is false of a complex attribute of empty columns", { login: "", score: null }, "entry pr", false],
      ["pr is true of an array with a member", { target: ["x", { id: 0 }] }, "target pr", true],
      ["pr is false of an array without the member", { target: ["x", { name: "a" }] }, "target pr", false],
      ["any element suffices", { type: ["a", "b"] }, 'type eq "b"', true],
      ["ne wants that no element is equal", { type: ["a", "b"] }, 'type ne "b"', false],
      ["a lone value is one element", { profile: { tags: "a" } }, 'profile.tags eq "a"', true],
      ["a nested array is no element's value", { profile: { tags: [["a"]] } }, 'profile.tags eq "a"', false],
      ["objects in an array", { target: [{ id: "x" }, "y", null] }, 'target.id eq "x"', true],
      ["a number is no string", { profile: { tags: 5 } }, 'profile.tags eq "5"', false],
      ["one is not true", { profile: { tags: 1 } }, "profile.tags eq true", false],
      ["an inherited name is absent", {}, "profile.toString pr or profile.__proto__ pr", false],
      ["the length of an array is no member", { profile: { address: ["a"] } }, "profile.address.city pr", false],
      ["a fraction against an integer column", { priority: 2 }, "priority gt 1.5", true],
      ["a number that no integer column holds", { priority: 2 }, "priority lt 1e300", true],
      [
        "dates by the millisecond",
        { created: "2024-01-01T00:00:00.001Z" },
        'created gt "2024-01-01T00:00:00.000Z"',
        true,
      ],
      ["SQL in a literal", { status: "x' OR '1'='1" }, `status eq "x' OR '1'='1"`, true],
    ])("F10 agrees that %s", async (_title, members, text, expected) => {
      const row = { ...base, ...members };
      await store(database, [row]);
      const filter = parseFilter(text, { maxBytesPerCharacter: 4 });
      expect(compileFilter(filter, schema)(row)).toBe(expected);
      const condition = compileFilterSql(filter, schema, database.dialect);
      expect(await selectIds(database, "resources", condition)).toEqual(expected ? ["1"] : []);
    });
  });
});
