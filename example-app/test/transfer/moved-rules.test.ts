import fc from "fast-check";
import { findMoved } from "../../src/transfer/moved-rules.js";

const placed = (ids: readonly string[]) => ids.map((id, i) => ({ id, priority: i + 1 }));

/** Whether the ids that both lists have, and `left` has not, have one order. */
function hasOneOrder(before: readonly string[], after: readonly string[], left: ReadonlySet<string>): boolean {
  const kept = (ids: readonly string[], others: readonly string[]) =>
    ids.filter((id) => others.includes(id) && !left.has(id));
  return kept(before, after).join() === kept(after, before).join();
}

describe("findMoved()", () => {
  it.each([
    ["a b c", "a b c", ""],
    ["a b c", "b c a", "a"],
    ["other second first", "first second other", "first,second"],
    ["a b", "c a b", ""],
    ["a b c", "c", ""],
  ])("%s becomes %s when %p moves", (before, after, moved) => {
    const found = findMoved(placed(before.split(" ")), placed(after.split(" ")));
    expect([...found].sort().join()).toBe(moved);
  });

  it("moves the chosen ones, as few as possible, when the others keep their order", () => {
    const others = ["a", "b", "c", "d"];
    const chosen = new Set(["x", "y"]);
    const insert = (places: readonly number[]) =>
      [...chosen].reduce((ids, id, i) => ids.toSpliced((places[i] ?? 0) % (ids.length + 1), 0, id), [...others]);
    const order = fc.array(fc.nat(8), { minLength: 2, maxLength: 2 }).map(insert);
    fc.assert(
      fc.property(order, order, (before, after) => {
        const moved = findMoved(placed(before), placed(after), chosen);
        expect([...moved].filter((id) => !chosen.has(id))).toEqual([]);
        expect(hasOneOrder(before, after, moved)).toBe(true);
        for (const id of moved)
          expect(hasOneOrder(before, after, new Set([...moved].filter((one) => one !== id)))).toBe(false);
      }),
    );
    expect([...findMoved(placed(["a", "x"]), placed(["x", "a"]), chosen)]).toEqual(["x"]);
  });

  it("finds the fewest rules without which the others keep their order", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const list = fc.shuffledSubarray(ids);
    fc.assert(
      fc.property(list, list, (before, after) => {
        const moved = findMoved(placed(before), placed(after));
        expect(hasOneOrder(before, after, moved)).toBe(true);
        for (let bits = 0; bits < 2 ** ids.length; bits++) {
          const fewer = new Set(ids.filter((_, i) => (bits >> i) % 2 === 1));
          if (fewer.size < moved.size) expect(hasOneOrder(before, after, fewer)).toBe(false);
        }
      }),
    );
  });
});
