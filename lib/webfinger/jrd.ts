import type { Namespace } from "../factory/index.js";
import type { IdentityProvider, SelectedProvider } from "./selection.js";
import { type AskedRelations, ISSUER_RELATIONS, type WebfingerQuery } from "./webfinger.js";

/** The only type of provider that has a metadata document. */
const SAML_TYPE = "SAML2";

/** The form of the issuer relation in the org's link: https, the form in the request, or one link for each form. */
export type IssuerRel = "https" | "echo" | "both";

/** The facts about an org that its links contain. */
export interface WebfingerOrg {
  readonly namespace: Namespace;
  /** An absolute URL without a trailing slash; the links begin with it. */
  readonly baseUrl: string;
  /** The title of the org's own link. */
  readonly title: string;
  readonly issuerRel: IssuerRel;
}

/** A link of a JSON Resource Descriptor, RFC 7033 section 4.4.4. */
export interface JrdLink {
  readonly rel: string;
  readonly href: string;
  readonly titles: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
}

/** A JSON Resource Descriptor, RFC 7033 section 4.4. */
export interface Jrd {
  readonly subject: string;
  readonly links: readonly JrdLink[];
}

/**
 * Make the response to `query`, with the `selected` providers as links in order of preference. `rel` limits the links.
 *
 * @example
 * const org = { namespace: compileNamespace("app"), baseUrl: "https://acme.example.com", title: "acme", issuerRel: "https" };
 * formatJrd({ resource: "acct:ann@example.com", login: "ann@example.com", relations: undefined }, ["org"], org);
 * // { subject: "acct:ann@example.com", links: [{ rel: "https://openid.net/specs/connect/1.0/issuer", … }] }
 */
export function formatJrd(query: WebfingerQuery, selected: readonly SelectedProvider[], org: WebfingerOrg): Jrd {
  const { resource, relations } = query;
  const isIdpAsked = relations === undefined || relations.idp;
  const links = selectProviders(selected, relations).flatMap((provider) => {
    if (provider === "org") {
      return selectIssuerRelations(org.issuerRel, relations).map((relation) => formatOrgLink(relation, org));
    }
    return [
      ...(isIdpAsked ? [formatProviderLink(provider, org)] : []),
      ...selectRelationsOf(provider, relations).map((relation) => formatIssuerLink(relation, provider, org)),
    ];
  });
  return { subject: resource, links };
}

/**
 * The providers that the request may be about. Whoever asks for an issuer gets the org itself if it was selected, or if
 * nobody says of a selected provider which issuer it has.
 */
function selectProviders(
  selected: readonly SelectedProvider[],
  relations: AskedRelations | undefined,
): readonly SelectedProvider[] {
  if (relations === undefined) return selected;
  if (relations.issuers.length === 0) return selected.filter((provider) => provider !== "org");
  const isAnswered = selected.some((provider) => provider === "org" || provider.issuer !== undefined);
  return isAnswered ? selected : [...selected, "org"];
}

/** The relations of the org's own links, one link for each. */
function selectIssuerRelations(issuerRel: IssuerRel, relations: AskedRelations | undefined): readonly string[] {
  if (issuerRel === "both") return ISSUER_RELATIONS;
  const asked = issuerRel === "echo" && relations !== undefined ? relations.issuers : [];
  return asked.length > 0 ? asked : [ISSUER_RELATIONS[0]];
}

/** The forms of the issuer relation that a provider's issuer has: those that were asked for, or that of the standard. */
function selectRelationsOf({ issuer }: IdentityProvider, relations: AskedRelations | undefined): readonly string[] {
  if (typeof issuer !== "string") return [];
  return relations === undefined ? [ISSUER_RELATIONS[1]] : relations.issuers;
}

function formatProviderLink({ id, type, name }: IdentityProvider, { namespace, baseUrl }: WebfingerOrg): JrdLink {
  const segment = encodeURIComponent(id);
  return {
    rel: namespace.idpRelation,
    href: `${baseUrl}/sso/idps/${segment}`,
    titles: { und: name },
    properties: {
      ...(type === SAML_TYPE && { [namespace.idpMetadataProperty]: `${baseUrl}/api/v1/idps/${segment}/metadata.xml` }),
      [namespace.idpTypeProperty]: type,
      [namespace.idpIdProperty]: id,
    },
  };
}

function formatIssuerLink(
  rel: string,
  { id, type, name, issuer }: IdentityProvider,
  { namespace }: WebfingerOrg,
): JrdLink {
  return {
    rel,
    href: String(issuer),
    titles: { und: name },
    properties: { [namespace.idpTypeProperty]: type, [namespace.idpIdProperty]: id },
  };
}

function formatOrgLink(rel: string, { namespace, baseUrl, title }: WebfingerOrg): JrdLink {
  return {
    rel,
    href: `${baseUrl}/sso/idps/${namespace.value}`,
    titles: { und: title },
    properties: { [namespace.idpTypeProperty]: namespace.value },
  };
}
