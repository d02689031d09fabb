import { X509Certificate } from "node:crypto";
import type { Idp } from "../model/records.js";
import { escapeMarkup } from "../model/markup.js";

/**
 * A valid entity id: at most 1,024 characters (SAML metadata 2.0, section 2.2.1, `entityIDType`) that XML 1.0 allows
 * (section 2.2).
 */
const ENTITY_ID_REGEXP = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd]{1,1024}$/;

/** SAML bindings 2.0, sections 3.4 and 3.5. */
const BINDINGS = {
  "HTTP-POST": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
  "HTTP-REDIRECT": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect",
} as const;

/** Whether everyone can read metadata of `idp`: it is active, uses SAML and has an entity id. */
export function hasMetadata(idp: Pick<Idp, "type" | "protocol" | "status">): boolean {
  return idp.status === "ACTIVE" && findEntityId(idp) !== undefined;
}

/** SAML 2.0 metadata (section 2.4.3, `IDPSSODescriptor`), or `undefined` without SAML or an entity id. */
export function formatMetadata(idp: Pick<Idp, "type" | "protocol">): string | undefined {
  const entityId = findEntityId(idp);
  if (entityId === undefined) return undefined;
  const { endpoints, credentials } = idp.protocol;
  const { binding, url } = endpoints.sso;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeMarkup(entityId)}">`,
    `  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">`,
    ...formatKey(credentials?.trust?.certificate),
    `    <md:SingleSignOnService Binding="${BINDINGS[binding]}" Location="${escapeMarkup(url)}"/>`,
    `  </md:IDPSSODescriptor>`,
    `</md:EntityDescriptor>`,
    ``,
  ].join("\n");
}

function findEntityId({ type, protocol }: Pick<Idp, "type" | "protocol">): string | undefined {
  const issuer = protocol.credentials?.trust?.issuer;
  return type === "SAML2" && issuer !== undefined && ENTITY_ID_REGEXP.test(issuer) ? issuer : undefined;
}

function formatKey(certificate: string | undefined): string[] {
  if (certificate === undefined) return [];
  const base64 = new X509Certificate(certificate).raw.toString("base64");
  return [
    `    <md:KeyDescriptor use="signing">`,
    `      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">`,
    `        <ds:X509Data><ds:X509Certificate>${base64}</ds:X509Certificate></ds:X509Data>`,
    `      </ds:KeyInfo>`,
    `    </md:KeyDescriptor>`,
  ];
}
