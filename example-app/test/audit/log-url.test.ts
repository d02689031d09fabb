import { formatUrl, KEPT_PARAMETERS } from "../../src/audit/log-url.js";
import { createDescriptions } from "../support/descriptions.js";

interface Parameter {
  readonly in?: string;
  readonly name: string;
}

describe("formatUrl()", () => {
  it.each([
    ["/api/v1/users?limit=5&after=abc", "/api/v1/users?limit=5&after=abc"],
    ["/x?token=secret", "/x?token=***"],
    ["/x?%74oken=secret&limit=1", "/x?%74oken=***&limit=1"],
    ["/x?%6cimit=5", "/x?%6cimit=5"],
    ["/x?%zz=secret", "/x?%zz=***"],
    ["/x?secret", "/x?***"],
    ["/x?limit&", "/x?limit&"],
    [`/x?${"s".repeat(33)}=`, "/x?***=***"],
    ["/x?a=1=secret", "/x?a=***"],
    ["/x#secret?limit=1", "/x#***"],
    ["/x?limit=1#secret", "/x?limit=1#***"],
    ["/x%3Ftoken=secret", "/x%3F***"],
    ["/x%23secret?q=joe", "/x%23***?q=joe"],
    ["https://joe:secret@host/x?q=joe", "/x?q=joe"],
    ["*", "*"],
  ])("D2 keeps of %s only the values of parameters that operations read: %s", (url, kept) => {
    expect(formatUrl(url)).toBe(kept);
  });

  it.each([2_047, 2_048, 2_049])("keeps 2,048 characters: of %i", (length) => {
    const url = `/${"a".repeat(length - 1)}`;
    expect(formatUrl(url)).toBe(length > 2_048 ? `${url.slice(0, 2_047)}…` : url);
  });

  it("keeps 2,048 characters also when hiding values makes the query longer", () => {
    const url = formatUrl(`/x?${"a=1&".repeat(500)}`);
    expect(url).toHaveLength(2_048);
    expect(url).toMatch(/^\/x\?(?:a=\*\*\*&)+.*…$/);
  });

  it("knows every parameter that an operation reads", () => {
    const operations = Object.values(createDescriptions()).flatMap(({ paths }) =>
      Object.values(paths).flatMap((methods) => Object.values(methods) as { parameters?: Parameter[] }[]),
    );
    const parameters = operations.flatMap(({ parameters: own = [] }) => own);
    const read = new Set(parameters.flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : [])));
    expect(read.size).toBeGreaterThan(10);
    expect([...read].filter((name) => !KEPT_PARAMETERS.has(name))).toEqual([]);
  });
});
