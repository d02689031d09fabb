import fc from "fast-check";
import { compileCursorCodec, type CursorDirection, type CursorKey } from "../../../lib/list/cursor.js";
import { selectRows, type SortTerm } from "../../../lib/list/keyset.js";
import { cutPage, type PageRequest } from "../../../lib/list/page.js";

function request(given: Partial<PageRequest>): PageRequest {
  return { limit: 2, direction: "after", position: undefined, polling: false, ...given };
}

function cut(rows: number[], given: Partial<PageRequest> = {}): unknown {
  const { rows: page, next, previous } = cutPage(rows, request(given), (row) => [row]);
  return [page, next, previous];
}

describe("cutPage", () => {
  it.each<[string, number[], Partial<PageRequest>, unknown]>([
    ["first, more", [1, 2, 3], {}, [[1, 2], [2], undefined]],
    ["first, exactly full", [1, 2], {}, [[1, 2], undefined, undefined]],
    ["first, empty", [], {}, [[], undefined, undefined]],
    ["first, more than was asked for", [1, 2, 3, 4], {}, [[1, 2], [2], undefined]],
    ["middle", [3, 4, 5], { position: [2] }, [[3, 4], [4], [3]]],
    ["last", [5], { position: [4] }, [[5], undefined, [5]]],
    ["empty", [], { position: [5] }, [[], undefined, undefined]],
    ["before, more", [3, 2, 1], { direction: "before", position: [4] }, [[2, 3], [3], [2]]],
    ["before, the first", [2, 1], { direction: "before", position: [3] }, [[1, 2], [2], undefined]],
    ["before, empty", [], { direction: "before", position: [1] }, [[], null, undefined]],
    ["polled, more", [1, 2, 3], { polling: true }, [[1, 2], [2], undefined]],
    ["polled, the last", [3], { polling: true, position: [2] }, [[3], [3], [3]]],
    ["polled, empty", [], { polling: true, position: [3] }, [[], [3], undefined]],
    ["polled, empty from the start", [], { polling: true }, [[], null, undefined]],
    ["polled, more, with an end", [1, 2, 3], { polling: true, end: [9] }, [[1, 2], [2], undefined]],
    ["polled, the last, with an end", [3], { polling: true, position: [2], end: [9] }, [[3], [9], [3]]],
    ["polled, empty, with an end", [], { polling: true, position: [3], end: [9] }, [[], [9], undefined]],
    ["polled, empty from the start, with an end", [], { polling: true, end: [9] }, [[], [9], undefined]],
    ["given up, more", [1, 2, 3], { end: [9] }, [[1, 2], [2], undefined]],
    ["given up, the first", [1], { end: [9] }, [[1], [9], undefined]],
    ["given up, with rows", [3], { position: [2], end: [9] }, [[3], [9], [3]]],
    ["given up, empty", [], { position: [2], end: [9] }, [[], [9], [9]]],
    ["given up, empty from the start", [], { end: [9] }, [[], [9], undefined]],
    ["given up, before", [7], { direction: "before", position: [9], end: [2] }, [[7], [7], [2]]],
    ["given up, before, more", [8, 7, 6], { direction: "before", position: [9], end: [2] }, [[7, 8], [8], [7]]],
    ["given up, before, empty", [], { direction: "before", position: [9], end: [2] }, [[], [2], [2]]],
    ["given up, of no rows", [], { limit: 0, position: [2], end: [9] }, [[], undefined, undefined]],
    ["of no rows, with an end", [], { limit: 0, polling: true, position: [3], end: [9] }, [[], [3], undefined]],
    ["of no rows", [1], { limit: 0 }, [[], undefined, undefined]],
    ["of no rows, polled", [], { limit: 0, polling: true, position: [3] }, [[], [3], undefined]],
    ["of no rows, before", [], { limit: 0, direction: "before", position: [3] }, [[], undefined, undefined]],
    [
      "of no rows, before, polled",
      [],
      { limit: 0, direction: "before", position: [3], polling: true },
      [[], null, undefined],
    ],
  ])("P2 P3 P4 knows the neighbours of a page: %s", (_title, rows, given, expected) => {
    expect(cut(rows, given)).toEqual(expected);
  });

  it("leaves the array it is given as it is", () => {
    const rows = Object.freeze([3, 2, 1]);
    expect(cutPage(rows, request({ direction: "before", position: [4] }), (row) => [row]).rows).toEqual([2, 3]);
  });

  it("P5 refuses a key that two rows share, where one would be lost", () => {
    const keysOf = ({ created }: { created: string }): string[] => [created];
    const rows = [{ created: "a" }, { created: "b" }, { created: "b" }];
    expect(() => cutPage(rows, request({}), keysOf)).toThrow(
      new TypeError("two rows have the same keys; the last key must be unique, such as the id"),
    );
    expect(cutPage(rows, request({ limit: 3 }), keysOf).rows).toEqual(rows);
  });

  it.each([undefined, null, Promise.resolve([]), { rows: [] }, "ab"])("refuses %p for rows", (rows) => {
    expect(() => cutPage(rows as never, request({}), () => [1])).toThrow(
      new TypeError("the rows of a page must be an array; was a promise not awaited?"),
    );
  });
});

