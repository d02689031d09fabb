import { excerpt } from "../text/index.js";
import { parseArrayIndex } from "./array-index.js";
import { formatPointer, parsePointer, readPointer } from "./json-pointer.js";
import { isJsonEqual, isObject } from "./json-value.js";
import { PatchError, type PatchFaultReason } from "./patch-error.js";
import { countMarks, DEFAULT_MAX_STEPS, Steps } from "./patch-steps.js";

/** The media type of a JSON Patch, RFC 6902. */
export const JSON_PATCH_TYPE = "application/json-patch+json";

export { PatchError, type PatchFaultReason };

/** An operation with parsed pointers. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: readonly string[]; readonly value: unknown }
  | { readonly op: "remove"; readonly path: readonly string[] }
  | { readonly op: "move" | "copy"; readonly path: readonly string[]; readonly from: readonly string[] };

/** A parsed JSON Patch, see {@link parseJsonPatch}. */
export type JsonPatch = readonly JsonPatchOperation[];

type Container = unknown[] | Record<string, unknown>;

const ROOT = Symbol("root");
const MOVING = Symbol("moving");

/** The token for the position after the last element, in `add` (section 4.1). */
const END = "-";

/** Refused, because an object with such a member of its own breaks other code. */
const PROTOTYPE = "__proto__";

/** How many elements of an array are copied or moved in the time of one member of an object. */
const COPIES_PER_STEP = 16;
const MOVES_PER_STEP = 256;

/** As many tokens, and as many characters of each, as an excerpt can show. */
const MAX_SHOWN = 64;

/**
 * Read a JSON Patch from a value of JSON. Members that RFC 6902 does not define are ignored (section 3).
 *
 * @param maxOperations how many operations the patch may have
 * @param maxSteps how many tokens and escapes all its pointers may have together; 20,000 if absent
 * @throws {PatchError} `malformed`, `count` or `steps`
 * @example
 * const patch = parseJsonPatch([{ op: "replace", path: "/name", value: "Ann" }], 100);
 */
export function parseJsonPatch(
  document: unknown,
  maxOperations: number,
  maxSteps: number = DEFAULT_MAX_STEPS,
): JsonPatch {
  if (!Array.isArray(document)) throw new PatchError("malformed", "A JSON Patch must be an array of operations.");
  if (document.length > maxOperations) {
    throw new PatchError("count", `The patch has ${document.length} operations; at most ${maxOperations} are allowed.`);
  }
  const steps = new Steps(maxSteps);
  return document.map((operation, index) => parseOperation(operation, index, steps));
}

/**
 * Apply all operations of `patch` to `document`, or none. Neither is changed. The result shares unchanged parts with the
 * document, so change neither of them afterwards.
 *
 * A container is copied before its first change, and again after a `copy` of it.
 *
 * @param maxSteps how many steps the patch may take; 20,000 if absent. Each token of a pointer is one, each member of an
 *   object that is copied or compared, each element that is compared, every 16 elements that are copied with an array, and
 *   every 256 that an insertion or removal moves.
 * @throws {PatchError} `path`, `test` or `steps`
 * @example
 * const patch = parseJsonPatch([{ op: "remove", path: "/nickName" }], 100);
 * applyJsonPatch({ name: "Ann", nickName: "A" }, patch); // { name: "Ann" }
 */
export function applyJsonPatch(document: unknown, patch: JsonPatch, maxSteps: number = DEFAULT_MAX_STEPS): unknown {
  const draft = new Draft(document, new Steps(maxSteps));
  patch.forEach((operation, index) => {
    draft.apply(operation, index);
  });
  return draft.root;
}

function parseOperation(value: unknown, index: number, steps: Steps): JsonPatchOperation {
  const fail = (problem: string) => new PatchError("malformed", `Operation ${index}: ${problem}.`, index);
  if (!isObject(value)) throw fail("it is not an object");

  const pointer = (member: "path" | "from"): readonly string[] => {
    const text = Object.hasOwn(value, member) ? value[member] : undefined;
    if (typeof text === "string") steps.take(countMarks(text), index);
    const tokens = typeof text === "string" ? parsePointer(text) : undefined;
    if (tokens === undefined) throw fail(`"${member}" is ${text === undefined ? "missing" : "not a JSON Pointer"}`);
    if (tokens.includes(PROTOTYPE)) throw fail(`"${member}" names "${PROTOTYPE}"`);
    return tokens;
  };

  const op = Object.hasOwn(value, "op") ? value["op"] : undefined;
  switch (op) {
    case "add":
    case "replace":
    case "test":
      if (!Object.hasOwn(value, "value")) throw fail('"value" is missing');
      return { op, path: pointer("path"), value: value["value"] };
    case "remove":
      return { op, path: pointer("path") };
    case "copy":
      return { op, path: pointer("path"), from: pointer("from") };
    case "move": {
      const path = pointer("path");
      const from = pointer("from");
      if (path.length > from.length && from.every((token, depth) => token === path[depth])) {
        throw fail('"from" is moved into one of its own members'); // section 4.4
      }
      return { op, path, from };
    }
    default:
      throw fail('"op" must be add, remove, replace, move, copy or test');
  }
}

