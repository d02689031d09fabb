import fc from "fast-check";
import createError from "http-errors";
import { apiError, type ErrorCode } from "etiquette/api-error";
import { ERROR_CATALOGUE } from "etiquette/error-catalogue";
import { formatError } from "etiquette/format-error";

const OWN = {
  "Cache-Control": "no-store",
  "Content-Type": "application/json; charset=utf-8",
  "X-Content-Type-Options": "nosniff",
};

function read(error: unknown): { status: number; headers: object; body: unknown } {
  const { status, headers, body } = formatError(error, { id: "req-1" });
  return { status, headers, body: JSON.parse(body) };
}

describe("formatError", () => {
  it("E1 makes the error object, with the causes and fields of the error", () => {
    const causes = [{ message: "is taken.", pointer: "/login" }];
    const headers = { Allow: "GET", "Cache-Control": "max-age=1" };
    expect(read(apiError("E0000001", { detail: "login", causes, headers }))).toEqual({
      status: 400,
      headers: { ...OWN, ...headers },
      body: {
        errorCode: "E0000001",
        errorSummary: "Api validation failed: login",
        errorLink: "E0000001",
        errorId: "req-1",
        errorCauses: [{ errorSummary: "login: is taken.", pointer: "/login" }],
      },
    });
  });

  it.each(Object.keys(ERROR_CATALOGUE) as ErrorCode[])("E3 sends %s with its status", (code) => {
    const { status } = ERROR_CATALOGUE[code];
    expect(read(apiError(code))).toMatchObject({ status, body: { errorCode: code } });
  });

  it.each<[unknown, number, string]>([
    [createError(404, "no user"), 404, "E0000007"],
    [{ statusCode: 415 }, 415, "E0000021"],
    [{ statusCode: 503 }, 503, "E0009011"],
    [new URIError("%"), 400, "E0009000"],
    [undefined, 500, "E0000009"],
    ["secret", 500, "E0000009"],
  ])("E3 sends %p", (error, status, errorCode) => {
    expect(read(error)).toMatchObject({ status, body: { errorCode } });
  });

  it("E4 tells nothing of a 5xx but the code, and sends only fields that concern the connection", () => {
    const failure = Object.assign(new Error("password=hunter2"), { headers: { "Retry-After": 5, "X-Host": "db1" } });
    const { headers, body } = formatError(failure, { id: "req-1" });
    expect(headers).toEqual({ ...OWN, "Retry-After": "5" });
    expect(body).not.toContain("hunter2");
  });

  it("E4 leaves out fields that are invalid, or wrong for the body", () => {
    const headers = {
      "X-Good": ["a", "b"],
      "Set-Cookie": ["a=1", "b=2"],
      "X-Bad": "a\r\nb",
      "Bad Name": "a",
      "content-length": "1",
      "Content-Encoding": "gzip",
      "Content-Type": "text/html",
      "Transfer-Encoding": "chunked",
    };
    const error = Object.assign(createError(400), { headers });
    expect(formatError(error, { id: "1" }).headers).toEqual({ ...OWN, "X-Good": "a, b" });
    const cookie = { "Set-Cookie": ["a=1"] };
    const one = Object.assign(createError(400), { headers: cookie });
    expect(formatError(one, { id: "1" }).headers).toEqual({ ...OWN, "Set-Cookie": "a=1" });
  });

  it("E1 never throws, whatever was thrown", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (error, id) => {
        const { status, body } = formatError(error, { id });
        expect(status).toBeGreaterThanOrEqual(400);
        expect(JSON.parse(body)).toMatchObject({ errorId: id });
      }),
    );
  });
});
