import { gzipSync } from "node:zlib";
import type { Express, RequestHandler } from "express";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { notFound } from "../../middleware/not-found.js";
import { requestId } from "../../middleware/request-id.js";
import { responseCheck, type ResponseCheckOptions, type ResponseRule } from "../../middleware/response-check.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const FAULTY = { created: "2026-11-21" };

describe.each(EXPRESS_VERSIONS)("responseCheck on %s", (_version, express) => {
  let reports: string[][];

  beforeEach(() => {
    reports = [];
  });

  function serve(handler: RequestHandler, options: ResponseCheckOptions = {}): Express {
    const app = express();
    app.use(
      responseCheck({
        log: (faults, req) => {
          reports.push(faults.map(({ rule, place }) => `${req.path} ${rule} ${place}`));
        },
        ...options,
      }),
    );
    app.use(requestId());
    app.get("/", handler);
    app.use(notFound());
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  it("S4 reports an answer once, and leaves it as it is", async () => {
    await request(serve((_req, res) => res.json(FAULTY)))
      .get("/")
      .expect(200, JSON.stringify(FAULTY));
    expect(reports).toEqual([["/ S4 /created"]]);
  });

  it("says nothing of a good answer, nor of the error objects of the suite", async () => {
    const app = serve((_req, res) => {
      res.append("Link", '<https://a.example/>; rel="self"').json({ created: "2026-11-21T09:05:07.040Z" });
    });
    await request(app).get("/").expect(200);
    await request(app).get("/nowhere").expect(404);
    expect(reports).toEqual([]);
  });

  it("E1 reports a failure without the error object", async () => {
    await request(serve((_req, res) => res.status(400).json({ message: "no" }))).get("/");
    await request(serve((_req, res) => res.status(404).send("<p>no"))).get("/");
    expect(reports).toEqual([["/ E1 "], ["/ E1 "]]);
  });

  it("E1 E3 reports a code that is in neither catalogue", async () => {
    const catalogue = { ORDER0001: { status: 409, summary: "taken" } };
    const app = (options: ResponseCheckOptions) =>
      serve((_req, res) => {
        const errorId = res.getHeader("X-Svc-Request-Id");
        const code = { errorCode: "ORDER0001", errorLink: "ORDER0001" };
        res.status(409).json({ ...code, errorSummary: "taken", errorId, errorCauses: [] });
      }, options);
    await request(app({ catalogue })).get("/").expect(409);
    expect(reports).toEqual([]);
    await request(app({})).get("/").expect(409);
    expect(reports).toEqual([["/ E1 /errorCode"]]);
  });

  it("P2 reports links that are joined in one line", async () => {
    await request(
      serve((_req, res) => res.links({ self: "https://a.example", next: "https://b.example" }).json([])),
    ).get("/");
    expect(reports).toEqual([["/ P2 Link"]]);
  });

  it("sees what is written in parts, as text and as bytes, in any encoding", async () => {
    const app = serve((_req, res) => {
      res.type("json");
      const bytes = Buffer.from('{"created":');
      res.write(bytes, () => {
        bytes.fill(0); // the writer may use it again
        res.write('"2026-11-21"', "latin1");
        res.end("7d", "hex");
      });
    });
    await request(app).get("/").expect(200, JSON.stringify(FAULTY));
    expect(reports).toEqual([["/ S4 /created"]]);
  });

  it("calls the callbacks of write and end", async () => {
    const called: string[] = [];
    const app = serve((_req, res) => {
      res.write("a", () => called.push("write"));
      res.end(() => called.push("end"));
    });
    await request(app).get("/").expect(200);
    expect(called).toEqual(["write", "end"]);
  });

  it("leaves bodies alone that it can't read", async () => {
    const bytes = gzipSync(JSON.stringify(FAULTY));
    await request(serve((_req, res) => res.set("Content-Encoding", "gzip").type("json").send(bytes))).get("/");
    await request(serve((_req, res) => res.json(FAULTY))).head("/");
    await request(serve((_req, res) => res.status(304).json(FAULTY))).get("/");
    await request(serve((_req, res) => res.type("text").send("2026-11-21"))).get("/");
    expect(reports).toEqual([]);
  });

  it.each([
    [1_048_576 - 1, 1],
    [1_048_576, 1],
    [1_048_576 + 1, 0],
  ])("looks into a body of %d bytes: %d reports", async (size, count) => {
    const start = '["2026-11-21","';
    const body = `${start}${"x".repeat(size - start.length - 2)}"]`;
    await request(serve((_req, res) => res.type("json").send(body)))
      .get("/")
      .expect(200, body);
    expect(reports).toHaveLength(count);
  });

  it("takes the id from another header", async () => {
    const app = express();
    const report = (faults: unknown) => reports.push([JSON.stringify(faults)]);
    app.use(responseCheck({ namespace: "acme", log: report }));
    app.use(requestId({ namespace: "acme" }), notFound(), errorFormatter({ namespace: "acme" }));
    await request(app).get("/").expect(404);
    expect(reports).toEqual([]);
  });

  it("leaves out the rules that it is told", async () => {
    const faulty: RequestHandler = (_req, res) => {
      res
        .set("Link", "</>; rel=self")
        .status(400)
        .json({ ...FAULTY, name: "\ud83d\ude00", _links: { "": 1, a: { href: "a" } } });
    };
    const rulesWithout = async (skip: readonly ResponseRule[]) => {
      reports = [];
      await request(serve(faulty, { skip })).get("/").expect(400);
      return new Set(reports.flat().map((report) => report.split(" ")[1]));
    };
    const all = ["P2", "E1", "S4", "S5", "L1", "L2"] as const;
    expect(await rulesWithout([])).toEqual(new Set(all));
    for (const rule of all) expect(await rulesWithout([rule])).toEqual(new Set(all.filter((other) => other !== rule)));
    expect(await rulesWithout([...all])).toEqual(new Set());
  });

  it("leaves out the order of the app", async () => {
    for (const skip of [[], ["order"]] as const) {
      const app = express();
      app.use((req, _res, next) => {
        next(req.path === "/" ? undefined : "route");
      });
      app.get("/", (_req, res) => res.json({}));
      app.use(responseCheck({ skip, log: (faults) => reports.push(faults.map(({ rule }) => rule)) }), requestId());
      app.get("/late", (_req, res) => res.json({}));
      await request(app).get("/late").expect(200);
    }
    expect(reports).toEqual([["order"]]);
  });

  it("survives a log that throws", async () => {
    const app = serve((_req, res) => res.json(FAULTY), {
      log: () => {
        throw new Error("full");
      },
    });
    await request(app).get("/").expect(200);
    await request(app).get("/").expect(200);
  });

  it("is off when it is told so, and in production", async () => {
    const { NODE_ENV } = process.env;
    process.env["NODE_ENV"] = "production";
    const inProduction = serve((_req, res) => res.json(FAULTY));
    const forced = serve((_req, res) => res.json(FAULTY), { enabled: true });
    process.env["NODE_ENV"] = NODE_ENV;
    await request(serve((_req, res) => res.json(FAULTY), { enabled: false })).get("/");
    await request(inProduction).get("/");
    expect(reports).toEqual([]);
    await request(forced).get("/");
    expect(reports).toHaveLength(1);
  });

  it("warns on the console by default", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const app = serve((_req, res) => res.status(400).json([FAULTY]), { log: undefined as never });
    await request(app).get("/?a=b");
    expect(warn.mock.calls.map(([line]) => line as string)).toEqual([
      'GET /?a=b: E1 the body: A failure has the error object; this is "application/json; charset=utf-8". Use errorFormatter().',
      expect.stringMatching(/^GET \/\?a=b: S4 \/0\/created: "2026-11-21" is a date of another form/),
    ]);
    warn.mockRestore();
  });
});

it.each([
  [{ namespace: "S" }, "namespace"],
  [{ headerName: "a b" }, "headerName"],
  [{ enabled: 1 }, "enabled"],
  [{ log: true }, "log"],
  [{ skip: "E1" }, "skip"],
  [{ skip: ["E1", "E2"] }, "skip"],
])("responseCheck refuses %j", (options, option) => {
  expect(() => responseCheck(options as never)).toThrow(`responseCheck: option \`${option}\` must be`);
});
