import { escapeHidden } from "../../../src/model/visible-text.js";

/** Stored text as it is shown: `\u202e` in place of a character that nobody sees. New names have none. */
export function visible(text: string): string {
  return escapeHidden(text);
}
