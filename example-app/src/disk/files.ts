import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";

/** Only the user who runs the server can read and write. */
const PRIVATE_MODE = 0o600;

/** Replace a file atomically: readers see the old or the new content, also when the process dies in between. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await rename(await writeTemporary(file, content), file);
}

/**
 * Create a file with its whole content. Of several processes that create it at the same time, one does.
 *
 * @returns whether the file was created; `false` when there is one
 */
export async function createFile(file: string, content: string): Promise<boolean> {
  const temporary = await writeTemporary(file, content);
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Write `content` to a temporary file beside `file` and flush it to disk. */
async function writeTemporary(file: string, content: string): Promise<string> {
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
