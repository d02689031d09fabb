/** The command line, or a file that it names, is wrong: one line for the person who typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
