import type { LogEvent } from "../../console/src/api/types.js";
import { MAX_EVENTS } from "../../console/src/pages/log/keep-newest.js";
import { addNewer, addOlder, EMPTY, showWaiting, type LogState } from "../../console/src/pages/log/log-state.js";
import { LOG_EVENT } from "../support/log-event.js";

const BEGIN = Date.parse("2026-01-05T09:00:00Z");
const pathBefore = (until: string | undefined) => `before ${until}`;
const at = (second: number): LogEvent => ({
  ...LOG_EVENT,
  uuid: String(second),
  published: new Date(BEGIN + second * 1_000).toISOString(),
});

/** Events of the seconds from `first` on, the oldest first. */
const since = (first: number, count: number) => Array.from({ length: count }, (_, index) => at(first + index));
const newestFirst = (first: number, count: number) => since(first, count).toReversed();
const read = (events: readonly LogEvent[], older?: string): LogState => ({
  ...EMPTY,
  isCurrent: true,
  events,
  older,
});
const uuids = (events: readonly LogEvent[]) => events.map(({ uuid }) => Number(uuid));

describe("The log that the console has read", () => {
  it("has new events once, the newest first, though the first page that follows begins with one that is there", () => {
    const now = addNewer(read(newestFirst(0, 3)), since(2, 3), false, pathBefore);
    expect(uuids(now.events)).toEqual([4, 3, 2, 1, 0]);
    expect(uuids(addNewer(now, since(4, 2), false, pathBefore).events)).toEqual([5, 4, 3, 2, 1, 0]);
  });

  it("keeps new events back while somebody reads, and shows them afterwards", () => {
    const waiting = addNewer(read(newestFirst(0, 2)), since(2, 2), true, pathBefore);
    expect([uuids(waiting.events), uuids(waiting.waiting)]).toEqual([
      [1, 0],
      [3, 2],
    ]);
    expect(uuids(showWaiting(waiting, pathBefore).events)).toEqual([3, 2, 1, 0]);
    const [shown, later] = [
      addNewer(waiting, [], false, pathBefore),
      addNewer(waiting, since(4, 1), false, pathBefore),
    ];
    expect([uuids(shown.events), uuids(later.events)]).toEqual([
      [3, 2, 1, 0],
      [4, 3, 2, 1, 0],
    ]);
  });

  it("is the same after a page without news, so that nothing is drawn anew each time that one asks", () => {
    const state = read(newestFirst(0, 3));
    expect(addNewer(state, [], false, pathBefore)).toBe(state);
    expect(addNewer(state, [at(2)], true, pathBefore)).toBe(state);
    expect(addNewer({ ...state, error: new Error("lost") }, [], false, pathBefore).error).toBeUndefined();
  });

  it("keeps the newest when there are too many, and reads on before the oldest that is left", () => {
    const now = addNewer(read(newestFirst(0, MAX_EVENTS), "page 26"), since(MAX_EVENTS, 2), false, pathBefore);
    expect([now.events.length, now.events[0]?.uuid, now.events.at(-1)?.uuid]).toEqual([MAX_EVENTS, "5001", "2"]);
    expect(now.older).toBe(`before ${at(2).published}`);
  });

  it("keeps older events that somebody has asked for until new ones come", () => {
    const asked = addOlder(read(newestFirst(200, MAX_EVENTS), "page 26"), "page 26", {
      data: newestFirst(0, 200),
      next: undefined,
    });
    expect(addNewer(asked, [], false, pathBefore).events).toHaveLength(MAX_EVENTS + 200);
  });

  it("has each older event once, though its page was read twice", () => {
    const page = { data: newestFirst(0, 2), next: "page 3" };
    const once = addOlder(read(newestFirst(2, 2), "page 2"), "page 2", page);
    expect([uuids(once.events), once.older]).toEqual([[3, 2, 1, 0], "page 3"]);
    expect(addOlder(once, "page 2", page)).toBe(once);
  });

  it("has no gap when new events pushed out the oldest while a page of older ones was read", () => {
    const full = addNewer(read(newestFirst(10, MAX_EVENTS), "page 26"), since(10 + MAX_EVENTS, 5), false, pathBefore);
    const now = addOlder(full, "page 26", { data: newestFirst(0, 10), next: undefined });
    expect(now.events.at(-1)?.uuid).toBe("15");
    expect(now.older).toBe(`before ${at(15).published}`);
  });
});
