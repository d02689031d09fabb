import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import fc from "fast-check";
import request from "supertest";
import {
  bodyLength,
  contentType,
  createBodyVerifier,
  getNegotiatedType,
  getQuery,
  httpsOnly,
  jsonBody,
  type Middleware,
  queryParameters,
  type RefusalReport,
  type ReportOptions,
  suite,
  type SuiteOptions,
  tryGetQuery,
  utf8Guard,
} from "etiquette";
import { EXPRESS_VERSIONS } from "./support/express.js";
import { exchange, listen } from "./support/raw-socket.js";

const EMOJI = "%F0%9F%98%80";
const HEADERS = "Host: localhost\r\nConnection: close\r\n";

/** For each guard: its factory, a request that it refuses, and what it reports. */
const GUARDS: readonly [string, (options: ReportOptions) => Middleware, string, object][] = [
  [
    "httpsOnly",
    httpsOnly,
    "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
    { rule: "S1", code: "E0000006", status: 403, type: "https.required" },
  ],
  ["bodyLength", bodyLength, `POST / HTTP/1.1\r\n${HEADERS}\r\n`, { rule: "V2", code: "E0009002", status: 411 }],
  [
    "utf8Guard",
    utf8Guard,
    `GET /?a=${EMOJI} HTTP/1.1\r\n${HEADERS}\r\n`,
    { rule: "S5", code: "E0009000", status: 400 },
  ],
  [
    "queryParameters",
    (options) => queryParameters({ ...options, single: ["a"] }),
    `GET /?a=1&a=2 HTTP/1.1\r\n${HEADERS}\r\n`,
    { rule: "Q4", code: "E0000001", status: 400, detail: "a: takes one value and came more than once." },
  ],
  [
    "contentType",
    contentType,
    `POST / HTTP/1.1\r\n${HEADERS}Content-Type: text/csv\r\nContent-Length: 1\r\n\r\na`,
    {
      rule: "S3",
      code: "E0000021",
      status: 415,
      causes: ['Content-Type is "text/csv"; accepted: application/json.'],
      option: 'contentType: { consumes: ["application/json", "…"] }',
    },
  ],
  [
    "jsonBody",
    jsonBody,
    `POST / HTTP/1.1\r\n${HEADERS}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`,
    { rule: "S3", code: "E0000003", status: 400, type: "entity.parse.failed" },
  ],
];

describe.each(EXPRESS_VERSIONS)("report: true on %s", (_version, express) => {
  const echo: RequestHandler = (req, res) => {
    let text = "";
    req.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    req.on("end", () => res.json({ url: req.url, text }));
  };

  async function answer(app: Express, bytes: string): Promise<string> {
    const server = createServer(app);
    const text = await exchange(await listen(server), bytes);
    server.close();
    return text.replace(/\r\nDate: .*/, "");
  }

  describe.each(GUARDS)("%s", (guard, create, bytes, expected) => {
    it("lets pass unchanged what it refuses without it, and reports it once", async () => {
      const reports: RefusalReport[] = [];
      const plain = express().use(echo) as Express;
      const enforcing = express().use(create({ report: false }), echo) as Express;
      const reporting = express().use(create({ report: true, onReport: (report) => reports.push(report) }), echo);
      expect(await answer(enforcing, bytes)).toMatch(/^HTTP\/1.1 [45]/);
      expect(await answer(reporting as Express, bytes)).toBe(await answer(plain, bytes));
      expect(reports).toEqual([expect.objectContaining({ guard, ...expected })]);
      expect(reports[0]?.req.method).toBe(bytes.split(" ", 1)[0]);
      expect(reports[0]?.res).toHaveProperty("statusCode", 200);
    });

    it.each<[string, () => unknown]>([
      [
        "throws",
        () => {
          throw new Error("mine");
        },
      ],
      ["rejects", () => Promise.reject(new Error("mine"))],
    ])("lets it pass also when onReport %s", async (_what, onReport) => {
      const app = express().use(create({ report: true, onReport }), echo) as Express;
      expect(await answer(app, bytes)).toMatch(/^HTTP\/1.1 200/);
    });
  });

  it("httpsOnly and contentType omit the headers that make browsers refuse", async () => {
    const send = async (report: boolean) => {
      const app = express().use(httpsOnly({ trust: "loopback", report }), contentType({ report }), echo);
      const { headers } = await request(app).get("/").set({ Host: "a.example", "X-Forwarded-Proto": "https" });
      return [headers["strict-transport-security"], headers["x-content-type-options"]];
    };
    expect(await send(true)).toEqual([undefined, undefined]);
    expect(await send(false)).toEqual(["max-age=31536000", "nosniff"]);
  });

  it("contentType selects the preferred type for what would be a 406, and queryParameters says that there is no query", async () => {
    const options = { report: true, onReport: () => undefined };
    const app = express();
    app.use(contentType({ ...options, produces: ["application/json", "text/csv"] }), queryParameters(options));
    app.get("/type", (req, res) => void res.json(getNegotiatedType(req)));
    app.get("/query", (req, res) => {
      expect(tryGetQuery(req)).toBeUndefined();
      expect(() => getQuery(req)).toThrow("queryParameters() ran, but the query can't be read");
      res.end();
    });
    await request(app).get("/type").set("Accept", "image/png").expect(200, '"application/json"');
    await request(app).get("/type").set("Accept", "text/csv").expect(200, '"text/csv"');
    await request(app).get("/query?q=100%").expect(200);
  });

  it("queryParameters keeps a query in which a parameter is repeated", async () => {
    const app = express();
    app.use(queryParameters({ single: ["a"], report: true, onReport: () => undefined }));
    app.get("/", (req, res) => void res.json(getQuery(req).getAll("a")));
    await request(app).get("/?a=1&a=2").expect(200, ["1", "2"]);
  });

  it("createBodyVerifier reports the body that it refuses, and the parser takes it", async () => {
    const reports: string[] = [];
    const verify = createBodyVerifier({
      report: true,
      onReport: ({ type, guard }) => reports.push(`${guard} ${type}`),
    });
    const app = express().use(express.json({ verify }), (req, res) => void res.json(req.body));
    await request(app).post("/").send({ a: "😀" }).expect(200, { a: "😀" });
    await request(app).post("/").send({ a: "a" }).expect(200, { a: "a" });
    expect(reports).toEqual(["createBodyVerifier text.unsupported"]);
  });
});

