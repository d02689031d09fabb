"use strict";

const { CONTENTS } = require("./contents.js");
const { findLength, findMapLimit, findRepair, findText } = require("./known.js");

/** In characters: a text that is not to be large. */
const SMALL = 12;

/** The most elements of a list that the description doesn't bound, when it is full. */
const MAX_ELEMENTS = 100_000;

/** The elements of a list that the description bounds are fewer. */
const MAX_BOUNDED = 1_000;

/** An id that has the form of one. */
const ID = "00000000000000000000";

/**
 * Makes values of a schema. `fill` is how much of each limit they use: 0 to 1, and more for what is beyond it.
 *
 * @param focus the path of the only field that is large; everything is without it
 * @param content the name of a family of texts
 * @param choices which alternative is taken, by path: a value of an `enum`; the first one without
 * @param bytes about the most that a value may have as JSON, where the schema has no limit
 * @param salt a number that makes the texts others than those of another salt
 * @param names what the org has: `{ subdomain, zones, idps, certificate }`
 */
class ValueMaker {
  #options;
  #left;

  constructor({ fill = 0, focus, content = "prefixes", choices = {}, bytes = 1_000_000, salt = 0, names = {} } = {}) {
    this.#options = { fill, focus, content, choices, bytes, salt, names };
  }

  make(schema, path = "") {
    this.#left = this.#options.bytes * Math.max(this.#options.fill, 1 / 64);
    return this.#make(schema, path, 0);
  }

  #make(schema, path, index) {
    const options = schema.oneOf ?? schema.anyOf;
    if (options) return this.#make(this.#chooseOption(options, path), path, index);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return this.#options.choices[path] ?? schema.enum[0];
    switch ([schema.type ?? "any"].flat().find((type) => type !== "null")) {
      case "object":
        return this.#makeObject(schema, path);
      case "array":
        return this.#makeList(schema, path);
      case "integer":
      case "number":
        return this.#isLarge(path)
          ? (schema.maximum ?? 1e15) + (this.#options.fill > 1 ? 1 : 0)
          : (schema.minimum ?? 1);
      case "boolean":
        return true;
      case "string":
        return this.#spend(this.#makeText(schema, path, index));
      default:
        return this.#isLarge(path) ? this.#makeAnything(path) : "a";
    }
  }

  #makeObject({ properties = {}, required = [], additionalProperties }, path) {
    const value = {};
    for (const [name, schema] of Object.entries(properties)) {
      const at = join(path, name);
      if (name === "id" || !(required.includes(name) || this.#isWanted(at))) continue;
      value[name] = this.#make(schema, at, 0);
    }
    if (additionalProperties && this.#isWanted(`${path}.*`)) {
      const limit = findMapLimit(path) ?? MAX_ELEMENTS;
      const count = this.#count(`${path}.*`, { max: limit });
      for (let index = 0; index < count && this.#left > 0; index++) {
        value[`a${index}`] = this.#make(additionalProperties, `${path}.*`, index);
        this.#left -= 6;
      }
    }
    return findRepair(path)?.(value) ?? value;
  }

  #makeList({ items = {}, minItems = 0, maxItems }, path) {
    const at = `${path}[]`;
    const isBounded = maxItems !== undefined;
    const count = this.#count(at, { min: Math.max(1, minItems), max: maxItems ?? MAX_ELEMENTS });
    const elements = [];
    for (let index = 0; index < count && (isBounded || this.#left > 0 || index < 1); index++) {
      elements.push(this.#make(items, at, index));
      this.#left -= 4;
    }
    return elements;
  }

  #makeText({ maxLength, minLength = 0, pattern, format }, path, index) {
    const { fill, content, bytes, salt, names } = this.#options;
    const number = index + salt * MAX_BOUNDED;
    const isLarge = this.#isLarge(path);
    const limit = maxLength ?? findLength(path) ?? (this.#options.focus === path ? bytes : 2_000);
    const length = isLarge ? Math.max(minLength, 1, scale(limit, fill)) : Math.min(SMALL, limit);
    const make = (size) => CONTENTS[content](Math.max(1, size), number);
    const known = findText(path);
    if (known)
      return known({ length: isLarge ? length : SMALL + 20, index: number, make, names, path, isSmall: !isLarge });
    if (format === "date-time") return "2026-01-01T00:00:00.000Z";
    if (pattern?.includes("{20}")) return ID;
    if (pattern?.includes("{0,63}")) return "a0";
    return isLarge ? make(length) : `n${number.toString(36)}`;
  }

  /** What has no schema: as many members as there is room for. */
  #makeAnything(path) {
    const value = {};
    for (let index = 0; this.#left > 0; index++) {
      value[`a${index}`] = this.#spend(CONTENTS[this.#options.content](SMALL, index));
    }
    return path === "" ? {} : value;
  }

  #count(path, { min = 1, max }) {
    if (!this.#isLarge(path)) return min;
    return Math.max(min, scale(max, this.#options.fill));
  }

  /** Whether this is the field that is large, a part of it, or a list that holds it. */
  #isLarge(path) {
    const { focus } = this.#options;
    return (
      focus === undefined ||
      path === focus ||
      path.startsWith(`${focus}.`) ||
      path.startsWith(`${focus}[`) ||
      (path.endsWith("[]") && focus.startsWith(path))
    );
  }

  #isWanted(path) {
    const { focus } = this.#options;
    return this.#isLarge(path) || focus?.startsWith(`${path}.`) || focus?.startsWith(`${path}[`);
  }

  #spend(text) {
    this.#left -= text.length + 6;
    return text;
  }

