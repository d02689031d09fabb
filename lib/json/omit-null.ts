/**
 * A replacer for `JSON.stringify` that leaves out the properties whose value is null (rule N3). The elements of an array
 * keep their places, and so do a value that is null itself and a property without a name. On Express: `app.set("json replacer", omitNull)`.
 */
export function omitNull(this: unknown, key: string, value: unknown): unknown {
  return value === null && key !== "" && !Array.isArray(this) ? undefined : value;
}
