import { assertKnownOptions, maxBytesPerCharacterOption } from "../factory/index.js";
import { SURROGATE } from "../text/index.js";
import { formatPointer } from "./json-pointer.js";

/** Forbidden characters, by the bytes that a character may take: with four, only halves of surrogate pairs. */
const FORBIDDEN_REGEXPS = { 3: new RegExp(SURROGATE), 4: /\p{Surrogate}/u } as const;

/** Options of {@link findForbiddenText}. */
export interface ForbiddenTextOptions {
  /**
   * How many bytes a character may take in UTF-8. With 4, only halves of surrogate pairs are forbidden.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const OPTIONS: Record<keyof ForbiddenTextOptions, true> = { maxBytesPerCharacter: true };

/**
 * Find the first string or key in `value` with a character of four bytes in UTF-8, or half of a surrogate pair. Returns
 * its JSON Pointer; `""` is `value` itself. For values that were parsed before their text was checked: it can't see what
 * the parser replaced by U+FFFD, or left out as a byte order mark. Works at any depth; an object that occurs several
 * times, or inside itself, is checked once.
 *
 * @throws {TypeError} when an option is unknown or neither 3 nor 4
 * @example
 * findForbiddenText({ name: ["Jo", "😀"] }); // "/name/1"
 */
export function findForbiddenText(value: unknown, options: Readonly<ForbiddenTextOptions> = {}): string | undefined {
  assertKnownOptions("findForbiddenText", options, OPTIONS);
  const forbidden = FORBIDDEN_REGEXPS[maxBytesPerCharacterOption("findForbiddenText", options.maxBytesPerCharacter)];
  const isForbidden = (part: unknown): boolean => typeof part === "string" && forbidden.test(part);
  if (isForbidden(value)) return "";
  const seen = new Set<object>();
  const path: Container[] = [];
  enter(value);

  for (let container = path.at(-1); container !== undefined; container = path.at(-1)) {
    const key = container.keys[++container.position];
    if (key === undefined) {
      path.pop();
      continue;
    }
    const child = container.members[key];
    if (isForbidden(key) || isForbidden(child)) {
      return formatPointer(path.map(({ keys, position }) => keys[position] ?? ""));
    }
    enter(child);
  }
  return undefined;

  function enter(child: unknown): void {
    if (typeof child !== "object" || child === null || ArrayBuffer.isView(child) || seen.has(child)) return;
    seen.add(child);
    path.push({ members: child as Record<string, unknown>, keys: Object.keys(child), position: -1 });
  }
}

interface Container {
  readonly members: Readonly<Record<string, unknown>>;
  readonly keys: readonly string[];
  /** The index of the current key. */
  position: number;
}
