import { createHash } from "node:crypto";

/**
 * The functions that have a faster equal here, by the SHA-1 of their source text. A function that is patched, bundled or
 * of a later version has another text, and is used as it is.
 */
const ORIGINALS = {
  /** `res.set` and `res.header` of Express 4.18–4.22 and of 5.0–5.3. */
  set: ["514a984047a3", "98c38c41ceb9"],
  /** `res.send` of Express 4.18–4.22, 5.0, 5.1–5.2 and 5.3. They send a string that has a content type in the same way. */
  send: ["90a773079814", "88eb4c81493e", "3a4b38c914ad", "6a3d019e6e05"],
  /** What Express 4.18–5.3 makes entity tags with, the weak and the strong. */
  etag: ["8fce6d0daf40"],
  /** What a route matches a path with, of Express 4.18–4.22 and of the router that Express 5 has since its version 2.3. */
  match: ["bc8dc7ba0b75", "dec2600b63a7"],
  /** `setHeader` of Node 20 and 22, of Node 24 and 26, and of Node 26 since its version 26.12. */
  setHeader: ["73c20e770a61", "6190ade94881", "1db48c6129ea"],
} as const;

/** Whether `value` is the function `name` of a version that is known. */
export function isOriginal(name: keyof typeof ORIGINALS, value: unknown): boolean {
  if (typeof value !== "function") return false;
  const fingerprint = createHash("sha1").update(sourceOf(value)).digest("hex").slice(0, 12);
  return (ORIGINALS[name] as readonly string[]).includes(fingerprint);
}

export function sourceOf(value: unknown): string {
  return typeof value === "function" ? Function.prototype.toString.call(value) : "";
}
