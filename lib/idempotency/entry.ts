import type { CapturedResponse } from "./capture.js";

/** What is known of a key. */
export interface Entry {
  /** The fingerprint of the request that used the key first. */
  readonly fingerprint: string;
  /** When the first request counts as interrupted, in milliseconds since 1970. */
  readonly deadline: number;
  /** Absent while the first request is under way; `null` when its response was too long to be kept. */
  readonly response?: CapturedResponse | null;
}

export function formatEntry({ fingerprint, deadline, response }: Entry): string {
  if (!response) return JSON.stringify({ fingerprint, deadline, response });
  return JSON.stringify({ fingerprint, deadline, response: { ...response, body: response.body.toString("base64") } });
}

/** @throws {SyntaxError | TypeError} when the store returned something else than it was given */
export function parseEntry(text: string): Entry {
  const entry = JSON.parse(text) as Entry & { response?: { body: unknown } | null };
  if (typeof entry.fingerprint !== "string" || typeof entry.deadline !== "number") {
    throw new TypeError("idempotency: the store returned a value that it was not given");
  }
  if (!entry.response) return entry;
  return { ...entry, response: { ...entry.response, body: Buffer.from(String(entry.response.body), "base64") } };
}
