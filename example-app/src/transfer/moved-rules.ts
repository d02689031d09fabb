import type { Rule } from "../model/records.js";

type Placed = Pick<Rule, "id" | "priority">;

/**
 * The rules that must move for this order, as few as possible: the others keep theirs.
 *
 * @param chosen has the ids of those that move before others do, if the others are in order; by default all are alike
 */
export function findMoved(
  before: readonly Placed[],
  after: readonly Placed[],
  chosen: Pick<ReadonlySet<string>, "has"> = NONE,
): Set<string> {
  const places = new Map(before.map(({ id, priority }) => [id, priority]));
  const all = after.filter(({ id }) => places.has(id)).sort((a, b) => a.priority - b.priority);
  const moved = findMisplaced(all, places, chosen);
  const common = all.filter(({ id }) => !moved.has(id));
  const kept = new Set(findIncreasing(common.map(({ id }) => places.get(id) ?? 0)));
  for (const [index, { id }] of common.entries()) if (!kept.has(index)) moved.add(id);
  return moved;
}

const NONE: ReadonlySet<string> = new Set();

/** The chosen rules that are not between the same others as before. */
function findMisplaced(
  rules: readonly Placed[],
  places: ReadonlyMap<string, number>,
  chosen: Pick<ReadonlySet<string>, "has">,
): Set<string> {
  const misplaced = new Set<string>();
  let highest = -Infinity;
  for (const { id } of rules) {
    const place = places.get(id) ?? 0;
    if (!chosen.has(id)) highest = Math.max(highest, place);
    else if (place < highest) misplaced.add(id);
  }
  let lowest = Infinity;
  for (const { id } of rules.toReversed()) {
    const place = places.get(id) ?? 0;
    if (!chosen.has(id)) lowest = Math.min(lowest, place);
    else if (place > lowest) misplaced.add(id);
  }
  return misplaced;
}

/** The indexes of a longest increasing subsequence, by patience sorting. */
function findIncreasing(numbers: readonly number[]): number[] {
  const ends: number[] = []; // by length, the index at which such a subsequence ends with the least number
  const previous: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous.push(low > 0 ? ends[low - 1] : undefined);
    ends[low] = index;
  }
  const found: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) found.push(index);
  return found;
}
