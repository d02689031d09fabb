import fc from "fast-check";
import createError from "http-errors";
import { classifyError } from "../../../lib/errors/classify-error.js";
import { apiError } from "../../../lib/errors/api-error.js";
import { BUILT_IN, compileCatalogue } from "../../../lib/errors/compile-catalogue.js";
import { ERROR_CATALOGUE } from "../../../lib/errors/error-catalogue.js";
import { formatSummary } from "../../../lib/errors/summary.js";

/** What a client learns of an error that says nothing of itself. */
function silent(status: number, code: string, summary: string, expose = false) {
  return { status, code, title: summary, summary, causes: [], headers: {}, expose };
}

const INTERNAL = silent(500, "E0000009", "Internal Server Error");

/** A value whose every property, and every other question about it, throws. */
function hostile(): unknown {
  const traps = Object.getOwnPropertyNames(Reflect).map((trap) => [
    trap,
    () => {
      throw new Error(`trap ${trap}`);
    },
  ]);
  return new Proxy(() => undefined, Object.fromEntries(traps) as ProxyHandler<() => undefined>);
}

function summaryOf(code: string): string {
  return formatSummary(BUILT_IN.get(code)?.summary ?? "");
}

describe("classifyError", () => {
  it.each([
    ["a string", "password=hunter2"],
    ["an empty string", ""],
    ["null", null],
    ["undefined", undefined],
    ["a number", 404],
    ["NaN", NaN],
    ["a bigint", 404n],
    ["a symbol", Symbol("404")],
    ["a boolean", false],
    ["a plain object", {}],
    ["an array", [404]],
    ["a function", () => 404],
    ["a plain error", new Error("password=hunter2")],
    ["a frozen error", Object.freeze(new Error("password=hunter2"))],
    ["a system error", Object.assign(new Error("open '/etc/x'"), { code: "ENOENT", errno: -2 })],
    ["an aggregate of client errors", new AggregateError([createError(404)], "all failed")],
    ["an object without a prototype", Object.create(null)],
    ["a hostile proxy", hostile()],
    ["a revoked proxy", revoked()],
  ])("E4 says nothing of %s", (_title, thrown) => {
    expect(classifyError(thrown)).toEqual(INTERNAL);
  });

  it.each(["status", "statusCode", "code", "expose", "message", "name", "causes", "headers", "type"])(
    "survives a getter that throws, at `%s`",
    (property) => {
      const thrown = Object.defineProperty({ status: 400, expose: true }, property, {
        enumerable: true,
        get() {
          throw new Error("password=hunter2");
        },
      });
      expect(classifyError(thrown)).toEqual(INTERNAL);
    },
  );

  it("survives a cause and a header whose getter throws, and cycles", () => {
    const trap = {
      get errorSummary() {
        throw new Error("x");
      },
      get Allow() {
        throw new Error("x");
      },
    };
    expect(classifyError(createError(400, "x", { causes: [trap] }))).toEqual(INTERNAL);
    expect(classifyError(createError(400, "x", { headers: trap }))).toEqual(INTERNAL);

    const cycle = createError(400, "round");
    Object.assign(cycle, { cause: cycle, causes: [cycle, { errorSummary: "a", cause: cycle }] });
    expect(classifyError(cycle).causes).toEqual([{ errorSummary: "a" }]);
  });
});

