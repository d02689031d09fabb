import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SPOOL_FOLDER } from "../../audit/spool/open-spool.js";
import { UNREADABLE } from "../../audit/spool/owner.js";
import { SNAPSHOT_FILE } from "../../snapshot/snapshot-file.js";
import { messageOf } from "../../store/contract/errors.js";
import type { Settings } from "../settings/settings.js";
import { fault, ok, warning, type Finding } from "./finding.js";

const CHECK = "data folder";

/** What of a file is told. */
type FileFacts = Readonly<{ size: number; mtime: Date }>;

/** Tell of the snapshot, if there is one. */
export async function checkSnapshot({ dataFolder }: Pick<Settings, "dataFolder">): Promise<Finding[]> {
  const path = join(dataFolder, SNAPSHOT_FILE);
  const facts = await stat(path).catch(() => undefined);
  if (!facts) return [];
  const time = new Date(facts.mtimeMs).toISOString();
  return [ok(CHECK, `the snapshot ${path} has ${facts.size} bytes, and was current at ${time}`)];
}

/** Tell of the events that wait on disk, if there are any. */
export async function checkSpool({ dataFolder }: Pick<Settings, "dataFolder">): Promise<Finding[]> {
  const folder = join(dataFolder, SPOOL_FOLDER);
  try {
    const waiting = await readFacts(folder, ".events");
    const unreadable = await readFacts(folder, UNREADABLE);
    return [
      ...(waiting.length > 0 ? [ok(CHECK, `events wait in ${folder} for the database: ${describe(waiting)}`)] : []),
      ...(unreadable.length > 0
        ? [
            warning(
              CHECK,
              `events in ${folder} can't be read: ${describe(unreadable)}`,
              `start with the secrets that the files were written with, without the ending ${UNREADABLE}; or remove them`,
            ),
          ]
        : []),
    ];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    return [fault(CHECK, messageOf(error), `give ${folder} to the user who runs the server, or remove it`)];
  }
}

async function readFacts(folder: string, ending: string): Promise<FileFacts[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  return Promise.all(names.map((name) => stat(join(folder, name))));
}

function describe(files: readonly FileFacts[]): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const oldest = Math.min(...files.map(({ mtime }) => mtime.getTime()));
  return `${bytes} bytes, the oldest of ${new Date(oldest).toISOString()}`;
}
