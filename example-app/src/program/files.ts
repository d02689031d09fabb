import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";

/** Only the user who runs the server can read and write. */
const PRIVATE_MODE = 0o600;

/** Replace a file atomically: readers see the old or the new content, also when the process dies in between. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await rename(await writeTemporary(file, content), file);
}

/** Write `content` to a temporary file beside `file` and flush it to disk. The caller renames it. */
export async function writeTemporary(file: string, content: string): Promise<string> {
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, content, { mode: PRIVATE_MODE, flag: "wx", flush: true });
  return temporary;
}

/** The content of the file, or `undefined` when there is no such file. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
