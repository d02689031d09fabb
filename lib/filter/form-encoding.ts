/** A string, perhaps without its end; the sign of an exponent; a plus that is in neither. */
const PLUS_REGEXP = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[0-9][eE]\+(?=[0-9])|\+/g;

/**
 * Choose how the expression in a query parameter is read (rule Q3). HTML forms, `URLSearchParams` and many HTTP clients
 * write a space as `+`, while RFC 3986 leaves `+` a plus. Outside its literals an expression has spaces but no plus. So a
 * raw `+` there means that the whole expression was form-encoded.
 *
 * @param text the expression, with each raw `+` as a plus
 * @param form the same, with each raw `+` as a space; a plus was sent as `%2B`
 */
export function chooseEncoding(text: string, form: string): string {
  for (const { 0: found, index } of text.matchAll(PLUS_REGEXP)) {
    if (found === "+" && form[index] === " ") return form;
  }
  return text;
}
