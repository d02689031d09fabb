import type { Steps } from "./steps.js";

/**
 * Sorted patterns. A binary search finds all patterns that begin at one place of a text: they are the last pattern that
 * sorts before the rest of the text, and the patterns that this one begins with.
 *
 * Beside the patterns themselves it takes 12 bytes for each of them.
 */
export interface PatternList<T> {
  readonly patterns: readonly string[];
  readonly values: readonly T[];
  /** For each pattern the index of the longest other pattern that it begins with, or `NONE`. */
  readonly shorter: Int32Array;
}

const NONE = -1;

/** Patterns that one step sorts, merges or links. */
const STEP_SIZE = 256;

/** Compile patterns, none of which may be empty. */
export function* compilePatternList<T>(values: ReadonlyMap<string, T>): Steps<PatternList<T>> {
  const patterns = yield* sort([...values.keys()]);
  const shorter = new Int32Array(patterns.length);
  const ordered: T[] = [];
  for (const [index, pattern] of patterns.entries()) {
    let place = index - 1;
    while (place !== NONE && !pattern.startsWith(patterns[place] ?? "")) place = shorter[place] ?? NONE;
    shorter[index] = place;
    ordered.push(values.get(pattern) as T);
    if (index % STEP_SIZE === 0) yield STEP_SIZE;
  }
  return { patterns, values: ordered, shorter };
}

/** Append the values of the patterns that `text` begins with to `found`, the longest first. */
export function findPrefixes<T>({ patterns, values, shorter }: PatternList<T>, text: string, found: T[]): void {
  for (let place = findLongest(patterns, shorter, text, 0); place !== NONE; place = shorter[place] ?? NONE) {
    found.push(values[place] as T);
  }
}

/** Append the values of the patterns that `text` contains to `found`, each once. */
export function findSubstrings<T>({ patterns, values, shorter }: PatternList<T>, text: string, found: T[]): void {
  const seen = new Set<number>();
  for (let start = 0; start < text.length; start++) {
    let place = findLongest(patterns, shorter, text, start);
    // where one was seen before, so were the shorter ones
    for (; place !== NONE && !seen.has(place); place = shorter[place] ?? NONE) {
      seen.add(place);
      found.push(values[place] as T);
    }
  }
}

/** The index of the longest pattern that `text` has at `start`, or `NONE`. */
function findLongest(patterns: readonly string[], shorter: Int32Array, text: string, start: number): number {
  const length = text.length - start;
  let low = 0; // the patterns below it sort before the text
  let high = patterns.length; // those from it on sort behind the text
  let sharedLow = 0; // characters that the text shares with the pattern below `low`
  let sharedHigh = 0; // and with the pattern at `high`
  while (low < high) {
    const middle = (low + high) >>> 1;
    const pattern = patterns[middle] ?? "";
    let shared = Math.min(sharedLow, sharedHigh); // all patterns in between share as many
    const end = Math.min(pattern.length, length);
    while (shared < end && pattern.charCodeAt(shared) === text.charCodeAt(start + shared)) shared++;
    const isBefore =
      shared === pattern.length || (shared < length && pattern.charCodeAt(shared) < text.charCodeAt(start + shared));
    if (isBefore) {
      low = middle + 1;
      sharedLow = shared;
    } else {
      high = middle;
      sharedHigh = shared;
    }
  }
  let place = low - 1;
  while (place !== NONE && (patterns[place] ?? "").length > sharedLow) place = shorter[place] ?? NONE;
  return place;
}

/** A sorted copy: short runs, which are then merged. */
function* sort(texts: readonly string[]): Steps<string[]> {
  let runs: string[][] = [];
  for (let start = 0; start < texts.length; start += STEP_SIZE) {
    runs.push(texts.slice(start, start + STEP_SIZE).sort());
    yield STEP_SIZE;
  }
  while (runs.length > 1) {
    const longer: string[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? []));
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merge(one: readonly string[], other: readonly string[]): Steps<string[]> {
  const merged: string[] = [];
  for (let i = 0, j = 0; i + j < one.length + other.length;) {
    const [a, b] = [one[i], other[j]];
    if (b === undefined || (a !== undefined && a < b)) {
      merged.push(a ?? "");
      i++;
    } else {
      merged.push(b);
      j++;
    }
    if (merged.length % STEP_SIZE === 0) yield STEP_SIZE / 8;
  }
  return merged;
}
