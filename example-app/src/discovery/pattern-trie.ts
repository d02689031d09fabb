/**
 * A trie of patterns. One pass over a text finds all patterns that the text begins with, or contains (Aho and Corasick,
 * 1975).
 *
 * Nodes are numbered breadth first over the sorted patterns. The children of a node are therefore adjacent and in the
 * order of their characters, and the trie is a few flat arrays: 18 bytes a node, less than 22 MB for 100,000 patterns
 * of twelve characters.
 */
export interface PatternTrie<T> {
  /** By node: the character on the edge to it. */
  readonly chars: Uint16Array;
  /** By node: its first child. Its children end where those of the next node begin. */
  readonly firstChild: Int32Array;
  /** By node: the index in `values` of the pattern that ends here, or `NONE`. */
  readonly valueOf: Int32Array;
  readonly values: readonly T[];
  /** By node: the node of the longest proper suffix of its text. */
  readonly failure: Int32Array;
  /** By node: the longest such suffix that is a pattern, or `ROOT`. */
  readonly nextMatch: Int32Array;
}

const ROOT = 0;
const NONE = -1;

/** Compile patterns, none of which may be empty. */
export function compilePatternTrie<T>(patterns: ReadonlyMap<string, T>): PatternTrie<T> {
  const entries = [...patterns].sort(([a], [b]) => (a < b ? -1 : 1));
  const trie = {
    ...buildNodes(entries.map(([pattern]) => pattern)),
    values: entries.map(([, value]) => value),
  };
  linkSuffixes(trie);
  return trie;
}

/** Append the values of the patterns that `text` begins with to `found`. Stops at the end of the longest pattern. */
export function findPrefixes<T>(trie: PatternTrie<T>, text: string, found: T[]): void {
  let node = ROOT;
  for (let i = 0; i < text.length; i++) {
    node = childOf(trie, node, text.charCodeAt(i));
    if (node === NONE) return;
    appendValue(trie, node, found);
  }
}

/** Append the values of the patterns that `text` contains to `found`, once for each occurrence. */
export function findSubstrings<T>(trie: PatternTrie<T>, text: string, found: T[]): void {
  let node = ROOT;
  for (let i = 0; i < text.length; i++) {
    node = follow(trie, node, text.charCodeAt(i));
    for (let match = node; match !== ROOT; match = at(trie.nextMatch, match)) appendValue(trie, match, found);
  }
}

type Nodes = Omit<PatternTrie<unknown>, "values">;

function buildNodes(sorted: readonly string[]): Nodes {
  const size = countNodes(sorted);
  const chars = new Uint16Array(size);
  const firstChild = new Int32Array(size + 1).fill(size);
  const valueOf = new Int32Array(size).fill(NONE);
  // a node stands for the range of patterns that begin with its text
  const start = new Int32Array(size);
  const end = new Int32Array(size).fill(sorted.length, ROOT, ROOT + 1);

  let next = ROOT + 1;
  let nextLevel = next;
  let depth = 0;
  for (let node = ROOT; node < size; node++) {
    if (node === nextLevel) {
      depth++;
      nextLevel = next;
    }
    firstChild[node] = next;
    let i = at(start, node);
    if (sorted[i]?.length === depth) valueOf[node] = i++; // the shortest of the range sorts first
    while (i < at(end, node)) {
      const char = charAt(sorted, i, depth);
      chars[next] = char;
      start[next] = i;
      while (i < at(end, node) && charAt(sorted, i, depth) === char) i++;
      end[next++] = i;
    }
  }
  return { chars, firstChild, valueOf, failure: new Int32Array(size), nextMatch: new Int32Array(size) };
}

/** The number of nodes: the root, and for each pattern the characters that it doesn't share with the one before. */
function countNodes(sorted: readonly string[]): number {
  let count = 1;
  let previous = "";
  for (const pattern of sorted) {
    let shared = 0;
    while (shared < previous.length && previous.charCodeAt(shared) === pattern.charCodeAt(shared)) shared++;
    count += pattern.length - shared;
    previous = pattern;
  }
  return count;
}

/** Fill `failure` and `nextMatch`, breadth first: the links of a suffix, which is shorter, are already set. */
function linkSuffixes(trie: PatternTrie<unknown>): void {
  const { chars, firstChild, valueOf, failure, nextMatch } = trie;
  for (let node = ROOT; node < chars.length; node++) {
    for (let child = at(firstChild, node); child < at(firstChild, node + 1); child++) {
      const suffix = node === ROOT ? ROOT : follow(trie, at(failure, node), at(chars, child));
      failure[child] = suffix;
      nextMatch[child] = at(valueOf, suffix) === NONE ? at(nextMatch, suffix) : suffix;
    }
  }
}

/** The node of the longest suffix of the text of `from` plus `char` that some pattern begins with. */
function follow(trie: Nodes, from: number, char: number): number {
  for (let node = from; ; node = at(trie.failure, node)) {
    const child = childOf(trie, node, char);
    if (child !== NONE) return child;
    if (node === ROOT) return ROOT;
  }
}

function childOf({ chars, firstChild }: Nodes, node: number, char: number): number {
  let low = at(firstChild, node);
  let high = at(firstChild, node + 1) - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = at(chars, middle);
    if (found === char) return middle;
    if (found < char) low = middle + 1;
    else high = middle - 1;
  }
  return NONE;
}

function appendValue<T>({ valueOf, values }: PatternTrie<T>, node: number, found: T[]): void {
  const place = at(valueOf, node);
  if (place !== NONE) found.push(values[place] as T);
}

function at(array: Int32Array | Uint16Array, index: number): number {
  return array[index] ?? NONE;
}

function charAt(patterns: readonly string[], index: number, depth: number): number {
  return patterns[index]?.charCodeAt(depth) ?? NONE;
}
