import type { Steps } from "../pace/steps.js";

/**
 * Sorted patterns. A binary search finds all patterns that begin at one place of a text: they are the last pattern that
 * sorts before the rest of the text, and the patterns that this one begins with.
 *
 * The search compares no character of the text twice: it knows how much each pattern shares with the two that bound it
 * when the search comes to it (Manber and Myers, Suffix arrays, 1993, section 2.2). So a place takes at most the time of
 * the longest pattern, whatever the text and the patterns are.
 *
 * It takes 16 bytes for each pattern, beside the patterns themselves.
 */
export interface PatternList<T> {
  readonly patterns: readonly string[];
  readonly values: readonly T[];
  /** The length of the shortest. None begins where a text has less left. */
  readonly shortest: number;
  /** For each pattern the index of the longest other pattern that it begins with, or `NONE`. */
  readonly shorter: Int32Array;
  /** How many characters each pattern shares with the one before the search's interval, and with the one behind it. */
  readonly sharedLow: Uint16Array;
  readonly sharedHigh: Uint16Array;
}

/** Looks for the patterns in a part of a text, from `start` to before `end`; returns the cost, see {@link Steps}. */
export type SubstringSearch = (text: string, start: number, end: number) => number;

const NONE = -1;

/** Patterns that one step sorts, merges or links. */
const STEP_SIZE = 256;

/** Places of a text, and characters compared, in a microsecond. */
const PLACES_PER_COST = 5;
const CHARACTERS_PER_COST = 250;

/** Compile patterns, none of which may be empty. */
export function* compilePatternList<T>(values: ReadonlyMap<string, T>): Steps<PatternList<T>> {
  const patterns = yield* sort([...values.keys()]);
  const shorter = new Int32Array(patterns.length);
  const ordered: T[] = [];
  let shortest = Infinity;
  for (const [index, pattern] of patterns.entries()) {
    let place = index - 1;
    while (place !== NONE && !pattern.startsWith(patterns[place] ?? "")) place = shorter[place] ?? NONE;
    shorter[index] = place;
    if (pattern.length < shortest) shortest = pattern.length;
    ordered.push(values.get(pattern) as T);
    if (index % STEP_SIZE === 0) yield STEP_SIZE;
  }
  return { patterns, values: ordered, shortest, shorter, ...(yield* compareBounds(patterns)) };
}

/** What each pattern shares with the bounds of the one interval of which it is the middle. */
function* compareBounds(patterns: readonly string[]): Steps<Pick<PatternList<unknown>, "sharedLow" | "sharedHigh">> {
  const sharedLow = new Uint16Array(patterns.length);
  const sharedHigh = new Uint16Array(patterns.length);
  const intervals: [number, number][] = [[0, patterns.length]];
  for (let count = 1, interval = intervals.pop(); interval !== undefined; count++, interval = intervals.pop()) {
    const [low, high] = interval;
    if (low === high) continue;
    const middle = (low + high) >>> 1;
    sharedLow[middle] = countShared(patterns[low - 1], patterns[middle]);
    sharedHigh[middle] = countShared(patterns[middle], patterns[high]);
    intervals.push([low, middle], [middle + 1, high]);
    if (count % STEP_SIZE === 0) yield STEP_SIZE;
  }
  return { sharedLow, sharedHigh };
}

function countShared(one = "", other = ""): number {
  const end = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < end && one.charCodeAt(shared) === other.charCodeAt(shared)) shared++;
  return shared;
}

/** Append the values of the patterns that `text` begins with to `found`, the longest first. */
export function findPrefixes<T>(list: PatternList<T>, text: string, found: T[]): void {
  const { values, shorter } = list;
  for (let place = findLongest(list, text, { start: 0, compared: 0 }); place !== NONE; place = shorter[place] ?? NONE) {
    found.push(values[place] as T);
  }
}

/** Append the values of the patterns that `text` contains to `found`, each once. */
export function findSubstrings<T>(list: PatternList<T>, text: string, found: T[]): void {
  createSubstringSearch(list, found)(text, 0, text.length);
}

/** A search of several texts, or of parts of them, that appends each value once. */
export function createSubstringSearch<T>(list: PatternList<T>, found: T[]): SubstringSearch {
  const { values, shortest, shorter } = list;
  const seen = new Set<number>(); // few of many patterns

  return function searchPart(text, start, end) {
    const probe = { start, compared: 0 };
    const stop = end < text.length - shortest + 1 ? end : text.length - shortest + 1;
    for (; probe.start < stop; probe.start++) {
      let place = findLongest(list, text, probe);
      // where one was seen before, so were the shorter ones
      for (; place !== NONE && !seen.has(place); place = shorter[place] ?? NONE) {
        seen.add(place);
        found.push(values[place] as T);
      }
    }
    return (end - start) / PLACES_PER_COST + probe.compared / CHARACTERS_PER_COST;
  };
}

interface Probe {
  start: number;
  /** Counts the characters that searches have compared. */
  compared: number;
}

/** The index of the longest pattern that `text` has at the start of the probe, or `NONE`. */
function findLongest(list: PatternList<unknown>, text: string, probe: Probe): number {
  const { patterns, shorter, sharedLow, sharedHigh } = list;
  let low = 0; // the patterns below it sort before the text
  let high = patterns.length; // those from it on sort behind the text
  let withLow = 0; // characters that the text shares with the pattern below `low`
  let withHigh = 0; // and with the pattern at `high`
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isLow = withLow >= withHigh;
    const known = isLow ? withLow : withHigh;
    const shared = (isLow ? sharedLow[middle] : sharedHigh[middle]) ?? 0;
    if (shared === known) {
      const end = compare(patterns[middle] ?? "", text, probe, known);
      if (end < 0) {
        low = middle + 1;
        withLow = ~end;
      } else {
        high = middle;
        withHigh = end;
      }
    } else if (shared > known === isLow) {
      low = middle + 1;
      if (!isLow) withLow = shared;
    } else {
      high = middle;
      if (isLow) withHigh = shared;
    }
  }
  let place = low - 1;
  for (; place !== NONE && (patterns[place] ?? "").length > withLow; place = shorter[place] ?? NONE) probe.compared++;
  return place;
}

/** How many characters the pattern and the text share; the complement of it when the pattern sorts before the text. */
function compare(pattern: string, text: string, probe: Probe, known: number): number {
  const { start } = probe;
  const length = text.length - start;
  const end = Math.min(pattern.length, length);
  let shared = known;
  while (shared < end && pattern.charCodeAt(shared) === text.charCodeAt(start + shared)) shared++;
  probe.compared += shared - known;
  const isBefore =
    shared === pattern.length || (shared < length && pattern.charCodeAt(shared) < text.charCodeAt(start + shared));
  return isBefore ? ~shared : shared;
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
