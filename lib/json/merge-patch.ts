import { isObject } from "./json-value.js";
import { PatchError } from "./patch-error.js";

/** The media type of a JSON Merge Patch, RFC 7396. */
export const MERGE_PATCH_TYPE = "application/merge-patch+json";

/**
 * Apply a JSON Merge Patch to `document` (RFC 7396 section 2). Neither is changed. The result shares unchanged parts with
 * the document, so change neither of them afterwards. Works at any depth.
 *
 * @throws {PatchError} `malformed` when a member of the patch is called `__proto__`
 * @example
 * applyMergePatch({ name: "Ann", nickName: "A" }, { nickName: null }); // { name: "Ann" }
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;

  const result = copyObject(document);
  const pending: [target: Record<string, unknown>, patch: Record<string, unknown>][] = [[result, patch]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [target, members] = next;
    for (const [key, value] of Object.entries(members)) {
      if (key === "__proto__") throw new PatchError("malformed", 'The patch has a member "__proto__".');
      if (value === null) {
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- members of JSON are dynamic
        delete target[key];
      } else if (isObject(value)) {
        const member = copyObject(Object.hasOwn(target, key) ? target[key] : undefined);
        target[key] = member;
        pending.push([member, value]);
      } else {
        target[key] = value;
      }
    }
  }
  return result;
}

/** A copy of an object; an empty object for any other value. */
function copyObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? { ...value } : {};
}
