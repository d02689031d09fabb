import { readFileSync } from "node:fs";
import path from "node:path";
import request from "supertest";
import { countApart } from "../support/count-apart.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { sectionOf } from "../support/page-parts.js";
import { edit } from "../support/proxies.js";
import { exchange, listen, parseAnswer } from "../support/raw-socket.js";
import { block } from "../support/run-snippet.js";
import { until } from "../support/until.js";
import { applyDiffs, countLines, loadApp, readApp, type Sources } from "./load-app.js";
import { testExpenses } from "./own-tests/expenses.js";
import { testFiles } from "./own-tests/files.js";
import { testLive } from "./own-tests/live.js";
import { testPages } from "./own-tests/pages.js";
import { type Running, signIn } from "./own-tests/running.js";

/** The app in app/ was written without the suite. docs/guides/adopted-app.md mounts it, and its clients notice nothing. */
const page = readFileSync(path.join(__dirname, "../../docs/guides/adopted-app.md"), "utf8");

const stepOf = (heading: string) => {
  const text = sectionOf(page, heading);
  return { text, diffs: [...text.matchAll(/^```diff\n([^]*?)\n```/gm)].map(([, diff = ""]) => diff) };
};
const [REPORT, ENFORCE] = [stepOf("Report"), stepOf("Enforce")];

const ORIGINAL = readApp();
const REPORTING = applyDiffs(ORIGINAL, REPORT.diffs);
const ENFORCING = applyDiffs(REPORTING, ENFORCE.diffs);

/** Those that report nothing. */
const QUIET = 'mode: "report", utf8Guard: { mode: "enforce" }, queryParameters: { mode: "enforce" }';
const PARTLY = new Map(REPORTING).set("app.js", edit(REPORTING.get("app.js") ?? "", { 'mode: "report"': QUIET }));

/** Whom the suite would refuse of those that the app's own tests are: how often, the rule, the type and the route. */
const REPORTED = [
  ["4", "S3", "media-type.unsupported", "PUT /api/expenses/:id/receipt"],
  ["3", "S3", "media-type.not-acceptable", "(no route)"],
  ["2", "S3", "media-type.unsupported", "POST /login"],
  ["2", "S3", "media-type.unsupported", "POST /api/expenses/import"],
  ["1", "S1", "https.required", "GET /healthz"],
  ["1", "V2", "content-length.missing", "POST /logout"],
  ["1", "S5", "text.unsupported", "POST /api/expenses"],
  ["1", "S9", "entity.too.large", "POST /api/expenses/batch"],
  ["1", "S3", "entity.parse.failed", "(no route)"],
  ["1", "S9", "entity.too.large", "(no route)"],
  ["1", "S3", "media-type.not-acceptable", "GET /api/expenses/export.csv"],
  ["1", "S3", "media-type.not-acceptable", "GET /api/events"],
];

describe.each(EXPRESS_VERSIONS)("an app with clients, on %s", (_version, express) => {
  let warned: jest.SpyInstance;

  beforeAll(() => {
    warned = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  });

  afterAll(() => {
    expect(warned).not.toHaveBeenCalled(); // by responseCheck
    jest.restoreAllMocks();
  });

  /** The app's own tests, which know nothing of the suite. */
  function itPassesItsTests(sources: Sources): () => Running {
    let running: Running | undefined;
    const get = (): Running => {
      if (!running) throw new Error("the app does not run");
      return running;
    };
    beforeAll(async () => {
      const modules = { express, etiquette: countApart({ log: false }) };
      const { createExpenseServer, createStore } = loadApp(sources, modules);
      const store = createStore();
      const log = { error: jest.fn() };
      const server = createExpenseServer({ store, log });
      running = { server, port: await listen(server), store, log };
    });
    afterAll(async () => {
      get().server.closeAllConnections();
      await new Promise((resolve) => get().server.close(resolve));
    });
    testPages(get);
    testExpenses(get);
    testFiles(get);
    testLive(get);
    return get;
  }

  describe("as it is", () => {
    itPassesItsTests(ORIGINAL);
  });

  describe("with the suite in report mode", () => {
    const running = itPassesItsTests(REPORTING);

    it("reports exactly what the page shows", async () => {
      const agent = await signIn(running());
      const report = async () => (await agent.get("/report").expect(200)).text.split("\n");
      await until(async () => (await report()).length === REPORTED.length + 1); // a stream ends when its client knows
      const [, ...rows] = await report();
      const cells = rows.map((row) => row.trim().split(/ {2,}/));
      expect(cells.map(([count, rule, , type, route]) => [count, rule, type, route])).toEqual(REPORTED);
      expect((await report()).join("\n").trim()).toBe(block(REPORT.text, "text"));
    });
  });

  describe("with the guards enforced that report nothing", () => {
    itPassesItsTests(PARTLY);
  });

  describe("with everything enforced, and its own format", () => {
    const running = itPassesItsTests(ENFORCING);

    const expectOwnFormat = (body: unknown, code: string, id?: string) => {
      const error = { code, message: expect.any(String) };
      expect(body).toEqual({ error, requestId: id });
    };

    it("refuses what no client sends, in the app's format", async () => {
      const agent = await signIn(running());
      const { body, headers } = await agent.post("/api/expenses").type("text/plain").send("{}").expect(415);
      expectOwnFormat(body, "E0000021", headers["x-request-id"]);
    });

    it("refuses plain HTTP from elsewhere", async () => {
      const { body, headers } = await request(running().server).get("/api/me").set("Host", "a.example").expect(403);
      expectOwnFormat(body, "E0000006", headers["x-request-id"]);
    });

    it("refuses what never reaches Express, in the app's format", async () => {
      const { status, headers, body } = parseAnswer(
        await exchange(running().port, "GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n"),
      );
      expect(status).toBe(400);
      expectOwnFormat(JSON.parse(body), "E0009000", headers["x-request-id"]);
    });
  });
});

it.each([REPORT, ENFORCE])("the page counts the lines that a step changes", ({ text, diffs }) => {
  const { added, removed } = countLines(diffs);
  expect(text).toContain(`This adds ${added} lines and removes ${removed}`);
});

it("the page counts the tests of the app", () => {
  const its = ["expenses", "files", "live", "pages"].flatMap((name) => [
    ...readFileSync(path.join(__dirname, `own-tests/${name}.ts`), "utf8").matchAll(/^ +it\(/gm),
  ]);
  expect(page).toContain(`Its ${its.length} tests pass after each of these steps.`);
});
