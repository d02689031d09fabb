import { isObject, parsePointer, readPointer } from "../../lib/json/index.js";

/** References from one place to the next; more are a cycle. */
export const MAX_REFERENCES = 16;

/** A JSON document whose objects may be references to others in it. */
export class Document {
  constructor(readonly root: Readonly<Record<string, unknown>>) {}

  /** The object at `value`, or the one that its `$ref` leads to; `undefined` for another document, a cycle or no object. */
  resolve(value: unknown): Readonly<Record<string, unknown>> | undefined {
    let current = value;
    for (let count = 0; count <= MAX_REFERENCES; count += 1) {
      if (!isObject(current)) return undefined;
      const reference = current["$ref"];
      if (typeof reference !== "string") return current;
      if (!reference.startsWith("#/")) return undefined;
      current = this.#read(reference.slice(1));
    }
    return undefined;
  }

  /** The object in member `name` of an object. */
  member(value: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
    const object = this.resolve(value);
    return object && Object.hasOwn(object, name) ? this.resolve(object[name]) : undefined;
  }

  #read(pointer: string): unknown {
    try {
      return readPointer(this.root, parsePointer(decodeURIComponent(pointer)) ?? []);
    } catch {
      return undefined;
    }
  }
}

/** The elements of a list, at most `max`; none for anything else. */
export function listOf(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}
