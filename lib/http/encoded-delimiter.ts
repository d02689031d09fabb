/**
 * `:` `/` `?` `#` `&` `=`, percent-encoded. They delimit the parts of a URL (RFC 3986 section 2.2), but encoded they are
 * data: `/users%3Flimit=1` is a path without a query.
 */
const ENCODED_DELIMITER_REGEXP = /%(?:3[AFD]|2[F36])/i;

/** A delimiter that was sent as data. */
export interface EncodedDelimiter {
  /** As sent: `%3f` */
  readonly encoded: string;
  /** `?` */
  readonly delimiter: string;
}

/** The first encoded delimiter in the path of the request target `target`. In the query they are allowed. */
export function findEncodedDelimiter(target: string): EncodedDelimiter | undefined {
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  const encoded = ENCODED_DELIMITER_REGEXP.exec(path)?.[0];
  return encoded === undefined ? undefined : { encoded, delimiter: decodeURIComponent(encoded) };
}
