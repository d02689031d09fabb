import { createFairQueue, fairShare } from "../../src/audit/fair-queue.js";

const item = (orgId: string, id: number, { rank = 0, size = 10 } = {}) => ({ orgId, id, rank, size });
const ids = (items: readonly { orgId: string; id: number }[]) => items.map(({ orgId, id }) => `${orgId}${id}`);

describe("createFairQueue()", () => {
  it.each([9, 10, 11])("S9 of %i items in the room for ten, drops the oldest only when there are too many", (count) => {
    const queue = createFairQueue<ReturnType<typeof item>>(100);
    const dropped = Array.from({ length: count }, (_, i) => queue.add(item("a", i))).flat();
    expect(ids(dropped)).toEqual(count > 10 ? ["a0", "a1", "a2"] : []);
    expect(queue.count).toBe(count - dropped.length);
  });

  it("S9 drops only what an org has beyond its share", () => {
    const queue = createFairQueue<ReturnType<typeof item>>(100);
    const small = [item("b", 0), item("c", 0)];
    expect(small.flatMap((each) => queue.add(each))).toEqual([]);
    for (let i = 0; i < 1_000; i++) expect(queue.add(item("a", i)).every(({ orgId }) => orgId === "a")).toBe(true);
    expect(queue.count).toBeLessThanOrEqual(10);
    for (let i = 1; i < 5; i++) queue.add(item("b", i)); // now b and a have to share
    const counts = { a: 0, b: 0, c: 0 };
    for (let left = queue.count; left > 0; left = queue.count) {
      for (const { orgId } of queue.take()) counts[orgId as "a"]++;
    }
    expect(counts).toMatchObject({ b: expect.any(Number), c: 1 });
    expect(counts.b).toBeGreaterThanOrEqual(3);
  });

  it("drops items of a low rank before older ones of a higher one", () => {
    const queue = createFairQueue<ReturnType<typeof item>>(100);
    for (let i = 0; i < 10; i++) queue.add(item("a", i, { rank: i % 2 }));
    expect(ids(queue.add(item("a", 10, { rank: 2 })))).toEqual(["a0", "a2", "a4"]);
  });

  it("takes a part of the items of each org, the oldest first, and counts them until they are given back", () => {
    const queue = createFairQueue<ReturnType<typeof item>>(100);
    for (let i = 0; i < 8; i++) queue.add(item("a", i));
    queue.add(item("b", 0));
    const taken = queue.take();
    expect(ids(taken)).toEqual(["a0", "b0"]);
    queue.add(item("a", 8));
    expect(ids(queue.add(item("a", 9)))).toEqual(["a1", "a2", "a3"]);
    queue.giveBack(taken.slice(0, 1));
    const rest: string[] = [];
    while (queue.count > 0) rest.push(...ids(queue.take()));
    expect(rest).toEqual(["a0", "a4", "a5", "a6", "a7", "a8", "a9"]);
  });

  it("takes an item that is larger than the part", () => {
    const queue = createFairQueue<ReturnType<typeof item>>(100);
    queue.add(item("a", 0, { size: 90 }));
    expect(ids(queue.take())).toEqual(["a0"]);
  });
});

describe("fairShare()", () => {
  it.each([
    [[10, 20, 30], 60, Infinity],
    [[10, 20, 30], 59, 29],
    [[10, 20, 30], 30, 10],
    [[10, 90, 90], 110, 50],
    [[5], -1, -1],
    [[], 0, Infinity],
  ])("of %j in %i is %i", (sizes, total, share) => {
    expect(fairShare(sizes, total)).toBe(share);
  });
});
