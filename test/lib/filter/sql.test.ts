import Database from "libsql";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteDialect,
} from "kysely";
import {
  compileFilterSchema,
  compileFilterSql,
  parseFilter,
  type FilterDialect,
  type FilterSql,
} from "../../../lib/filter/index.js";
import { DATABASES, selectIds, type TestDatabase } from "../../support/databases.js";
import { schema } from "../../support/filter.js";
import { describeIf } from "../../support/requirements.js";

const DIALECTS: readonly FilterDialect[] = ["postgresql", "sqlite"];

function compile(text: string, dialect: FilterDialect): FilterSql {
  return compileFilterSql(parseFilter(text), schema, dialect);
}

describe("compileFilterSql", () => {
  it.each([
    ['status eq "x"', `"status" = $1::text COLLATE "C"`, ["x"]],
    ['status ne "x"', `("status" = $1::text COLLATE "C") IS NOT TRUE`, ["x"]],
    ['login ge "x"', `"resources"."login" >= $1::text COLLATE "C"`, ["x"]],
    ['status sw "ab"', `"status" >= $1::text COLLATE "C" AND "status" < $2::text COLLATE "C"`, ["ab", "ac"]],
    ['status ew "ab"', `right("status", $1::integer) = $2::text COLLATE "C"`, [2, "ab"]],
    ['status co "ab"', `strpos("status", $1::text COLLATE "C") > 0`, ["ab"]],
    ["status pr", `"status" <> ''`, []],
    ["score pr", `"score" IS NOT NULL`, []],
    ["priority lt 5", `"priority" < $1::bigint`, [5]],
    ["score le 0.5", `"score" <= $1::numeric`, [0.5]],
    ["active eq true", `"active" = $1::boolean`, [true]],
    [
      'profile.nick eq "x"',
      `CASE jsonb_typeof("profile"::jsonb -> $1::text) WHEN 'string' THEN "profile"::jsonb -> $2::text #>> '{}' END = $3::text COLLATE "C"`,
      ["nick", "nick", "x"],
    ],
    [
      "profile.age lt 5",
      `CASE jsonb_typeof("profile"::jsonb -> $1::text) WHEN 'number' THEN ("profile"::jsonb -> $2::text)::numeric END < $3::bigint`,
      ["age", "age", 5],
    ],
    [
      "profile.admin eq true",
      `CASE jsonb_typeof("profile"::jsonb -> $1::text) WHEN 'boolean' THEN ("profile"::jsonb -> $2::text)::boolean END = $3::boolean`,
      ["admin", "admin", true],
    ],
    [
      'profile.address.city sw "x"',
      `starts_with(CASE jsonb_typeof("profile"::jsonb -> $1::text -> $2::text) WHEN 'string' THEN "profile"::jsonb -> $3::text -> $4::text #>> '{}' END, $5::text COLLATE "C")`,
      ["address", "city", "address", "city", "x"],
    ],
    [
      "profile.address pr",
      `jsonb_path_exists("profile"::jsonb -> $1::text, $2::jsonpath)`,
      ["address", expect.stringMatching(/^strict \$\.\*\* \? /)],
    ],
    [
      "target.id pr",
      `EXISTS (SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof("target"::jsonb) WHEN 'array' THEN "target"::jsonb ELSE jsonb_build_array("target"::jsonb) END) AS element (node) WHERE jsonb_path_exists(element.node -> $1::text, $2::jsonpath))`,
      ["id", expect.any(String)],
    ],
    [
      "not (active eq true) and (priority eq 1 or priority eq 2)",
      `("priority" = $1::bigint OR "priority" = $2::bigint) AND ("active" = $3::boolean) IS NOT TRUE`,
      [1, 2, true],
    ],
  ])("F10 writes %s for PostgreSQL", (text, expected, parameters) => {
    expect(compile(text, "postgresql")).toMatchObject({ sql: `(${expected})`, parameters });
  });

  it.each([
    ['status eq "x"', "`status` = ? COLLATE BINARY", ["x"]],
    [
      'login sw "ab"',
      "`resources`.`login` >= ? COLLATE BINARY AND `resources`.`login` < ? COLLATE BINARY",
      ["ab", "ac"],
    ],
    ['status ew "ab"', "substr(`status`, ?) = ? COLLATE BINARY", [-2, "ab"]],
    ['status co "ab"', "instr(`status`, ?) > 0", ["ab"]],
    ["active ne true", "(`active` = ?) IS NOT TRUE", [1]],
    ["score gt 0.5", "`score` > ?", [0.5]],
    ["entry pr", "`resources`.`login` <> '' OR `score` IS NOT NULL", []],
    ["status pr and entry pr", "(`resources`.`login` <> '' OR `score` IS NOT NULL) AND `status` <> ''", []],
  ])("F10 writes %s for SQLite", (text, expected, parameters) => {
    expect(compile(text, "sqlite")).toMatchObject({ sql: `(${expected})`, parameters });
  });

  it.each(DIALECTS)("F10 lets no name and no literal of an expression into the SQL of %s", (dialect) => {
    const { sql: text, parameters } = compile(
      `profile.xname eq "xliteral" or target.id sw "xprefix" or status co "xpart'; --" or profile.nick ew "xend"`,
      dialect,
    );
    expect(text).not.toMatch(/xname|xliteral|xprefix|xpart|xend|nick|--/);
    expect(JSON.stringify(parameters)).toMatch(/xname.*xliteral.*xprefix.*xpart.*nick.*xend|nick.*xend/s);
  });

  it.each(DIALECTS)("F10 keeps its or to itself in a longer condition of %s", (dialect) => {
    expect(compile("priority eq 1 or priority eq 2", dialect).sql).toMatch(/^\(.* OR .*\)$/);
  });

  it("numbers the placeholders of PostgreSQL from firstParameter", () => {
    const filter = parseFilter("priority gt 1 and priority lt 5");
    const { sql: text } = compileFilterSql(filter, schema, "postgresql", { firstParameter: 3 });
    expect(text).toBe(`("priority" > $3::bigint AND "priority" < $4::bigint)`);
  });

  it("gives the texts around the parameters, one more than there are parameters", () => {
    const { strings, parameters } = compile("priority gt 1 and priority lt 5", "sqlite");
    expect([...strings]).toEqual(["(`priority` > ", " AND `priority` < ", ")"]);
    expect(strings.raw).toEqual([...strings]);
    expect(parameters).toEqual([1, 5]);
  });

  it("says which attribute has no column", () => {
    const memory = compileFilterSchema({ attributes: { a: { type: "string" } } });
    expect(() => compileFilterSql(parseFilter("a pr"), memory, "sqlite")).toThrow(
      new TypeError("compileFilterSql: attribute `a` has no `column` in the schema"),
    );
  });

  it.each<[unknown, unknown, string]>([
    ["mysql", {}, 'compileFilterSql: option `dialect` must be "postgresql" or "sqlite"'],
    ["toString", {}, 'compileFilterSql: option `dialect` must be "postgresql" or "sqlite"'],
    ["sqlite", { firstParameter: 0 }, "compileFilterSql: option `firstParameter` must be an integer from 1 to 65535"],
    ["sqlite", { first: 1 }, "compileFilterSql: option `first` is unknown"],
  ])("refuses the dialect %j with %j", (dialect, options, message) => {
    expect(() => compileFilterSql(parseFilter("status pr"), schema, dialect as never, options as never)).toThrow(
      message,
    );
  });

  describe("with Kysely", () => {
    interface Tables {
      resources: { id: string; status: string; priority: number };
    }

    it("is a template for SQLite", async () => {
      const database = new Database(":memory:");
      database.exec("CREATE TABLE resources (id TEXT, status TEXT, priority INTEGER)");
      database.exec("INSERT INTO resources VALUES ('1', 'A', 1), ('2', 'A', 2), ('3', 'B', 2)");
      const kysely = new Kysely<Tables>({
        dialect: new SqliteDialect({ database: database }),
      });
      const { strings, parameters } = compile('status eq "A" and priority gt 1', "sqlite");
      const query = kysely.selectFrom("resources").select("id").where("id", "<>", "x");
      expect(await query.where(sql<boolean>(strings, ...parameters)).execute()).toEqual([{ id: "2" }]);
      await kysely.destroy();
    });

    it("is a template for PostgreSQL, whose numbering goes on", () => {
      const kysely = new Kysely<Tables>({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => new DummyDriver(),
          createIntrospector: (db) => new PostgresIntrospector(db),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      });
      const { strings, parameters } = compile('status eq "A" or priority gt 1', "postgresql");
      const query = kysely.selectFrom("resources").select("id").where("id", "<>", "x");
      expect(query.where(sql<boolean>(strings, ...parameters)).compile()).toMatchObject({
        sql: `select "id" from "resources" where "id" <> $1 and ("status" = $2::text COLLATE "C" OR "priority" > $3::bigint)`,
        parameters: ["x", "A", 1],
      });
    });
  });
});