describe("a walk over a list that changes", () => {
  interface Row {
    id: number;
    name: string | null;
  }
  const order = fc
    .tuple(fc.constantFrom<"asc" | "desc">("asc", "desc"), fc.constantFrom<"first" | "last">("first", "last"))
    .map(([direction, nulls]): SortTerm[] => [{ column: "name", direction, nulls }, { column: "id" }]);
  const name = fc.constantFrom(null, "a", "b", "c");
  const changes = fc.array(fc.record({ remove: fc.nat(), name, isInsertion: fc.boolean() }), { maxLength: 3 });

  const codec = compileCursorCodec(["0123456789abcdef0123456789abcdef"]);
  const context = { resource: "rows" };
  const keysOf = ({ name: text, id }: Row): CursorKey[] => [text, id];

  it("P5 shows whatever existed throughout exactly once, in order, forwards and backwards", () => {
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 12 }),
        order,
        fc.integer({ min: 1, max: 4 }),
        fc.array(changes, { minLength: 1, maxLength: 8 }),
        (names, terms, limit, rounds) => {
          let rows: Row[] = names.map((text, index) => ({ id: index, name: text }));
          let nextId = rows.length;
          let round = 0;

          function read(direction: CursorDirection, cursor: string | undefined) {
            const position = cursor === undefined ? undefined : codec.decode(cursor, direction, context).keys;
            const found = selectRows(rows, { [direction]: position, limit: limit + 1 }, keysOf, terms);
            const page = cutPage(found, { limit, direction, position, polling: false }, keysOf);
            for (const change of rounds[round++] ?? []) {
              if (change.isInsertion) rows = [...rows, { id: nextId++, name: change.name }];
              else rows = rows.filter((_, index) => index !== change.remove % (rows.length + 1));
            }
            return page;
          }

          function walk(direction: CursorDirection, from: string | undefined): Row | undefined {
            const atStart = rows;
            round = 0;
            const seen: Row[] = [];
            let cursor = from;
            for (let pages = 0; pages < 60; pages++) {
              const page = read(direction, cursor);
              seen.push(...(direction === "after" ? page.rows : page.rows.toReversed()));
              const keys = direction === "after" ? page.next : page.previous;
              if (!keys) break;
              cursor = codec.encode({ direction, keys }, context);
            }
            const seenIds = seen.map(({ id }) => id);
            expect(new Set(seenIds).size).toBe(seenIds.length);
            const walkOrder = selectRows(seen, { limit: Infinity }, keysOf, terms);
            expect(seen).toEqual(direction === "after" ? walkOrder : walkOrder.toReversed());
            const throughout = selectRows(
              atStart.filter((row) => rows.includes(row)),
              from === undefined
                ? { limit: Infinity }
                : { before: codec.decode(from, "before", context).keys, limit: Infinity },
              keysOf,
              terms,
            );
            expect(seen).toEqual(expect.arrayContaining(throughout));
            return seen.at(-1);
          }

          const last = walk("after", undefined);
          if (last) walk("before", codec.encode({ direction: "before", keys: keysOf(last) }, context));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("P4 gives a poll exactly what came since, none lost and none twice", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        (arrivals, limit) => {
          const log: number[] = [];
          const seen: number[] = [];
          let position: readonly CursorKey[] | undefined;
          for (const count of [...arrivals, ...arrivals.map(() => 0), ...Array<number>(40).fill(0)]) {
            for (let index = 0; index < count; index++) log.push(log.length);
            const found = log.filter((id) => position === undefined || id > Number(position[0])).slice(0, limit + 1);
            const page = cutPage(found, { limit, direction: "after", position, polling: true }, (id) => [id]);
            seen.push(...page.rows);
            expect(page.next).not.toBeUndefined();
            position = page.next ?? undefined;
          }
          expect(seen).toEqual(log);
        },
      ),
    );
  });
});
