import { explain } from "../model/faults.js";
import { IDP_SHAPE, LIMITS, NAME_SHAPE, SAFE_URL_SHAPE, type FileIdp } from "../model/shapes.js";
import { SURROGATE_REGEXP } from "../model/visible-text.js";
import type { Steps } from "../pace/steps.js";
import { BINDINGS, selectCertificate } from "./apply-metadata.js";
import { findSamlProvider } from "./find-provider.js";
import { MetadataError } from "./metadata-error.js";
import { findOidcProvider } from "./read-oidc.js";
import { readSamlMetadata } from "./read-saml.js";

/** The server sends browsers by GET, so HTTP-REDIRECT comes first. */
const PREFERRED = ["HTTP-REDIRECT", "HTTP-POST"] as const;

/**
 * The identity provider that metadata describes, SAML or OpenID Connect, as one may store it. Its name is that of the
 * metadata, or the host of its sign-on address.
 *
 * @throws {MetadataError} when the text is no metadata, is of several providers, or can't be used
 */
export function* describeProvider(text: string, now: string): Steps<FileIdp> {
  const metadata = text.trim();
  if (metadata === "") throw new MetadataError("the metadata is empty");
  if (/^<(?:!doctype html|html)\b/i.test(metadata)) throw new MetadataError("this is a web page, not metadata");
  if (!/^[<{]/.test(metadata)) throw new MetadataError("this is neither SAML metadata (XML) nor that of OpenID (JSON)");
  const idp = metadata.startsWith("{") ? describeOidc(metadata) : yield* describeSaml(metadata, now);
  const { data, error } = IDP_SHAPE.safeParse(idp, { error: explain });
  if (error) {
    const faults = error.issues.map(({ path, message }) => `${path.at(-1)?.toString() ?? "it"} ${message}`);
    throw new MetadataError(`the metadata can't be stored: ${faults.join("; ")}`);
  }
  return data;
}

function describeOidc(text: string): FileIdp {
  const { issuer, url } = findOidcProvider(text);
  return {
    name: toHostName(url),
    type: "OIDC",
    protocol: {
      type: "OIDC",
      endpoints: { sso: { url, binding: "HTTP-REDIRECT" } },
      credentials: { trust: { issuer } },
    },
  };
}

function* describeSaml(text: string, now: string): Steps<FileIdp> {
  const { entityId: issuer, name } = yield* findSamlProvider(text);
  const { endpoints, certificates } = yield* readSamlMetadata(text, issuer, now);
  const [sso] = PREFERRED.flatMap((binding) => {
    const { data: url } = SAFE_URL_SHAPE.safeParse(endpoints.get(BINDINGS[binding]));
    return url === undefined ? [] : [{ url, binding }];
  });
  if (!sso) throw new MetadataError("no SingleSignOnService for HTTP-REDIRECT or HTTP-POST has an https URL");
  const certificate = yield* selectCertificate(certificates, undefined, now);
  return {
    name: toName(name) ?? toHostName(sso.url),
    type: "SAML2",
    protocol: {
      type: "SAML2",
      endpoints: { sso },
      credentials: { trust: { issuer, ...(certificate !== undefined && { certificate }) } },
    },
  };
}

/** `undefined` for what no record can be called, also because no body may have it (rule S5). */
function toName(text = ""): string | undefined {
  const line = text.replace(/\s+/g, " ").slice(0, LIMITS.name).trim();
  return SURROGATE_REGEXP.test(line) ? undefined : NAME_SHAPE.safeParse(line).data;
}

/** A host may be longer than a name. */
function toHostName(url: string): string {
  return new URL(url).host.slice(0, LIMITS.name);
}
