import { hash } from "node:crypto";
import { formatCanonical, readPointer } from "../json/index.js";
import { formatDate, SURROGATE } from "../text/index.js";
import { assertKnownOptions, integerOption, optionError } from "../factory/index.js";
import type { TagMatcher } from "./preconditions.js";

/** How long the tags of a version are accepted after it was replaced (rule T5): seven days. */
const GRACE_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** Base64url digits of SHA-256 in a tag: with 132 bits, nobody finds two objects with the same tag. */
const HASH_LENGTH = 22;

const MAX_VERSION = 999_999_999;

/** The version at the start of a tag. */
const TAG_VERSION_REGEXP = /^(?:W\/)?"([1-9][0-9]{0,8})\./;

const SURROGATE_REGEXP = new RegExp(SURROGATE);

/** Names of members, joined by dots. */
const PATH_REGEXP = /^[^.]+(?:\.[^.]+)*$/;

/** A revision has no quote and no comma, because other software splits lists of tags there. */
const REVISION_REGEXP = /^[\w.~:+/=-]{1,64}$/;

/** The members of an object that tags are made of: `fields`, or `revision` when the store counts changes. */
export interface TagSource {
  /**
   * Paths of the members that matter, such as `"profile.email"`, in any order. Members below a path count too. The tag has
   * a hash of their values.
   */
  fields?: readonly string[];

  /**
   * Path of a member that has a new value after each change, such as a version column: an integer, a Date, or 1–64
   * characters of `A–Z a–z 0–9 . _ ~ : + / = -`. The tag has the value itself, without hashing.
   */
  revision?: string;
}

/** How tags are made, and the version number that the tag has for it. */
export interface TagVersion extends TagSource {
  /**
   * The version of this configuration, a part of each tag: 1–999,999,999. Change it when `fields` or `revision` change, or
   * the meaning of a value.
   *
   * @default 1
   */
  version?: number;
}

/** How tags were made earlier. */
export interface PreviousTagVersion extends TagVersion {
  /** When another version replaced it. Its tags are accepted for seven days from then. */
  replacedAt: Readonly<Date>;
}

/** How tags are made now, and how they were made earlier. */
export interface TagSchemeOptions extends TagVersion {
  /**
   * How tags were made earlier. Each version is accepted for seven days after its `replacedAt`.
   *
   * @default []
   */
  previous?: readonly Readonly<PreviousTagVersion>[];
}

const PREVIOUS_OPTIONS: Record<keyof PreviousTagVersion, true> = {
  version: true,
  fields: true,
  revision: true,
  replacedAt: true,
};

/** Makes entity tags of objects and recognises them. */
export interface TagScheme {
  /** The entity tag of `entity`, `W/"<version>.<hash or revision>"`. */
  readonly format: (entity: object) => string;

  /**
   * Create a function that recognises the tags of `entity`, of the current version and of previous versions that are still
   * accepted.
   *
   * @param tag the result of `format(entity)`, if known
   */
  readonly createMatcher: (entity: object, tag?: string) => TagMatcher;
}

interface TagAlgorithm {
  /** The version number in digits, as in the tag. */
  readonly version: string;
  readonly format: (entity: object) => string;
  /** When its tags stop being accepted: milliseconds since 1970, or Infinity. */
  readonly end: number;
}

/**
 * Compile the options to a function that makes tags and one that recognises them.
 *
 * @param factory the function that error messages name
 * @param isStrong whether tags have no `W/`
 * @param now the current time, in milliseconds since 1970; called only for tags of a previous version
 * @throws {TypeError} when an option is missing, of the wrong type or out of bounds
 */
