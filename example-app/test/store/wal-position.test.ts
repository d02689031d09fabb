import type { PostgresPool } from "kysely";
import { createPositions, findUnfitness, type WalPosition } from "../../src/store/engine/wal-position.js";

const position = (lsn: string): WalPosition => ({ lsn, timeline: 2, database: "1 5" });

describe("createPositions()", () => {
  /** Questions that wait for the test to answer them. */
  function createPool() {
    const asked: { answer: (lsn: string) => void; fail: () => void }[] = [];
    let released = 0;
    const query = () =>
      new Promise((resolve, reject) => {
        asked.push({
          answer: (lsn) => {
            resolve({ rows: [position(lsn)] });
          },
          fail: () => {
            reject(new Error("away"));
          },
        });
      });
    const pool = { connect: () => Promise.resolve({ query, release: () => released++ }) } as unknown as PostgresPool;
    return { pool, asked, releasedSoFar: () => released };
  }

  const turn = () => new Promise(setImmediate);

  it("shares a question between those who call before it is sent, and asks again for who calls later", async () => {
    const { pool, asked, releasedSoFar } = createPool();
    const ask = createPositions(pool);
    const first = [ask(), ask()];
    await turn();
    expect(asked).toHaveLength(1);
    const second = [ask(), ask(), ask()]; // the answer that is under way may be older than what they must see
    await turn();
    expect(asked).toHaveLength(1);
    asked[0]?.answer("0/1");
    expect(await Promise.all(first)).toEqual([position("0/1"), position("0/1")]);
    await turn();
    expect(asked).toHaveLength(2);
    asked[1]?.answer("0/2");
    expect(await Promise.all(second)).toEqual(Array(3).fill(position("0/2")));
    const third = ask();
    await turn();
    asked[2]?.answer("0/3");
    expect(await third).toEqual(position("0/3"));
    expect(releasedSoFar()).toBe(3);
  });

  it("a question that fails spoils no other", async () => {
    const { pool, asked, releasedSoFar } = createPool();
    const ask = createPositions(pool);
    const first = expect(ask()).rejects.toThrow("away");
    await turn();
    const second = ask();
    asked[0]?.fail();
    await first;
    await turn();
    asked[1]?.answer("0/2");
    expect(await second).toEqual(position("0/2"));
    expect(releasedSoFar()).toBe(2);
  });
});

describe("findUnfitness()", () => {
  it.each([
    [{}, undefined],
    [{ isReached: false }, undefined],
    [{ isStandby: false }, "it is no standby"],
    [{ database: "1 6" }, "it is another database than the primary"],
    [{ timeline: 1 }, "it follows the timeline 1, and the primary is on 2"],
    [{ timeline: 3 }, "it follows the timeline 3, and the primary is on 2"],
  ])("%j: %s", (standing, expected) => {
    const fit = { isStandby: true, isReached: true, timeline: 2, database: "1 5" };
    expect(findUnfitness({ ...fit, ...standing }, position("0/1"))).toBe(expected);
  });
});
