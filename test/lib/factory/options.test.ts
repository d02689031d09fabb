import {
  assertKnownOptions,
  booleanOption,
  fieldNameOption,
  functionOption,
  integerOption,
  optionError,
  stringOption,
  stringsOption,
} from "../../../lib/factory/options.js";

describe("assertKnownOptions", () => {
  const known = { limit: true, type: true } as const;

  it.each([
    ["no option", {}],
    ["every option", { limit: 1, type: "a" }],
    ["an option that is undefined", { limit: undefined }],
    ["options without a prototype", Object.assign(Object.create(null) as object, { limit: 1 })],
    ["frozen options", Object.freeze({ limit: 1 })],
  ])("takes %s", (_title, options) => {
    expect(() => {
      assertKnownOptions<object>("factory", options, known);
    }).not.toThrow();
  });

  it.each([[null], [undefined], ["limit"], [1], [true], [[]], [() => ({})]])("refuses %p as options", (options) => {
    expect(() => {
      assertKnownOptions("factory", options as never, known);
    }).toThrow(new TypeError("factory: options must be an object; the options are `limit`, `type`"));
  });

  it("names a misspelled option and those that there are", () => {
    expect(() => {
      assertKnownOptions("factory", { limits: 1 } as never, known);
    }).toThrow(new TypeError("factory: option `limits` is unknown; the options are `limit`, `type`"));
  });

  it("says that there are no options when there are none", () => {
    expect(() => {
      assertKnownOptions<object>("factory", { limit: 1 }, {});
    }).toThrow(new TypeError("factory: option `limit` is unknown; there are none"));
  });

  it.each(["toString", "__proto__", "constructor"])("does not take %s for an option", (name) => {
    const options = Object.defineProperty({}, name, { value: 1, enumerable: true });
    expect(() => {
      assertKnownOptions("factory", options, known as never);
    }).toThrow(`factory: option \`${name}\` is unknown`);
  });

  it("tells that the factory itself was mounted when it gets a request", () => {
    expect(() => {
      assertKnownOptions("factory", { headers: {}, method: "GET", url: "/" } as never, known);
    }).toThrow(new TypeError("factory: used without a call; write app.use(factory())"));
  });
});

describe("optionError", () => {
  it("is a TypeError that names the factory, the option and what is accepted", () => {
    expect(optionError("factory", "limit", "a number")).toEqual(
      new TypeError("factory: option `limit` must be a number"),
    );
  });
});

describe("booleanOption", () => {
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])("reads %p as %p when true is the default", (value, expected) => {
    expect(booleanOption("f", "o", value, true)).toBe(expected);
  });

  it.each([["true"], [1], [0], [null], [{}]])("refuses %p", (value) => {
    expect(() => booleanOption("f", "o", value, true)).toThrow(new TypeError("f: option `o` must be a boolean"));
  });
});

describe("integerOption", () => {
  const bounds = { fallback: 5, min: 1, max: 10 };

  it.each([
    [undefined, 5],
    [1, 1],
    [10, 10],
  ])("reads %p as %p", (value, expected) => {
    expect(integerOption("f", "o", value, bounds)).toBe(expected);
  });

  it.each([[0], [11], [1.5], [NaN], [Infinity], ["5"], [null], [5n]])("refuses %p", (value) => {
    expect(() => integerOption("f", "o", value, bounds)).toThrow(
      new TypeError("f: option `o` must be an integer from 1 to 10"),
    );
  });
});

describe("functionOption", () => {
  const fallback = (): number => 1;
  const given = (): number => 2;

  it("returns the function that is given, else the default", () => {
    expect(functionOption("f", "o", given, fallback)).toBe(given);
    expect(functionOption("f", "o", undefined, fallback)).toBe(fallback);
  });

  it.each([[null], ["f"], [{}], [true]])("refuses %p", (value) => {
    expect(() => functionOption("f", "o", value as never, fallback)).toThrow(
      new TypeError("f: option `o` must be a function"),
    );
  });
});

describe("stringOption", () => {
  it("returns the string that is given, else the default", () => {
    expect(stringOption("f", "o", "a", "b")).toBe("a");
    expect(stringOption("f", "o", undefined, "b")).toBe("b");
  });

  it.each([[""], [1], [null], [["a"]]])("refuses %p", (value) => {
    expect(() => stringOption("f", "o", value, "b")).toThrow(new TypeError("f: option `o` must be a non-empty string"));
  });
});

describe("fieldNameOption", () => {
  it("returns the name that is given, else the default", () => {
    expect(fieldNameOption("f", "o", "X-Request-Id", "X-Id")).toBe("X-Request-Id");
    expect(fieldNameOption("f", "o", undefined, "X-Id")).toBe("X-Id");
  });

  it.each([[""], ["X Id"], ["X-Id:"], ["X-Id\r\n"], ["X-Id\n"], ["X-Íd"], ['"'], [1], [null], [["X-Id"]]])(
    "refuses %p",
    (value) => {
      expect(() => fieldNameOption("f", "o", value, "X-Id")).toThrow(
        new TypeError("f: option `o` must be a header field name"),
      );
    },
  );
});

describe("stringsOption", () => {
  it("returns a copy of the strings that are given, else the default", () => {
    const given = ["a", "b"];
    const parsed = stringsOption("f", "o", given, []);
    given.push("c");
    expect(parsed).toEqual(["a", "b"]);
    expect(stringsOption("f", "o", undefined, ["d"])).toEqual(["d"]);
    expect(stringsOption("f", "o", [], ["d"])).toEqual([]);
  });

  it.each([["a"], [[""]], [["a", 1]], [null], [{ 0: "a" }]])("refuses %p", (value) => {
    expect(() => stringsOption("f", "o", value, [])).toThrow(
      new TypeError("f: option `o` must be an array of non-empty strings"),
    );
  });
});
