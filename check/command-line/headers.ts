import { TOKEN } from "../../lib/text/index.js";
import { UsageError } from "../usage-error.js";
import { readText } from "./values.js";

export type Header = readonly [name: string, value: string];

/** `field-name` and `field-value` of RFC 9110 section 5, with the characters of latin1. */
const HEADER_REGEXP = new RegExp(
  String.raw`^(${TOKEN}):[ \t]*([\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)$`,
);

/** The checker writes these itself. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "transfer-encoding", "expect", "upgrade", "te"]);

export const MAX_HEADERS = 50;

/** Each text is a header, or `@` and the name of a file with a header a line. */
export function readHeaders(texts: readonly string[], option: string): Header[] {
  return texts.flatMap((text) =>
    text.startsWith("@") ? parseHeaders(readText(option, text.slice(1))) : [parseHeader(text, 0)],
  );
}

/** A header a line; empty lines are none. */
export function parseHeaders(text: string): Header[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map(parseHeader);
}

/** The message doesn't repeat the text, which may be a secret. */
function parseHeader(line: string, index: number): Header {
  const [, name, value] = HEADER_REGEXP.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(`Header ${index + 1} is not of the form "Name: value" in latin1.`);
  }
  if (OWN_HEADERS.has(name.toLowerCase())) throw new UsageError(`The checks set ${name} themselves.`);
  return [name, value];
}
