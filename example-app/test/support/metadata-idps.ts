import { samlIdp } from "./documents.js";

/** A provider with a metadata address. */
export function withMetadata(name: string, url: unknown) {
  const { protocol, ...idp } = samlIdp(name);
  return { ...idp, protocol: { ...protocol, metadata: { url } } };
}
