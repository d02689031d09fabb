import type { SaxesTagNS } from "saxes";
import type { Steps } from "../pace/steps.js";
import { MetadataError } from "./metadata-error.js";
import { isSaml2, valueOf, walkSaml, type Path } from "./walk-saml.js";

/** Of one provider. */
const MAX_CERTIFICATES = 20;

/** In characters of base64. */
const MAX_CERTIFICATE = 16_000;

/** What an identity provider publishes. */
export interface SamlMetadata {
  /** The sign-on addresses, by the URN of their binding; the first of each. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** Those for signing, in base64 without white space. */
  readonly certificates: readonly string[];
}

/**
 * Read the metadata of the entity with this id (SAML metadata 2.0), alone or among others. Only what its IDPSSODescriptor
 * for SAML 2.0 says counts. Signatures are not verified: that the host sent it is the proof.
 *
 * @throws {MetadataError} when it is no such metadata, or no longer valid
 */
export function* readSamlMetadata(text: string, entityId: string, now: string): Steps<SamlMetadata> {
  const reader = createReader(entityId, now);
  yield* walkSaml(text, reader);
  return reader.end();
}

/** Gathers what counts, element by element. */
function createReader(entityId: string, now: string) {
  const endpoints = new Map<string, string>();
  const certificates: string[] = [];
  let isWanted = false; // in the entity
  let wasFound = false;
  let isProvider = false; // in its IDPSSODescriptor
  let hasProvider = false;
  let isSigning = false; // in a KeyDescriptor for signing
  let certificate: string | undefined; // in an X509Certificate

  function openEntity(tag: SaxesTagNS): void {
    isWanted = !wasFound && valueOf(tag, "entityID") === entityId;
    wasFound ||= isWanted;
  }

  return {
    open(path: Path, tag: SaxesTagNS): void {
      const name = path.at(-1);
      if (name === "md:EntityDescriptor") openEntity(tag);
      if (name === "md:EntitiesDescriptor" || isWanted) assertValid(tag, now);
      if (!isWanted) return;
      if (name === "md:IDPSSODescriptor") {
        isProvider = isSaml2(tag);
        hasProvider ||= isProvider;
      }
      if (!isProvider) return;
      if (name === "md:KeyDescriptor") isSigning = ["", "signing"].includes(valueOf(tag, "use"));
      if (isSigning && name === "ds:X509Certificate") certificate = "";
      if (name === "md:SingleSignOnService" && !endpoints.has(valueOf(tag, "Binding"))) {
        endpoints.set(valueOf(tag, "Binding"), valueOf(tag, "Location"));
      }
    },

    text(part: string): void {
      if (certificate === undefined) return;
      certificate += part.replace(/\s+/g, "");
      if (certificate.length > MAX_CERTIFICATE) throw new MetadataError("a certificate of the metadata is too long");
    },

    close(path: Path): void {
      const name = path.at(-1);
      if (name === "ds:X509Certificate" && certificate !== undefined) {
        certificates.push(certificate);
        certificate = undefined;
        if (certificates.length > MAX_CERTIFICATES) {
          throw new MetadataError(`the metadata has more than ${MAX_CERTIFICATES} certificates`);
        }
      }
      if (name === "md:KeyDescriptor") isSigning = false;
      if (name === "md:IDPSSODescriptor") isProvider = false;
      if (name === "md:EntityDescriptor") isWanted = false;
    },

    end(): SamlMetadata {
      if (!wasFound) throw new MetadataError("the entityID is not protocol.credentials.trust.issuer");
      if (!hasProvider) throw new MetadataError("the entity has no IDPSSODescriptor for SAML 2.0");
      return { endpoints, certificates };
    },
  };
}

function assertValid(tag: SaxesTagNS, now: string): void {
  const end = valueOf(tag, "validUntil");
  if (end === "") return;
  const time = Date.parse(end);
  if (Number.isNaN(time)) throw new MetadataError("validUntil of the metadata is no date");
  if (time <= Date.parse(now)) throw new MetadataError("validUntil of the metadata has passed");
}
