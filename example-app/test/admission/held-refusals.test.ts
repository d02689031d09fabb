import { createServer, type Server } from "node:http";
import express, { type ErrorRequestHandler } from "express";
import { listen } from "../../../test/support/raw-socket.js";
import { holdRefusals, type HeldRefusalsOptions } from "../../src/admission/held-refusals.js";
import { call } from "../support/server.js";
import { until } from "../../../test/support/until.js";

/** Longer than a test. */
const FOREVER = 600_000;

describe("holdRefusals()", () => {
  let now = 5_000;
  let arrived: string[];
  let server: Server;
  let url: string;
  let port: number;

  /** An app that answers `/403` with 403, for the org of the header field `org`. */
  async function start(options: HeldRefusalsOptions): Promise<void> {
    arrived = [];
    const app = express();
    app.get("/:status", (req, res, next) => {
      const status = Number(req.params["status"]);
      arrived.push(req.path);
      if (status < 400) res.sendStatus(status);
      else next(Object.assign(new Error(), { status }));
    });
    app.use(holdRefusals({ orgOf: (req) => req.get("org"), now: () => now, ...options }));
    const answer: ErrorRequestHandler = (error: { status: number }, _req, res, _next) =>
      void res.sendStatus(error.status);
    app.use(answer);
    server = createServer(app);
    port = await listen(server);
    url = `http://localhost:${port}`;
  }

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = async (path: string, org = "a"): Promise<number> =>
    (await call({ port, ca: undefined, url }, path, { headers: { org } })).status;

  /** Whether a request waits: one that came later, and succeeds, has its response first. */
  async function waits(path: string, org?: string): Promise<boolean> {
    const order: string[] = [];
    const before = arrived.length;
    const answer = ask(path, org).then(
      () => order.push("first"),
      () => undefined, // cut off at the end of the test
    );
    while (arrived.length === before) await new Promise(setImmediate);
    for (let round = 0; round < 3; round++) expect(await ask("/200", org)).toBe(200);
    order.push("later");
    const isHeld = order[0] === "later";
    if (!isHeld) await answer;
    return isHeld;
  }

  it("S8 holds what is over the limit of a second, for the org alone", async () => {
    await start({ perSecond: 3, delay: FOREVER });
    expect([await waits("/404"), await waits("/429"), await waits("/400")]).toEqual([false, false, false]);
    expect(await waits("/404")).toBe(true);
    expect(await waits("/404", "b")).toBe(false);
    now += 1_000;
    expect(await waits("/404")).toBe(false);
  });

  it("S8 never holds a success or a fault of the server, and counts none", async () => {
    await start({ perSecond: 1, delay: FOREVER });
    for (const path of ["/204", "/500", "/503", "/404", "/500", "/204"]) expect(await waits(path)).toBe(false);
    expect(await waits("/404")).toBe(true);
  });

  it("S8 sends what it held after the delay", async () => {
    await start({ perSecond: 0, delay: 50 });
    expect(await ask("/429")).toBe(429);
  });

  it("S8 holds a bounded number, and none whose client is gone", async () => {
    await start({ perSecond: 0, delay: FOREVER, maxHeld: 2 });
    expect([await waits("/404"), await waits("/404"), await waits("/404")]).toEqual([true, true, false]);
    server.closeAllConnections();
    await until(() => waits("/404"));
  });
});
