import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { createFile, readIfPresent } from "../../disk/files.js";
import { isSecret, MIN_SECRET_LENGTH } from "../settings/secrets.js";
import { SettingsError, type Settings } from "../settings/settings.js";

/** Length of an HMAC-SHA256 key. */
const SECRET_BYTES = 32;

/** Name of the file in the data folder. */
export const SECRET_FILE = "secret.key";

export type SecretSettings = Pick<Settings, "secrets" | "dataFolder" | "databaseUrl">;

/**
 * The secrets that encrypt cursors and key the hashes of fingerprints, newest first. They come from the settings, or else
 * from the data folder, where the first start creates one. All nodes need the same secrets.
 *
 * @throws {SettingsError} when the file in the data folder can't be read or written, or holds no valid secret
 */
export async function findSecrets(
  { secrets, dataFolder, databaseUrl }: SecretSettings,
  log: Pick<Logger, "warn">,
): Promise<readonly string[]> {
  if (secrets.length > 0) return secrets;
  const file = join(dataFolder, SECRET_FILE);
  if (databaseUrl !== undefined) {
    log.warn({ file }, "the secret is in this data folder: other nodes on the database need the same, as --secrets");
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

/** Create the secret. Of several processes that start at once, one creates it, and the others read it. */
async function makeSecret(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secret = randomBytes(SECRET_BYTES).toString("hex");
  return (await createFile(file, secret)) ? secret : ((await readIfPresent(file)) ?? secret);
}
