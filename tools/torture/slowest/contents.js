"use strict";

/** The first `length` characters of `unit` again and again, without a half of a surrogate pair at the end. */
function repeat(unit, length) {
  const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  return text.isWellFormed?.() === false ? `${text.slice(0, -1)}a` : text;
}

/** The same, and at its end (or alone, if there is no room for more) what no other `index` has. */
function distinct(unit, length, index) {
  const own = index.toString(36);
  return repeat(unit, Math.max(0, length - own.length)) + own;
}

const labelOf = (index) => `xn--${index.toString(36)}-uga.`;

/**
 * Families of texts: `(length, index)` gives a text of at most `length` characters, the one with this number of a list.
 * What is long and equal is hard for searches, what is distinct for indexes, the rest for what folds, escapes and decodes.
 */
const CONTENTS = {
  equal: (length) => repeat("a", length),
  prefixes: (length, index) => distinct("a", length, index),
  distinct: (length, index) => distinct(`${index.toString(36)}-`, length, index),
  labels: (length, index) => repeat(labelOf(index) + "xn--a-uga.".repeat(5), length).replace(/[.-]+$/, "") || "a",
  accents: (length, index) => distinct("e\u0301\u0327", length, index),
  sigmas: (length, index) => distinct("ΑΣ", length, index),
  quotes: (length, index) => distinct("\"'", length, index),
  backslashes: (length, index) => distinct("\\", length, index),
  percents: (length, index) => distinct("%25", length, index),
  dots: (length, index) => distinct("a.@", length, index),
  slashes: (length, index) => distinct("/~1", length, index),
  spaces: (length, index) => distinct("a ", length, index),
  digits: (length, index) => distinct("9", length, index),
  wide: (length, index) => distinct("😀", length, index),
};

module.exports = { CONTENTS };
