import { X509Certificate } from "node:crypto";
import { certificateFacts } from "../model/certificates.js";
import type { Idp } from "../model/records.js";
import { IDP_SHAPE, SAFE_URL_SHAPE } from "../model/shapes.js";
import type { Steps } from "../pace/steps.js";
import { MetadataError } from "./metadata-error.js";
import { readOidcMetadata } from "./read-oidc.js";
import { readSamlMetadata } from "./read-saml.js";

type Protocol = Idp["protocol"];

/** SAML bindings 2.0, sections 3.4 and 3.5. */
export const BINDINGS = {
  "HTTP-POST": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
  "HTTP-REDIRECT": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
} as const;

const CERTIFICATE_SHAPE = IDP_SHAPE.shape.protocol.shape.credentials.unwrap().shape.trust.unwrap().shape.certificate;

/** What reading a certificate costs. */
const CERTIFICATE_COST = 250;

/**
 * The protocol of a provider as its metadata describes it: the sign-on address for its binding, and of SAML a certificate.
 * A certificate that the metadata still lists stays, unless it has expired and another has not.
 *
 * @returns the same object when nothing changes
 * @throws {MetadataError} when the metadata is of another issuer or can't be used
 */
export function* applyMetadata(protocol: Protocol, text: string, now: string): Steps<Protocol> {
  const { trust = {} } = protocol.credentials ?? {};
  const { issuer = "" } = trust;
  if (protocol.type === "OIDC") return withFacts(protocol, readOidcMetadata(text, issuer), trust.certificate);
  const { binding } = protocol.endpoints.sso;
  const { endpoints, certificates } = yield* readSamlMetadata(text, issuer, now);
  const { data: url } = SAFE_URL_SHAPE.safeParse(endpoints.get(BINDINGS[binding]));
  if (url === undefined) throw new MetadataError(`no SingleSignOnService for ${binding} has an https URL`);
  return withFacts(protocol, url, yield* selectCertificate(certificates, trust.certificate, now));
}

function withFacts(protocol: Protocol, url: string, certificate: string | undefined): Protocol {
  const { endpoints, credentials = {} } = protocol;
  const { trust = {} } = credentials;
  if (url === endpoints.sso.url && certificate === trust.certificate) return protocol;
  return {
    ...protocol,
    endpoints: { sso: { ...endpoints.sso, url } },
    credentials: { ...credentials, trust: { ...trust, ...(certificate !== undefined && { certificate }) } },
  };
}

/** The certificate to trust: the stored one while it is listed and valid, else the first that is valid. */
export function* selectCertificate(
  listed: readonly string[],
  stored: string | undefined,
  now: string,
): Steps<string | undefined> {
  const found: X509Certificate[] = [];
  for (const base64 of listed) {
    found.push(readCertificate(base64));
    yield CERTIFICATE_COST;
  }
  const valid = found.filter((certificate) => isValid(certificate, now));
  const usable = valid.length > 0 ? valid : found;
  const [first] = usable;
  if (!first) return stored;
  const known = certificateFacts(stored ?? "")?.fingerprint;
  return usable.some(({ fingerprint256 }) => fingerprint256 === known) ? stored : first.toString();
}

function readCertificate(base64: string): X509Certificate {
  const lines = base64.match(/.{1,64}/g) ?? [];
  const { data } = CERTIFICATE_SHAPE.safeParse(
    ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  );
  if (data === undefined) throw new MetadataError("a certificate of the metadata can't be read");
  return new X509Certificate(data);
}

function isValid({ validFrom, validTo }: X509Certificate, now: string): boolean {
  const time = Date.parse(now);
  return Date.parse(validFrom) <= time && time < Date.parse(validTo);
}
