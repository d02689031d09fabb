import { createLog } from "../../src/program/process/log.js";
import { type LagSource } from "../../src/admission/event-loop-lag.js";
import type { OverloadLimits } from "../../src/admission/overload.js";
import { startServer, type RunningServer } from "../../src/server.js";
import type { Store } from "../../src/store/store.js";
import { buildSettings, call, webfingerPath, type Answer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

/** One request of each kind, the first to be refused first. */
const PATHS = {
  api: "/api/v1/users",
  other: "/nothing",
  signOn: "/sso/login",
  discovery: webfingerPath("joe@example.com"),
};

describeStores((_engine, database) => {
  let store: Store;
  let server: RunningServer;
  let lines: Record<string, unknown>[];
  /** Report lags, as the event loop would. */
  let tell: (...lags: number[]) => void;

  async function start(overloadLimits: OverloadLimits = { lag: 250, waiting: 200 }): Promise<void> {
    store = await (await database()).open();
    lines = [];
    const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
    const settings = buildSettings({ secrets: ["s".repeat(32)], trustedProxies: ["loopback"], overloadLimits });
    const lagSource: LagSource = (listener) => {
      tell = (...lags) => {
        lags.forEach(listener);
      };
      return () => undefined;
    };
    server = await startServer({ settings, store, certificate: undefined, log, lagSource });
  }

  afterEach(() => server.close());

  function ask(path: string): Promise<Answer> {
    const target = { port: server.port, ca: undefined, url: `http://localhost:${server.port}` };
    return call(target, path, { headers: { "X-Forwarded-Proto": "https" } });
  }

  /** What is refused now. */
  async function refused(): Promise<string[]> {
    const kinds: string[] = [];
    for (const [kind, path] of Object.entries(PATHS)) {
      if ((await ask(path)).status === 503) kinds.push(kind);
    }
    return kinds;
  }

  const messages = () => lines.filter(({ msg }) => String(msg).includes("overloaded"));

  it("E1 refuses with 503 while the event loop lags: the API first, then sign-on, WebFinger last", async () => {
    await start();
    expect(await refused()).toEqual([]);
    tell(...Array<number>(10).fill(249));
    expect(await refused()).toEqual([]);
    tell(250, 250, 250, 250);
    expect(await refused()).toEqual([]);
    tell(250);
    expect(await refused()).toEqual(["api", "other"]);
    tell(...Array<number>(5).fill(499));
    expect(await refused()).toEqual(["api", "other"]);
    tell(...Array<number>(5).fill(500));
    expect(await refused()).toEqual(["api", "other", "signOn"]);
    tell(...Array<number>(5).fill(1_249));
    expect(await refused()).toEqual(["api", "other", "signOn"]);
    tell(...Array<number>(5).fill(1_250));
    expect(await refused()).toEqual(Object.keys(PATHS));
  });

  it("continues until the pressure is below half of what began it", async () => {
    await start();
    tell(...Array<number>(5).fill(250));
    tell(...Array<number>(20).fill(125));
    expect(await refused()).toEqual(["api", "other"]);
    tell(124, 124, 124, 124);
    expect(await refused()).toEqual(["api", "other"]);
    tell(124);
    expect(await refused()).toEqual([]);
  });

  it("takes one long turn of the event loop for no overload", async () => {
    await start();
    for (let i = 0; i < 5; i++) tell(0, 0, 5_000, 0);
    expect(await refused()).toEqual([]);
    expect(messages()).toEqual([]);
  });

  it("E1 D1 sends the error object with an id and Retry-After", async () => {
    await start();
    tell(...Array<number>(5).fill(9_999));
    for (const path of Object.values(PATHS)) {
      const { status, headers, body } = await ask(path);
      expect(status).toBe(503);
      expect(headers["retry-after"]).toBe("1");
      expect(headers["x-svc-request-id"]).toBe(body.errorId);
      expect(body).toEqual({
        errorCode: "E0009011",
        errorSummary: "The service is unavailable. Try again later.",
        errorLink: "E0009011",
        errorId: expect.any(String),
        errorCauses: [],
      });
    }
  });

  it("O4 lets every page read the refusal of WebFinger", async () => {
    await start();
    tell(...Array<number>(5).fill(9_999));
    expect((await ask(PATHS.discovery)).headers["access-control-allow-origin"]).toBe("*");
  });

  it("logs when it begins, changes and ends, not each request", async () => {
    await start();
    tell(...Array<number>(5).fill(300));
    for (let i = 0; i < 10; i++) await ask(PATHS.api);
    tell(...Array<number>(5).fill(600));
    tell(...Array<number>(5).fill(0));
    await ask(PATHS.signOn);
    expect(messages()).toEqual([
      expect.objectContaining({ level: "warn", msg: "overloaded", lagMs: 300, refuses: ["api"] }),
      expect.objectContaining({ level: "warn", msg: "overloaded", lagMs: 600, refuses: ["api", "sign-on"] }),
      expect.objectContaining({ level: "warn", msg: "no longer overloaded", lagMs: 0, refused: 10 }),
    ]);
    expect(lines.filter(({ msg }) => msg === "request")).toHaveLength(1);
  });

  it("refuses at once when too many callers wait for the database", async () => {
    await start();
    const waiting = jest.spyOn(store, "waiting");
    for (const [count, kinds] of [
      [199, []],
      [200, ["api", "other"]],
      [399, ["api", "other"]],
      [400, ["api", "other", "signOn"]],
      [1_000, Object.keys(PATHS)],
    ] as const) {
      waiting.mockReturnValue(count);
      expect(await refused()).toEqual(kinds);
    }
    waiting.mockReturnValue(99);
    tell(0);
    expect(await refused()).toEqual([]);
  });

  it("refuses nothing when both limits are off", async () => {
    await start({ lag: false, waiting: false });
    jest.spyOn(store, "waiting").mockReturnValue(1_000_000);
    tell(...Array<number>(5).fill(1_000_000));
    expect(await refused()).toEqual([]);
  });
});
