import { createTurnWatch, MAX_TURN_MS, NO_WATCH, resumeAfter, type LongTurn } from "../../src/pace/turn-watch.js";

/** A watch whose time and turns the test makes. */
function start() {
  let time = 1_000;
  let end: (() => void) | undefined;
  const turns: LongTurn[] = [];
  const clock = jest.fn(() => time);
  const atEnd = jest.fn((callback: () => void) => {
    end = callback;
  });
  const watch = createTurnWatch({ report: (turn) => turns.push(turn), clock, atEnd });
  return {
    watch,
    turns,
    clock,
    atEnd,
    work: (what: string, who: object | undefined, duration: number) => {
      watch.enter(what, who);
      time += duration;
    },
    endTurn: () => {
      end?.();
      end = undefined;
      time += 10_000; // nothing to do
    },
  };
}

const ANN = { name: "Ann" };
const JOE = { name: "Joe" };

describe("createTurnWatch()", () => {
  it("reports a turn over 20 ms, and none of 20", () => {
    const { work, endTurn, turns } = start();
    work("request", ANN, MAX_TURN_MS);
    endTurn();
    expect(turns).toEqual([]);
    work("request", ANN, MAX_TURN_MS + 1);
    endTurn();
    expect(turns).toEqual([{ duration: 21, share: 21, who: ANN, what: "request" }]);
  });

  it("names who had most of it, and what took longest of that", () => {
    const { work, endTurn, turns } = start();
    work("request", ANN, 10);
    work("request", JOE, 2);
    work("select users", JOE, 9);
    work("rows of select users", JOE, 4);
    work("request", ANN, 5);
    endTurn();
    expect(turns).toEqual([{ duration: 30, share: 15, who: JOE, what: "select users" }]);
  });

  it("knows for whom the code works until the end of the turn, and begins anew after it", () => {
    const { watch, work, endTurn, turns, atEnd } = start();
    expect(watch.who).toBeUndefined();
    work("request", ANN, 15);
    expect(watch.who).toBe(ANN);
    work("insert log_events", undefined, 1);
    expect(watch.who).toBeUndefined();
    work("request", JOE, 1);
    endTurn();
    expect(watch.who).toBeUndefined();
    work("request", JOE, 15);
    endTurn();
    expect(turns).toEqual([]);
    expect(atEnd).toHaveBeenCalledTimes(2);
  });

  it("takes the time of a caller that has it, and asks once a turn itself", () => {
    const { watch, endTurn, clock } = start();
    for (const who of [ANN, JOE, ANN]) watch.enter("request", who, 1_000);
    endTurn();
    expect(clock).toHaveBeenCalledTimes(1);
  });

  it("reports a late timer, unless the turn that made it late was reported", () => {
    const { watch, work, endTurn, turns } = start();
    watch.noteLag(MAX_TURN_MS);
    expect(turns).toEqual([]);
    watch.noteLag(21);
    expect(turns).toEqual([{ duration: 21, share: 21, who: undefined, what: "unknown" }]);
    work("request", ANN, 50);
    endTurn();
    watch.noteLag(45);
    expect(turns).toHaveLength(2);
    watch.noteLag(45);
    expect(turns).toHaveLength(3);
  });
});

describe("resumeAfter()", () => {
  it("goes on for the same after the wait", async () => {
    const { watch, work, endTurn } = start();
    work("request", ANN, 1);
    const waiting = resumeAfter(watch, "slice", () => Promise.resolve(7))();
    endTurn();
    work("request", JOE, 1);
    expect(await waiting).toBe(7);
    expect(watch.who).toBe(ANN);
  });
});

test("NO_WATCH does nothing", () => {
  NO_WATCH.enter("request", ANN);
  NO_WATCH.noteLag(1_000);
  expect(NO_WATCH.who).toBeUndefined();
});
