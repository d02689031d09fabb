/** What an answer repeats of a request: enough to recognise it. */
const MAX_EXCERPT_LENGTH = 64;

/** `text` in quotes, for a message to its sender: escaped as in JSON, cut after 64 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text);
}
