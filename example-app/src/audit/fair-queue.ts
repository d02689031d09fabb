/** What a queue needs to know of its items. */
export interface QueuedItem {
  /** Items of one org, or of none that is known, share a place in the queue. */
  readonly orgId: string | undefined;
  /** Items of a low rank are dropped before those of a higher one. */
  readonly rank: number;
  /** The size of the item in bytes. */
  readonly size: number;
}

/** Items that wait, of all orgs. */
export interface FairQueue<T extends QueuedItem> {
  /** How many wait. */
  readonly count: number;
  /** How many orgs have items that wait. All items of no known org count as those of one org. */
  readonly orgs: number;
  /** The bytes of those that wait, and of those that were taken. */
  readonly size: number;
  /** @returns the items that were dropped to make room */
  add(item: T): T[];
  /** Take items of every org, the oldest first. They count until {@link giveBack}. */
  take(): T[];
  /** End the work on all that was taken. These items come first again. */
  giveBack(items: readonly T[]): void;
}

interface Items<T> {
  items: T[];
  size: number;
}

/** This part of the limit is taken at most, so that items of other orgs have room meanwhile. */
const TAKEN = 1 / 4;

/** A full queue is emptied to this part of the limit, so that room is not made for each item. */
const KEPT = 7 / 8;

/**
 * A queue of at most `limit` bytes that no org can fill. When it is full, the orgs with the most bytes lose items until
 * each has the same share: items of the lowest rank, the oldest first. An org below this share loses nothing.
 */
// eslint-disable-next-line max-lines-per-function -- its functions share the queues and their sizes
export function createFairQueue<T extends QueuedItem>(limit: number): FairQueue<T> {
  const queues = new Map<string | undefined, Items<T>>();
  let count = 0;
  let size = 0;
  let underWay = 0;

  return {
    get count() {
      return count;
    },
    get orgs() {
      return queues.size;
    },
    get size() {
      return size + underWay;
    },
    add(item) {
      enqueue(item);
      return size + underWay > limit ? makeRoom() : [];
    },
    take() {
      const share = fairShare(sizesOf(queues), limit * TAKEN);
      const taken = [...queues].flatMap(([orgId, queue]) => {
        const end = countUpTo(queue, share);
        const oldest = queue.items.slice(0, end);
        keep(orgId, queue, queue.items.slice(end));
        return oldest;
      });
      underWay += sum(taken);
      return taken;
    },
    giveBack(items) {
      underWay = 0;
      if (items.length === 0) return;
      const later = [...queues.values()].flatMap((queue) => queue.items);
      queues.clear();
      count = size = 0;
      for (const item of [...items, ...later]) enqueue(item);
    },
  };

  function enqueue(item: T): void {
    let queue = queues.get(item.orgId);
    if (!queue) queues.set(item.orgId, (queue = { items: [], size: 0 }));
    queue.items.push(item);
    queue.size += item.size;
    count++;
    size += item.size;
  }

  function keep(orgId: string | undefined, queue: Items<T>, items: T[]): void {
    const before = queue.size;
    count += items.length - queue.items.length;
    queue.items = items;
    queue.size = sum(items);
    size += queue.size - before;
    if (items.length === 0) queues.delete(orgId);
  }

  function makeRoom(): T[] {
    const share = fairShare(sizesOf(queues), limit * KEPT - underWay);
    return [...queues].flatMap(([orgId, queue]) => {
      const lost = chooseLost(queue, share);
      if (lost.size > 0) {
        keep(
          orgId,
          queue,
          queue.items.filter((item) => !lost.has(item)),
        );
      }
      return [...lost];
    });
  }
}

/** The greatest size that all may have, so that they have at most `total` together. */
export function fairShare(sizes: readonly number[], total: number): number {
  let left = total;
  for (const [i, size] of [...sizes].sort((a, b) => a - b).entries()) {
    const share = left / (sizes.length - i);
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

/** How many of the oldest items fit into `share`, but at least one. */
function countUpTo({ items, size }: Items<QueuedItem>, share: number): number {
  if (size <= share) return items.length;
  let left = share;
  const end = items.findIndex((item) => (left -= item.size) < 0);
  return Math.max(1, end);
}

/** The items that are dropped so that the others have at most `share` bytes. */
function chooseLost<T extends QueuedItem>({ items, size }: Items<T>, share: number): Set<T> {
  const lost = new Set<T>();
  if (size <= share) return lost;
  let left = size;
  for (const item of [...items].sort((a, b) => a.rank - b.rank)) {
    if (left <= share) break;
    lost.add(item);
    left -= item.size;
  }
  return lost;
}

function sizesOf(queues: ReadonlyMap<unknown, { readonly size: number }>): number[] {
  return Array.from(queues.values(), ({ size }) => size);
}

function sum(items: readonly QueuedItem[]): number {
  return items.reduce((total, { size }) => total + size, 0);
}
