import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";

/** Readable by the user who runs the server, and nobody else. */
const PRIVATE_MODE = 0o600;

/** A reader sees the file as it was or as it will be, also when the process dies in between. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await rename(await writeTemporary(file, content), file);
}

/** A file beside `file` that holds `content` and is on the disk; to be renamed. */
export async function writeTemporary(file: string, content: string): Promise<string> {
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, content, { mode: PRIVATE_MODE, flag: "wx", flush: true });
  return temporary;
}

/** `undefined` when there is no such file. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
