import { SAFE_URL_SHAPE } from "../model/shapes.js";
import { MetadataError } from "./metadata-error.js";

/**
 * The sign-on address in OpenID Provider metadata (OpenID Connect Discovery 1.0, section 3).
 *
 * @throws {MetadataError} when it is of another issuer, or has no such address
 */
export function readOidcMetadata(text: string, issuer: string): string {
  const { issuer: found, authorization_endpoint: url } = parseObject(text);
  if (found !== issuer) throw new MetadataError("the issuer is not protocol.credentials.trust.issuer");
  return readUrl(url);
}

interface FoundProvider {
  readonly issuer: string;
  readonly url: string;
}

/**
 * The issuer that OpenID Provider metadata is of, and its sign-on address.
 *
 * @throws {MetadataError} when it has no issuer that is of one provider, or no such address
 */
export function findOidcProvider(text: string): FoundProvider {
  const { issuer, authorization_endpoint: url } = parseObject(text);
  if (typeof issuer !== "string") throw new MetadataError("the metadata has no issuer");
  // as Microsoft's for all tenants: https://login.microsoftonline.com/{tenantid}/v2.0
  if (/[{}]/.test(issuer)) throw new MetadataError("the issuer is that of many tenants; give the address of one");
  return { issuer, url: readUrl(url) };
}

function readUrl(url: unknown): string {
  const { data } = SAFE_URL_SHAPE.safeParse(url);
  if (data === undefined) throw new MetadataError("authorization_endpoint is no https URL");
  return data;
}

/** Takes half of the time that a turn of the event loop may take, if the text is as long as it may be. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MetadataError("the metadata is no JSON");
  }
  if (typeof value !== "object" || value === null) throw new MetadataError("the metadata is no JSON object");
  return value as Readonly<Record<string, unknown>>;
}
