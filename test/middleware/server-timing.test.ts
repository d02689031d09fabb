import { setTimeout as sleep } from "node:timers/promises";
import type { Express, Request, Response } from "express";
import request from "supertest";
import { createServer } from "../../lib/server/index.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { idempotency } from "../../middleware/idempotency.js";
import { getServerTiming, serverTiming, type ServerTimingOptions } from "../../middleware/server-timing.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

type Handler = (req: Request, res: Response) => unknown;

describe.each(EXPRESS_VERSIONS)("serverTiming on %s", (_version, express) => {
  /** An app whose clock goes on by `step` each time somebody looks. */
  function serve(handler: Handler, options: Partial<ServerTimingOptions> = {}, step = 1): Express {
    const app = express();
    let time = 0;
    app.use(
      serverTiming({
        isTrusted: (req) => req.get("X-Operator") === "yes",
        metrics: { db: "Database", cache: "" },
        now: () => (time += step),
        ...options,
      }),
    );
    app.use((req, res, next) => {
      void Promise.resolve()
        .then(() => handler(req, res))
        .catch(next);
    });
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  async function timingOf(app: Express, headers: Record<string, string> = { "X-Operator": "yes" }): Promise<unknown> {
    const res = await request(app).get("/").set(headers);
    return res.headers["server-timing"];
  }

  it("O6 tells a trusted client how long the parts took, and nobody else", async () => {
    const app = serve(async (req, res) => {
      const timing = getServerTiming(req);
      const name = await timing.measure("db", async () => Promise.resolve("Joe"));
      timing.add("cache", 0.25);
      timing.add("cache", 0.5004);
      res.json({ name, isSent: timing.isSent });
    });
    const trusted = await request(app).get("/").set("X-Operator", "yes").expect(200, { name: "Joe", isSent: true });
    expect(trusted.headers["server-timing"]).toBe('total;dur=3, db;dur=1;desc="Database", cache;dur=0.75');
    const other = await request(app).get("/").expect(200, { name: "Joe", isSent: false });
    expect(other.headers).not.toHaveProperty("server-timing");
  });

  it.each<[string, unknown]>([
    ["a promise", Promise.resolve(true)],
    ["a text", "yes"],
    ["1", 1],
    ["nothing", undefined],
  ])("trusts nobody for whom isTrusted returns %s", async (_title, value) => {
    const app = serve((_req, res) => res.json({}), { isTrusted: () => value as boolean });
    expect(await timingOf(app)).toBeUndefined();
  });

  it("is not sent when isTrusted throws", async () => {
    const app = serve((_req, res) => res.json({}), {
      isTrusted: () => {
        throw new Error("no list");
      },
    });
    const res = await request(app).get("/").set("X-Operator", "yes").expect(500);
    expect(res.headers).not.toHaveProperty("server-timing");
  });

  it("measures work that fails, and passes its error on", async () => {
    const app = serve(async (req, res) => {
      const timing = getServerTiming(req);
      const failures: unknown[] = [];
      for (const work of [() => Promise.reject(new Error("later")), () => JSON.parse("{") as unknown]) {
        await Promise.resolve()
          .then(() => timing.measure("db", work))
          .catch((error: unknown) => failures.push((error as Error).name));
      }
      res.json(failures);
    });
    const res = await request(app).get("/").set("X-Operator", "yes").expect(200, ["Error", "SyntaxError"]);
    expect(res.headers["server-timing"]).toBe('total;dur=5, db;dur=2;desc="Database"');
  });

  it("measures work that returns a value at once, and returns it", async () => {
    const app = serve((req, res) => res.json({ value: getServerTiming(req).measure("cache", () => 7) }));
    await request(app)
      .get("/")
      .set("X-Operator", "yes")
      .expect("Server-Timing", "total;dur=3, cache;dur=1")
      .expect({ value: 7 });
  });

  it.each<[string, Handler]>([
    ["res.send", (_req, res) => res.send("text")],
    ["res.end", (_req, res) => res.end()],
    ["res.write", (_req, res) => (res.write("a"), res.end("b"))],
    ["res.writeHead", (_req, res) => res.writeHead(200, "Fine", { "X-Own": "1" }).end()],
    ["res.writeHead with a list", (_req, res) => res.writeHead(200, ["X-Own", "1"]).end()],
    ["res.flushHeaders", (_req, res) => (res.flushHeaders(), res.end())],
    [
      "res.redirect",
      (_req, res) => {
        res.redirect("/elsewhere");
      },
    ],
    ["res.sendStatus", (_req, res) => res.sendStatus(204)],
    ["an error", () => Promise.reject(new Error("no"))],
  ])("is in the head that %s sends", async (_title, handler) => {
    expect(await timingOf(serve(handler))).toBe("total;dur=1");
  });

  it("comes behind what the handler set itself, once", async () => {
    const app = serve((_req, res) => {
      res.setHeader("Server-Timing", ["miss", 'edge;desc="near"']);
      res.json({});
    });
    expect(await timingOf(app)).toBe('miss, edge;desc="near", total;dur=1');
    expect(await timingOf(app, {})).toBe('miss, edge;desc="near"');
  });

  it("leaves Node's error for a second head", async () => {
    const app = serve((_req, res) => {
      res.writeHead(200);
      expect(() => res.writeHead(200)).toThrow(expect.objectContaining({ code: "ERR_HTTP_HEADERS_SENT" }));
      res.end();
    });
    expect(await timingOf(app)).toBe("total;dur=1");
  });

  it("doesn't send what is measured after the head, and breaks nothing", async () => {
    const app = serve(async (req, res) => {
      res.write("a");
      await getServerTiming(req).measure("db", () => Promise.resolve());
      res.end("b");
    });
    const res = await request(app).get("/").set("X-Operator", "yes").expect(200);
    expect(res.headers["server-timing"]).toBe("total;dur=1");
  });

  it("is of each request, also when the response comes again for a key", async () => {
    const repeated = express();
    let time = 0;
    repeated.use(serverTiming({ isTrusted: () => true, now: () => (time += 1) }));
    repeated.post("/", idempotency({ principal: () => "joe" }), (_req, res) => {
      res.json({ time });
    });
    const send = () => request(repeated).post("/").set("Idempotency-Key", '"k"').send();
    const first = await send();
    const again = await send();
    expect(again.headers).toHaveProperty("idempotent-replayed", "true");
    expect(again.text).toBe(first.text);
    expect([first, again].map(({ headers }) => String(headers["server-timing"]))).toEqual([
      "total;dur=1",
      "total;dur=1",
    ]);
  });

  it("works on createServer", async () => {
    const app = serve((req, res) => res.json(getServerTiming(req).measure("cache", () => ({}))));
    const server = createServer(app).listen(0, "127.0.0.1");
    try {
      await request(server).get("/").set("X-Operator", "yes").expect("Server-Timing", "total;dur=3, cache;dur=1");
      const { headers } = await request(server).get("/").expect(200);
      expect(headers).not.toHaveProperty("server-timing");
    } finally {
      server.close();
    }
  });

  it.each(["unknown", "total", "toString", "__proto__"])("refuses the metric %s, whoever asks", async (name) => {
    const faults: string[] = [];
    const app = serve((req, res) => {
      const timing = getServerTiming(req);
      const add = () => {
        timing.add(name, 1);
      };
      for (const use of [add, () => timing.measure(name, () => 1)]) {
        try {
          use();
        } catch (error) {
          faults.push(String(error));
        }
      }
      res.json({});
    });
    await timingOf(app);
    await timingOf(app, {});
    expect(faults).toEqual(Array(4).fill(`TypeError: serverTiming: option \`metrics\` has no \`${name}\``));
  });

  it.each([-1, Number.NaN, Infinity, "1", undefined])("refuses %j milliseconds, whoever asks", async (time) => {
    let faults = 0;
    const app = serve((req, res) => {
      expect(() => {
        getServerTiming(req).add("db", time as number);
      }).toThrow(TypeError);
      faults++;
      res.json({});
    });
    await timingOf(app);
    await timingOf(app, {});
    expect(faults).toBe(2);
  });

  it("a clock that goes back is 0", async () => {
    let time = 0;
    const app = serve((req, res) => res.json(getServerTiming(req).measure("cache", () => 1)), {
      now: () => (time -= 5),
    });
    expect(await timingOf(app)).toBe("total;dur=0, cache;dur=0");
  });

  it("measures in milliseconds by default", async () => {
    const app = express();
    app.use(serverTiming({ isTrusted: () => true }));
    app.use((_req, res) => {
      void sleep(20).then(() => res.end());
    });
    const [, total] = /^total;dur=(\d+(?:\.\d{1,3})?)$/.exec(String(await timingOf(app))) ?? [];
    expect(Number(total)).toBeGreaterThan(18);
    expect(Number(total)).toBeLessThan(10_000);
  });
});

test("getServerTiming() without the middleware says which one is missing", () => {
  expect(() => getServerTiming({})).toThrow("serverTiming() did not run for this request");
});

describe("option metrics", () => {
  const create = (metrics: unknown) => () => serverTiming({ isTrusted: () => true, metrics: metrics as never });
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, ""]));

  it("takes names and descriptions up to the limits", () => {
    for (const metrics of [
      {},
      names(15),
      names(16),
      { ["n".repeat(32)]: "d".repeat(64) },
      { "a!#$%&'*+-.^_`|~": "" },
    ]) {
      expect(create(metrics)).not.toThrow();
    }
  });

  it("refuses all else", () => {
    const refused = [
      ...[names(17), { ["n".repeat(33)]: "" }, { a: "d".repeat(65) }, { "": "" }, { "a b": "" }, { "a;b": "" }],
      ...[{ total: "" }, { é: "" }, { a: "é" }, { a: "a\r\nb" }, { a: 1 }, { a: undefined }, [], ["a"], null, "a", 1],
    ];
    for (const metrics of refused) expect(create(metrics)).toThrow("option `metrics` must be an object of at most 16");
  });

  it("quotes descriptions", async () => {
    const { default: express } = await import("express");
    const app = express();
    app.use(serverTiming({ isTrusted: () => true, now: () => 0, metrics: { a: 'a "b" \\c, d;e' } }));
    app.use((req, res) => {
      getServerTiming(req).add("a", 1);
      res.end();
    });
    await request(app).get("/").expect("Server-Timing", 'total;dur=0, a;dur=1;desc="a \\"b\\" \\\\c, d;e"');
  });
});