describe("classifyError: status", () => {
  it.each([
    [{ status: 404 }, 404],
    [{ statusCode: 404 }, 404],
    [{ status: 403, statusCode: 404 }, 403],
    [{ status: 200, statusCode: 404 }, 404],
    [{ status: 400 }, 400],
    [{ status: 399 }, 500],
    [{ status: 599 }, 599],
    [{ status: 600 }, 500],
    [{ status: 404.5 }, 500],
    [{ status: NaN }, 500],
    [{ status: "404" }, 500],
    [{ status: [404] }, 500],
    [{ status: -404 }, 500],
    [{ code: "E0000231" }, 412],
    [{ code: "E0000231", status: "412" }, 412],
    [{ code: "E0000999", message: "x" }, 500],
    [{ code: 404 }, 500],
  ])("answers %j with %i", (thrown, status) => {
    expect(classifyError(thrown).status).toBe(status);
  });

  it("keeps a status of its own beside a code of the same class", () => {
    expect(classifyError(createError(400, "x", { code: "E0009002" }))).toMatchObject({ status: 400, code: "E0009002" });
  });

  it.each([
    [500, "E0000001", "E0000009"],
    [400, "E0000009", "E0009000"],
    [404, "E0009011", "E0000007"],
    [503, "E0000047", "E0009011"],
  ])("lets status %i decide against the code %s, which is of another class", (status, code, expected) => {
    expect(classifyError(createError(status, "x", { code }))).toMatchObject({ status, code: expected });
  });
});

describe("classifyError: code and summary", () => {
  it.each(Object.entries(ERROR_CATALOGUE))("E3 keeps the code and the summary of %s", (code, { status, summary }) => {
    const facts = { detail: "d", causes: ["c"] };
    const told = classifyError(apiError(code as never, facts));
    expect(told).toEqual({
      ...silent(status, code, formatSummary(summary), status < 500),
      ...(status < 500 && { summary: formatSummary(summary, "d"), detail: "d", causes: [{ errorSummary: "c" }] }),
    });
  });

  it.each([
    [400, "E0009000"],
    [401, "E0000011"],
    [402, "E0009000"],
    [403, "E0000006"],
    [404, "E0000007"],
    [405, "E0000022"],
    [406, "E0000122"],
    [408, "E0009001"],
    [409, "E0000195"],
    [410, "E0000215"],
    [411, "E0009002"],
    [412, "E0000231"],
    [413, "E0009003"],
    [414, "E0009004"],
    [415, "E0000021"],
    [416, "E0009000"],
    [417, "E0009005"],
    [418, "E0009000"],
    [422, "E0009006"],
    [426, "E0009007"],
    [428, "E0009008"],
    [429, "E0000047"],
    [431, "E0009009"],
    [499, "E0009000"],
    [500, "E0000009"],
    [501, "E0009010"],
    [502, "E0000009"],
    [503, "E0009011"],
    [504, "E0000009"],
    [505, "E0009012"],
    [599, "E0000009"],
  ] as const)("E1 finds for status %i the code %s", (status, code) => {
    const told = classifyError(createError(status));
    expect(told).toEqual(silent(status, code, summaryOf(code), status < 500));
  });

  it("takes the message for the summary beside a code, for a cause without one", () => {
    expect(classifyError(createError(404, "Not found: x", { code: "E0000007" }))).toMatchObject({
      summary: "Not found: x",
      causes: [],
    });
    expect(classifyError(createError(404, "No user x."))).toMatchObject({
      summary: "Not found",
      causes: [{ errorSummary: "No user x." }],
    });
  });

  it.each([404, 413, 414, 418, 422, 429])("takes the bare status phrase of a %i for no cause", (status) => {
    expect(classifyError(createError(status)).causes).toEqual([]);
  });

  it("keeps causes that are given instead of the message", () => {
    const told = classifyError(
      createError(422, "two faults", { causes: [{ errorSummary: "a" }, { errorSummary: "b" }] }),
    );
    expect(told.causes).toEqual([{ errorSummary: "a" }, { errorSummary: "b" }]);
  });

  it.each([[undefined], [null], ["a"], [{ 0: { errorSummary: "a" } }], [new Set([{ errorSummary: "a" }])]])(
    "E1 takes %p for no causes",
    (causes) => {
      expect(classifyError(createError(400, "x", { code: "E0000001", causes })).causes).toEqual([]);
    },
  );

  it("E1 tells nothing of a cause but its summary, and drops what has none", () => {
    const causes = [{ errorSummary: "a", sql: "SELECT" }, null, undefined, "b", {}, { errorSummary: 1 }, 7];
    expect(classifyError(createError(400, "x", { causes })).causes).toEqual([{ errorSummary: "a" }]);
  });
});

