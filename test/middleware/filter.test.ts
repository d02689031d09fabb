import type { Express, RequestHandler } from "express";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import {
  compileFilter,
  compileFilterSchema,
  compileFilterSql,
  filter,
  formatFilter,
  getFilter,
  tryGetFilter,
  type FilterOptions,
  type FilterSql,
  type RequestFilter,
} from "../../middleware/filter.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const schema = compileFilterSchema({
  attributes: {
    status: { type: "string", operators: ["eq"] },
    lastUpdated: { type: "date" },
    count: { type: "number" },
  },
  not: false,
});
const searchSchema = compileFilterSchema({
  attributes: { name: { type: "string", operators: ["eq", "co"] } },
  minimumOperandLength: { co: 3 },
});

/** Whether the expression of a request is frozen, and so all below it. */
function areFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null || "attributes" in value) return true; // the schema is the app's
  return Object.isFrozen(value) && Object.values(value).every(areFrozen);
}

describe.each(EXPRESS_VERSIONS)("filter on %s", (_version, express) => {
  function appWith(...options: FilterOptions[]): Express {
    const app = express();
    app.get("/", ...options.map((option) => filter(option)), ((req, res) => {
      const expression = tryGetFilter(req);
      res.json(expression ? { parameter: expression.parameter, text: formatFilter(expression.filter) } : null);
    }) satisfies RequestHandler);
    app.use(errorFormatter());
    return app;
  }

  const app = appWith({ schema }, { schema: searchSchema, parameter: "search" });

  async function get(query: string, target: Express = app): Promise<request.Response> {
    return request(target).get(`/?${query}`);
  }

  async function expectRefusal(query: string, code: string, cause: string, target: Express = app): Promise<void> {
    const response = await get(query, target);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errorCode: code, errorCauses: [{ errorSummary: cause }] });
  }

  it("F1 hands on the expression, checked", async () => {
    const { body } = await get("limit=5&filter=%20status%20EQ%20%22ACTIVE%22%20");
    expect(body).toEqual({ parameter: "filter", text: 'status eq "ACTIVE"' });
  });

  it("F1 hands on that there is none", async () => {
    expect((await get("limit=5")).body).toBeNull();
    expect((await request(app).get("/")).body).toBeNull();
  });

  it("F1 reads the parameter of another name", async () => {
    expect((await get("search=name%20co%20%22joe%22")).body).toEqual({ parameter: "search", text: 'name co "joe"' });
  });

  it("Q1 reads a parameter whose name is percent-encoded", async () => {
    expect((await get("%66ilter=count%20eq%201")).body).toEqual({ parameter: "filter", text: "count eq 1" });
  });

  it("Q3 takes %5C%22 within a literal for an escaped quote", async () => {
    const { body } = await get("filter=status%20eq%20%22a%5C%22b%22");
    expect(body).toEqual({ parameter: "filter", text: 'status eq "a\\"b"' });
  });

  it.each([
    ["filter=status+eq+%22x%22", 'status eq "x"'],
    ["limit=5&filter=status+eq+%22joe%2Btag%40a.com%22&&x=1", 'status eq "joe+tag@a.com"'],
    ["filter=status+eq+%22joe+tag%22", 'status eq "joe tag"'],
    ["filter=status%20eq%20%22joe+tag@a.com%22", 'status eq "joe+tag@a.com"'],
    ["filter=status%20eq%20%22joe%2Btag%22", 'status eq "joe+tag"'],
    ["filter=count%20eq%201e+3", "count eq 1000"],
    ["filter=count+eq+1e%2B3", "count eq 1000"],
    ["q=a+b&%66ilter=count+pr", "count pr"],
  ])("Q3 reads a raw + outside the literals as form encoding: %s", async (query, text) => {
    expect((await get(query)).body).toEqual({ parameter: "filter", text });
  });

  it("Q3 decides for each parameter on its own", async () => {
    const plain = appWith({ schema });
    expect((await get("x=a+b&filter=status%20eq%20%22a+b%22", plain)).body).toEqual({
      parameter: "filter",
      text: 'status eq "a+b"',
    });
    expect((await get("search=name+eq+%22a+b%22")).body).toEqual({ parameter: "search", text: 'name eq "a b"' });
  });

  it("Q3 says so when the quotes of a literal itself are escaped", async () => {
    await expectRefusal(
      "filter=status%20eq%20%5C%22a%5C%22",
      "E0000031",
      'filter: found "\\" at offset 10, expected a word, a literal or a parenthesis.',
    );
  });

  it("Q4 refuses the parameter twice, in any encoding", async () => {
    await expectRefusal("filter=count%20pr&%66ilter=count%20pr", "E0000031", "filter: given more than once.");
  });

  it("Q1 refuses a malformed query", async () => {
    const response = await get("filter=status%20eq%20%22%zz%22");
    expect(response.status).toBe(400);
    expect(response.body.errorCode).toBe("E0009000");
    expect(response.body.errorCauses[0].errorSummary).toContain('Query parameter "filter"');
  });

  it.each([
    ["filter=", "E0000031", 'filter: found the end at offset 0, expected an attribute, "not" or "(".'],
    ["filter=status%2Beq+%22x%22", "E0000031", 'filter: found "+eq" at offset 6, expected a space ("%2B" is a plus).'],
    ["filter=status+eq+%229", "E0000031", /^filter: found the end at offset 12, expected a double quote that closes/],
    ["filter=count%20eq%20null", "E0000031", /^filter: found "null" at offset 9, expected a string in double quotes/],
    ["filter=name%20pr", "E0000094", /^filter: found the attribute "name" at offset 0, expected one of status, /],
    ["filter=status%20sw%20%22A%22", "E0000094", 'filter: found "sw" at offset 7, expected one of eq after "status".'],
    ["filter=not(count%20pr)", "E0000094", 'filter: found "not" at offset 0, expected an expression without "not".'],
    [
      "search=name%20co%20%22jo%22",
      "E0000094",
      'search: found 2 characters at offset 8, expected 3 or more after "co".',
    ],
    ["filter=count%20eq%20%229%22", "E0000037", /^filter: found the string "9" at offset 9, expected a number/],
    ["filter=lastUpdated%20gt%20%222024%22", "E0000030", /expected a date such as 2026-01-31T08:00:00.000Z\.$/],
  ])("F9 refuses %s with %s", async (query, code, cause) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(response.body.errorCode).toBe(code);
    const [{ errorSummary }] = response.body.errorCauses as [{ errorSummary: string }];
    if (typeof cause === "string") expect(errorSummary).toBe(cause);
    else expect(errorSummary).toMatch(cause);
  });

  it("F9 answers 3,000 negations with an error", async () => {
    await expectRefusal(
      `filter=${"not(".repeat(3000)}`,
      "E0000031",
      "filter: found 12000 characters at offset 8192, expected at most 8192.",
    );
    const response = await get(`filter=${"not(".repeat(2000)}`);
    expect(response.body.errorCauses[0].errorSummary).toContain("expected at most 32 levels");
  });

  it("F9 keeps to lower caps", async () => {
    const small = appWith({ schema, maxLength: 20, maxDepth: 1, maxTerms: 2 });
    expect((await get("filter=(count%20pr)", small)).status).toBe(200);
    for (const text of ["((count pr))", "count pr or count pr or count pr", "count eq 1234567890123"]) {
      expect((await get(`filter=${encodeURIComponent(text)}`, small)).body.errorCode).toBe("E0000031");
    }
    const attributes = { "a.b": { type: "string" }, "a.c": { type: "string" } } as const;
    const complex = appWith({ schema: compileFilterSchema({ attributes }), maxTerms: 3 });
    expect((await get("filter=a%20pr%20or%20a.b%20pr", complex)).status).toBe(200);
    expect((await get("filter=a%20pr%20or%20a%20pr", complex)).body.errorCauses[0].errorSummary).toBe(
      "filter: found term 4 at offset 8, expected at most 3 terms.",
    );
  });

  it("F4 refuses two expressions in one request", async () => {
    await expectRefusal(
      "filter=count%20pr&search=name%20co%20%22joe%22",
      "E0000033",
      "filter, search: give one of them.",
    );
  });

  it("lets the same parameter be read again, further in", async () => {
    expect((await get("filter=count%20pr", appWith({ schema }, { schema }))).body).toEqual({
      parameter: "filter",
      text: "count pr",
    });
  });

  it("F10 hands on what compileFilter takes", async () => {
    const target = express();
    target.get("/", filter({ schema }), ((req, res) => {
      const { filter: expression, schema: allowed } = getFilter(req);
      res.json([{ count: 1 }, { count: 2 }].filter(compileFilter(expression, allowed)));
    }) satisfies RequestHandler);
    expect((await get("filter=count%20gt%201", target)).body).toEqual([{ count: 2 }]);
  });

  describe("getFilter", () => {
    it("throws where filter() did not run, tryGetFilter() does not", async () => {
      const target = express();
      target.get("/", ((req, res) => {
        expect(() => getFilter(req)).toThrow("filter() did not run for this request");
        res.json(tryGetFilter(req) ?? null);
      }) satisfies RequestHandler);
      expect((await request(target).get("/").expect(200)).body).toBeNull();
    });

    it("can't be changed, for requests with the same query share it", async () => {
      const target = express();
      const found: RequestFilter[] = [];
      target.get("/", filter({ schema: compileFilterSchema({ attributes: { a: { type: "string" } } }) }), ((
        req,
        res,
      ) => {
        found.push(getFilter(req));
        res.json(null);
      }) satisfies RequestHandler);
      for (let sent = 0; sent < 2; sent++)
        await request(target).get("/?filter=not%20(a%20pr)%20and%20a%20pr").expect(200);
      expect(found[1]).toBe(found[0]);
      expect(areFrozen(found[0]?.filter)).toBe(true);
      for (const member of ["parameter", "filter", "schema", "text"]) {
        expect(() => Object.assign(found[0]!, { [member]: "other" })).toThrow(TypeError);
      }
    });

    it("has the canonical text, the predicate and the condition of the expression", async () => {
      const columns = compileFilterSchema({ attributes: { a: { type: "string", column: "a" } } });
      const target = express();
      target.get("/", filter({ schema: columns }), ((req, res) => {
        const expression = getFilter(req);
        const matches = expression.toPredicate();
        res.json({
          text: expression.text,
          matched: [{ a: "x" }, { a: "y" }, {}].map(matches),
          sql: [expression.toSql("postgresql"), expression.toSql("postgresql", { firstParameter: 3 })],
          others: expression.toSql("sqlite"),
        });
        for (const dialect of ["postgresql", "sqlite"] as const) {
          for (const firstParameter of [1, 2, 3]) {
            const ours = compileFilterSql(expression.filter, columns, dialect, { firstParameter });
            expect(expression.toSql(dialect, { firstParameter })).toEqual(ours);
          }
        }
      }) satisfies RequestHandler);
      const { body } = await get("filter=(a%20EQ%20%22x%22)", target);
      const strings = ["(`a` = ", " COLLATE BINARY)"];
      expect(body).toMatchObject({
        text: 'a eq "x"',
        matched: [true, false, false],
        sql: [
          { sql: '("a" = $1::text COLLATE "C")', parameters: ["x"] },
          { sql: '("a" = $3::text COLLATE "C")', parameters: ["x"] },
        ],
        others: { sql: "(`a` = ? COLLATE BINARY)", parameters: ["x"], strings },
      });
    });

    it("resolves an expression once, and makes its condition once, for all requests with its text", async () => {
      const columns = compileFilterSchema({ attributes: { a: { type: "string", column: "a" } } });
      const lookUp = jest.spyOn(columns.attributes, "get");
      const conditions: FilterSql[] = [];
      const target = express();
      target.get("/", filter({ schema: columns }), ((req, res) => {
        const expression = getFilter(req);
        conditions.push(expression.toSql("sqlite"));
        res.json([expression.toPredicate() === expression.toPredicate(), expression.toSql("postgresql").parameters]);
      }) satisfies RequestHandler);

      for (const login of ["joe", "ann", "joe", "ann"]) {
        const { body } = await get(`filter=a%20eq%20%22${login}%22%20and%20a%20pr`, target);
        expect(body).toEqual([true, [login]]);
      }
      expect(lookUp.mock.calls.map(([name]) => name)).toEqual(["a", "a", "a", "a"]); // two texts of two terms
      const [joe, ann, ...later] = conditions;
      expect([joe?.parameters, ann?.parameters]).toEqual([["joe"], ["ann"]]);
      expect(later[0]).toBe(joe);
      expect(later[1]).toBe(ann);
      expect(areFrozen(joe)).toBe(true);
      expect(areFrozen(joe?.strings.raw)).toBe(true);
    });

    it("does not share the condition of another schema", async () => {
      const byColumn = (column: string) => compileFilterSchema({ attributes: { a: { type: "string", column } } });
      const target = express();
      const send: RequestHandler = (req, res) => void res.json(getFilter(req).toSql("sqlite").sql);
      target.get("/b", filter({ schema: byColumn("b") }), send);
      target.get("/c", filter({ schema: byColumn("c") }), send);
      for (const column of ["b", "c", "b"]) {
        const { body } = await request(target).get(`/${column}?filter=a%20pr`);
        expect(body).toBe(`(\`${column}\` <> '')`);
      }
    });

    it("refuses a dialect that it does not know, options that it does not know, and an attribute without column", async () => {
      const target = express();
      target.get("/", filter({ schema }), ((req, res) => {
        const expression = getFilter(req);
        for (const attempt of [
          () => expression.toSql("mysql" as "sqlite"),
          () => expression.toSql("sqlite", { first: 1 } as object),
          () => expression.toSql("sqlite", { firstParameter: 0 }),
          () => expression.toSql("sqlite"),
        ]) {
          expect(attempt).toThrow(TypeError);
        }
        res.json("refused");
      }) satisfies RequestHandler);
      expect((await get("filter=count%20pr", target)).body).toBe("refused");
    });

    it("throws where the request has no expression, tryGetFilter() does not", async () => {
      const target = express();
      target.get("/", filter({ schema }), ((req, res) => {
        const expression = tryGetFilter(req);
        if (expression) expect(getFilter(req)).toBe(expression);
        else
          expect(() => getFilter(req)).toThrow("filter() ran, but the request has no expression; use tryGetFilter()");
        res.json(expression?.parameter ?? null);
      }) satisfies RequestHandler);
      expect((await get("filter=count%20pr", target)).body).toBe("filter");
      expect((await get("", target)).body).toBeNull();
    });
  });
});

describe("filter", () => {
  it.each<[object, string]>([
    [{}, "filter: option `schema` must be a schema made by compileFilterSchema()"],
    [{ schema: { attributes: {} } }, "filter: option `schema` must be a schema made by compileFilterSchema()"],
    [{ schema, parameter: "" }, "filter: option `parameter` must be a non-empty string"],
    [{ schema, maxTerms: 201 }, "filter: option `maxTerms` must be an integer from 1 to 200"],
    [{ schema, caps: {} }, "filter: option `caps` is unknown"],
  ])("refuses the options %j", (options, message) => {
    expect(() => filter(options as FilterOptions)).toThrow(message);
    expect(() => filter(options as FilterOptions)).toThrow(TypeError);
  });
});
