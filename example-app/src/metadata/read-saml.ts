import { SaxesParser, type SaxesTagNS } from "saxes";
import type { Steps } from "../pace/steps.js";
import { MetadataError } from "./metadata-error.js";

const MD = "urn:oasis:names:tc:SAML:2.0:metadata";
const DS = "http://www.w3.org/2000/09/xmldsig#";
const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";

/** Elements in each other. Metadata has about seven. */
const MAX_DEPTH = 32;

/** Of one element. */
const MAX_ATTRIBUTES = 64;

/** Of one provider. */
const MAX_CERTIFICATES = 20;

/** In characters of base64. */
const MAX_CERTIFICATE = 16_000;

/** What is parsed in a step, in characters, and what that costs. */
const STEP = 4_096;
const STEP_COST = 500;

/** What an identity provider publishes. */
export interface SamlMetadata {
  /** The sign-on addresses, by the URN of their binding; the first of each. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** Those for signing, in base64 without white space. */
  readonly certificates: readonly string[];
}

/** The elements around a place, from the root: `md:EntityDescriptor`. */
type Path = readonly string[];

/**
 * Read the metadata of the entity with this id (SAML metadata 2.0), alone or among others. Only what its IDPSSODescriptor
 * for SAML 2.0 says counts. Signatures are not verified: that the host sent it is the proof. A document with a DOCTYPE is
 * refused, so there are no entities to expand.
 *
 * @throws {MetadataError} when it is no such metadata, or no longer valid
 */
export function* readSamlMetadata(text: string, entityId: string, now: string): Steps<SamlMetadata> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const reader = createReader(entityId, now);
  const path: string[] = [];
  let attributes = 0;
  parser.on("doctype", () => {
    throw new MetadataError("the metadata has a DOCTYPE");
  });
  parser.on("opentagstart", () => {
    attributes = 0;
    if (path.length === MAX_DEPTH) throw new MetadataError(`the metadata has more than ${MAX_DEPTH} levels`);
  });
  parser.on("attribute", () => {
    attributes++;
    if (attributes > MAX_ATTRIBUTES) {
      throw new MetadataError(`an element of the metadata has more than ${MAX_ATTRIBUTES} attributes`);
    }
  });
  parser.on("opentag", (tag) => {
    path.push(nameOf(tag));
    reader.open(path, tag);
  });
  parser.on("text", (part) => {
    reader.text(part);
  });
  parser.on("closetag", () => {
    reader.close(path);
    path.pop();
  });
  for (let start = 0; start < text.length; start += STEP) {
    assertXml(() => parser.write(text.slice(start, start + STEP)));
    yield STEP_COST;
  }
  assertXml(() => parser.close());
  return reader.end();
}

function assertXml(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    throw error instanceof MetadataError ? error : new MetadataError("the metadata is no well-formed XML");
  }
}

function nameOf({ uri, local }: SaxesTagNS): string {
  const prefix = { [MD]: "md:", [DS]: "ds:" }[uri];
  return prefix === undefined ? "" : prefix + local;
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
      if (path.length === 1 && name !== "md:EntityDescriptor" && name !== "md:EntitiesDescriptor") {
        throw new MetadataError("the metadata is no EntityDescriptor");
      }
      if (name === "md:EntityDescriptor") openEntity(tag);
      if (name === "md:EntitiesDescriptor" || isWanted) assertValid(tag, now);
      if (!isWanted) return;
      if (name === "md:IDPSSODescriptor") {
        isProvider = valueOf(tag, "protocolSupportEnumeration").split(/\s+/).includes(PROTOCOL);
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

function valueOf({ attributes }: SaxesTagNS, name: string): string {
  return attributes[name]?.value ?? "";
}

function assertValid(tag: SaxesTagNS, now: string): void {
  const end = valueOf(tag, "validUntil");
  if (end === "") return;
  const time = Date.parse(end);
  if (Number.isNaN(time)) throw new MetadataError("validUntil of the metadata is no date");
  if (time <= Date.parse(now)) throw new MetadataError("validUntil of the metadata has passed");
}