describe("classifyError: expose", () => {
  const causes = [{ errorSummary: "secret" }];
  const untold = { summary: "Api validation failed", causes: [] };

  it("hides message and causes when `expose` is false, keeping the code", () => {
    expect(classifyError(createError(400, "secret", { code: "E0000001", causes, expose: false }))).toMatchObject(
      untold,
    );
    expect(classifyError(createError(404, "secret", { expose: false }))).toMatchObject({ causes: [] });
  });

  it.each([["yes"], [1], [null], [{}]])("hides them when `expose` is %p, which is not true", (expose) => {
    expect(classifyError(createError(400, "secret", { code: "E0000001", causes, expose }))).toMatchObject(untold);
  });

  it("hides the message of an error that only has a status, such as one of an upstream client", () => {
    const upstream = Object.assign(new Error("GET https://10.0.0.7/secret failed"), { status: 404, causes });
    expect(classifyError(upstream)).toEqual(silent(404, "E0000007", "Not found"));
  });

  it("knows a cause's place, and of each member only text", () => {
    const placed = [
      { errorSummary: "a: b", detail: "b", pointer: "/a" },
      { errorSummary: "c", parameter: 1, pointer: null },
    ];
    const told = classifyError({ code: "E0000001", causes: placed, summary: 1, detail: {}, type: [] });
    expect(told.causes).toEqual([{ errorSummary: "a: b", detail: "b", pointer: "/a" }, { errorSummary: "c" }]);
    expect(told).toMatchObject({ summary: "Api validation failed", detail: undefined, type: undefined });
  });

  it("tells them of an error with a code and without `expose`", () => {
    expect(classifyError({ code: "E0000001", message: "Api validation failed: login", causes })).toMatchObject({
      status: 400,
      summary: "Api validation failed: login",
      causes,
    });
  });

  it.each([500, 503, 599])("E4 tells nothing of a %i, exposed or not", (status) => {
    const told = classifyError(createError(status, "secret", { expose: true, causes, code: "E0000009" }));
    expect(JSON.stringify(told)).not.toContain("secret");
  });
});

describe("classifyError: errors of others", () => {
  it("finds a malformed escape in a URIError, with or without a status", () => {
    const causes = [{ errorSummary: 'The URL has a "%" that does not begin a valid escape such as "%20".' }];
    const told = { ...silent(400, "E0009000", "Bad request."), causes };
    expect(classifyError(new URIError("URI malformed"))).toEqual(told);
    const routers = Object.assign(new URIError("Failed to decode param '%zz'"), { status: 400, statusCode: 400 });
    expect(classifyError(routers)).toEqual(told);
  });

  it.each(["entity.parse.failed", "request.aborted", "request.size.invalid"])("E1 reads %s as E0000003", (type) => {
    expect(classifyError(createError(400, "why", { type }))).toMatchObject({
      status: 400,
      code: "E0000003",
      causes: [{ errorSummary: "why" }],
    });
  });

  it.each(["Z_DATA_ERROR", "Z_BUF_ERROR", "ERR__ERROR_FORMAT_PADDING_2", "ZSTD_error_prefix_unknown"])(
    "E1 reads the decompression error %s as E0000003",
    (code) => {
      expect(classifyError(createError(400, "incorrect header check", { code }))).toMatchObject({
        code: "E0000003",
        causes: [{ errorSummary: "The body is not what its Content-Encoding says." }],
      });
    },
  );

  it("takes a decompression error without a status for the server's own", () => {
    expect(classifyError(Object.assign(new Error("x"), { code: "Z_DATA_ERROR" }))).toEqual(INTERNAL);
  });
});

