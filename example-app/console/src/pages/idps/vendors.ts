import type { DescribedIdp } from "../../api/types.js";
import { idpStart } from "../../texts/en/idp-start.js";

/** A product or service that many orgs have, and where it publishes its metadata. */
export interface Vendor {
  readonly name: string;
  readonly type: DescribedIdp["type"];
  /** Of SAML metadata, or the issuer of OpenID Connect. What one has to fill in is in braces. */
  readonly address: string;
  readonly help: () => string;
}

export const VENDORS: readonly Vendor[] = [
  {
    name: "Auth0",
    type: "SAML2",
    address: "https://{tenant domain}/samlp/metadata/{client id}",
    help: () => idpStart.auth0,
  },
  {
    name: "Google Workspace",
    type: "OIDC",
    address: "https://accounts.google.com",
    help: () => idpStart.google,
  },
  {
    name: "JumpCloud",
    type: "OIDC",
    address: "https://oauth.id.jumpcloud.com",
    help: () => idpStart.jumpcloud,
  },
  {
    name: "Keycloak",
    type: "SAML2",
    address: "https://{host}/realms/{realm}/protocol/saml/descriptor",
    help: () => idpStart.keycloak({ issuer: "https://{host}/realms/{realm}" }),
  },
  {
    name: "Microsoft Entra ID",
    type: "SAML2",
    address: "https://login.microsoftonline.com/{tenant id}/federationmetadata/2007-06/federationmetadata.xml",
    help: () => idpStart.entra({ issuer: "https://login.microsoftonline.com/{tenant id}/v2.0" }),
  },
  {
    name: "Okta",
    type: "SAML2",
    address: "https://{domain}.okta.com/app/{app key}/sso/saml/metadata",
    help: () => idpStart.okta,
  },
  {
    name: "OneLogin",
    type: "SAML2",
    address: "https://app.onelogin.com/saml/metadata/{app id}",
    help: () => idpStart.onelogin,
  },
  {
    name: "PingOne",
    type: "SAML2",
    address: "https://auth.pingone.com/{environment id}/saml20/metadata/{application id}",
    help: () => idpStart.pingone,
  },
];

/** The first part of an address that has to be filled in: `{tenant id}`. */
export function findBlank(address: string): { start: number; text: string } | undefined {
  const found = /\{[^{}]*\}/.exec(address);
  return found ? { start: found.index, text: found[0] } : undefined;
}
