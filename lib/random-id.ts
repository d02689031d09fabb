/** `unreserved` of RFC 3986 section 2.3: nothing that a header, a log line, a URL or a shell would trip over. */
const REQUEST_ID_REGEXP = /^[A-Za-z0-9._~-]{1,128}$/;

/** 32 hexadecimal digits, 128 random bits. */
const ID_LENGTH = 32;

/** Ids made from one call for random bytes; a call costs as much as dozens of slices. */
const IDS_PER_POOL = 256;

/** Whether `value` can be the id of a request: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. */
export function isRequestId(value: unknown): value is string {
  return typeof value === "string" && REQUEST_ID_REGEXP.test(value);
}

/**
 * A function that returns a new unguessable id on each call: 32 hexadecimal digits (128 bits).
 *
 * @param randomBytes the source of randomness, `crypto.randomBytes`
 */
export function createIdGenerator(randomBytes: (size: number) => Buffer): () => string {
  let pool = "";
  let offset = 0;

  return function generateId() {
    if (offset === pool.length) {
      pool = randomBytes((IDS_PER_POOL * ID_LENGTH) / 2).toString("hex");
      offset = 0;
    }
    const id = pool.slice(offset, offset + ID_LENGTH);
    offset += ID_LENGTH;
    return id;
  };
}
