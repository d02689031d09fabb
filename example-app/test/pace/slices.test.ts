import { setImmediate } from "node:timers/promises";
import type { Steps } from "../../src/pace/steps.js";
import { createTurns, runInSlices, SLICE_COST } from "../../src/pace/slices.js";

function* work(...costs: number[]): Steps<string> {
  yield* costs;
  return "done";
}

describe("runInSlices()", () => {
  it("pauses when the steps of a turn have cost enough", async () => {
    let turns = 0;
    const nextTurn = () => Promise.resolve(turns++);
    expect(await runInSlices(work(SLICE_COST - 1), nextTurn)).toEqual({
      value: "done",
      slices: 1,
      longest: SLICE_COST - 1,
    });
    expect(await runInSlices(work(1, SLICE_COST - 1, 2), nextTurn)).toEqual({
      value: "done",
      slices: 2,
      longest: SLICE_COST,
    });
    expect(turns).toBe(1);
  });

  it("lets the event loop turn by default", async () => {
    let turns = 0;
    const done = runInSlices(work(SLICE_COST, SLICE_COST, SLICE_COST));
    const state = { isDone: false };
    void done.then(() => (state.isDone = true));
    while (!state.isDone) {
      await setImmediate();
      turns++;
    }
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});

describe("createTurns()", () => {
  it("S9 gives each caller a turn of its own: the orgs in turn, those of an org in the order in which they asked", async () => {
    const turnsOf = createTurns();
    const order: string[] = [];
    let turn = 0;
    const enter = (name: string) => turnsOf(name.slice(1))().then(() => order.push(`${name} in turn ${turn}`));
    const all = Promise.all(["a1", "b1", "c1", "d2"].map(enter));
    const state = { isDone: false };
    void all.then(() => (state.isDone = true));
    while (!state.isDone) {
      await setImmediate();
      turn++;
    }
    const turns = order.map((text) => Number(text.slice("a1 in turn ".length)));
    expect(order.map((text) => text[0])).toEqual(["a", "d", "b", "c"]);
    expect(new Set(turns).size).toBe(4);
  });
});
