"use strict";

const { readFileSync } = require("node:fs");
const { URL } = require("node:url");
const Ajv2020 = require("ajv/dist/2020.js").default;

/*
 * A process loads this file once for all its test files, see test/support/runtime.js: to compile the schemas takes longer
 * than to use them. Each schema is compiled when it is needed.
 */

const DATE_REGEXP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** How the values of each use are checked. In what is sent, objects have no other members than those described. */
const USES = {
  sent: { prepare: withoutOthers, formats: { "date-time": DATE_REGEXP, uri: (text) => URL.canParse(text) } },
  taken: { prepare: (document) => document, formats: { "date-time": true, uri: true } },
};

const documents = new Map();
const validators = new Map();

/** The description in this file. */
function readDescription(file) {
  if (!documents.has(file)) documents.set(file, JSON.parse(readFileSync(file, "utf8")));
  return documents.get(file);
}

/**
 * Why the schema at `place`, a JSON pointer with `#`, does not accept the JSON in `text`; `undefined` when it does.
 *
 * @param use "sent" or "taken"
 */
function findFault(file, place, use, text) {
  const ajv = memoize(`${file} ${use}`, () => {
    const { prepare, formats } = USES[use];
    const options = { strict: false, validateSchema: false, meta: false, formats };
    return new Ajv2020(options).addSchema({ ...prepare(readDescription(file)), $id: "api" });
  });
  const validate = memoize(`${file} ${use} ${place}`, () => ajv.compile({ $ref: `api${encodeURI(place)}` }));
  return validate(JSON.parse(text, withoutPrototype)) ? undefined : validate.errors.map(describeError).join(", ");
}

module.exports = { readDescription, findFault };

/** `body/0: must NOT have additional properties: more` */
function describeError({ instancePath, message, params }) {
  const [name] = [params.additionalProperty, params.allowedValues?.join(", ")].filter((each) => each !== undefined);
  return `body${instancePath} ${message}${name === undefined ? "" : `: ${name}`}`;
}

function memoize(key, make) {
  if (!validators.has(key)) validators.set(key, make());
  return validators.get(key);
}

function withoutOthers(schema) {
  if (Array.isArray(schema)) return schema.map(withoutOthers);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutOthers(value)]));
  const isClosed = copy.type === "object" && "properties" in copy && !("additionalProperties" in copy);
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

/** The server takes no such member. */
function withoutPrototype(key, value) {
  return key === "__proto__" ? undefined : value;
}
