import { ApiError } from "../../src/model/api-error.js";

describe("ApiError", () => {
  it("E4 has no stack trace when the client is at fault, and one when the server is", () => {
    expect(new ApiError("E0000007", { detail: "x" }).stack).not.toContain("api-error.test");
    expect(new ApiError("E0009011").stack).toContain("api-error.test");
    expect(new Error("another").stack).toContain("api-error.test");
  });

  it("holds what the catalogue says, and the cause", () => {
    const cause = new Error("why");
    const error = new ApiError("E0000007", { type: "a.b", detail: "x", causes: ["y"], cause });
    expect(error).toMatchObject({ name: "ApiError", status: 404, code: "E0000007", message: "Not found: x", cause });
    expect(error).toMatchObject({ type: "a.b", causes: [{ errorSummary: "y" }] });
  });
});
