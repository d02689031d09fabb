import { excerpt } from "../text/index.js";
import { parseArrayIndex } from "./array-index.js";
import { formatPointer, parsePointer, readPointer } from "./json-pointer.js";
import { isJsonEqual, isJsonObject } from "./json-value.js";

/** The media type of a JSON Patch, RFC 6902. */
export const JSON_PATCH_TYPE = "application/json-patch+json";

/**
 * - `malformed`: the patch is not valid
 * - `count`: the patch has too many operations
 * - `path`: the document has nothing at a path
 * - `test`: an operation `test` failed
 */
export type PatchFaultReason = "malformed" | "count" | "path" | "test";

/**
 * A patch can't be read or applied. `message` is for its sender.
 *
 * @example
 * if (error instanceof PatchError && error.reason === "test") res.status(409);
 */
export class PatchError extends Error {
  override readonly name = "PatchError";

  constructor(
    readonly reason: PatchFaultReason,
    message: string,
    /** Index of the faulty operation of a JSON Patch. */
    readonly operation?: number,
  ) {
    super(message);
  }
}

/** An operation with parsed pointers. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: readonly string[]; readonly value: unknown }
  | { readonly op: "remove"; readonly path: readonly string[] }
  | { readonly op: "move" | "copy"; readonly path: readonly string[]; readonly from: readonly string[] };

/** A parsed JSON Patch, see {@link parseJsonPatch}. */
export type JsonPatch = readonly JsonPatchOperation[];

type Container = unknown[] | Record<string, unknown>;

/** The token for the position after the last element, in `add` (section 4.1). */
const END = "-";

/** Refused, because an object with such a member of its own breaks other code. */
const PROTOTYPE = "__proto__";

/**
 * Read a JSON Patch from a value of JSON. Members that RFC 6902 does not define are ignored (section 3).
 *
 * @param maxOperations how many operations the patch may have
 * @throws {PatchError} `malformed` or `count`
 * @example
 * const patch = parseJsonPatch([{ op: "replace", path: "/name", value: "Ann" }], 100);
 */
export function parseJsonPatch(document: unknown, maxOperations: number): JsonPatch {
  if (!Array.isArray(document)) throw new PatchError("malformed", "A JSON Patch must be an array of operations.");
  if (document.length > maxOperations) {
    throw new PatchError("count", `The patch has ${document.length} operations; at most ${maxOperations} are allowed.`);
  }
  return document.map(parseOperation);
}

/**
 * Apply all operations of `patch` to `document`, or none. Neither is changed. The result shares unchanged parts with the
 * document, so change neither of them afterwards.
 *
 * @throws {PatchError} `path` or `test`
 * @example
 * const patch = parseJsonPatch([{ op: "remove", path: "/nickName" }], 100);
 * applyJsonPatch({ name: "Ann", nickName: "A" }, patch); // { name: "Ann" }
 */
export function applyJsonPatch(document: unknown, patch: JsonPatch): unknown {
  const draft = new Draft(document);
  patch.forEach((operation, index) => {
    draft.apply(operation, index);
  });
  return draft.root;
}

function parseOperation(value: unknown, index: number): JsonPatchOperation {
  const fail = (problem: string) => new PatchError("malformed", `Operation ${index}: ${problem}.`, index);
  if (!isJsonObject(value)) throw fail("it is not an object");

  const pointer = (member: "path" | "from"): readonly string[] => {
    const text = Object.hasOwn(value, member) ? value[member] : undefined;
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

/** A document that is being changed. A container is copied before its first change; the draft owns the copy. */
class Draft {
  root: unknown;
  readonly #own = new Set<Container>();

  constructor(root: unknown) {
    this.root = root;
  }

  apply(operation: JsonPatchOperation, index: number): void {
    const { op, path } = operation;
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
        this.#add(path, this.#remove(operation.from, index), index);
        break;
      case "copy": {
        const value = this.#read(operation.from, index);
        this.#own.clear(); // the value is now in two places, so a change in one of them must copy again
        this.#add(path, value, index);
        break;
      }
      case "test":
        if (!isJsonEqual(this.#read(path, index), operation.value)) {
          throw new PatchError(
            "test",
            `Operation ${index}: the value at ${excerpt(formatPointer(path))} is different.`,
            index,
          );
        }
    }
  }

  #read(path: readonly string[], index: number): unknown {
    const value = readPointer(this.root, path);
    if (value === undefined) throw missing(path, index);
    return value;
  }

  #add(path: readonly string[], value: unknown, index: number): void {
    const parent = this.#open(path, index);
    const token = path.at(-1);
    if (parent === undefined || token === undefined) {
      this.root = value;
    } else if (Array.isArray(parent)) {
      const position = token === END ? parent.length : parseArrayIndex(token);
      if (position < 0 || position > parent.length) throw missing(path, index);
      parent.splice(position, 0, value);
    } else {
      parent[token] = value;
    }
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
    if (Array.isArray(parent)) parent.splice(Number(token), 1);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- members of JSON are dynamic
    else delete parent[token];
    return value;
  }

  /** The draft's copy of the container of `path`; `undefined` for the whole document. */
  #open(path: readonly string[], index: number): Container | undefined {
    if (path.length === 0) return undefined;
    let container = this.#adopt(this.root, path, index);
    this.root = container;
    for (const token of path.slice(0, -1)) {
      if (!has(container, token)) throw missing(path, index);
      const members = container as Record<string, unknown>;
      container = this.#adopt(members[token], path, index);
      members[token] = container;
    }
    return container;
  }

  #adopt(value: unknown, path: readonly string[], index: number): Container {
    if (typeof value !== "object" || value === null) throw missing(path, index);
    if (this.#own.has(value as Container)) return value as Container;
    const copy: Container = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    this.#own.add(copy);
    return copy;
  }
}

function has(container: Container, token: string): boolean {
  if (!Array.isArray(container)) return Object.hasOwn(container, token);
  const position = parseArrayIndex(token);
  return position >= 0 && position < container.length;
}

function missing(path: readonly string[], index: number): PatchError {
  return new PatchError("path", `Operation ${index}: there is nothing at ${excerpt(formatPointer(path))}.`, index);
}
