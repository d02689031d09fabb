import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { lockFile } from "../../store/engine/file-lock.js";

/** The files of one process: those of a process that has ended are adopted by exactly one other. */
const NAME_REGEXP = /^spool-([0-9a-f-]{36})(?:\.lock|-\d{8}\.events)$/;

/** Ends the name of a segment that is kept for a person to look at. */
export const UNREADABLE = ".unreadable";

const DAY_MS = 86_400_000;

/** Who may read, write and remove some files. */
export interface Owner {
  readonly id: string;
  /** Let another process have what is left of the files. */
  readonly release: () => Promise<void>;
}

/** The segments of a process that has ended, the oldest first. */
export interface Adoption extends Owner {
  readonly segments: readonly string[];
}

/** The path of a segment. */
export function segmentOf(folder: string, { id }: Owner, number: number): string {
  return join(folder, `spool-${id}-${String(number).padStart(8, "0")}.events`);
}

export async function becomeOwner(folder: string): Promise<Owner> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const owner = await own(folder, randomUUID());
  if (!owner) throw new Error("a new file is locked by another process");
  return owner;
}

/** @returns `undefined` when no process has left files */
export async function adopt(folder: string, own: Owner | undefined): Promise<Adoption | undefined> {
  const names = await readNames(folder);
  const ids = new Set(names.flatMap((name) => NAME_REGEXP.exec(name)?.[1] ?? []));
  for (const id of ids) {
    if (id === own?.id) continue;
    const adoption = await adoptOf(folder, id);
    if (adoption) return adoption;
  }
  return undefined;
}

async function adoptOf(folder: string, id: string): Promise<Adoption | undefined> {
  const owner = await own(folder, id);
  if (!owner) return undefined;
  const names = await readNames(folder); // again, because the owner may just have written and removed them
  const segments = names.filter((name) => name.startsWith(`spool-${id}-`) && NAME_REGEXP.test(name)).sort();
  if (segments.length > 0) return { ...owner, segments: segments.map((name) => join(folder, name)) };
  await owner.release();
  return undefined;
}

async function own(folder: string, id: string): Promise<Owner | undefined> {
  const path = join(folder, `spool-${id}.lock`);
  const handle = await open(path, "a", 0o600);
  const { ino } = await handle.stat();
  await handle.close();
  const unlock = lockFile(path);
  if (!unlock) return undefined;
  if ((await inodeOf(path)) !== ino) {
    unlock(); // of a file that its owner has just removed
    return undefined;
  }
  return {
    id,
    async release() {
      await rm(path, { force: true }).finally(unlock);
    },
  };
}

async function inodeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.ino;
}

/** Remove what can't be read when it is older than `days`. */
export async function removeUnreadable(folder: string, days: number): Promise<void> {
  for (const name of await readNames(folder)) {
    const path = join(folder, name);
    if (name.endsWith(UNREADABLE) && (await isOlder(path, days))) await rm(path, { force: true });
  }
}

/** Whether nothing was written to the file for so many days. */
export async function isOlder(path: string, days: number): Promise<boolean> {
  return (await stat(path)).mtimeMs < Date.now() - days * DAY_MS;
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
