/** `unreserved` of RFC 3986 section 2.3: nothing that a header, a log line, a URL or a shell would trip over. */
const REQUEST_ID_REGEXP = /^[A-Za-z0-9._~-]{1,128}$/;

/** In base64url, of which a character has six bits; hexadecimal digits take the generator half as long again. */
const ID_LENGTH = 22;

/** Ids made from one call for random bytes, so that its cost is next to nothing for each; 22.5 KB. */
const IDS_PER_POOL = 1_024;

/** No padding: three bytes are four characters, and the pool has a multiple of them. */
const POOL_SIZE = (IDS_PER_POOL * ID_LENGTH * 6) / 8;

/** Whether `value` can be the id of a request: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. */
export function isRequestId(value: unknown): value is string {
  return typeof value === "string" && REQUEST_ID_REGEXP.test(value);
}

/**
 * A function that returns a new unguessable id on each call: 22 characters of base64url (132 bits), `A–Z a–z 0–9 _ -`.
 *
 * @param random the source of randomness, `crypto.randomBytes`
 */
export function createIdGenerator(random: (size: number) => Buffer): () => string {
  let pool = "";
  let offset = 0;

  return function generateId() {
    if (offset === pool.length) {
      pool = random(POOL_SIZE).toString("base64url");
      offset = 0;
    }
    const id = pool.slice(offset, offset + ID_LENGTH);
    offset += ID_LENGTH;
    return id;
  };
}
