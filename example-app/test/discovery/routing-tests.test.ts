import type { RoutingTest } from "../../src/model/records.js";
import { runTests } from "../../src/discovery/routing-tests.js";

const test = (login: string): RoutingTest => ({
  ...{ id: login, name: login, login, created: "", lastUpdated: "" },
  expected: { provider: { type: "SVC" } },
});

describe("runTests", () => {
  it.each([
    [0, 0],
    [1, 1],
    [7, 1],
    [8, 1],
    [9, 2],
    [1_000, 125],
  ])("S9 runs %d tests in %d turns, eight in each", async (count, turns) => {
    const asked: number[] = [];
    const tests = Array.from({ length: count }, (_, i) => test(`login ${i}`));
    const route = () => {
      asked[asked.length - 1]!++;
      return { rule: { id: "default", name: "Default Rule" }, providers: ["org"], reason: "default" } as const;
    };
    const context = { zones: new Map(), lookupProfile: () => Promise.resolve(undefined) };
    const nextTurn = () => Promise.resolve(asked.push(0));
    const results = [];
    for await (const result of runTests(route, tests, context, nextTurn)) results.push(result);
    expect(results.map((result) => [result.test.login, result.passed])).toEqual(
      tests.map(({ login }) => [login, true]),
    );
    expect([asked.length, Math.max(0, ...asked)]).toEqual([turns, Math.min(count, 8)]);
  });
});
