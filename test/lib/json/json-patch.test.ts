import fc from "fast-check";
import { applyJsonPatch, parseJsonPatch, PatchError } from "../../../lib/json/json-patch.js";

function apply(document: unknown, patch: unknown): unknown {
  return applyJsonPatch(document, parseJsonPatch(patch, 100));
}

function fault(document: unknown, patch: unknown): PatchError {
  try {
    apply(document, patch);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error("the patch applies");
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

describe("applyJsonPatch", () => {
  it.each<[string, unknown, unknown, unknown]>([
    ["A.1", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
    ["A.2", { foo: ["bar", "baz"] }, [{ op: "add", path: "/foo/1", value: "qux" }], { foo: ["bar", "qux", "baz"] }],
    ["A.3", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
    ["A.4", { foo: ["bar", "qux", "baz"] }, [{ op: "remove", path: "/foo/1" }], { foo: ["bar", "baz"] }],
    ["A.5", { baz: "qux", foo: "bar" }, [{ op: "replace", path: "/baz", value: "boo" }], { baz: "boo", foo: "bar" }],
    [
      "A.6",
      { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
      [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
      { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
    ],
    [
      "A.7",
      { foo: ["all", "grass", "cows", "eat"] },
      [{ op: "move", from: "/foo/1", path: "/foo/3" }],
      { foo: ["all", "cows", "eat", "grass"] },
    ],
    [
      "A.8",
      { baz: "qux", foo: ["a", 2, "c"] },
      [
        { op: "test", path: "/baz", value: "qux" },
        { op: "test", path: "/foo/1", value: 2 },
      ],
      { baz: "qux", foo: ["a", 2, "c"] },
    ],
    [
      "A.10",
      { foo: "bar" },
      [{ op: "add", path: "/child", value: { grandchild: {} } }],
      { foo: "bar", child: { grandchild: {} } },
    ],
    ["A.11", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux", xyz: 123 }], { foo: "bar", baz: "qux" }],
    ["A.14", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "/": 9, "~1": 10 }],
    [
      "A.16",
      { foo: ["bar"] },
      [{ op: "add", path: "/foo/-", value: ["abc", "def"] }],
      { foo: ["bar", ["abc", "def"]] },
    ],
    ["section 4.1, the whole document", { foo: 1 }, [{ op: "add", path: "", value: [2] }], [2]],
    ["section 4.3, the whole document", { foo: 1 }, [{ op: "replace", path: "", value: null }], null],
    ["section 4.1, an existing member", { foo: 1 }, [{ op: "add", path: "/foo", value: 2 }], { foo: 2 }],
    ["section 4.4, onto itself", { foo: 1 }, [{ op: "move", from: "/foo", path: "/foo" }], { foo: 1 }],
    ["section 4.4, out of its parent", { a: { b: 1 } }, [{ op: "move", from: "/a/b", path: "/a" }], { a: 1 }],
    ["section 4.4, to the whole", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "" }], { b: 1 }],
    ["the whole removed", { a: 1 }, [{ op: "remove", path: "" }], null],
    ["a copy of the whole into itself", { a: 1 }, [{ op: "copy", from: "", path: "/b" }], { a: 1, b: { a: 1 } }],
    ["a sibling whose name begins alike", { a: 1 }, [{ op: "move", from: "/a", path: "/ab" }], { ab: 1 }],
    ["an empty patch", { a: 1 }, [], { a: 1 }],
  ])("V4 applies RFC 6902 %s", (_name, document, patch, result) => {
    expect(apply(freeze(document), freeze(patch))).toEqual(result);
  });

  it.each<[string, unknown, unknown, string]>([
    ["A.9", { baz: "qux" }, [{ op: "test", path: "/baz", value: "bar" }], "test"],
    ["A.12", { foo: "bar" }, [{ op: "add", path: "/baz/bat", value: "qux" }], "path"],
    ["A.15", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: "10" }], "test"],
    ["an index beyond the end", [1], [{ op: "add", path: "/2", value: 1 }], "path"],
    ["an index with a leading zero", [1], [{ op: "replace", path: "/00", value: 1 }], "path"],
    ["the end, but to add", [1], [{ op: "remove", path: "/-" }], "path"],
    ["a member of a text", { a: "b" }, [{ op: "add", path: "/a/0", value: 1 }], "path"],
    ["a member of null", { a: null }, [{ op: "add", path: "/a/b", value: 1 }], "path"],
    ["what is not there, to replace", {}, [{ op: "replace", path: "/a", value: 1 }], "path"],
    ["what is not there, to remove", {}, [{ op: "remove", path: "/a" }], "path"],
    ["what is not there, to test", {}, [{ op: "test", path: "/a", value: null }], "path"],
    ["what is not there, to copy", {}, [{ op: "copy", from: "/a", path: "/b" }], "path"],
    ["what is inherited, to test", {}, [{ op: "test", path: "/toString", value: null }], "path"],
    ["what is inherited, to write below", {}, [{ op: "add", path: "/constructor/prototype/x", value: 1 }], "path"],
    ["the length of an array", [1], [{ op: "replace", path: "/length", value: 0 }], "path"],
  ])("V4 refuses RFC 6902 %s", (_name, document, patch, reason) => {
    const error = fault(freeze(document), patch);
    expect(error.reason).toBe(reason);
    expect(error.operation).toBe(0);
    expect(error.message).toMatch(/^Operation 0: /);
  });

  it("V4 is all or nothing: the document is as before, whichever operation fails", () => {
    const document = freeze({ a: [1, { b: 2 }], c: 3 });
    const operations = [
      { op: "add", path: "/a/1/d", value: 4 },
      { op: "remove", path: "/c" },
      { op: "test", path: "/a/0", value: 9 },
    ];
    expect(fault(document, operations)).toMatchObject({ reason: "test", operation: 2 });
    expect(document).toEqual({ a: [1, { b: 2 }], c: 3 });
  });

  it("V4 changes neither document nor patch, and what was copied stays apart", () => {
    const document = freeze({ a: { x: 1 } });
    const patch = freeze([
      { op: "add", path: "/a/y", value: { z: 1 } },
      { op: "copy", from: "/a", path: "/b" },
      { op: "replace", path: "/b/y/z", value: 2 },
      { op: "add", path: "/a/y/w", value: 3 },
      { op: "copy", from: "/a", path: "/a/y/c" },
    ]);
    expect(apply(document, patch)).toEqual({
      a: { x: 1, y: { z: 1, w: 3, c: { x: 1, y: { z: 1, w: 3 } } } },
      b: { x: 1, y: { z: 2 } },
    });
  });

  it("shares what the patch does not touch", () => {
    const document = { a: { b: 1 }, c: { d: 2 } };
    const result = apply(document, [{ op: "replace", path: "/a/b", value: 2 }]) as typeof document;
    expect(result.c).toBe(document.c);
    expect(result.a).not.toBe(document.a);
  });

  it("V4 makes no copies when copies are chained", () => {
    const patch = Array.from({ length: 60 }, (_, index) => ({ op: "copy", from: "", path: `/${index}` }));
    expect(Object.keys(apply({ x: 1 }, patch) as object)).toHaveLength(61); // 2^60 members, were they made
  });

  it("V4 writes members that other objects inherit as own ones, and leaves every prototype alone", () => {
    const result = apply({}, [
      { op: "add", path: "/constructor", value: {} },
      { op: "add", path: "/constructor/prototype", value: { polluted: true } },
      { op: "add", path: "/toString", value: 1 },
      { op: "add", path: "/value", value: JSON.parse('{"__proto__":{"polluted":true}}') },
      { op: "add", path: "/value/x", value: 1 },
    ]);
    expect(JSON.stringify(result)).toBe(
      '{"constructor":{"prototype":{"polluted":true}},"toString":1,"value":{"__proto__":{"polluted":true},"x":1}}',
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("applyJsonPatch, its steps", () => {
  const big = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`n${index}`, index]));
  const list = Array.from({ length: 1_024 }, (_, index) => index);
  const copyOf = (from: string, path: string) => ({ op: "copy", from, path });
  const add = (path: string) => ({ op: "add", path, value: 0 });
  const repeat = (count: number, make: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index) => make(index));

  /** The fewest steps with which `patch` applies. */
  function stepsOf(document: unknown, patch: unknown): number {
    const operations = parseJsonPatch(patch, 10_000);
    const isEnough = (steps: number) => {
      try {
        applyJsonPatch(document, operations, steps);
        return true;
      } catch (error) {
        if (error instanceof PatchError && error.reason === "steps") return false;
        throw error;
      }
    };
    let [low, high] = [0, 1_000_000];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isEnough(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  it.each<[string, unknown, unknown, number]>([
    ["a token", { a: 1 }, [{ op: "test", path: "/a", value: 1 }], 1],
    ["an object that is copied", big, [add("/x")], 1 + 100],
    ["an object that is copied once", big, repeat(50, () => add("/x")), 50 + 100],
    ["copies of a member", { big }, repeat(50, () => copyOf("/big/n0", "/big/x")), 50 * 4 + 1 + 100],
    ["a copy that nobody touches", { big }, repeat(50, () => copyOf("/big", "/y")), 50 * 2 + 1],
    [
      "copies that are touched",
      { big },
      repeat(20, (index) => (index % 2 ? add("/y/z") : copyOf("/big", "/y"))),
      10 * 2 + 10 * (2 + 100) + 1,
    ],
    ["a copy and its source", { big }, [copyOf("/big", "/y"), add("/y/z"), add("/big/z")], 2 + 2 + 2 + 1 + 200],
    [
      "an object that is moved after its first change",
      { big },
      [
        add("/big/z"),
        ...repeat(20, (index) => ({
          op: "move",
          from: `/${index % 2 ? "y" : "big"}`,
          path: `/${index % 2 ? "big" : "y"}`,
        })),
        add("/big/z"),
      ],
      2 + 20 * 2 + 2 + 1 + 100,
    ],
    ["insertions at the front", list, repeat(10, () => add("/0")), 10 + 1_024 / 16 + 4 + 9 * 5],
    ["an insertion at the end", list, [add("/-")], 1 + 1_024 / 16],
    ["removals at the front", list, repeat(2, () => ({ op: "remove", path: "/0" })), 2 + 1_024 / 16 + 4 + 4],
    ["values that are compared", { big }, [{ op: "test", path: "/big", value: { ...big } }], 1 + 100],
  ])("V4 counts %s", (_, document, patch, steps) => {
    expect(stepsOf(document, patch)).toBe(steps);
  });

  it("V4 refuses the operation that takes one more", () => {
    const patch = parseJsonPatch([add("/x"), add("/y"), add("/z")], 3);
    expect(applyJsonPatch(big, patch, 103)).toHaveProperty("z");
    expect(() => applyJsonPatch(big, patch, 102)).toThrow(
      expect.objectContaining({
        reason: "steps",
        operation: 2,
        message: "Operation 2: with it the patch takes more than 102 steps; send smaller patches.",
      }) as Error,
    );
    expect(big).not.toHaveProperty("x");
  });

  it.each(["/a", "/~0"])("V4 counts the tokens and escapes of pointers (%s) before they are parsed", (part) => {
    const patch = [{ op: "copy", from: part.repeat(5), path: part.repeat(5) }];
    const steps = 10 * part.replace(/[a0]/, "").length;
    expect(parseJsonPatch(patch, 1, steps)).toHaveLength(1);
    expect(() => parseJsonPatch(patch, 1, steps - 1)).toThrow(
      expect.objectContaining({ reason: "steps", operation: 0 }) as Error,
    );
    expect(() => parseJsonPatch([{ op: "remove", path: part.repeat(100_000) }], 1)).toThrow("more than 20000 steps");
  });

  it("changes neither a copy nor its source through the other, nor through a move", () => {
    const patch = [
      add("/a/b/x"),
      copyOf("/a", "/c"),
      add("/a/b/y"),
      { op: "move", from: "/c", path: "/d" },
      add("/d/b/z"),
      copyOf("/d/b", "/e"),
      { op: "move", from: "/d/b", path: "/f" },
      add("/f/w"),
    ];
    expect(apply(freeze({ a: { b: {} } }), patch)).toEqual({
      a: { b: { x: 0, y: 0 } },
      d: {},
      e: { x: 0, z: 0 },
      f: { x: 0, z: 0, w: 0 },
    });
  });

  it("does what patches do that copy everything", () => {
    const operation = fc.record({
      op: fc.constantFrom("add", "remove", "replace", "move", "copy"),
      path: pointer(),
      from: pointer(),
      value: fc.constantFrom(1, {}, { a: {} }, [[]]),
    });
    const document = { a: { a: {}, b: [[], {}] }, b: [{}, { a: {} }] };
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), (patch) => {
        let expected: unknown = document;
        for (const one of patch) {
          try {
            expected = structuredClone(apply(structuredClone(expected), [one]));
          } catch {
            return; // the whole patch fails
          }
        }
        expect(apply(document, patch)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("parseJsonPatch", () => {
  it.each<[unknown, string]>([
    [{}, "A JSON Patch must be an array of operations."],
    [null, "A JSON Patch must be an array of operations."],
    [[1], "Operation 0: it is not an object."],
    [[null], "Operation 0: it is not an object."],
    [[{}], 'Operation 0: "op" must be add, remove, replace, move, copy or test.'],
    [[{ op: "ADD", path: "/a", value: 1 }], 'Operation 0: "op" must be add, remove, replace, move, copy or test.'],
    [[{ op: "toString", path: "/a" }], 'Operation 0: "op" must be add, remove, replace, move, copy or test.'],
    [[{ op: "add", path: "/a" }], 'Operation 0: "value" is missing.'],
    [[{ op: "add", value: 1 }], 'Operation 0: "path" is missing.'],
    [[{ op: "remove", path: 1 }], 'Operation 0: "path" is not a JSON Pointer.'],
    [[{ op: "remove", path: "a" }], 'Operation 0: "path" is not a JSON Pointer.'],
    [[{ op: "remove", path: "/~2" }], 'Operation 0: "path" is not a JSON Pointer.'],
    [[{ op: "copy", path: "/a" }], 'Operation 0: "from" is missing.'],
    [[{ op: "copy", path: "/a", from: "x" }], 'Operation 0: "from" is not a JSON Pointer.'],
    [[{ op: "add", path: "/__proto__/a", value: 1 }], 'Operation 0: "path" names "__proto__".'],
    [[{ op: "copy", path: "/a", from: "/__proto__" }], 'Operation 0: "from" names "__proto__".'],
    [[{ op: "move", path: "/a/b", from: "/a" }], 'Operation 0: "from" is moved into one of its own members.'],
    [[{ op: "move", path: "/a", from: "" }], 'Operation 0: "from" is moved into one of its own members.'],
    [
      [{ op: "remove", path: "/a" }, { op: "x" }],
      'Operation 1: "op" must be add, remove, replace, move, copy or test.',
    ],
  ])("V4 refuses %j as a whole", (patch, message) => {
    expect(() => parseJsonPatch(patch, 100)).toThrow(
      expect.objectContaining({ reason: "malformed", message }) as Error,
    );
  });

  it.each([
    [2, true],
    [3, true],
    [4, false],
  ])("V4 takes %d operations of at most 3: %p", (count, taken) => {
    const patch = Array.from({ length: count }, () => ({ op: "remove", path: "/a" }));
    if (taken) expect(parseJsonPatch(patch, 3)).toHaveLength(count);
    else expect(() => parseJsonPatch(patch, 3)).toThrow("The patch has 4 operations; at most 3 are allowed.");
  });

  it("does not mistake inherited members for its own", () => {
    const operation = Object.create({ op: "remove", path: "/a" }) as object;
    expect(() => parseJsonPatch([operation], 1)).toThrow(PatchError);
  });

  it("throws nothing but PatchError", () => {
    const value = fc.jsonValue();
    const operation = fc.record(
      {
        op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test"),
        path: pointer(),
        from: pointer(),
        value,
      },
      { requiredKeys: ["op"] },
    );
    fc.assert(
      fc.property(value, fc.array(fc.oneof(operation, value)), (document, patch) => {
        try {
          apply(freeze(document), freeze(patch));
        } catch (error) {
          expect(error).toBeInstanceOf(PatchError);
        }
      }),
    );
  });
});

function pointer(): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom("0", "1", "-", "a", "b", ""), { maxLength: 3 })
    .map((tokens) => tokens.map((token) => `/${token}`).join(""));
}
