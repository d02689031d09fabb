"use strict";

const { Buffer, isUtf8 } = require("node:buffer");
const { TextDecoder } = require("node:util");
const { noise, texts } = require("../text.js");
const { ensure, ensureEqual } = require("../checks.js");
const { requireLib } = require("../../../kit/compiled.js");

const lib = requireLib("text/index.js");

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const two = (number) => String(number).padStart(2, "0");

function date(random) {
  const day = `${String(random.integer(10_000)).padStart(4, "0")}-${two(random.integer(14))}-${two(random.integer(33))}`;
  return `${day}T${two(random.integer(26))}:${two(random.integer(62))}:${two(random.integer(62))}.${String(random.integer(1_000)).padStart(3, "0")}Z`;
}

function bytes(random) {
  if (random.isLikely(0.5)) return Buffer.from(noise(random));
  const hard = [0xc0, 0x80, 0xe0, 0xa0, 0xed, 0xef, 0xbb, 0xbf, 0xf0, 0x90, 0xf4, 0x8f, 0xf5, 0x41];
  const repeats = random.isLikely(0.01) ? 5_000 : 1;
  return Buffer.concat(Array(repeats).fill(Buffer.from(random.list(0, 24, () => random.pick(hard)))));
}

const encoded = (random) =>
  random
    .list(0, 12, () =>
      random.pick(["a", "%C3%A9", "%e2%82%ac", "%F0%9F%98%80", "%ED%A0%80", "%", "%4", "%EF%BB%BF", "&x="]),
    )
    .join("");

module.exports = [
  {
    name: "utf-8",
    generate: bytes,
    check(input) {
      const hasMark = input[0] === 0xef && input[1] === 0xbb && input[2] === 0xbf;
      const hasLong = input.some((byte) => byte >= 0xf0 && byte <= 0xf4);
      for (const maxBytes of [3, 4]) {
        const fault = lib.findTextFault(input, maxBytes);
        const isFine = isUtf8(input) && !hasMark && (maxBytes === 4 || !hasLong);
        ensureEqual(fault === undefined, isFine, "what Node calls UTF-8 has no fault");
        if (fault === undefined) continue;
        ensure(fault.offset < input.length, "a fault lies in the text", () => fault.offset);
        ensure(lib.formatTextFault("The body", fault).endsWith("."), "a fault is a sentence");
      }
      if (isUtf8(input)) ensureEqual(lib.decodeUtf8(input), decoder.decode(input), "decoding is that of the platform");
    },
  },
  {
    name: "percent-encoding",
    generate: (random) => Buffer.from(texts(encoded, ["%", "%f0", "%80"])(random)).toString("latin1"), // a byte, a character
    check(text) {
      for (const maxBytes of [3, 4]) {
        const fault = lib.findEncodedTextFault(text, maxBytes);
        if (fault !== undefined) ensure(fault.offset < text.length, "a fault lies in the text", () => fault.offset);
        else ensure(lib.isSupportedText(decodeURIComponent(text), maxBytes), "text without a fault decodes");
      }
    },
  },
  {
    name: "dates",
    generate: texts(date, ["-", "T", ":", "Z", "24", "60", "+00:00"]),
    check(text) {
      const instant = lib.parseDate(text);
      ensureEqual(lib.isDate(text), instant !== undefined, "a date is a date");
      if (instant !== undefined) ensureEqual(lib.formatDate(instant), text, "a date comes back");
    },
  },
  {
    name: "excerpts",
    generate: (random) => [noise(random, 200), noise(random)],
    check([text, other]) {
      const shown = lib.excerpt(text);
      ensure(
        typeof JSON.parse(shown) === "string" && shown.length <= 6 * 66,
        "an excerpt is short and quoted",
        () => shown,
      );
      lib.formatCodePoint(text);
      ensure(lib.countCodePoints(text) === [...text].length, "characters are counted");
      ensure(
        Math.sign(lib.compareCodePoints(text, other)) === -Math.sign(lib.compareCodePoints(other, text)),
        "an order has two ends",
      );
      ensure(lib.compareCodePoints(text, text) === 0, "a text equals itself");
    },
  },
];
