"use strict";

const { CONTENTS } = require("./contents.js");

/** Bodies without regard to a schema: `(bytes, wrap)` gives a text of about so many bytes; `wrap` puts a value where one goes. */

function fill(bytes, part) {
  const parts = [];
  for (let index = 0, length = 0; length < bytes; index++) {
    parts.push(part(index));
    length += parts.at(-1).length + 1;
  }
  return parts.join(",");
}

/** `\u0061` for each character: six bytes for one. */
function escape(text) {
  return [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

const FORMS = {
  objects: (bytes) => `[${fill(bytes, () => "{}")}]`,
  lists: (bytes) => `[${fill(bytes, () => "[]")}]`,
  names: (bytes) => `{${fill(bytes, (index) => `"n${index}":1`)}}`,
  "escaped names": (bytes) => `{${fill(bytes, (index) => `"${escape(`n${index}`)}":1`)}}`,
  "equal names": (bytes) => `{${fill(bytes, () => `"n":1`)}}`,
  nested: (bytes) => `[${fill(bytes, () => `${"[".repeat(900)}${"]".repeat(900)}`)}]`,
  "too deep": (bytes) => "[".repeat(bytes),
  "objects in objects": (bytes) => `[${fill(bytes, () => `${'{"a":'.repeat(200)}1${"}".repeat(200)}`)}]`,
  text: (bytes) => JSON.stringify(CONTENTS.equal(bytes)),
  "escaped text": (bytes) => `"${escape(CONTENTS.equal(Math.floor(bytes / 6)))}"`,
  "wide text": (bytes) => JSON.stringify("é".repeat(bytes / 2)),
  digits: (bytes) => "9".repeat(bytes),
  numbers: (bytes) => `[${fill(bytes, (index) => String(index))}]`,
  "long numbers": (bytes) => `[${fill(bytes, () => "1.7976931348623157e308")}]`,
  space: (bytes) => `{${" ".repeat(bytes)}}`,
  "wrong at the end": (bytes) => `[${fill(bytes, () => "1")},}`,
};

/** The whole body, or the value of a member of it. */
function createForm(form, bytes, member) {
  const text = FORMS[form](Math.max(1, Math.floor(bytes)));
  return member === undefined ? text : `{${JSON.stringify(member)}:${text}}`;
}

/**
 * A JSON Patch of two parts: a value that fills `share` of the bytes, then as many equal operations on it as fill the
 * rest, or `most`.
 */
function createPatch(bytes, { op = "copy", share = 0.9, most = 99 } = {}) {
  const value = `{${fill(bytes * share, (index) => `"a${index}":1`)}}`;
  const operations = {
    copy: (index) => `{"op":"copy","from":"/profile/login","path":"/profile/x/b${index}"}`,
    add: (index) => `{"op":"add","path":"/profile/x/b${index}","value":1}`,
    remove: (index) => `{"op":"remove","path":"/profile/x/a${index}"}`,
    move: (index) => `{"op":"move","from":"/profile/x/a${index}","path":"/profile/x/b${index}"}`,
    replace: (index) => `{"op":"replace","path":"/profile/x/a${index}","value":2}`,
    test: (index) => `{"op":"test","path":"/profile/x","value":{"a${index}":1}}`,
  };
  const rest = Math.max(bytes * (1 - share), 100);
  const operation = operations[op];
  const all = Array.from({ length: Math.max(1, Math.floor(most)) }, (_, index) => operation(index));
  let length = 0;
  const fitting = all.filter((each) => (length += each.length + 1) <= rest);
  return `[{"op":"add","path":"/profile/x","value":${value}},${(fitting.length > 0 ? fitting : all.slice(0, 1)).join(",")}]`;
}

const PATCHES = ["copy", "add", "remove", "move", "replace", "test"];

module.exports = { createForm, createPatch, FORMS, PATCHES };
