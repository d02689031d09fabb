/** A parameter with a list of values comes once for each. */
type ParameterValue = string | number | boolean;

/** Why a value can't be parameters: the name of the member, and a sentence without it. */
export interface ParameterFault {
  readonly name: string;
  readonly message: string;
}

/**
 * The members of `value` as parameters of a query, percent-encoded: `{ limit: 20, tag: ["a", "b"] }` is
 * `limit=20&tag=a&tag=b`.
 */
export function formatParameters(
  value: object,
):
  | { readonly text: string; readonly fault?: undefined }
  | { readonly text?: undefined; readonly fault: ParameterFault } {
  const pairs: string[] = [];
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    for (const each of Array.isArray(member) ? (member as unknown[]) : [member]) {
      if (!isParameterValue(each)) {
        return { fault: { name, message: "send a string, a number, a boolean, or an array of these." } };
      }
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(each)}`);
    }
  }
  return { text: pairs.join("&") };
}

function isParameterValue(value: unknown): value is ParameterValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
