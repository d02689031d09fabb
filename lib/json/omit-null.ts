/**
 * A replacer for `JSON.stringify` that leaves out properties whose value is null (rule N3). Null stays as an element of an
 * array, as the whole value, and under the empty name.
 *
 * @example
 * app.set("json replacer", omitNull);
 * JSON.stringify({ a: null, b: [null] }, omitNull); // '{"b":[null]}'
 */
export function omitNull(this: unknown, key: string, value: unknown): unknown {
  return value === null && key !== "" && !Array.isArray(this) ? undefined : value;
}
