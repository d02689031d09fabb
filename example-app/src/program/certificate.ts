import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type * as Selfsigned from "selfsigned";
import { createFile, readIfPresent, replaceFile } from "./files.js";
import { SettingsError } from "./settings.js";

/** Certificate and key of an HTTPS server, PEM. */
export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
  /**
   * The file of the generated certificate, for clients to trust; `undefined` for a certificate that the user provides.
   */
  readonly trustFile?: string;
}

const DAY_MS = 86_400_000;

/** The longest validity that Apple's systems accept for certificates that the user trusts. */
const VALIDITY_MS = 825 * DAY_MS;

/** A certificate begins this much earlier, because the clocks of clients and of other processes differ a little. */
const CLOCK_SKEW_MS = 3_600_000;

/** A start within this time before the end of a generated certificate renews it. */
const RENEWAL_MS = 30 * DAY_MS;

/** Key and certificate in one file, so that one rename replaces both. */
export const PAIR_FILE = "tls.pem";

/** The certificate alone. */
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

/**
 * Return the self-signed certificate in `folder` for the domain names in `names`. Creates it when there is none; renews
 * it when it is about to expire or lacks a name. Processes that start at the same time in an empty folder all get the
 * same certificate.
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
    const pair = (await readPair(file, names, now)) ?? (await makePair(file, names, now));
    const cert = new X509Certificate(pair).toString();
    const trustFile = path.join(folder, TRUST_FILE);
    if ((await readIfPresent(trustFile)) !== cert) await replaceFile(trustFile, cert);
    return { cert, key: pair, trustFile };
  } catch (error) {
    throw new SettingsError(`The data folder can't hold the certificate: ${(error as Error).message}`);
  }
}

/** The text of the file, or `undefined` when it is missing or can no longer be used. */
async function readPair(file: string, names: readonly string[], now: Date): Promise<string | undefined> {
  const pair = await readIfPresent(file);
  return pair !== undefined && isUsable(pair, names, now) ? pair : undefined;
}

function isUsable(pair: string, names: readonly string[], now: Date): boolean {
  try {
    const certificate = new X509Certificate(pair);
    const covered = certificate.subjectAltName?.split(", ") ?? [];
    return (
      certificate.checkPrivateKey(createPrivateKey(pair)) &&
      Date.parse(certificate.validFrom) <= now.getTime() &&
      Date.parse(certificate.validTo) - RENEWAL_MS > now.getTime() &&
      names.every((name) => covered.includes(`DNS:${name}`))
    );
  } catch {
    return false; // damaged
  }
}

/** Create a pair and store it, unless another process has stored one in the meantime. */
async function makePair(file: string, names: readonly string[], now: Date): Promise<string> {
  // loaded only here, because loading it takes a fifth of a start's time
  const { generate } = createRequire(__filename)("selfsigned") as typeof Selfsigned;
  const begin = now.getTime() - CLOCK_SKEW_MS;
  const { private: key, cert } = await generate([{ name: "commonName", value: "etiquette" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: new Date(begin),
    notAfterDate: new Date(begin + VALIDITY_MS),
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
  const pair = `${key.trim()}\n${cert.trim()}\n`;
  if (await createFile(file, pair).catch(() => false)) return pair; // fails without hard links
  const other = await readPair(file, names, now);
  if (other === undefined) await replaceFile(file, pair);
  return other ?? pair;
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
