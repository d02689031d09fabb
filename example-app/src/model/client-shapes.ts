import { isIP } from "node:net";

/** The longest user agent; the same limit applies to the header of a request. */
export const MAX_USER_AGENT_LENGTH = 1_024;

/** Whether `text` is an address without a zone. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}
