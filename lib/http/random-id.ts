/** `unreserved` of RFC 3986 section 2.3: safe in a header, a log line, a URL and a shell. */
const REQUEST_ID_REGEXP = /^[A-Za-z0-9._~-]{1,128}$/;

/** Characters of base64url, six bits each. Generating hexadecimal digits takes one and a half times as long. */
const ID_LENGTH = 22;

/** Ids from one call for random bytes, so that its cost for each id is negligible; 22.5 KB. */
const IDS_PER_POOL = 1_024;

/** In bytes: a multiple of three, which makes four characters each, so that there is no padding. */
const POOL_SIZE = (IDS_PER_POOL * ID_LENGTH * 6) / 8;

/** Whether `value` can be the id of a request: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. */
export function isRequestId(value: unknown): value is string {
  return typeof value === "string" && REQUEST_ID_REGEXP.test(value);
}

/**
 * Create a function that returns a new unguessable id on each call: 22 characters of base64url (132 bits), `A–Z a–z 0–9 _
 * -`.
 *
 * @param random returns as many random bytes as asked for, such as `crypto.randomBytes`
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
