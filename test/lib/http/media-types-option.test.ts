import { isJsonType } from "../../../lib/http/media-types-option.js";

describe("isJsonType", () => {
  it.each([
    ["application/json", true],
    ["text/json", true],
    ["application/merge-patch+json", true],
    ["application/json-seq", false],
    ["application/jsonl", false],
    ["application/xjson", false],
    ["multipart/form-data", false],
    ["text/plain", false],
  ])("%s: %p", (type, expected) => {
    expect(isJsonType(type)).toBe(expected);
  });
});
