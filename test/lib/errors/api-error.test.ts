import { spawnSync } from "node:child_process";
import path from "node:path";
import { inspect } from "node:util";
import createError, { isHttpError } from "http-errors";
import { apiError, compileApiError } from "../../../lib/errors/api-error.js";
import { ERROR_CATALOGUE, type ErrorCode, type ErrorFacts } from "../../../lib/errors/error-catalogue.js";

/** Runs the TypeScript of the package in a process of its own. */
const HOOK = path.join(__dirname, "../../../example-app/test/support/typescript-hook.js");

const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe("apiError", () => {
  it.each(codes)("E3 makes an error of http-errors with the status of %s", (code) => {
    const error = apiError(code);
    const { status } = ERROR_CATALOGUE[code];
    expect(isHttpError(error)).toBe(true);
    expect(error).toBeInstanceOf(createError.HttpError);
    expect(error).toMatchObject({ code, status, statusCode: status, expose: status < 500, causes: [] });
  });

  it("carries the facts", () => {
    const error = apiError("E0000007", {
      type: "webfinger.unknown",
      detail: "x",
      causes: ["a", "b"],
      headers: { Allow: "GET" },
    });
    expect({ ...error, name: error.name }).toEqual({
      name: "NotFoundError",
      message: "Not found: x: a b",
      code: "E0000007",
      summary: "Not found: x",
      detail: "x",
      type: "webfinger.unknown",
      causes: [{ errorSummary: "a" }, { errorSummary: "b" }],
      headers: { Allow: "GET" },
    });
  });

  it("has no member for a fact that is not given, but the causes", () => {
    expect(Object.keys(apiError("E0000008")).sort()).toEqual(["causes", "code", "message", "summary"]);
  });

  it.each<[NonNullable<ErrorFacts["causes"]>, string]>([
    [[], "You do not have permission to perform the requested action"],
    [
      ["The proxy received this request over HTTP."],
      "You do not have permission to perform the requested action: The proxy received this request over HTTP.",
    ],
    [["a", "b", "c"], "You do not have permission to perform the requested action: a b c"],
    [["a", "b", "c", "d"], "You do not have permission to perform the requested action: a b c (and 1 more)"],
  ])("says the causes %j in its message, three at most", (causes, message) => {
    expect(apiError("E0000006", { causes })).toMatchObject({
      message,
      summary: "You do not have permission to perform the requested action",
    });
  });

  it("says a cause in place of the full stop of the summary", () => {
    expect(apiError("E0000003", { causes: ["Line 1."] }).message).toBe("The request body was not well-formed: Line 1.");
  });

  it("E2 names the field of a cause with a place", () => {
    const causes = [
      { message: "is required", pointer: "/emails/0/a~1b" },
      { message: "must be an object", pointer: "" },
      { message: "must be a number", parameter: "limit" },
      { message: "has no place" },
      "plain",
    ];
    expect(apiError("E0000001", { causes }).causes).toEqual([
      { errorSummary: "emails.0.a/b: is required", detail: "is required", pointer: "/emails/0/a~1b" },
      { errorSummary: "body: must be an object", detail: "must be an object", pointer: "" },
      { errorSummary: "limit: must be a number", detail: "must be a number", parameter: "limit" },
      { errorSummary: "has no place" },
      { errorSummary: "plain" },
    ]);
  });

  it("S6 shows no body that a parser puts on it, and lets it be read", () => {
    const error = Object.assign(apiError("E0000006"), { body: "password=hunter2" });
    expect(inspect(error)).not.toContain("hunter2");
    expect(JSON.stringify(error)).not.toContain("hunter2");
    expect(error.body).toBe("password=hunter2");
  });

  it("has a stack in development, whatever its status", () => {
    const { NODE_ENV } = process.env;
    const messages = ["development", "production", "test"].map((environment) => {
      process.env["NODE_ENV"] = environment;
      return compileApiError({})("E0000008").stack?.split("\n    at ")[1];
    });
    process.env["NODE_ENV"] = NODE_ENV;
    expect(messages).toEqual([expect.stringContaining(__filename), undefined, undefined]);
  });

  it("ends the process with a stack that leads to the async handler of Express 4, in development", () => {
    const program = `
      const { apiError } = require("etiquette/api-error");
      const app = require("express4")();
      async function findUser() {
        await null;
        throw apiError("E0000007");
      }
      app.get("/", async function getUser() {
        await findUser();
      });
      const server = app.listen(0, "127.0.0.1", () => fetch("http://127.0.0.1:" + server.address().port));
    `;
    const env = { ...process.env, NODE_ENV: "development" };
    const { status, stderr } = spawnSync(process.execPath, ["--require", HOOK, "--eval", program], { env });
    expect(status).toBe(1);
    expect(String(stderr)).toMatch(
      /NotFoundError: Not found\n +at findUser .+\n(?: +at .+task_queues.+\n)? +at async getUser /,
    );
  });

  it("keeps the cause for the log", () => {
    const cause = new Error("refused");
    expect(apiError("E0009011", { cause }).cause).toBe(cause);
  });

  it.each(codes)("has a stack that begins where it was called, only when %s is not caused by the request", (code) => {
    const error = apiError(code, { detail: "x" });
    const [, first] = error.stack?.split("\n    at ") ?? [];
    if (error.status < 500 || [501, 505].includes(error.status))
      expect(error.stack).toBe(`${error.name}: ${error.message}`);
    else expect(first).toContain(__filename);
  });

  it.each([10, 0, 50])("leaves a limit of %d frames to all other errors", (limit) => {
    const before = Error.stackTraceLimit;
    try {
      Error.stackTraceLimit = limit;
      apiError("E0000008");
      expect(Error.stackTraceLimit).toBe(limit);
    } finally {
      Error.stackTraceLimit = before;
    }
  });

  it("makes the error where the limit can't be changed", () => {
    const before = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
    try {
      Object.defineProperty(Error, "stackTraceLimit", { ...before, writable: false });
      expect(apiError("E0000008").message).toBe("The requested path was not found");
    } finally {
      if (before) Object.defineProperty(Error, "stackTraceLimit", before);
    }
  });

  it("shows where it was called with a code that is none", () => {
    const call = () => apiError("E9" as ErrorCode);
    expect(call).toThrow(new TypeError("apiError: the catalogue has no code E9"));
    expect(call).toThrow(expect.objectContaining({ stack: expect.stringContaining(__filename) as string }) as Error);
  });
});

