"use strict";

const { Buffer, isUtf8 } = require("node:buffer");
const { jsonObject, jsonText, jsonValue, texts, word } = require("../text.js");
const { ensure, ensureEqual, isOneOf } = require("../checks.js");
const { requireLib } = require("../../../kit/compiled.js");

const json = requireLib("json/index.js");
const { findBodyTextFault, findBodyExcess } = requireLib("faults/index.js");

const TOKENS = ["{", "}", "[", "]", ",", ":", '"', "\\u", "\\ud83d", "\\ude00", "null", "1e5", "-", "[[[[", '{"a":'];
const POINTERS = [
  "/a",
  "/b/0",
  "/tags/-",
  "",
  "/",
  "/a~1b",
  "/m~0n",
  "/__proto__/x",
  "/constructor",
  "/name",
  "/0",
  "/a/b/c",
];

function operation(random) {
  const op = random.pick(["add", "remove", "replace", "move", "copy", "test", "merge"]);
  const pointer = () => (random.isLikely(0.8) ? random.pick(POINTERS) : texts(word)(random));
  return { op, path: pointer(), from: pointer(), ...(random.isLikely(0.9) && { value: jsonValue(random, 2) }) };
}

/** The value of the text; `undefined` when a parser refuses it, and no value of JSON is `undefined`. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function depthOf(value) {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

module.exports = [
  {
    name: "json/text",
    generate: texts(jsonText, TOKENS),
    check(text) {
      const bytes = Buffer.from(text);
      const well = bytes.toString();
      const value = parse(well);
      const syntax = json.findJsonSyntaxFault(bytes);
      ensureEqual(syntax === undefined, value !== undefined, "the grammar refuses what the parser refuses");
      if (syntax !== undefined) ensure(json.formatJsonSyntaxFault(bytes, syntax) !== "", "a fault has a message");
      for (const maxBytes of [3, 4]) {
        const fault = json.findJsonTextFault(bytes, maxBytes);
        if (fault !== undefined) ensure(fault.offset < bytes.length, "a fault lies in the text");
        if (value === undefined) continue;
        const pointer = json.findForbiddenText(value, { maxBytesPerCharacter: maxBytes });
        ensure(
          pointer === undefined || fault !== undefined,
          "what is forbidden in the value was in the text",
          () => pointer,
        );
        findBodyTextFault(bytes, "application/json", { format: undefined, maxBytes });
      }
      if (value === undefined) return;
      const depth = depthOf(value);
      ensure(
        (json.findExcess(bytes, { depth: 3, members: Infinity }) === undefined) === depth <= 3 ||
          /"(?:[^"\\]|\\.)*"\s*:/.test(well),
        "depth is counted",
        () => well,
      );
      findBodyExcess(bytes, { depth: 3, members: 3 });
    },
  },
  {
    name: "json/place",
    generate: texts(jsonText, TOKENS),
    check(text, random) {
      const bytes = Buffer.from(text);
      const pointer = json.locatePointer(bytes, random.integer(bytes.length + 1));
      const tokens = json.parsePointer(pointer);
      ensure(tokens !== undefined, "a place is a pointer", () => pointer);
      ensure(json.formatPlace(pointer).length <= 500, "a place is short");
      const value = parse(text);
      if (value !== undefined) json.readPointer(value, tokens);
    },
  },
  {
    name: "json/pointer",
    generate: texts(
      (random) => random.list(0, 5, () => `/${random.pick(["a", "~0", "~1", "", "0", "é", "~01"])}`).join(""),
      ["~", "/"],
    ),
    check(text) {
      const tokens = json.parsePointer(text);
      if (tokens === undefined) return;
      ensureEqual(json.formatPointer(tokens), text, "a pointer comes back");
      json.readPointer({ a: [{ "": 1 }] }, tokens);
    },
  },
  {
    name: "json/patch",
    generate: (random) => [
      jsonValue(random, 3),
      random.isLikely(0.95) ? random.list(1, 8, () => operation(random)) : jsonValue(random),
    ],
    allows: isOneOf(json.PatchError),
    check([document, operations]) {
      const before = JSON.stringify(document);
      try {
        const result = json.applyJsonPatch(document, json.parseJsonPatch(operations, 100));
        ensure(JSON.stringify(result) !== undefined, "the result is JSON");
      } finally {
        ensureEqual(JSON.stringify(document), before, "the document stays");
        ensure({}.polluted === undefined && Object.keys(Object.prototype).length === 0, "no prototype changes");
      }
    },
  },
  {
    name: "json/merge-patch",
    generate: (random) => [jsonValue(random, 3), jsonValue(random, 3, random.isLikely(0.1))],
    allows: isOneOf(json.PatchError),
    check([document, patch]) {
      const before = JSON.stringify(document);
      const result = json.applyMergePatch(document, patch);
      ensureEqual(JSON.stringify(document), before, "the document stays");
      ensure(json.isJsonEqual(json.applyMergePatch(result, patch), result), "merging twice changes nothing");
    },
  },
  {
    name: "json/canonical",
    generate: (random) => jsonObject(random, 4),
    check(value) {
      const text = json.formatCanonical(value);
      const shuffled = JSON.parse(JSON.stringify(value), (_key, part) =>
        part && typeof part === "object" && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).reverse())
          : part,
      );
      ensureEqual(json.formatCanonical(shuffled), text, "order has no meaning");
      ensure(json.isJsonEqual(value, JSON.parse(JSON.stringify(value))), "a copy is equal");
      const limits = { size: Infinity, depth: Infinity, members: Infinity };
      ensureEqual(json.findExceededLimit(value, limits), undefined, "nothing exceeds no limit");
      ensureEqual(json.findExceededLimit(value, { ...limits, size: 1 }), "size", "size has a limit");
      JSON.stringify(value, json.omitNull);
    },
  },
  {
    name: "json/bytes",
    generate: (random) =>
      Buffer.from(
        random.list(0, 60, () =>
          random.pick([0x22, 0x5c, 0x7b, 0xef, 0xbb, 0xbf, 0xf0, 0x9f, 0xed, 0xa0, 0x80, random.integer(256)]),
        ),
      ),
    check(bytes) {
      for (const maxBytes of [3, 4]) {
        const fault = json.findJsonTextFault(bytes, maxBytes);
        if (!isUtf8(bytes)) ensure(fault !== undefined, "ill-formed bytes are found");
      }
      json.findJsonSyntaxFault(bytes);
      json.findExcess(bytes, { depth: 2, members: 2 });
      json.locatePointer(bytes, bytes.length);
    },
  },
];
