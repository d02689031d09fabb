/** array-index = %x30 / ( %x31-39 *DIGIT ), RFC 6901 section 4 */
const ARRAY_INDEX_REGEXP = /^(?:0|[1-9][0-9]{0,14})$/;

/** Parse an array index, which may be beyond the end of any array; -1 when `token` is not an index. */
export function parseArrayIndex(token: string): number {
  return ARRAY_INDEX_REGEXP.test(token) ? Number(token) : -1;
}