describe.each(DATABASES)("compileFilterSql on $name", ({ available, name, need, open }) => {
  const TABLE = {
    sqlite: "CREATE TEMPORARY TABLE items (id TEXT PRIMARY KEY, status TEXT, count INTEGER, ratio REAL, tags TEXT)",
    postgresql: `CREATE TEMPORARY TABLE items
      (id text PRIMARY KEY, status text COLLATE "C", count integer, ratio double precision, tags jsonb)`,
  };
  const items = compileFilterSchema({
    attributes: {
      s: { type: "string", column: "status" },
      c: { type: "number", column: "count" },
      r: { type: "number", column: "ratio" },
      t: {
        type: "string",
        column: "tags",
        multiValued: true,
        elementPath: ["id"],
        operators: ["eq", "ne", "ew", "pr"],
      },
    },
  });

  describeIf(available, `is served by the indexes of ${name} and`, need, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await open();
      await database.run(TABLE[database.dialect]);
      for (const column of ["status", "count", "ratio"]) {
        await database.run(`CREATE INDEX items_${column} ON items (${column})`);
      }
      const series = {
        sqlite: "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 2000) SELECT i FROM s",
        postgresql: "SELECT i FROM generate_series(1, 2000) AS s(i)",
      };
      const text = "'k' || substr(CAST(100000 + i AS TEXT), 2)";
      await database.run(
        `INSERT INTO items (id, status, count, ratio) SELECT ${text}, ${text}, i, i FROM (${series[database.dialect]}) AS n`,
      );
      await database.run("ANALYZE items");
    });
    afterAll(() => database.close());

    it.each([
      ['s eq "k00005"', 1],
      ['s sw "k0000"', 9],
      ['s gt "k01990"', 10],
      ['s ge "k01990"', 11],
      ['s lt "k00005"', 4],
      ['s le "k00005"', 5],
      ["c eq 5", 1],
      ["c gt 1990", 10],
      ["r eq 5", 1],
      ["r lt 5.5", 5],
      ['s gt "k00001" and s lt "k00005"', 3],
    ])("F10 finds %s through an index", async (text, count) => {
      const condition = compileFilterSql(parseFilter(text), items, database.dialect);
      expect(await selectIds(database, "items", condition)).toHaveLength(count);
      const plan = await database.explain(`SELECT * FROM items WHERE ${condition.sql}`, condition.parameters);
      expect(plan).toMatch(database.dialect === "sqlite" ? /SEARCH items USING INDEX items_/ : /Index Cond: /);
    });

    const TERM = 's eq "k00001"';
    const nested = (part: string) => part.repeat(32) + TERM + ")".repeat(32);

    /** 184 terms on 32 levels, so that reading it takes as much of a parser's stack as an expression within the caps can. */
    function worst(): string {
      let text = 't ne "x"';
      for (let level = 0; level < 3; level++) text = `(${text}) and (${text}) or (${text}) and (${text})`;
      text = `(${text}) and (${text})`;
      for (let level = 0; level < 28; level++) text = `(${text}) and c pr or c lt 0`;
      return text;
    }

    it.each([
      ["200 terms with and", Array.from({ length: 200 }, () => TERM).join(" and "), 1],
      ["200 terms with or", Array.from({ length: 200 }, () => TERM).join(" or "), 1],
      ["200 multi-valued terms", Array.from({ length: 200 }, () => 't ew "x"').join(" or "), 0],
      ["32 negations", nested("not ("), 1],
      ["32 groups", nested(`(`), 1],
      ["32 groups within or", nested(`${TERM} and (c pr or `), 1],
      ["32 negated groups", nested(`${TERM} and not (c lt 0 and `), 1],
      ["the worst", worst(), 2000],
    ])("F9 bears %s: what the caps allow, the database can read", async (_title, text, count) => {
      const condition = compileFilterSql(parseFilter(text), items, database.dialect);
      expect(await selectIds(database, "items", condition)).toHaveLength(count);
    });

    it("F10 tells columns apart from those of json_each that have the same names", async () => {
      const names = ["key", "value", "type", "atom", "id", "parent", "fullkey", "path", "elements", "element", "node"];
      await database.run(`CREATE TEMPORARY TABLE namesakes (${names.map((column) => `${column} text`).join(", ")})`);
      await database.run(
        `INSERT INTO namesakes (${names.join(", ")}) VALUES (${names.map((column) => `'["${column}"]'`).join(", ")})`,
      );
      const namesakes = compileFilterSchema({
        attributes: Object.fromEntries(
          names.map((column) => [column, { type: "string" as const, multiValued: true, column }]),
        ),
      });
      for (const column of names) {
        const condition = compileFilterSql(parseFilter(`${column} eq "${column}"`), namesakes, database.dialect);
        expect(await selectIds(database, "namesakes", condition)).toEqual(['["id"]']);
      }
    });
  });
});
