import { request, response } from "express";
import { ENDED, fromStep, inTurn, type Middleware } from "../../../lib/factory/index.js";

const REFUSED = new Error("refused");

/** What happens to a request: the names of the handlers that ran, and what `next` was called with. */
function run(handlers: readonly Middleware[], calls: string[]): Promise<unknown> {
  return new Promise((resolve) => {
    const next = (error?: unknown): void => {
      calls.push("next");
      resolve(error);
    };
    inTurn(handlers)(request, response, next); // the promise takes what it throws
    setTimeout(resolve, 20, "nothing").unref();
  });
}

describe("inTurn", () => {
  const calls: string[] = [];
  const step = (name: string, outcome?: Error | typeof ENDED) =>
    fromStep(name, () => {
      calls.push(name);
      return outcome;
    });
  const throwing = fromStep("throwing", () => {
    throw REFUSED;
  });
  const handler = (name: string, error?: Error): Middleware =>
    function later(_req, _res, next) {
      calls.push(name);
      setImmediate(() => {
        if (error) next(error);
        else next();
      });
    };

  beforeEach(() => {
    calls.length = 0;
  });

  it("runs steps and handlers in their order", async () => {
    expect(await run([step("a"), handler("b"), step("c"), handler("d")], calls)).toBeUndefined();
    expect(calls).toEqual(["a", "b", "c", "d", "next"]);
  });

  it.each([
    ["step", [step("a", REFUSED), step("b")]],
    ["handler", [handler("a", REFUSED), step("b")]],
  ])("passes the error of a %s on, and runs nothing after it", async (_kind, handlers) => {
    expect(await run(handlers, calls)).toBe(REFUSED);
    expect(calls).toEqual(["a", "next"]);
  });

  it("calls nothing after a step that ended the response", async () => {
    expect(await run([step("a", ENDED), step("b")], calls)).toBe("nothing");
    expect(calls).toEqual(["a"]);
  });

  it("throws what the first steps throw, for Express to catch, and passes on what later ones throw", async () => {
    await expect(run([throwing], calls)).rejects.toBe(REFUSED);
    expect(await run([handler("a"), throwing], calls)).toBe(REFUSED);
    expect(calls).toEqual(["a", "next"]);
  });

  it("is the same with each step mounted alone", () => {
    const errors: unknown[] = [];
    const next = (error?: unknown): void => {
      errors.push(error);
    };
    for (const middleware of [step("a"), step("b", REFUSED), step("c", ENDED)]) {
      middleware(request, response, next);
    }
    expect(errors).toEqual([undefined, REFUSED]);
    expect(step("a").name).toBe("a");
    expect(step("a")).toHaveLength(3);
  });
});
