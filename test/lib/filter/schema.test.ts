import { compileFilterSchema, parseFilter, checkFilter } from "../../../lib/filter/index.js";

describe("compileFilterSchema", () => {
  it("F4 fills in the defaults of an attribute", () => {
    const { attributes, not } = compileFilterSchema({ attributes: { "profile.login": { type: "string" } } });
    expect(attributes.get("profile.login")).toEqual({
      type: "string",
      operators: new Set(["eq", "ne", "gt", "ge", "lt", "le", "sw", "pr"]),
      multiValued: false,
      path: ["profile", "login"],
      elementPath: [],
      column: undefined,
    });
    expect(not).toBe(true);
  });

  it.each([
    ["number", ["eq", "ne", "gt", "ge", "lt", "le", "pr"]],
    ["date", ["eq", "ne", "gt", "ge", "lt", "le", "pr"]],
    ["boolean", ["eq", "ne", "pr"]],
    ["complex", ["pr"]],
    ["any", ["eq", "ne", "gt", "ge", "lt", "le", "sw", "pr"]],
  ] as const)("F6 gives a %s no co and no ew unless they are listed", (type, operators) => {
    const { attributes } = compileFilterSchema({ attributes: { a: { type } } });
    expect([...(attributes.get("a")?.operators ?? [])]).toEqual(operators);
  });

  it("reads a column as a document when it has a path, or when the attribute can't be a plain value", () => {
    const { attributes } = compileFilterSchema({
      attributes: {
        plain: { type: "string", column: "users.login" },
        member: { type: "string", column: { column: "profile", path: ["nick"] } },
        list: { type: "string", multiValued: true, column: "tags" },
        node: { type: "complex", column: "address" },
        "profile.*": { type: "any", column: "profile" },
      },
    });
    const columns = Object.fromEntries([...attributes].map(([name, { column }]) => [name, column]));
    expect(columns).toEqual({
      plain: { name: "users.login", path: [], isJson: false },
      member: { name: "profile", path: ["nick"], isJson: true },
      list: { name: "tags", path: [], isJson: true },
      node: { name: "address", path: [], isJson: true },
      "profile.*": { name: "profile", path: [], isJson: true },
    });
  });

  it("F4 makes a complex attribute of each beginning of a name, with the attributes that take pr", () => {
    const { attributes } = compileFilterSchema({
      attributes: {
        "a.b.c": { type: "string" },
        "a.b.d": { type: "string", operators: ["eq"] },
        "a.e": { type: "complex" },
        "a.e.f": { type: "number" },
        "g.*": { type: "any", multiValued: true, column: "g" },
        "h.i": { type: "string", operators: ["eq"] },
      },
    });
    const complex = Array.from(attributes).flatMap(([name, { operators, members }]) =>
      members ? [[name, [...operators], members.map(({ path }) => path.join("."))]] : [],
    );
    expect(complex).toEqual([
      ["a.b", ["pr"], ["a.b.c"]],
      ["a", ["pr"], ["a.b.c", "a.e", "a.e.f"]],
      ["g", ["pr"], ["g"]],
    ]);
  });

  it("F4 does not know the names that a family leaves out", () => {
    const schema = compileFilterSchema({
      attributes: { "own.*": { type: "any", path: ["profile"], except: ["login"] } },
    });
    const check = (text: string) => () => {
      checkFilter(parseFilter(text), schema);
    };
    expect(check('own.login eq "a"')).toThrow('found the attribute "own.login"');
    expect(check("own.login pr")).toThrow('found the attribute "own.login"');
    expect(check('own.logins eq "a" and own pr')).not.toThrow();
  });

  it("does not see what becomes of its options later", () => {
    const operators: ("eq" | "pr")[] = ["eq"];
    const path = ["a"];
    const schema = compileFilterSchema({ attributes: { a: { type: "string", operators, path } } });
    operators.push("pr");
    path.push("b");
    expect(() => {
      checkFilter(parseFilter("a pr"), schema);
    }).toThrow("expected one of eq");
    expect(schema.attributes.get("a")?.path).toEqual(["a"]);
  });

  it.each<[string, object, string]>([
    ["no attributes", {}, "compileFilterSchema: option `attributes` must be an object"],
    ["attributes in an array", { attributes: [] }, "compileFilterSchema: option `attributes` must be an object"],
    ["an unknown option", { attributes: {}, nots: true }, "compileFilterSchema: option `nots` is unknown"],
    ["not of another type", { attributes: {}, not: "no" }, "compileFilterSchema: option `not` must be a boolean"],
    [
      "minimumOperandLength of another type",
      { attributes: {}, minimumOperandLength: 3 },
      "compileFilterSchema: option `minimumOperandLength` must be an object",
    ],
    [
      "a minimum length for eq",
      { attributes: {}, minimumOperandLength: { eq: 3 } },
      "compileFilterSchema: option `minimumOperandLength`: option `eq` is unknown",
    ],
    [
      "a negative minimum length",
      { attributes: {}, minimumOperandLength: { co: -1 } },
      "compileFilterSchema: option `minimumOperandLength.co` must be an integer from 0 to 8192",
    ],
  ])("refuses %s", (_title, options, message) => {
    expect(() => compileFilterSchema(options as never)).toThrow(message);
    expect(() => compileFilterSchema(options as never)).toThrow(TypeError);
  });

  it.each<[string, unknown, string]>([
    ["a b", { type: "string" }, "must be names joined with dots"],
    ["a.*.b", { type: "string" }, "must be names joined with dots"],
    ["*", { type: "any" }, "must be names joined with dots"],
    ["5", { type: "string" }, "must be names joined with dots"],
    ["Not", { type: "string" }, "must be names joined with dots"],
    ["a", null, "options must be an object"],
    ["a", {}, "option `type` must be one of string, number, boolean, date, complex, any"],
    ["a", { type: "toString" }, "option `type` must be one of"],
    ["a", { type: "string", operator: ["eq"] }, "option `operator` is unknown"],
    ["a", { type: "number", operators: ["sw"] }, "option `operators` must be an array of eq, ne, gt, ge, lt, le, pr"],
    ["a", { type: "string", operators: "eq" }, "option `operators` must be an array of"],
    ["a", { type: "string", multiValued: 1 }, "option `multiValued` must be a boolean"],
    ["a", { type: "string", path: "a" }, "option `path` must be an array of member names"],
    ["a", { type: "string", path: ['a"b'] }, "option `path` must be an array of member names"],
    ["a", { type: "string", path: ["a\\"] }, "option `path` must be an array of member names"],
    ["a", { type: "string", path: [""] }, "option `path` must be an array of member names"],
    ["a", { type: "string", elementPath: ["id"] }, "option `elementPath` is for a multi-valued attribute"],
    ["a", { type: "string", multiValued: true, elementPath: [5] }, "option `elementPath` must be an array"],
    ["a", { type: "string", except: ["b"] }, "option `except` is for a name that ends in .*"],
    ["a.*", { type: "any", except: "b" }, "option `except` must be an array of member names"],
    ["a.*", { type: "any", except: ['"'] }, "option `except` must be an array of member names"],
    ["a", { type: "string", column: 'a"; DROP TABLE users' }, "option `column` must be an identifier"],
    ["a", { type: "string", column: "a.b." }, "option `column` must be an identifier"],
    ["a", { type: "string", column: { column: "`", path: [] } }, "option `column` must be an identifier"],
    ["a", { type: "string", column: { column: "p", path: ["'", '"'] } }, "option `column.path` must be an array"],
    ["a", { type: "string", column: 5 }, "option `column` must be an identifier"],
    ["a", { type: "string", column: null }, "option `column` must be an identifier"],
  ])("F4 refuses the attribute %s: %j", (name, attribute, message) => {
    const attributes = { [name]: attribute } as never;
    expect(() => compileFilterSchema({ attributes })).toThrow(`compileFilterSchema: attribute \`${name}\``);
    expect(() => compileFilterSchema({ attributes })).toThrow(message);
    expect(() => compileFilterSchema({ attributes })).toThrow(TypeError);
  });
});
