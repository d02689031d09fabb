import { fieldLines } from "../../../lib/http/field-lines.js";

describe("fieldLines", () => {
  const rawHeaders = ["Host", "a", "Content-Type", "one", "X-Content-Type", "no", "content-TYPE", "two", "Accept", ""];

  it("finds every line of a field, in any case, in the order received", () => {
    expect(fieldLines(rawHeaders, "Content-Type")).toEqual(["one", "two"]);
    expect(fieldLines(rawHeaders, "CONTENT-type")).toEqual(["one", "two"]);
  });

  it("keeps an empty line", () => {
    expect(fieldLines(rawHeaders, "accept")).toEqual([""]);
  });

  it("finds nothing for a field that is absent, or among no fields", () => {
    expect(fieldLines(rawHeaders, "If-Match")).toEqual([]);
    expect(fieldLines([], "If-Match")).toEqual([]);
  });

  it("does not take a value for a name", () => {
    expect(fieldLines(["X-Name", "Accept", "Accept", "text/a"], "Accept")).toEqual(["text/a"]);
  });

  it("does not take a prefix for a name", () => {
    expect(fieldLines(["Accept-Language", "el", "Accep", "x"], "Accept")).toEqual([]);
  });
});
