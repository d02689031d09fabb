/** Code units whose order in UTF-16 is not that of code points: surrogates, and the units after them. */
const HIGH_REGEXP = /[\ud800-\uffff]/;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/**
 * Compare two strings by code point, which is the order of their bytes in UTF-8 and of `COLLATE "C"`: negative when `a`
 * comes first, 0 when they are equal. `<` compares UTF-16 code units, and so puts U+1F600 before U+FF01.
 */
export function compareCodePoints(a: string, b: string): number {
  if (hasUnitOrder(a) || hasUnitOrder(b)) return a < b ? -1 : Number(a > b);
  for (let index = 0; index < a.length && index < b.length; index++) {
    const difference = rankOf(a.charCodeAt(index)) - rankOf(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Whether comparing `text` with any string gives the same result by code point and by UTF-16 code unit. */
export function hasUnitOrder(text: string): boolean {
  return !HIGH_REGEXP.test(text);
}

/** How many code points `text` has: like `length`, but a character of four bytes counts as one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  if (hasUnitOrder(text)) return count;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      count--;
      index++;
    }
  }
  return count;
}

/** Surrogates come last: they form the characters from U+10000 on. */
function rankOf(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + 0x10000 : unit;
}