  /** The one that has the field, or the largest. */
  #chooseOption(options, path) {
    const { focus } = this.#options;
    if (focus === undefined || focus === path)
      return options.reduce((largest, one) => (sizeOf(one) > sizeOf(largest) ? one : largest));
    return options.find((option) => focus.startsWith(path) && listFields(option, path).includes(focus)) ?? options[0];
  }
}

/** The paths of everything in a schema whose size somebody else decides. */
function listFields(schema, path = "") {
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return [...new Set(options.flatMap((option) => listFields(option, path)))];
  if (schema.const !== undefined || schema.enum) return [];
  switch ([schema.type ?? "any"].flat().find((type) => type !== "null")) {
    case "object":
      return [
        ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => listFields(each, join(path, name))),
        ...(schema.additionalProperties ? [`${path}.*`] : []),
      ];
    case "array":
      return [`${path}[]`, ...listFields(schema.items ?? {}, `${path}[]`)].filter(
        (field, index, all) => all.indexOf(field) === index,
      );
    case "string":
    case "any":
      return schema.format === undefined && !schema.pattern?.includes("{20}") ? [path] : [];
    default:
      return [];
  }
}

/** This part of a limit; beyond it, one more. */
function scale(limit, fill) {
  return fill > 1 ? limit + 1 : Math.floor(limit * fill);
}

function join(path, name) {
  return path === "" ? name : `${path}.${name}`;
}

/** How much, approximately, an alternative can hold. */
function sizeOf(schema) {
  const { maxLength = 0, maxItems = 0, items, properties = {} } = schema;
  return (
    maxLength +
    maxItems * (items ? 1 + sizeOf(items) : 1) +
    Object.values(properties).reduce((sum, each) => sum + 1 + sizeOf(each), 0)
  );
}

/** All combinations of the values of `enum`s beside or within a field: `[{ path: value, … }, …]`. */
function listChoices(schema, focus) {
  const found = [];
  collect(schema, "");
  return found.reduce(
    (all, [path, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [path]: value }))),
    [{}],
  );

  function collect(at, path) {
    for (const option of at.oneOf ?? at.anyOf ?? []) collect(option, path);
    const isNear =
      focus.startsWith(`${path}.`) ||
      focus.startsWith(`${path}[`) ||
      path === "" ||
      focus === path ||
      path.startsWith(`${focus}[]`);
    if (!isNear) return;
    for (const [name, each] of Object.entries(at.properties ?? {})) {
      const own = join(path, name);
      if (each.enum && path !== "" && at.required?.includes(name))
        found.push([own, each.enum.filter((value) => value !== null)]);
      else collect(each, own);
    }
    if (at.items) collect(at.items, `${path}[]`);
  }
}

module.exports = { ID, listChoices, listFields, ValueMaker };
