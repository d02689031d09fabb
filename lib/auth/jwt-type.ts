/** The type of a JWT that states none, RFC 7519 section 5.1. */
const UNTYPED = "jwt";

/** `at+jwt` for `application/AT+JWT`, RFC 7515 section 4.1.9. */
export function normalizeType(typ: string): string {
  return typ.toLowerCase().replace(/^application\//, "");
}

/** Empty, which no type is, when `typ` is no text. */
export function typeOf({ typ = UNTYPED }: { readonly typ?: unknown }): string {
  return typeof typ === "string" ? normalizeType(typ) : "";
}
