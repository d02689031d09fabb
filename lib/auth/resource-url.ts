import { textPerRequestOption } from "../factory/index.js";
import { isBaseUrl } from "../net/index.js";

/** Where the metadata of a resource is, in front of the path of the resource (RFC 9728 section 3). */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** `https://api.example.com/v1` → `https://api.example.com/.well-known/oauth-protected-resource/v1` */
function metadataUrlOf(resource: string): string {
  return resource.replace(/^(https?:\/\/[^/]+)/, `$1${METADATA_PATH}`);
}

/** Compile the option `resource`, the identifier of a protected resource: one for all requests, or one for each. */
export function resourceOption<R>(factory: string, value: string | ((req: R) => string)): (req: R) => string {
  const expected =
    "an absolute https URL (http only for localhost, 127.0.0.0/8 and [::1]) without user, trailing slash, query or fragment";
  return textPerRequestOption(factory, "resource", value, isBaseUrl, expected);
}

/** The URL of the metadata for each request; `undefined` without the option `resource`. */
export function metadataUrlOption<R>(
  factory: string,
  value: string | ((req: R) => string) | undefined,
): (req: R) => string | undefined {
  if (value === undefined) return () => undefined;
  const resourceOf = resourceOption(factory, value);
  return (req) => metadataUrlOf(resourceOf(req));
}
