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
  const { data } = SAFE_URL_SHAPE.safeParse(url);
  if (data === undefined) throw new MetadataError("authorization_endpoint is no https URL");
  return data;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text); // in one turn of the event loop
  } catch {
    throw new MetadataError("the metadata is no JSON");
  }
  if (typeof value !== "object" || value === null) throw new MetadataError("the metadata is no JSON object");
  return value as Readonly<Record<string, unknown>>;
}
