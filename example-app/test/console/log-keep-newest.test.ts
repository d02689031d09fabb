import { keepNewest, MAX_EVENTS } from "../../console/src/pages/log/keep-newest.js";

const at = (milliseconds: number) => ({ published: new Date(milliseconds).toISOString() });
const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => at(count - index));

it.each([
  [0, 0],
  [MAX_EVENTS - 1, MAX_EVENTS - 1],
  [MAX_EVENTS, MAX_EVENTS],
  [MAX_EVENTS + 1, MAX_EVENTS],
  [MAX_EVENTS + 500, MAX_EVENTS],
])("of %d events, %d are kept", (count, kept) => {
  const events = newestFirst(count);
  expect(keepNewest(events)).toEqual(events.slice(0, kept));
});

it("events of one millisecond are left out together", () => {
  const events = [...newestFirst(MAX_EVENTS - 2).map((_, index) => at(10_000 - index)), at(1), at(1), at(1), at(0)];
  expect(keepNewest(events)).toHaveLength(MAX_EVENTS - 2);
});

it("events that are all of one millisecond are kept", () => {
  expect(keepNewest(Array.from({ length: MAX_EVENTS + 2 }, () => at(1)))).toHaveLength(MAX_EVENTS + 2);
});