describe("compileApiError", () => {
  const make = compileApiError({
    ORDER0001: { status: 409, summary: "The order can't be changed any more: {0}" },
    ORDER0002: { status: 502, summary: "The warehouse does not answer." },
    constructor: { status: 499, summary: "The client went away." },
  });

  it("makes errors of own codes as apiError makes those of the suite", () => {
    const error = make("ORDER0001", { type: "order.shipped", detail: "it was shipped", causes: ["a"] });
    expect(isHttpError(error)).toBe(true);
    expect({ ...error, name: error.name, status: error.status, stack: error.stack }).toEqual({
      name: "ConflictError",
      message: "The order can't be changed any more: it was shipped: a",
      summary: "The order can't be changed any more: it was shipped",
      detail: "it was shipped",
      status: 409,
      code: "ORDER0001",
      type: "order.shipped",
      causes: [{ errorSummary: "a" }],
      stack: "ConflictError: The order can't be changed any more: it was shipped: a",
    });
  });

  it("gives a 5xx a stack that begins where it was made", () => {
    expect(make("ORDER0002").stack?.split("\n    at ")[1]).toContain(__filename);
  });

  it("takes a status that has no name, and a code that every object has as a member", () => {
    expect(make("constructor")).toMatchObject({ status: 499, statusCode: 499, expose: true, code: "constructor" });
    expect(() => make("toString" as never)).toThrow("apiError: the catalogue has no code toString");
  });

  it("knows the codes of the suite", () => {
    expect({ ...make("E0000008") }).toEqual({ ...apiError("E0000008") });
  });

  it("keeps what it was given when the catalogue changes later", () => {
    const catalogue = { A: { status: 409, summary: "a" } };
    const makeA = compileApiError(catalogue);
    catalogue.A.status = 200;
    expect(makeA("A").status).toBe(409);
  });
});
