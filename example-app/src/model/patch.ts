import { compare, type Operation } from "fast-json-patch";

/** The JSON Patch (RFC 6902) that makes `after` of `before`; `null` stands for no record. */
export function makePatch(before: object | null, after: object | null): Operation[] {
  if (before && after) return compare(before, after);
  return [before ? { op: "replace", path: "", value: after } : { op: "add", path: "", value: after }];
}
