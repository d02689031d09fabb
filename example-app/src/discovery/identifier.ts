import { domainToUnicode } from "node:url";
import type { IdentifierPattern } from "../model/rule-shapes.js";

/**
 * An A-label of an internationalised domain name (RFC 5890 section 2.3.2.1). The limit of 63 octets also keeps decoding
 * linear.
 */
const A_LABEL_REGEXP = /(?<![a-z0-9-])xn--[a-z0-9-]{1,59}(?![a-z0-9-])/g;

const NON_ASCII_REGEXP = /[^\x00-\x7f]/;

/**
 * The form in which identifiers are compared: lower case by the Unicode default mapping (no locale), NFC, final sigma
 * as sigma, A-labels as U-labels. `JOE@xn--bcher-kva.Example` and `joe@bücher.example` have the same form.
 */
export function foldIdentifier(text: string): string {
  let folded = text.toLowerCase();
  if (folded.includes("xn--")) folded = folded.replace(A_LABEL_REGEXP, (label) => domainToUnicode(label) || label);
  return NON_ASCII_REGEXP.test(folded) ? folded.normalize("NFC").replaceAll("ς", "σ") : folded;
}

/** Whether a domain, or a label of one, begins after this character: `.` or `@`. */
export function isBoundary(code: number): boolean {
  return code === 0x2e || code === 0x40;
}

/**
 * Whether `text` matches `pattern`, both folded. A suffix matches at a label boundary: `example.com` matches
 * `joe@example.com` and `joe@sub.example.com`, but not `joe@badexample.com`. `@example.com` matches the domain only,
 * `.example.com` its subdomains only. An empty pattern matches nothing.
 */
export function matchesPattern({ matchType, value }: Readonly<IdentifierPattern>, text: string): boolean {
  if (value === "") return false;
  switch (matchType) {
    case "EQUALS":
      return text === value;
    case "STARTS_WITH":
      return text.startsWith(value);
    case "CONTAINS":
      return text.includes(value);
    case "SUFFIX":
      return (
        text.endsWith(value) &&
        (text.length === value.length ||
          isBoundary(value.charCodeAt(0)) ||
          isBoundary(text.charCodeAt(text.length - value.length - 1)))
      );
  }
}
