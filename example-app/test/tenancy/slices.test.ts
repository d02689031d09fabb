import { setImmediate } from "node:timers/promises";
import type { Steps } from "../../src/discovery/steps.js";
import { createTurns, runInSlices, SLICE_COST } from "../../src/tenancy/slices.js";

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
  it("gives each caller a turn of its own, in the order in which they asked", async () => {
    const nextTurn = createTurns();
    const order: string[] = [];
    let turn = 0;
    const enter = (name: string) => nextTurn().then(() => order.push(`${name} in turn ${turn}`));
    const all = Promise.all([enter("a"), enter("b"), enter("c")]);
    const state = { isDone: false };
    void all.then(() => (state.isDone = true));
    while (!state.isDone) {
      await setImmediate();
      turn++;
    }
    const turns = order.map((text) => Number(text.slice("a in turn ".length)));
    expect(order.map((text) => text[0])).toEqual(["a", "b", "c"]);
    expect(new Set(turns).size).toBe(3);
  });
});
