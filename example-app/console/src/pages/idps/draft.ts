import type { Idp } from "../../api/types.js";
import { statusOf, type Switched } from "../../parts/records/kind.js";
import type { Body } from "./requests.js";

type Protocol = Idp["protocol"];

/** An identity provider as its form holds it; what is not given is empty. */
export interface Draft extends Switched {
  readonly name: string;
  readonly type: Idp["type"];
  readonly protocolType: Protocol["type"];
  readonly url: string;
  readonly binding: Protocol["endpoints"]["sso"]["binding"];
  readonly issuer: string;
  readonly audience: string;
  readonly certificate: string;
  readonly clientId: string;
  readonly metadataUrl: string;
}

const CREDENTIALS = ["issuer", "audience", "certificate", "clientId"] as const;
export type Credential = (typeof CREDENTIALS)[number];

export const TYPE_WORDS: Readonly<Record<Idp["type"], string>> = {
  SAML2: "SAML 2.0",
  OIDC: "OpenID Connect",
  APPLE: "Apple",
  FACEBOOK: "Facebook",
  GITHUB: "GitHub",
  GITLAB: "GitLab",
  GOOGLE: "Google",
  LINKEDIN: "LinkedIn",
  MICROSOFT: "Microsoft",
};

export const PROTOCOL_WORDS: Readonly<Record<Protocol["type"], string>> = {
  SAML2: "SAML 2.0",
  OIDC: "OpenID Connect",
  OAUTH2: "OAuth 2.0",
};

export const NEW_IDP: Draft = {
  name: "",
  type: "SAML2",
  protocolType: "SAML2",
  url: "",
  binding: "HTTP-POST",
  issuer: "",
  audience: "",
  certificate: "",
  clientId: "",
  metadataUrl: "",
  isOn: true,
};

/** The protocols that a type may have. */
export function protocolsOf(type: Idp["type"]): readonly Protocol["type"][] {
  return type === "SAML2" || type === "OIDC" ? [type] : ["OIDC", "OAUTH2"];
}

/** Whether the protocol has metadata that the server can fetch. */
export function hasFetchedMetadata({ protocolType }: Pick<Draft, "protocolType">): boolean {
  return protocolType !== "OAUTH2";
}

/** The credentials that are for a type; the others are for other types. */
export function credentialsOf(type: Idp["type"]): readonly Credential[] {
  return type === "SAML2" ? ["issuer", "audience", "certificate"] : ["issuer", "clientId"];
}

/** What changes with the type: the protocol, the binding that is usual with it, and no credential of another type. */
export function withType(type: Idp["type"]): Partial<Draft> {
  const [protocolType = "OIDC"] = protocolsOf(type);
  const others = CREDENTIALS.filter((name) => !credentialsOf(type).includes(name));
  return {
    type,
    protocolType,
    binding: type === "SAML2" ? "HTTP-POST" : "HTTP-REDIRECT",
    ...Object.fromEntries(others.map((name) => [name, ""])),
  };
}

export function toDraft({ name, type, protocol, status }: Body): Draft {
  const { endpoints, credentials = {} } = protocol;
  const { issuer = "", audience = "", certificate = "" } = credentials.trust ?? {};
  const { clientId = "" } = credentials.client ?? {};
  const { url: metadataUrl = "" } = protocol.metadata ?? {};
  const facts = { issuer, audience, certificate, clientId, metadataUrl, isOn: status === "ACTIVE" };
  return { name, type, protocolType: protocol.type, ...endpoints.sso, ...facts };
}

export function toBody(draft: Draft): Body {
  const { name, type, protocolType, url, binding, clientId, metadataUrl, isOn } = draft;
  const trust = withoutEmpty({ issuer: draft.issuer, audience: draft.audience, certificate: draft.certificate });
  const credentials = { ...(trust && { trust }), ...(clientId !== "" && { client: { clientId } }) };
  const hasCredentials = Object.keys(credentials).length > 0;
  const protocol = {
    type: protocolType,
    endpoints: { sso: { url, binding } },
    ...(hasCredentials && { credentials }),
    ...(metadataUrl !== "" && { metadata: { url: metadataUrl } }),
  };
  return { name, type, protocol, status: statusOf(isOn) };
}

function withoutEmpty<T extends Record<string, string>>(values: T): Partial<T> | undefined {
  const given = Object.entries(values).filter(([, text]) => text.trim() !== "");
  return given.length === 0 ? undefined : (Object.fromEntries(given) as Partial<T>);
}
