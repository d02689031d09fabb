import type { Request } from "express";
import { watchTurns } from "../../src/monitoring/long-turns.js";
import { createMetrics } from "../../src/monitoring/metrics.js";
import { createReadiness } from "../../src/monitoring/readiness.js";
import { parseMetrics, sumOf } from "../support/metrics.js";

/** A watch whose turns the test ends, and what it tells. */
function start() {
  let time = 5_000;
  let end: (() => void) | undefined;
  const log = { warn: jest.fn() };
  const state = { isServing: true };
  const metrics = createMetrics({
    readiness: createReadiness(),
    defaultOrg: "demo",
    decisions: { orgs: [], orgType: "SVC" },
  });
  const watch = watchTurns({
    log,
    count: metrics.countLongTurn,
    isServing: () => state.isServing,
    clock: () => time,
    atEnd: (callback) => {
      end = callback;
    },
  });
  const turn = (duration: number, who?: object, what = "request") => {
    watch.enter(what, who);
    time += duration;
    end?.();
  };
  return { turn, watch, log, metrics, state, wait: (ms: number) => (time += ms) };
}

const request = (originalUrl: string, path?: string | string[]) =>
  ({ method: "GET", originalUrl, route: path === undefined ? undefined : { path } }) as unknown as Request;

describe("watchTurns()", () => {
  it("takes a turn at a route with several paths, such as that of CORS", () => {
    const { turn, log } = start();
    turn(30, request("/api/v1/users", ["/users", "/users/:id"]));
    expect(log.warn.mock.calls).toMatchObject([[{ durationMs: 30, operation: "other" }, expect.anything()]]);
  });

  it("tells nothing of the start and the end of the server", async () => {
    const { turn, log, metrics, state } = start();
    state.isServing = false;
    turn(300);
    expect(log.warn).not.toHaveBeenCalled();
    expect(sumOf(parseMetrics(await metrics.format()), "etiquette_long_turns_total")).toBe(0);
    state.isServing = true;
    turn(300);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });

  it("counts long turns by operation, with the longest of each", async () => {
    const { turn, metrics, watch } = start();
    const user = request("/api/v1/users/a?secret=b", "/v1/users/:id");
    for (const duration of [20, 21, 500, 40]) turn(duration, user, "select users");
    turn(30, request("/.well-known/webfinger?resource=acct:joe"));
    turn(30, undefined, "insert log_events");
    watch.enter("request", {}, 6_000);
    const samples = parseMetrics(await metrics.format());
    const count = (operation: string) => sumOf(samples, "etiquette_long_turns_total", { operation });
    expect(["GET /api/v1/users/:id", "webfinger", "background", "other"].map(count)).toEqual([3, 1, 1, 0]);
    const operation = "GET /api/v1/users/:id";
    expect(sumOf(samples, "etiquette_longest_turn_seconds", { operation })).toBe(0.5);
  });

  it("writes at most one line a second, which counts those between, and has no value that a client sent", () => {
    const { turn, log, wait } = start();
    const user = request("/api/v1/users/a?secret=b", "/v1/users/:id");
    turn(30, user, "select users");
    for (let i = 0; i < 5; i++) turn(100, user);
    wait(500);
    turn(25);
    turn(25);
    const facts = { operation: "GET /api/v1/users/:id", did: "select users" };
    const message = "long turn of the event loop";
    expect(log.warn.mock.calls).toEqual([
      [{ durationMs: 30, ...facts, omitted: 0 }, message],
      [{ durationMs: 25, operation: "background", did: "request", omitted: 5 }, message],
    ]);
  });

  it("names nobody when no one had half of the turn", () => {
    const { turn, watch, log, wait } = start();
    for (let i = 0; i < 3; i++) {
      watch.enter("request", request("/a"));
      wait(10);
    }
    turn(0);
    expect(log.warn.mock.calls).toMatchObject([[{ durationMs: 30, operation: "several" }, expect.anything()]]);
    expect(log.warn.mock.calls[0][0]).not.toHaveProperty("did");
  });
});
