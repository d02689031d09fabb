"use strict";

const { Buffer } = require("node:buffer");
const { TextDecoder } = require("node:util");
const { piece } = require("../piece.js");

const SIZES = { "150b": 150, "1k": 1_024, "64k": 65_536 };

/** Words of each script; those of the last are written with escapes. */
const WORDS = {
  ascii: ["the quick brown fox", "jumps over", "a lazy dog", "42 times"],
  greek: ["η γρήγορη καφέ αλεπού", "πηδάει πάνω από", "το τεμπέλικο σκυλί"],
  cyrillic: ["быстрая коричневая лиса", "прыгает через", "ленивую собаку"],
  cjk: ["敏捷的棕色狐狸", "跳过了", "那只懒惰的狗", "素早い茶色の狐"],
  escapes: ['"quoted"\n\tand "again"\\', "caf\u00e9 \u03b1\u03b2\u03b3", "line\r\nline"],
};

/** Equal work: characters of four bytes, also as escapes, and what decoding replaced. */
const FOUR_BYTES_REGEXP = /[\u{10000}-\u{10ffff}\ufffd]|\\u[dD][89abAB]/u;

const REQUEST = { headers: { "content-type": "application/json; charset=utf-8" } };

module.exports = Object.keys(SIZES).flatMap((size) => [
  ...Object.keys(WORDS).map((script) =>
    piece({
      name: `utf8/${size}/${script}`,
      prepare() {
        const { verifyUtf8 } = require("etiquette/utf8-guard");
        const text = createText(WORDS[script], SIZES[size], script === "escapes");
        const body = Buffer.from(text);
        const decoder = new TextDecoder("utf-8", { fatal: true });
        return {
          ours: () => verifyUtf8(REQUEST, undefined, body, "utf-8"),
          peers: {
            "JSON.parse": () => JSON.parse(text),
            "decode + JSON.parse": () => JSON.parse(body.toString()),
            "decode + regex": () => FOUR_BYTES_REGEXP.test(body.toString()),
            "TextDecoder, fatal": () => decoder.decode(body),
          },
        };
      },
    }),
  ),

  piece({
    name: `utf8/${size}/with-depth`, // what suite() gives the body parser; for information
    prepare() {
      const { createBodyVerifier } = require("etiquette/utf8-guard");
      const body = Buffer.from(createText([...WORDS.ascii, ...WORDS.greek], SIZES[size], false));
      const verify = createBodyVerifier();
      return {
        ours: () => verify(REQUEST, undefined, body, "utf-8"),
        peers: { "decode + JSON.parse": () => JSON.parse(body.toString()) },
      };
    },
  }),
]);

/** JSON of about `size` bytes: objects as APIs take them, the words of one script in their values. */
function createText(words, size, escaped) {
  const objects = [];
  let text = "[]";
  for (let number = 0; Buffer.byteLength(text) < size; number++) {
    objects.push({ id: number, name: words[number % words.length], note: words.join(" ") });
    text = JSON.stringify(objects.length === 1 ? objects[0] : objects);
    if (escaped) text = text.replace(/[\x80-\uffff]/g, escapeCharacter);
  }
  return text;
}

function escapeCharacter(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
