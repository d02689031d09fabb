import { isPrincipal } from "../../../lib/auth/principal.js";

describe("isPrincipal", () => {
  it.each([
    [{ subject: "joe", scopes: [] }],
    [{ subject: "joe", scopes: ["a", "b"], claims: {} }],
    [Object.assign(Object.create(null) as object, { subject: "joe", scopes: [] })],
  ])("takes %j", (value) => {
    expect(isPrincipal(value)).toBe(true);
  });

  it.each([
    [undefined],
    [null],
    [true],
    ["joe"],
    [{}],
    [{ subject: "joe" }],
    [{ subject: "", scopes: [] }],
    [{ subject: 7, scopes: [] }],
    [{ scopes: [] }],
    [{ subject: "joe", scopes: "a" }],
    [{ subject: "joe", scopes: ["a", 7] }],
    [{ subject: "joe", scopes: null }],
  ])("refuses %j", (value) => {
    expect(isPrincipal(value)).toBe(false);
  });
});
