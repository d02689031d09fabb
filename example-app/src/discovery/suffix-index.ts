import { isBoundary } from "./identifier.js";

/** Suffixes, which match at the beginning of a label. */
export interface SuffixIndex<B> {
  /** The bucket of a suffix; created when there is none. */
  bucketFor(suffix: string): B;
  /** Append the buckets of all suffixes that match `text` to `found`. */
  find(text: string, found: B[]): void;
  /** The most that `find` costs, see {@link Steps}. */
  cost(): number;
}

/** What each end of a text that is looked up costs at most: it is hashed. */
const END_COST = 0.3;

/**
 * A map of all suffixes. A lookup asks it for the ends of the text that begin at a boundary, if some suffix has as many
 * labels. It goes no further than the longest suffix, so long texts and texts with many labels cost no more.
 */
export function createSuffixIndex<B>(createBucket: () => B): SuffixIndex<B> {
  const buckets = new Map<string, B>();
  // by the number of `.` and `@` inside: whether there are suffixes such as `example.com`, and such as `@example.com`
  const labels: boolean[] = [];
  const boundaries: boolean[] = [];
  let longest = 0;
  let deepest = -1;

  return {
    cost: () => 2 * (deepest + 1) * END_COST,

    bucketFor(suffix) {
      let bucket = buckets.get(suffix);
      if (!bucket) {
        buckets.set(suffix, (bucket = createBucket()));
        note(suffix);
      }
      return bucket;
    },

    find(text, found) {
      let end = text.length;
      for (let depth = 0; depth <= deepest; depth++) {
        const boundary = lastBoundary(text, end - 1);
        if (text.length - boundary - 1 > longest) return;
        if (labels[depth] && !isBoundary(text.charCodeAt(boundary + 1))) append(text.slice(boundary + 1), found);
        if (boundary < 0) return;
        if (boundaries[depth]) append(text.slice(boundary), found);
        end = boundary;
      }
    },
  };

  function note(suffix: string): void {
    let depth = 0;
    for (let place = 1; place < suffix.length; place++) depth += Number(isBoundary(suffix.charCodeAt(place)));
    (isBoundary(suffix.charCodeAt(0)) ? boundaries : labels)[depth] = true;
    deepest = Math.max(deepest, depth);
    longest = Math.max(longest, suffix.length);
  }

  function append(suffix: string, found: B[]): void {
    const bucket = buckets.get(suffix);
    if (bucket) found.push(bucket);
  }
}

/** The index of the last `.` or `@` at or before `from`, or -1. */
function lastBoundary(text: string, from: number): number {
  let place = from;
  while (place >= 0 && !isBoundary(text.charCodeAt(place))) place--;
  return place;
}
