import createError, { isHttpError } from "http-errors";
import { apiError } from "../../../lib/errors/api-error.js";
import { ERROR_CATALOGUE, type ErrorCode } from "../../../lib/errors/error-catalogue.js";

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
      message: "Not found: x",
      code: "E0000007",
      type: "webfinger.unknown",
      causes: [{ errorSummary: "a" }, { errorSummary: "b" }],
      headers: { Allow: "GET" },
    });
  });

  it("has no member for a fact that is not given, but the causes", () => {
    expect(Object.keys(apiError("E0000008")).sort()).toEqual(["causes", "code", "message"]);
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
    expect(call).toThrow(TypeError);
    expect(call).toThrow(expect.objectContaining({ stack: expect.stringContaining(__filename) as string }) as Error);
  });
});
