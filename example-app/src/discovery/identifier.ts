import { domainToUnicode } from "node:url";
import type { IdentifierPattern } from "../model/rule-shapes.js";

/**
 * An A-label of an internationalised domain name (RFC 5890 section 2.3.2.1). The limit of 63 octets also keeps decoding
 * linear.
 */
const A_LABEL_REGEXP = /(?<![a-z0-9-])xn--[a-z0-9-]{1,59}(?![a-z0-9-])/g;

const A_LABEL_START_REGEXP = /xn--/i;

const NON_ASCII_REGEXP = /[^\x00-\x7f]/;

/**
 * The form in which identifiers are compared: lower case by the Unicode default mapping (no locale), NFC, final sigma
 * as sigma, A-labels as U-labels. `JOE@xn--bcher-kva.Example` and `joe@bücher.example` have the same form.
 */
export function foldIdentifier(text: string): string {
  const lower = text.toLowerCase();
  return normalize(lower.includes("xn--") ? lower.replace(A_LABEL_REGEXP, decodeLabel) : lower);
}

/** What {@link foldIdentifier} costs, see {@link Steps}. Decoding internationalised domains takes far longer than all else. */
export function costOfFolding(text: string): number {
  return text.length >> (A_LABEL_START_REGEXP.test(text) ? 1 : 5);
}

/** What {@link matchesUnfolded} costs for a text, see {@link Steps}. */
export function costOfUnfolded({ value }: Readonly<IdentifierPattern>, text: string): number {
  return isAscii(text) ? value.length >> 5 : costOfFolding(value);
}

function isAscii(text: string): boolean {
  return !NON_ASCII_REGEXP.test(text);
}

/** The form before A-labels are decoded. */
function foldLetters(text: string): string {
  return normalize(text.toLowerCase());
}

function normalize(lower: string): string {
  return isAscii(lower) ? lower : lower.normalize("NFC").replaceAll("ς", "σ");
}

function decodeLabel(label: string): string {
  return domainToUnicode(label) || label;
}

/**
 * Whether `text` matches the pattern, where only the text is folded. A decoded label has other characters than those of
 * ASCII, so for a text of those alone hardly any pattern is decoded.
 */
export function matchesUnfolded({ matchType, value }: Readonly<IdentifierPattern>, text: string): boolean {
  if (isAscii(text) && !matchesPattern({ matchType, value: foldLetters(value) }, text)) return false;
  return matchesPattern({ matchType, value: foldIdentifier(value) }, text);
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