export function compileTagScheme(
  factory: string,
  options: Readonly<TagSchemeOptions>,
  { isStrong, now }: Readonly<{ isStrong: boolean; now: () => number }>,
): TagScheme {
  const opening = isStrong ? '"' : 'W/"';
  const current = compileAlgorithm(options, "", Infinity);
  const algorithms = new Map([[current.version, current]]);
  for (const [index, previous] of previousOption(options.previous).entries()) {
    const at = `previous[${index}].`;
    assertKnownOptions(factory, previous, PREVIOUS_OPTIONS);
    const algorithm = compileAlgorithm(previous, at, replacementOf(previous, at) + GRACE_MILLISECONDS);
    if (algorithms.has(algorithm.version)) {
      throw optionError(factory, `${at}version`, "different from the other versions");
    }
    algorithms.set(algorithm.version, algorithm);
  }

  return {
    format: current.format,
    createMatcher(entity, tag) {
      const ownTags = new Map<string, string>(); // by version: a list may have many tags of the same version
      if (tag !== undefined) ownTags.set(current.version, tag);

      return function hasTag(candidate, isMatch) {
        const algorithm = algorithms.get(TAG_VERSION_REGEXP.exec(candidate)?.[1] ?? "");
        if (!algorithm || !isAccepted(algorithm)) return false;
        const own = ownTags.get(algorithm.version) ?? algorithm.format(entity);
        ownTags.set(algorithm.version, own);
        return isMatch(candidate, own);
      };
    },
  };

  function isAccepted({ end }: TagAlgorithm): boolean {
    return end === Infinity || now() < end;
  }

  /** @param at the prefix of its option names in an error message */
  function compileAlgorithm(source: Readonly<TagVersion>, at: string, end: number): TagAlgorithm {
    const bounds = { fallback: 1, min: 1, max: MAX_VERSION };
    const version = String(integerOption(factory, `${at}version`, source.version, bounds));
    const formatValue = compileSource(factory, source, at);
    return { version, format: (entity) => `${opening}${version}.${formatValue(entity)}"`, end };
  }

  function previousOption(value: readonly PreviousTagVersion[] = []): readonly PreviousTagVersion[] {
    if (Array.isArray(value)) return value as readonly PreviousTagVersion[];
    throw optionError(factory, "previous", "an array of `{ version, fields or revision, replacedAt }`");
  }

  function replacementOf({ replacedAt }: Readonly<PreviousTagVersion>, at: string): number {
    if ((replacedAt as unknown) instanceof Date && !Number.isNaN(replacedAt.getTime())) return replacedAt.getTime();
    throw optionError(factory, `${at}replacedAt`, "a valid Date");
  }
}

function compileSource(factory: string, { fields, revision }: TagSource, at: string): (entity: object) => string {
  if (fields !== undefined && !isFieldList(fields)) {
    throw optionError(factory, `${at}fields`, 'a non-empty array of different paths such as "profile.email"');
  }
  if (revision !== undefined && !isPath(revision)) {
    throw optionError(factory, `${at}revision`, 'the path of a field, such as "version"');
  }
  if (fields && revision === undefined) return compileHash(factory, fields);
  if (revision !== undefined && !fields) return compileRevision(factory, revision);
  throw new TypeError(`${factory}: give either option \`${at}fields\` or option \`${at}revision\``);
}

/** Each value ends with a line break, which can't be its next character, so different values never make the same text. */
function compileHash(factory: string, fields: readonly string[]): (entity: object) => string {
  const paths = [...fields].sort().map((field) => [field, field.split(".")] as const);

  return function hashFields(entity) {
    let text = "";
    for (const [field, tokens] of paths) text += `${formatField(factory, entity, field, tokens)}\n`;
    if (text.length === paths.length) {
      throw new TypeError(`${factory}: an object has none of the fields ${fields.join(", ")}`); // all such objects would have the same tag
    }
    // in UTF-8, all lone surrogates become the same character, so different texts would have the same tag
    const wellFormed = SURROGATE_REGEXP.test(text) ? JSON.stringify(text) : text;
    return hash("sha256", wellFormed, "base64url").slice(0, HASH_LENGTH);
  };
}

function formatField(factory: string, entity: object, field: string, tokens: readonly string[]): string {
  try {
    return formatCanonical(readPointer(entity, tokens)) ?? "";
  } catch (error) {
    throw new TypeError(`${factory}: field \`${field}\` can't be in a tag: ${String(error)}`, { cause: error });
  }
}

function compileRevision(factory: string, field: string): (entity: object) => string {
  const tokens = field.split(".");

  return function readRevision(entity) {
    const value = readPointer(entity, tokens);
    const text = formatRevision(value);
    if (text !== undefined && REVISION_REGEXP.test(text)) return text;
    throw new TypeError(
      `${factory}: field \`${field}\` must be an integer, a Date or 1 to 64 characters of A-Z a-z 0-9 . _ ~ : + / = -`,
    );
  };
}

function formatRevision(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return String(value);
  return value instanceof Date ? formatDate(value) : undefined;
}

function isFieldList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isPath) && new Set(value).size === value.length;
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && PATH_REGEXP.test(value);
}
