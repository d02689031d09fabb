import { findLines } from "../../../../src/transfer/lines.js";
import { findTextFaults } from "../../../../src/transfer/text-faults.js";

/** What is wrong in a file, and where. */
export interface Mistake {
  /** From 1; absent if it is about the file as a whole. */
  readonly line: number | undefined;
  /** `orgs[0].zones[1].name` */
  readonly place: string;
  readonly reason: string;
  /** Whether the reason is in the words of the console, not in those of the server. */
  readonly isOwn?: boolean;
}

type Step = string | number;

/** A step of a place: `[0]`, `["first name"]`, `name`, `.name`. */
const STEP_REGEXP = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([A-Za-z_]\w*)/y;

/** What makes a text no import file, or `undefined`: it is not JSON, or has a key twice. */
export function findTextMistakes(text: string): Mistake[] | undefined {
  const { faults } = findTextFaults(text);
  if (faults.length === 0) return undefined;
  return faults.map(({ path, line, reason }) => ({ line, place: path.join("."), reason }));
}

/** The causes of a refused import, with their lines in the file, in its order. */
export function locateCauses(text: string, causes: readonly string[]): Mistake[] {
  const split = causes.map(splitCause);
  const lines = findLines(
    text,
    split.map(({ path }) => path),
  );
  return split
    .map(({ path, place, reason }, i) => ({ line: path.length === 0 ? undefined : lines[i], place, reason }))
    .sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity));
}

/** The line of a record of the file. */
export function lineOf(text: string, places: readonly string[]): number[] {
  return findLines(
    text,
    places.map((place) => splitCause(`${place}: `).path),
  );
}

function splitCause(cause: string): { path: readonly Step[]; place: string; reason: string } {
  const path: Step[] = [];
  let end = 0;
  for (;;) {
    STEP_REGEXP.lastIndex = end;
    const match = STEP_REGEXP.exec(cause);
    if (!match) break;
    const [text, index, quoted, name] = match;
    path.push(
      index === undefined ? (quoted === undefined ? String(name) : (JSON.parse(quoted) as string)) : Number(index),
    );
    end += text.length;
  }
  if (!cause.startsWith(": ", end) || path.length === 0) return { path: [], place: "", reason: cause };
  return { path, place: cause.slice(0, end), reason: cause.slice(end + 2) };
}
