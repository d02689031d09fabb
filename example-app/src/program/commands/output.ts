import { escapeLines } from "../../model/visible-text.js";

/** Write lines for programs to the standard output. */
export function print(text: string): void {
  process.stdout.write(`${escapeLines(text)}\n`);
}

/** Write lines for people to the standard error. */
export function tell(text: string): void {
  process.stderr.write(`${escapeLines(text)}\n`);
}