/**
 * A document that is being changed. A container is copied before its first change. The draft changes the copy as long as
 * it is in one place alone: where it was made, or where it was moved.
 */
class Draft {
  root: unknown;
  /** The containers that the draft made, and where each is: in another one, as the root, or between two places. */
  readonly #holders = new Map<unknown, Container | typeof ROOT | typeof MOVING>();

  constructor(
    root: unknown,
    private readonly steps: Steps,
  ) {
    this.root = root;
  }

  apply(operation: JsonPatchOperation, index: number): void {
    const { op, path } = operation;
    this.steps.take(path.length, index);
    switch (op) {
      case "add":
        this.#add(path, operation.value, index);
        break;
      case "replace":
        this.#replace(path, operation.value, index);
        break;
      case "remove":
        this.#remove(path, index);
        break;
      case "move":
        this.steps.take(operation.from.length, index);
        this.#add(path, this.#remove(operation.from, index), index);
        break;
      case "copy": {
        this.steps.take(operation.from.length, index);
        const value = this.#read(operation.from, index);
        this.#holders.delete(value); // it is in two places now; what it holds, in a container that changes no more
        this.#add(path, value, index);
        break;
      }
      case "test":
        this.#test(path, operation.value, index);
    }
  }

  #read(path: readonly string[], index: number): unknown {
    const value = readPointer(this.root, path);
    if (value === undefined) throw missing(path, index);
    return value;
  }

  #test(path: readonly string[], expected: unknown, index: number): void {
    const onCompare = (count: number) => {
      this.steps.take(count, index);
    };
    if (isJsonEqual(this.#read(path, index), expected, onCompare)) return;
    throw new PatchError("test", `Operation ${index}: the value at ${formatPlace(path)} is different.`, index);
  }

  #add(path: readonly string[], value: unknown, index: number): void {
    const parent = this.#open(path, index);
    const token = path.at(-1);
    if (parent === undefined || token === undefined) {
      this.root = value;
    } else if (Array.isArray(parent)) {
      const position = token === END ? parent.length : parseArrayIndex(token);
      if (position < 0 || position > parent.length) throw missing(path, index);
      this.steps.take(Math.ceil((parent.length - position) / MOVES_PER_STEP), index);
      parent.splice(position, 0, value);
    } else {
      parent[token] = value;
    }
    if (this.#holders.get(value) === MOVING) this.#holders.set(value, parent ?? ROOT);
  }

  #replace(path: readonly string[], value: unknown, index: number): void {
    const parent = this.#open(path, index);
    const token = path.at(-1);
    if (parent === undefined || token === undefined) {
      this.root = value;
      return;
    }
    if (!has(parent, token)) throw missing(path, index);
    (parent as Record<string, unknown>)[token] = value;
  }

  #remove(path: readonly string[], index: number): unknown {
    const parent = this.#open(path, index);
    const token = path.at(-1);
    if (parent === undefined || token === undefined) {
      const { root } = this;
      this.root = null; // a document always has a value
      return root;
    }
    if (!has(parent, token)) throw missing(path, index);
    const value = (parent as Record<string, unknown>)[token];
    if (Array.isArray(parent)) {
      this.steps.take(Math.ceil((parent.length - Number(token)) / MOVES_PER_STEP), index);
      parent.splice(Number(token), 1);
    } else {
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- members of JSON are dynamic
      delete parent[token];
    }
    if (this.#holders.get(value) === parent) this.#holders.set(value, MOVING);
    return value;
  }

  /** The draft's copy of the container of `path`; `undefined` for the whole document. */
  #open(path: readonly string[], index: number): Container | undefined {
    if (path.length === 0) return undefined;
    let container = this.#adopt(this.root, ROOT, path, index);
    this.root = container;
    for (const token of path.slice(0, -1)) {
      if (!has(container, token)) throw missing(path, index);
      const members = container as Record<string, unknown>;
      container = this.#adopt(members[token], container, path, index);
      members[token] = container;
    }
    return container;
  }

  #adopt(value: unknown, holder: Container | typeof ROOT, path: readonly string[], index: number): Container {
    if (typeof value !== "object" || value === null) throw missing(path, index);
    if (this.#holders.get(value) === holder) return value as Container;
    let copy: Container;
    if (Array.isArray(value)) {
      this.steps.take(Math.ceil(value.length / COPIES_PER_STEP), index);
      copy = [...(value as unknown[])];
    } else {
      this.steps.take(Object.keys(value).length, index);
      copy = { ...value };
    }
    this.#holders.set(copy, holder);
    return copy;
  }
}

function has(container: Container, token: string): boolean {
  if (!Array.isArray(container)) return Object.hasOwn(container, token);
  const position = parseArrayIndex(token);
  return position >= 0 && position < container.length;
}

function missing(path: readonly string[], index: number): PatchError {
  return new PatchError("path", `Operation ${index}: there is nothing at ${formatPlace(path)}.`, index);
}

function formatPlace(path: readonly string[]): string {
  return excerpt(formatPointer(path.slice(0, MAX_SHOWN).map((token) => token.slice(0, MAX_SHOWN + 1))));
}
