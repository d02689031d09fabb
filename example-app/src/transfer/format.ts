import type { Steps } from "../pace/steps.js";
import { costOf } from "./costs.js";

/** The levels above the records of a file: the document, its orgs, an org, its lists. */
const LEVELS = 4;

/** What is too much of a text. */
export interface FormatLimits {
  readonly bytes: number;
  /** Members of objects and elements of arrays. */
  readonly members: number;
}

/** The text is longer than the limits allow; `count` is where that was seen. */
export class FormatError extends Error {
  override readonly name = "FormatError";

  constructor(
    readonly limit: keyof FormatLimits,
    readonly count: number,
  ) {
    super(`${count} ${limit}`);
  }
}

/**
 * `JSON.stringify(value, null, 2)` of a document, in steps: one for each record.
 *
 * @throws {FormatError} as soon as the text exceeds a limit
 */
export function* formatInSteps(value: object, limits: FormatLimits): Steps<string> {
  const pieces: string[] = [];
  const size = { bytes: 0, members: 0 };

  function count(limit: keyof FormatLimits, more: number): void {
    size[limit] += more;
    if (size[limit] > limits[limit]) throw new FormatError(limit, size[limit]);
  }

  function add(piece: string): void {
    pieces.push(piece);
    count("bytes", Buffer.byteLength(piece));
  }

  function* format(part: unknown, level: number): Steps<void> {
    const isArray = Array.isArray(part);
    const entries = typeof part === "object" && part !== null ? Object.entries(part) : [];
    if (level === LEVELS || entries.length === 0) {
      yield costOf(part);
      count("members", membersOf(part));
      add(JSON.stringify(part, null, 2).replaceAll("\n", `\n${"  ".repeat(level)}`));
      return;
    }
    let separator = isArray ? "[" : "{";
    for (const [key, member] of entries as [string, unknown][]) {
      if (member === undefined) continue;
      count("members", 1);
      add(`${separator}\n${"  ".repeat(level + 1)}${isArray ? "" : `${JSON.stringify(key)}: `}`);
      yield* format(member, level + 1);
      separator = ",";
    }
    add(`\n${"  ".repeat(level)}${isArray ? "]" : "}"}`);
  }

  yield* format(value, 0);
  return pieces.join("");
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>(
    (sum, member) => (member === undefined ? sum : sum + 1 + membersOf(member)),
    0,
  );
}
