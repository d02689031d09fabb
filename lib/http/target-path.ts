import { encodeUri } from "./link-header.js";

/** The authority of a target in absolute form, RFC 9112 section 3.2.2. */
const AUTHORITY_REGEXP = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]*/;

/** The path of a request target, percent-encoded where necessary. The host of a target in absolute form is left out. */
export function targetPath(target: string): string {
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const encoded = encodeUri(path.startsWith("/") ? path : path.replace(AUTHORITY_REGEXP, ""));
  return encoded.replaceAll("#", "%23"); // Node accepts it, but in a link it would begin a fragment
}
