import { ERROR_CATALOGUE, formatErrorObject, type ErrorCode } from "../../../lib/errors/error-catalogue.js";
import { formatSummary } from "../../../lib/errors/summary.js";

const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/** What clients were written for: a change of one of these is a change of the API. */
const PUBLISHED: readonly (readonly [ErrorCode, number])[] = [
  ["E0000001", 400],
  ["E0000003", 400],
  ["E0000004", 401],
  ["E0000006", 403],
  ["E0000007", 404],
  ["E0000008", 404],
  ["E0000009", 500],
  ["E0000011", 401],
  ["E0000016", 403],
  ["E0000018", 400],
  ["E0000021", 415],
  ["E0000022", 405],
  ["E0000028", 400],
  ["E0000029", 400],
  ["E0000030", 400],
  ["E0000031", 400],
  ["E0000033", 400],
  ["E0000037", 400],
  ["E0000038", 403],
  ["E0000047", 429],
  ["E0000063", 400],
  ["E0000077", 403],
  ["E0000078", 403],
  ["E0000094", 400],
  ["E0000122", 406],
  ["E0000195", 409],
  ["E0000212", 403],
  ["E0000215", 410],
  ["E0000231", 412],
  ["E0000242", 400],
  ["E0000256", 414],
];

describe("ERROR_CATALOGUE", () => {
  it.each(PUBLISHED)("E3 answers %s with status %i", (code, status) => {
    expect(ERROR_CATALOGUE[code].status).toBe(status);
  });

  it("E3 has its own codes from E0009000 up, and each code of the family", () => {
    expect(codes.filter((code) => code < "E0009000")).toEqual(PUBLISHED.map(([code]) => code));
  });

  it.each(codes)("E3 has a well-formed entry for %s", (code) => {
    const { status, summary } = ERROR_CATALOGUE[code];
    expect(code).toMatch(/^E\d{7}$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThanOrEqual(599);
    expect(summary).not.toBe("");
  });

  it('E2 says "Api validation failed" for E0000001', () => {
    expect(formatSummary(ERROR_CATALOGUE.E0000001.summary, "login")).toBe("Api validation failed: login");
  });
});

describe("formatSummary", () => {
  it.each([
    ["E0000001", "Api validation failed"],
    ["E0000007", "Not found"],
    ["E0000037", "Type mismatch exception."],
    ["E0000077", "Cannot modify the attribute because it is read-only."],
    ["E0000122", "Accept Header did not contain supported media type"],
    ["E0000008", "The requested path was not found"],
  ] as const)("ends %s before the placeholder without a detail", (code, summary) => {
    expect(formatSummary(ERROR_CATALOGUE[code].summary)).toBe(summary);
  });

  it("fills the placeholder in as it is", () => {
    expect(formatSummary("Not found: {0}", "$& $1 {0}")).toBe("Not found: $& $1 {0}");
    expect(formatSummary("Not found: {0}", "")).toBe("Not found: ");
    expect(formatSummary("{0} is not {0}", "x")).toBe("x is not x");
  });

  it.each(codes)("leaves no placeholder in %s", (code) => {
    const { summary } = ERROR_CATALOGUE[code];
    expect(formatSummary(summary)).not.toContain("{0}");
    expect(formatSummary(summary, "x")).not.toContain("{0}");
  });
});

describe("formatErrorObject", () => {
  it("E1 has exactly the five fields, errorLink equal to errorCode", () => {
    const causes = [{ errorSummary: "login: taken" }];
    expect(formatErrorObject("E0000001", { id: "i", summary: "s", causes })).toEqual({
      errorCode: "E0000001",
      errorSummary: "s",
      errorLink: "E0000001",
      errorId: "i",
      errorCauses: causes,
    });
  });
});
