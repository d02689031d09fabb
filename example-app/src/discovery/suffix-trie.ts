import { createBucket, type Bucket } from "./bucket.js";
import { isBoundary } from "./identifier.js";

/**
 * Suffixes by label, from the right. Each label includes the `.` or `@` that follows it: `joe@example.com` is `com`,
 * `example.`, `joe@`. A lookup goes no deeper than the stored suffixes, so texts with many labels cost no more.
 */
export interface SuffixTrie {
  /** The bucket of a suffix; created when there is none. */
  bucketFor(suffix: string): Bucket;
  /** Append the buckets of all suffixes that match `text` to `found`. */
  find(text: string, found: Bucket[]): void;
}

interface SuffixNode {
  labels?: Map<string, SuffixNode>;
  /** For suffixes that begin with a label. */
  any?: Bucket;
  /** For suffixes that begin with `@`. */
  domain?: Bucket;
  /** For suffixes that begin with `.`. */
  below?: Bucket;
}

const AT = "@".charCodeAt(0);

export function createSuffixTrie(): SuffixTrie {
  const root: SuffixNode = {};

  return {
    bucketFor(suffix) {
      const first = suffix.charCodeAt(0);
      if (!isBoundary(first)) return (insert(root, suffix).any ??= createBucket());
      const node = insert(root, suffix.slice(1));
      return first === AT ? (node.domain ??= createBucket()) : (node.below ??= createBucket());
    },

    find(text, found) {
      let node: SuffixNode | undefined = root;
      let end = text.length;
      let boundary = lastBoundary(text, end - 1);
      while ((node = node.labels?.get(text.slice(boundary + 1, end)))) {
        if (node.any) found.push(node.any);
        if (boundary < 0) return;
        const bucket = text.charCodeAt(boundary) === AT ? node.domain : node.below;
        if (bucket) found.push(bucket);
        end = boundary + 1;
        boundary = lastBoundary(text, boundary - 1);
      }
    },
  };
}

/** The node of a suffix; created when there is none. */
function insert(root: SuffixNode, suffix: string): SuffixNode {
  let node = root;
  let end = suffix.length;
  let boundary = lastBoundary(suffix, end - 1);
  for (;;) {
    const label = suffix.slice(boundary + 1, end);
    const labels = (node.labels ??= new Map<string, SuffixNode>());
    let child = labels.get(label);
    if (!child) labels.set(label, (child = {}));
    node = child;
    if (boundary < 0) return node;
    end = boundary + 1;
    boundary = lastBoundary(suffix, boundary - 1);
  }
}

/** The index of the last `.` or `@` at or before `from`, or -1. */
function lastBoundary(text: string, from: number): number {
  let place = from;
  while (place >= 0 && !isBoundary(text.charCodeAt(place))) place--;
  return place;
}
