import { optionError } from "./options.js";

/** Every public name that derives from the namespace (rule N4). The comments show the values for `svc`. */
export interface Namespace {
  /** `svc` */
  readonly name: string;
  /** `SVC`: the provider type, the path segment and the API-token scheme of the service itself. */
  readonly value: string;
  /** `svc:acct:`, the prefix of a WebFinger resource. */
  readonly accountPrefix: string;
  /** `svc:idp`, the link relation of a configured identity provider. */
  readonly idpRelation: string;
  /** `svc:idp:metadata` */
  readonly idpMetadataProperty: string;
  /** `svc:idp:type` */
  readonly idpTypeProperty: string;
  /** `svc:idp:id` */
  readonly idpIdProperty: string;
  /** `X-Svc-Request-Id` */
  readonly requestIdHeader: string;
}

/** The namespace of every middleware that is given none. */
export const DEFAULT_NAMESPACE = "svc";

/** Letters and digits only, because the name becomes part of a header name, a URI and an authentication scheme. */
const NAMESPACE_REGEXP = /^[a-z][a-z0-9]{0,31}$/;

/**
 * Derive the public names from one namespace: 1–32 lower-case letters and digits, a letter first.
 *
 * @param factory the function that the error message names
 * @throws {TypeError} when `name` is not a namespace
 * @example
 * compileNamespace("myFactory", "acme").requestIdHeader; // "X-Acme-Request-Id"
 */
export function compileNamespace(factory: string, name: string = DEFAULT_NAMESPACE): Namespace {
  if (typeof name !== "string" || !NAMESPACE_REGEXP.test(name)) {
    throw optionError(factory, "namespace", "1 to 32 lower-case letters and digits, a letter first");
  }
  return {
    name,
    value: name.toUpperCase(),
    accountPrefix: `${name}:acct:`,
    idpRelation: `${name}:idp`,
    idpMetadataProperty: `${name}:idp:metadata`,
    idpTypeProperty: `${name}:idp:type`,
    idpIdProperty: `${name}:idp:id`,
    requestIdHeader: `X-${name.charAt(0).toUpperCase()}${name.slice(1)}-Request-Id`,
  };
}
