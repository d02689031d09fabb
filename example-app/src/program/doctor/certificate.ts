import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { PAIR_FILE, readCertificate } from "../secrets/certificate.js";
import { readIfPresent } from "../../disk/files.js";
import { SettingsError, type Settings } from "../settings/settings.js";
import { fault, ok, warning, type Finding } from "./finding.js";

const CHECK = "certificate";

const DAY_MS = 86_400_000;

/** A certificate that ends sooner is reported. Automatic renewal happens before. */
const RENEWAL_MS = 21 * DAY_MS;

/** Stands for the subdomain of any org. */
const ANY_ORG = "any-org";

export type CertificateSettings = Pick<Settings, "tlsFiles" | "http" | "dataFolder" | "baseDomain">;

/** Check the validity of the certificate, its key, and the names that it is for. */
export async function checkCertificate(settings: CertificateSettings, now = new Date()): Promise<Finding[]> {
  const { tlsFiles, http, dataFolder, baseDomain } = settings;
  if (http) return [ok(CHECK, "none: the proxy terminates TLS")];
  if (!tlsFiles) return [await checkAuthority(dataFolder, now)];
  try {
    const { cert } = await readCertificate(tlsFiles);
    const certificate = new X509Certificate(cert);
    const findings = [...checkValidity(certificate, now), ...checkNames(certificate, baseDomain)];
    return findings.length > 0
      ? findings
      : [ok(CHECK, `valid until ${certificate.validTo}, for ${baseDomain} and its orgs`)];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [fault(CHECK, error.message, "give --tls-cert and --tls-key a certificate in PEM with its key")];
  }
}

/** The server generates certificates, and renews its authority, by itself. */
async function checkAuthority(dataFolder: string, now: Date): Promise<Finding> {
  const file = join(dataFolder, PAIR_FILE);
  try {
    const pair = await readIfPresent(file);
    if (pair === undefined) return ok(CHECK, "none yet; the first start generates one");
    const { validTo } = new X509Certificate(pair);
    if (Date.parse(validTo) < now.getTime()) {
      return fault(
        CHECK,
        `its authority ${file} ended on ${validTo}`,
        "restart the server, and give clients the new tls.crt",
      );
    }
    return ok(CHECK, `generated; clients must trust ${join(dataFolder, "tls.crt")}`);
  } catch {
    return fault(
      CHECK,
      `${file} can't be read or is damaged`,
      "restore it, or remove it and give clients the new tls.crt",
    );
  }
}

function checkValidity({ validFrom, validTo }: X509Certificate, now: Date): Finding[] {
  const left = Date.parse(validTo) - now.getTime();
  if (Date.parse(validFrom) > now.getTime()) {
    return [fault(CHECK, `it is valid only from ${validFrom}`, "check the clock of this machine, or wait")];
  }
  if (left <= 0) return [fault(CHECK, `it ended on ${validTo}`, "renew it, and send the server SIGHUP")];
  if (left < RENEWAL_MS) return [warning(CHECK, `it ends on ${validTo}`, "renew it, and send the server SIGHUP")];
  return [];
}

function checkNames(certificate: X509Certificate, baseDomain: string): Finding[] {
  const findings: Finding[] = [];
  if (certificate.checkHost(baseDomain) === undefined) {
    findings.push(fault(CHECK, `it is not for ${baseDomain}`, "get one for the base domain, or correct --base-domain"));
  }
  if (certificate.checkHost(`${ANY_ORG}.${baseDomain}`) === undefined) {
    findings.push(
      warning(CHECK, `it is not for *.${baseDomain}`, "get one with this name, unless no org has a subdomain"),
    );
  }
  return findings;
}
