import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { ImportError } from "./faults.js";

/** Importing a file takes several times its size in memory. */
export const MAX_FILE_BYTES = 128 * 1024 * 1024;

/**
 * The text of the file at `path`, without a byte-order mark.
 *
 * @throws {ImportError} when it can't be read, is larger than {@link MAX_FILE_BYTES}, or is not UTF-8
 */
export async function readText(path: string): Promise<string> {
  const fail = (reason: string, line = 1) => new ImportError(path, [{ path: [], line, reason }]);
  let bytes: Buffer;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw fail(`is too large: ${size} bytes; at most ${MAX_FILE_BYTES} are allowed`);
    bytes = await readFile(path);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw fail(`can't be read: ${(error as Error).message}`);
  }
  if (!isUtf8(bytes)) throw fail("is not UTF-8", lineOfBadUtf8(bytes));
  return new TextDecoder().decode(bytes);
}

function lineOfBadUtf8(bytes: Buffer): number {
  let line = 1;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf("\n", start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line++;
  }
}
