import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { recordInLogs } from "../../audit/command-events.js";
import { messageOf, StoreError } from "../../store/contract/errors.js";
import { copyDatabase, putFiles, takeFiles } from "../../store/engine/sqlite-backup.js";
import { DATABASE_FILE } from "../../store/engine/sqlite.js";
import { openStore } from "../../store/store.js";
import { withoutPassword } from "../../store/engine/postgres.js";
import { PAIR_FILE } from "../secrets/certificate.js";
import { createFile, readIfPresent } from "../../disk/files.js";
import { SECRET_FILE } from "../secrets/secrets.js";
import type { Settings } from "../settings/settings.js";

type Place = Pick<Settings, "dataFolder" | "databaseUrl">;

/** The files of the data folder that give access or sign. */
const SECRET_FILES = [SECRET_FILE, PAIR_FILE];

/** SQLite keeps the first one all the time while a server runs, and the others beside it. */
const DATABASE_FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`];

/**
 * Write everything that the database holds to the new file `file`, also while a server runs.
 *
 * @param withSecrets also the secret of the cursors and the certificate of the data folder
 * @returns what was written, in one line
 * @throws {StoreError} when `file` exists, or the database is no SQLite one
 */
export async function backup({ dataFolder, databaseUrl }: Place, file: string, withSecrets: boolean): Promise<string> {
  if (databaseUrl !== undefined) {
    throw new StoreError(
      `PostgreSQL makes its own backups: pg_dump --format=custom --file=${quote(file)} ${urlOf(databaseUrl)}`,
    );
  }
  refuse(file, "name another file");
  const secrets = withSecrets ? await readSecrets(dataFolder) : undefined;
  const copy = `${file}.${randomUUID()}`;
  return attempt(`The backup ${file} can't be written`, async () => {
    try {
      await makeEmpty(copy);
      copyDatabase(join(dataFolder, DATABASE_FILE), copy);
      if (secrets) putFiles(copy, secrets);
      await flush(copy);
      await link(copy, file); // fails when the file exists
    } finally {
      await rm(copy, { force: true });
    }
    return describe(file, secrets);
  });
}

/**
 * Make the database of a data folder from a backup, and the secrets that it holds. The folder must not have any.
 *
 * @returns what was written, in one line
 * @throws {StoreError} also when `file` is no backup, or was made by a newer version
 */
export async function restore({ dataFolder, databaseUrl }: Place, file: string): Promise<string> {
  if (databaseUrl !== undefined) {
    const target = `--dbname=${urlOf(databaseUrl)} ${quote(file)}`;
    throw new StoreError(`PostgreSQL restores its own backups: pg_restore --no-owner --exit-on-error ${target}`);
  }
  const advice = "stop the server and move the folder away, or restore into another one with --data";
  for (const name of DATABASE_FILES) refuse(join(dataFolder, name), advice);

  const folder = join(dataFolder, `restore-${randomUUID()}`);
  const copy = join(folder, DATABASE_FILE);
  return attempt(`The backup ${file} can't be restored`, async () => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await makeEmpty(copy);
      copyDatabase(file, copy);
      const secrets = takeFiles(copy);
      for (const name of SECRET_FILES) if (secrets.has(name)) refuse(join(dataFolder, name), advice);
      await complete(folder);
      await flush(copy);
      for (const name of SECRET_FILES) {
        const content = secrets.get(name);
        if (content !== undefined) await createFile(join(dataFolder, name), content);
      }
      await link(copy, join(dataFolder, DATABASE_FILE)); // fails when a server has made one
      return await describe(join(dataFolder, DATABASE_FILE), secrets);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Bring the schema of a restored database up to date, and record where it comes from. */
async function complete(dataFolder: string): Promise<void> {
  const store = await openStore({ dataFolder });
  try {
    await recordInLogs(store, "restore");
  } finally {
    await store.close();
  }
}

async function describe(file: string, secrets: ReadonlyMap<string, unknown> = new Map()): Promise<string> {
  const { size } = await stat(file);
  return [`${file}: ${size} bytes`, ...secrets.keys()].join(", ");
}

function refuse(file: string, advice: string): void {
  if (existsSync(file)) throw new StoreError(`${file} exists already: ${advice}`);
}

async function readSecrets(dataFolder: string): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  for (const name of SECRET_FILES) {
    const content = await readIfPresent(join(dataFolder, name));
    if (content !== undefined) secrets.set(name, content);
  }
  return secrets;
}

/** SQLite writes into an empty file and keeps its mode. */
async function makeEmpty(file: string): Promise<void> {
  await (await open(file, "wx", 0o600)).close();
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

/** @throws {StoreError} with what failed, when the file system fails */
async function attempt<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreError ? error : new StoreError(`${failure}: ${messageOf(error)}`);
  }
}

/** Without the password, which the tools of PostgreSQL ask for or read from `~/.pgpass`. */
function urlOf(databaseUrl: string): string {
  return quote(withoutPassword(databaseUrl));
}

/** Writes a text as one word of a shell. */
function quote(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
