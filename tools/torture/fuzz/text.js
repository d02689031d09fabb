"use strict";

/** Texts that are hard for parsers: what one grammar allows, what one edit makes of it, and noise. */

const ORDINARY = [..."abcdefghijklmnopqrstuvwxyzABCDEF0123456789-._~"];

/** What ends, quotes, escapes or separates something somewhere, and characters of every length in UTF-8. */
const SPECIAL = [
  ...[
    "\0",
    "\t",
    "\n",
    "\r",
    "\r\n",
    " ",
    "  ",
    '"',
    "'",
    "\\",
    "/",
    "//",
    "%",
    "%2",
    "%00",
    "%25",
    "%zz",
    "%F0%9F%98%80",
  ],
  ...[
    "+",
    "&",
    "=",
    ";",
    ",",
    ":",
    "::",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "?",
    "#",
    "@",
    "!",
    "|",
    "^",
    "`",
  ],
  ...[
    "\x7f",
    "\x80",
    "\xff",
    "é",
    "ß",
    "ς",
    "İ",
    "日",
    "\u2028",
    "\ufeff",
    "\ufffd",
    "😀",
    "\ud800",
    "\udfff",
    "\uffff",
  ],
  ...["__proto__", "constructor", "toString", "null", "true", "NaN", "-0", "1e400", "9007199254740993", "0x10"],
];

function word(random, min = 1, max = 12) {
  return random.text(min, max, ORDINARY);
}

/** Text without a grammar. */
function noise(random, max = 60) {
  return random.list(0, max, () => (random.isLikely(0.5) ? random.pick(SPECIAL) : random.pick(ORDINARY))).join("");
}

/** A grammar's text after one to four edits. */
function mutate(random, text, tokens = SPECIAL) {
  let result = text;
  for (let edits = 1 + random.integer(4); edits > 0; edits--) result = edit(random, result, tokens);
  return result;
}

function edit(random, text, tokens) {
  const from = random.integer(text.length + 1);
  const to = Math.min(text.length, from + random.integer(8));
  const [before, part, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)];
  switch (random.integer(8)) {
    case 0:
      return before + after;
    case 1:
      return before + part + part + after;
    case 2:
      return before + random.pick(tokens) + after;
    case 3:
      return before + random.pick(SPECIAL) + part + after;
    case 4:
      return before;
    case 5:
      return before + [...part].reverse().join("") + after;
    case 6:
      return before + (random.isLikely(0.5) ? part.toUpperCase() : part.toLowerCase()) + after;
    default:
      return before + random.pick(tokens).repeat(1 + random.integer(random.isLikely(0.02) ? 3_000 : 40)) + after;
  }
}

/**
 * A generator of texts: most follow `grammar`, many are edited, some are noise.
 *
 * @param tokens what edits insert, beside what is hard everywhere
 */
function texts(grammar, tokens = []) {
  const inserted = [...SPECIAL, ...tokens, ...tokens];
  return function generateText(random) {
    const roll = random.fraction();
    if (roll < 0.5) return grammar(random);
    return roll < 0.92 ? mutate(random, grammar(random), inserted) : noise(random);
  };
}

const KEYS = ["a", "b", "name", "id", "", "a/b", "m~n", "__proto__", "constructor", "0", "-", "é", "profile", "tags"];
const STRINGS = [
  "",
  "a",
  "é",
  "日本",
  "😀",
  "\ud800",
  "\ufeff",
  "\0",
  "2026-01-31T08:00:00.000Z",
  '"',
  "\\",
  "__proto__",
];
const NUMBERS = [0, -0, 1, -1, 0.1, 1e21, 5e-324, 2 ** 53, 1.7976931348623157e308];

/** A value of JSON. Its members can have any name but `__proto__`, unless `proto` allows that too. */
function jsonValue(random, depth = 4, proto = false) {
  const roll = random.fraction();
  if (depth > 0 && roll < 0.25) return random.list(0, 5, () => jsonValue(random, depth - 1, proto));
  if (depth > 0 && roll < 0.6) return jsonObject(random, depth - 1, proto);
  if (roll < 0.8) return random.isLikely(0.5) ? random.pick(STRINGS) : word(random);
  if (roll < 0.9) return random.isLikely(0.5) ? random.pick(NUMBERS) : random.integer(1_000);
  return random.pick([true, false, null]);
}

function jsonObject(random, depth = 3, proto = false) {
  const members = random.list(0, 6, () => [random.pick(KEYS), jsonValue(random, depth, proto)]);
  return Object.fromEntries(proto ? members : members.filter(([name]) => name !== "__proto__"));
}

/** JSON text, at times with escapes, spaces and the same name twice. */
function jsonText(random) {
  const text = JSON.stringify(jsonValue(random, 5, true), undefined, random.pick([undefined, undefined, 1, "\t"]));
  if (random.isLikely(0.1)) return `[${"[".repeat(random.integer(1_200))}${text}`;
  if (random.isLikely(0.1)) return text.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
  return text;
}

module.exports = { jsonObject, jsonText, jsonValue, mutate, noise, texts, word };