describe.each(EXPRESS_VERSIONS)('suite({ mode: "report" }) on %s', (_version, express) => {
  const types: string[] = [];
  beforeEach(() => (types.length = 0));
  const onReport = ({ guard, type }: RefusalReport) => types.push(`${guard} ${type}`);

  /** An app with parsers and errors of its own, in the middle of what `use` mounts. */
  function serve(options?: SuiteOptions): Express {
    const app = express();
    const { guards, fallbacks } = options ? suite(options) : { guards: [], fallbacks: [] };
    if (options) app.use(guards);
    const show: RequestHandler = (req, res) => {
      res.json({
        body: req.body instanceof Buffer ? req.body.toString("base64") : (req.body as unknown),
        query: req.query,
      });
    };
    const hook = express.json({ limit: 200, verify: (req, _res, bytes) => Object.assign(req, { raw: bytes.length }) });
    app.all("/json", express.json(), show);
    app.all("/hook", hook, (req, res) => void res.json([req.body, (req as { raw?: number }).raw]));
    app.all("/form", express.urlencoded({ extended: false }), show);
    app.all("/raw", express.raw({ type: () => true }), show);
    app.all("/stream", (req, res) => {
      res.type("txt");
      req.pipe(res);
    });
    app.all("/unread", (_req, res) => void res.status(401).json("no"));
    if (options) app.use(fallbacks);
    app.use(((error: Error & { status?: number }, _req, res, _next) => {
      res.status(error.status ?? 500).json({ mine: error.message });
    }) as ErrorRequestHandler);
    return app;
  }

  it("responds to every request byte for byte as the app without it", async () => {
    const servers = [serve(), serve({ mode: "report", onReport })].map((app) => createServer(app));
    const [plain = 0, reporting = 0] = await Promise.all(servers.map((server) => listen(server)));
    const body = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc
        .constantFrom("", "{", "1", '{"a":"😀"}', `{"a":"${"x".repeat(300)}"}`, `["${"x".repeat(110_000)}"]`, "a=1&b=%")
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => gzipSync(text)),
    );
    const line = fc.constantFrom(
      "Content-Type: application/json",
      "Content-Type: application/json; charset=latin1",
      "Content-Type: application/x-www-form-urlencoded",
      "Content-Encoding: gzip",
      "Accept: text/html",
      "Accept: application/json",
      "User-Agent: \xf0\x9f\x98\x80",
      "If-None-Match: *",
      "X-Forwarded-Proto: http",
    );
    const sent = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"),
      path: fc.constantFrom(
        "/json",
        "/hook",
        "/form",
        "/raw",
        "/stream",
        "/unread",
        "/nowhere",
        "/json%2f",
        `/${EMOJI}`,
      ),
      query: fc.constantFrom("", "?a=1", "?a=100%", `?a=${EMOJI}`, `?${"a=1&".repeat(101)}`),
      host: fc.constantFrom("localhost", "a.example"),
      lines: fc.uniqueArray(line, { maxLength: 4, selector: (text) => text.split(":", 1)[0] }),
      framing: fc.constantFrom("length", "length", "chunked", "none"),
      body,
    });
    await fc.assert(
      fc.asyncProperty(sent, async ({ method, path, query, host, lines, framing, body: bytes }) => {
        const text = bytes.toString("latin1");
        const [field, content] = {
          length: [[`Content-Length: ${bytes.length}`], text],
          chunked: [
            ["Transfer-Encoding: chunked"],
            `${bytes.length ? `${bytes.length.toString(16)}\r\n${text}\r\n` : ""}0\r\n\r\n`,
          ],
          none: [[], ""],
        }[framing] as [string[], string];
        const head = [`${method} ${path}${query} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...lines, ...field];
        const [expected, found] = await Promise.all(
          [plain, reporting].map((port) => exchange(port, `${head.join("\r\n")}\r\n\r\n${content}`)),
        );
        expect(withoutIds(found)).toBe(withoutIds(expected));
      }),
      { numRuns: 150 },
    );
    expect(new Set(types.map((text) => text.split(" ", 1)[0])).size).toBe(6);
    for (const server of servers) server.close();
  });

  const withoutIds = (text = ""): string => text.replace(/\r\n(?:Date|X-Svc-Request-Id): [^\r]*/g, "");

  it("parses, sets ids, and leaves 404 and errors to the app", async () => {
    const app = express();
    const { guards, fallbacks, parts } = suite({ mode: "report", onReport });
    app.use(guards);
    app.post("/", (req, res) => void res.json(req.body));
    app.get("/failing", () => {
      throw Object.assign(new Error("mine"), { status: 422 });
    });
    app.use(
      parts.notFound,
      fallbacks,
      ((error: Error, _req, res, _next) => void res.status(422).send(error.message)) as ErrorRequestHandler,
    );
    const { headers } = await request(app).post("/").send({ a: 1 }).expect(200, { a: 1 });
    expect(headers["x-svc-request-id"]).toMatch(/^[\w-]{22}$/);
    await request(app).get("/failing").expect(422, "mine");
    await request(app)
      .get("/nowhere")
      .expect(404, /Cannot GET/);
    expect(types).toEqual([]);
  });

  it("enforces the guards whose own mode says so, and reports the others", async () => {
    const statusOf = async (options: SuiteOptions) => {
      const app = express().use(
        suite({ ...options, onReport, responseCheck: false }).guards,
        (_req, res) => void res.end(),
      );
      app.use(
        ((error: { status: number }, _req, res, _next) => void res.sendStatus(error.status)) as ErrorRequestHandler,
      );
      const { status } = await request(app).post("/?a=100%").set("Host", "a.example").type("form").send("a=1");
      return status;
    };
    expect(await statusOf({ mode: "report" })).toBe(200);
    expect(types).toEqual([
      "httpsOnly https.required",
      "utf8Guard text.malformed",
      "queryParameters query.malformed",
      "contentType media-type.unsupported",
    ]);
    expect(await statusOf({ mode: "report", contentType: { mode: "enforce" } })).toBe(415);
    expect(await statusOf({ mode: "report", httpsOnly: { mode: "enforce" } })).toBe(403);
    types.length = 0;
    expect(
      await statusOf({ httpsOnly: { mode: "report" }, utf8Guard: false, queryParameters: { mode: "report" } }),
    ).toBe(415);
    expect(types).toEqual(["httpsOnly https.required", "queryParameters query.malformed"]);
  });

  it("sends the error object for what is enforced when errorFormatter and notFound are", async () => {
    const { guards, fallbacks } = suite({
      mode: "report",
      onReport,
      errorFormatter: { mode: "enforce", log: false },
      notFound: { mode: "enforce" },
    });
    const app = express().use(guards, fallbacks);
    await request(app)
      .get("/")
      .expect(404, /E0000008/);
  });

  it("checks responses only when responseCheck is asked for", async () => {
    const log = jest.fn();
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    for (const options of [{}, { responseCheck: { log } }]) {
      const app = express().use(suite({ mode: "report", onReport, ...options }).guards);
      app.use((_req, res) => void res.json({ at: "2026-01-01" }));
      await request(app).get("/");
    }
    expect(log).toHaveBeenCalledTimes(1);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});

it.each([
  [{ mode: "reports" }, 'suite: option `mode` must be "enforce" or "report"'],
  [{ httpsOnly: { mode: true } }, 'suite: option `httpsOnly.mode` must be "enforce" or "report"'],
  [{ notFound: { mode: "" } }, 'suite: option `notFound.mode` must be "enforce" or "report"'],
  [{ httpsOnly: { report: true } }, 'suite: option `report` of `httpsOnly` is given as mode: "report"'],
  [{ requestId: { mode: "report" } }, "suite: option `mode` of `requestId` has no effect: it refuses nothing"],
  [
    { httpsOnly: { onReport: () => undefined } },
    "suite: option `onReport` of `httpsOnly` is shared; give it as suite({ onReport: … })",
  ],
])("suite(%j) is refused", (options, message) => {
  expect(() => suite(options as never)).toThrow(new TypeError(message));
});
