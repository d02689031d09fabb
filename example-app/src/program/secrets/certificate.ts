import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Logger } from "pino";
import type * as Selfsigned from "selfsigned";
import { createFile, readIfPresent, replaceFile } from "../../disk/files.js";
import { SettingsError } from "../settings/settings.js";

/** Certificate and key of an HTTPS server, PEM. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
  /** The file that clients of a generated certificate trust; `undefined` for a certificate that the user provides. */
  readonly trustFile?: string;
}

const DAY_MS = 86_400_000;

/** The longest validity that Apple's systems accept for certificates of servers. */
const VALIDITY_MS = 825 * DAY_MS;

/** Ten years. */
const AUTHORITY_VALIDITY_MS = 3_650 * DAY_MS;

/** A certificate begins this much earlier, because the clocks of clients and of other processes differ a little. */
const CLOCK_SKEW_MS = 3_600_000;

/** A start within this time before the end of the authority makes a new one. */
const RENEWAL_MS = VALIDITY_MS + 30 * DAY_MS;

/** Key and certificate of the authority in one file, so that one rename replaces both. */
export const PAIR_FILE = "tls.pem";

/** The certificate of the authority alone. */
const TRUST_FILE = "tls.crt";

const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

/**
 * Read the certificate and the key that the user provides.
 *
 * @throws {SettingsError} when a file can't be read or isn't PEM, or the two don't belong together
 */
export async function readCertificate(files: Readonly<{ cert: string; key: string }>): Promise<TlsCertificate> {
  const [cert, key] = await Promise.all([readGiven("--tls-cert", files.cert), readGiven("--tls-key", files.key)]);
  const certificate = parse("--tls-cert", files.cert, "certificate", () => new X509Certificate(cert));
  const privateKey = parse("--tls-key", files.key, "private key without a passphrase", () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new SettingsError(
      `The key in --tls-key ${files.key} is not that of the certificate in --tls-cert ${files.cert}`,
    );
  }
  return { cert, key };
}

/** Read the user's certificate again and `use` it. If it can't be used, the server keeps the old one and the log says why. */
export async function reloadCertificate(
  files: Readonly<{ cert: string; key: string }>,
  use: (certificate: TlsCertificate) => void,
  log: Pick<Logger, "info" | "error">,
): Promise<void> {
  try {
    const certificate = await readCertificate(files);
    use(certificate);
    log.info({ validTo: new X509Certificate(certificate.cert).validTo }, "certificate reloaded");
  } catch (error) {
    log.error({ err: error }, "certificate not reloaded: the old one stays in use");
  }
}

/**
 * Create a certificate for the domain names in `names` and the loopback addresses. It is signed by the authority of
 * `folder`, which is created when there is none, and replaced before it expires. Clients trust the authority, so they
 * accept each certificate that it signs. Processes that start at the same time in an empty folder share one authority.
 *
 * @throws {SettingsError} when the folder can't be read or written
 */
export async function generateCertificate(
  folder: string,
  names: readonly string[],
  now: Date = new Date(),
): Promise<TlsCertificate> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, PAIR_FILE);
    const pair = (await readPair(file, now)) ?? (await makePair(file, now));
    const authority = new X509Certificate(pair).toString();
    const trustFile = path.join(folder, TRUST_FILE);
    if ((await readIfPresent(trustFile)) !== authority) await replaceFile(trustFile, authority);

    const { key, cert } = await generate(now, VALIDITY_MS, {
      ca: { key: pair, cert: authority },
      extensions: [
        { name: "basicConstraints", cA: false, critical: true },
        { name: "keyUsage", digitalSignature: true, critical: true },
        { name: "extKeyUsage", serverAuth: true },
        {
          name: "subjectAltName",
          altNames: [
            ...names.map((value) => ({ type: 2 as const, value })),
            ...LOOPBACK_ADDRESSES.map((ip) => ({ type: 7 as const, ip })),
          ],
        },
      ],
    });
    return { cert, key, trustFile };
  } catch (error) {
    throw new SettingsError(`The data folder can't hold the certificate: ${(error as Error).message}`);
  }
}

/** The text of the file, or `undefined` when it is missing or can no longer be used. */
async function readPair(file: string, now: Date): Promise<string | undefined> {
  const pair = await readIfPresent(file);
  return pair !== undefined && isUsable(pair, now) ? pair : undefined;
}

function isUsable(pair: string, now: Date): boolean {
  try {
    const certificate = new X509Certificate(pair);
    return (
      certificate.ca &&
      certificate.checkPrivateKey(createPrivateKey(pair)) &&
      Date.parse(certificate.validFrom) <= now.getTime() &&
      Date.parse(certificate.validTo) - RENEWAL_MS > now.getTime()
    );
  } catch {
    return false; // damaged
  }
}

/** Create an authority and store it, unless another process has stored one in the meantime. */
async function makePair(file: string, now: Date): Promise<string> {
  const { key, cert } = await generate(now, AUTHORITY_VALIDITY_MS, {
    extensions: [
      { name: "basicConstraints", cA: true, pathLenConstraint: 0, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  const pair = key + cert;
  if (await createFile(file, pair).catch(() => false)) return pair; // fails without hard links
  const other = await readPair(file, now);
  if (other === undefined) await replaceFile(file, pair);
  return other ?? pair;
}

async function generate(now: Date, validity: number, options: Selfsigned.SelfsignedOptions) {
  // loaded only here, because commands and servers with a certificate of their own do without it
  const selfsigned = createRequire(__filename)("selfsigned") as typeof Selfsigned;
  const begin = now.getTime() - CLOCK_SKEW_MS;
  // a name of its own, because clients that trust several authorities find the right one by its name
  const name = `etiquette ${randomBytes(8).toString("hex")}`;
  const { private: key, cert } = await selfsigned.generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: new Date(begin),
    notAfterDate: new Date(begin + validity),
    ...options,
  });
  return { key: `${key.trim()}\n`, cert: `${cert.trim()}\n` };
}

async function readGiven(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new SettingsError(`${flag} can't be read: ${(error as Error).message}`);
  }
}

function parse<T>(flag: string, file: string, expected: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new SettingsError(`${flag} ${file} is no PEM file with a ${expected}`);
  }
}
