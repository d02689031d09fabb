import { randomBytes } from "node:crypto";
import { link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { readIfPresent, writeTemporary } from "./files.js";
import { isSecret, MIN_SECRET_LENGTH, SettingsError, type Settings } from "./settings.js";

/** Of HMAC-SHA256. */
const SECRET_BYTES = 32;

/** In the data folder. */
const SECRET_FILE = "secret.key";

export type SecretSettings = Pick<Settings, "secrets" | "dataFolder" | "databaseUrl">;

/**
 * What cursors are signed with, the newest first: as it is set, or else the one in the data folder, which the first start
 * makes. Several nodes need the same.
 *
 * @throws {SettingsError} when the data folder can't hold it, or what it holds is no secret
 */
export async function findSecrets(
  { secrets, dataFolder, databaseUrl }: SecretSettings,
  log: Pick<Logger, "warn">,
): Promise<readonly string[]> {
  if (secrets.length > 0) return secrets;
  const file = join(dataFolder, SECRET_FILE);
  if (databaseUrl !== undefined) {
    log.warn(
      { file },
      "cursors are signed with a secret of this data folder: other nodes on the database need the same, as --secrets",
    );
  }
  const secret = await readOrMake(dataFolder, file);
  if (isSecret(secret)) return [secret];
  throw new SettingsError(
    `${file} must hold a secret of at least ${MIN_SECRET_LENGTH} bytes: put it back, or remove the file to have a new one made`,
  );
}

async function readOrMake(folder: string, file: string): Promise<string> {
  try {
    return (await readIfPresent(file))?.trim() ?? (await makeSecret(folder, file));
  } catch (error) {
    throw new SettingsError(`The secret ${file} can't be read or made: ${(error as Error).message}`);
  }
}

/** Of several processes that start at once, one makes it. */
async function makeSecret(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secret = randomBytes(SECRET_BYTES).toString("hex");
  const temporary = await writeTemporary(file, secret);
  try {
    await link(temporary, file);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return (await readIfPresent(file)) ?? secret;
  } finally {
    await rm(temporary, { force: true });
  }
}