describe("classifyError: headers", () => {
  it("copies strings, finite numbers and lists of strings", () => {
    const challenges = ["Bearer", "Basic"];
    const headers = { Allow: "GET", "Retry-After": 3, "WWW-Authenticate": challenges };
    const told = classifyError(createError(401, { headers })).headers;
    expect(told).toEqual(headers);
    expect(told["WWW-Authenticate"]).not.toBe(challenges);
  });

  it("drops what is no field value", () => {
    const headers = { a: null, b: undefined, c: {}, d: NaN, e: Infinity, f: true, g: ["x", 1], h: Symbol("x"), i: 1n };
    expect(classifyError(createError(400, { headers })).headers).toEqual({});
  });

  it.each([[null], ["Allow: GET"], [7], [new Map([["Allow", "GET"]])], [new Headers({ Allow: "GET" })]])(
    "takes %p for no headers",
    (headers) => {
      expect(classifyError(createError(400, { headers })).headers).toEqual({});
    },
  );

  it("gives a field called __proto__ no power", () => {
    const headers = JSON.parse('{"__proto__": "x", "constructor": "y"}') as object;
    const told = classifyError(createError(400, { headers })).headers;
    expect(Object.entries(told)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it("E4 takes of a 5xx only Retry-After and Connection", () => {
    const headers = { "retry-after": "5", Connection: "close", "X-Upstream": "10.0.0.7", "Set-Cookie": ["a=b"] };
    expect(classifyError(createError(503, { headers })).headers).toEqual({ "retry-after": "5", Connection: "close" });
  });
});

describe("classifyError: codes of an app's own", () => {
  const catalogue = compileCatalogue("test", {
    ORDER0001: { status: 409, summary: "The order can't be changed any more: {0}" },
    ORDER0002: { status: 502, summary: "The warehouse does not answer: {0}" },
  });

  it("gives a code of the catalogue its status and summary", () => {
    expect(classifyError({ code: "ORDER0001" }, catalogue)).toMatchObject({
      status: 409,
      code: "ORDER0001",
      summary: "The order can't be changed any more",
    });
  });

  it("E4 tells nothing of a 5xx but its code", () => {
    const error = createError(502, "secret", { code: "ORDER0002", causes: [{ errorSummary: "secret" }] });
    expect(classifyError(error, catalogue)).toEqual(silent(502, "ORDER0002", "The warehouse does not answer"));
  });

  it("goes on knowing the codes of the suite", () => {
    expect(classifyError({ code: "E0000231" }, catalogue)).toEqual(classifyError({ code: "E0000231" }));
  });

  it("takes a code that is not in the catalogue for none", () => {
    const error = createError(409, "shipped", { code: "ORDER0003" });
    expect(classifyError(error, catalogue)).toMatchObject({
      code: "E0000195",
      causes: [{ errorSummary: "shipped" }],
    });
  });
});

describe("classifyError: anything", () => {
  const property = fc.oneof(
    fc.anything(),
    fc.constantFrom("E0000001", "E0000009", 400, 404, 500, 503, true, "URIError", "entity.parse.failed"),
  );
  const names = [
    "status",
    "statusCode",
    "code",
    "expose",
    "message",
    "summary",
    "detail",
    "name",
    "type",
    "causes",
    "headers",
  ];
  const errors = fc.record(Object.fromEntries(names.map((name) => [name, property])), { requiredKeys: [] });

  it("never throws, and its answer is always well-formed", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withNullPrototype: true, withBigInt: true }), errors), (thrown) => {
        const told = classifyError(thrown);
        expect(Number.isInteger(told.status) && told.status >= 400 && told.status <= 599).toBe(true);
        expect((BUILT_IN.get(told.code)?.status ?? 0) >= 500).toBe(told.status >= 500);
        expect(BUILT_IN.has(told.code)).toBe(true);
        expect(typeof told.summary).toBe("string");
        expect(told.causes.every((cause) => typeof cause.errorSummary === "string")).toBe(true);
        expect(() => JSON.stringify(told)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });

  it("E4 says the same of every 5xx with the same status", () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 599 }), errors, (status, error) => {
        const told = classifyError({ ...error, status, headers: {} });
        expect(told).toEqual(silent(status, told.code, summaryOf(told.code)));
      }),
    );
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
