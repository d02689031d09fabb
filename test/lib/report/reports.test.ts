/** @jest-environment node */
import type { Server } from "node:http";
import request from "supertest";
import { createReports, formatReport, type Reports } from "etiquette/reports";
import { createServer } from "etiquette/create-server";
import { queryParameters } from "etiquette/query-parameters";
import { requestContext } from "etiquette/request-context";
import { suite } from "etiquette/suite";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { exchange, listen } from "../../support/raw-socket.js";

const MALFORMED = "?q=100%";

describe.each(EXPRESS_VERSIONS)("createReports() on %s", (_version, express) => {
  let lines: string[];
  beforeEach(() => (lines = []));

  /** An app with routes at the root and below routers. */
  function serve({ onReport }: Reports) {
    const app = express();
    app.use(requestContext({ trust: "loopback" }), queryParameters({ report: true, onReport }));
    const inner = express.Router({ mergeParams: true });
    inner.all("/items/:id", (_req, res) => void res.end());
    app.use("/orgs/:org", express.Router().use("/v1", inner));
    app.all("/users/:id", (_req, res) => void res.end());
    for (const name of ["a", "b", "c", "d"]) app.get(`/${name}`, (_req, res) => void res.end());
    return app;
  }
  const create = (maxRows = 200) => createReports({ maxRows, log: (line) => lines.push(line) });
  const table = (reports: Reports) =>
    reports
      .formatReport()
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/ {2,}/));

  it("counts by type and route, and never by the URL or the values of parameters", async () => {
    const reports = create();
    const app = serve(reports);
    for (const path of ["/users/1", "/users/2", "/nowhere/1", "/nowhere/2", "/nowhere/3"]) {
      await request(app).get(path + MALFORMED);
    }
    for (const org of ["acme", "a%20b", "x"]) await request(app).post(`/orgs/${org}/v1/items/7${MALFORMED}`);
    await request(app).get("/users/1?a=1");
    expect(table(reports)).toEqual([
      ["3", "Q1", "400 E0009000", "query.malformed", "(no route)", "queryParameters: false"],
      ["3", "Q1", "400 E0009000", "query.malformed", "POST /orgs/:org/v1/items/:id", "queryParameters: false"],
      ["2", "Q1", "400 E0009000", "query.malformed", "GET /users/:id", "queryParameters: false"],
    ]);
  });

  it("logs the first of each kind, with rule, route, client and option", async () => {
    const app = serve(create());
    for (let n = 0; n < 3; n++) {
      await request(app)
        .get(`/users/1${MALFORMED}`)
        .set({ "User-Agent": `curl/8 \u009b${"x".repeat(99)}`, "X-Forwarded-For": "203.0.113.7" });
    }
    expect(lines).toEqual([
      `queryParameters would refuse GET /users/:id with 400 E0009000 (Q1, query.malformed): Query parameter "q", offset 5: "%" is not a percent sign and two hexadecimal digits; a percent sign itself is "%25". The client: 203.0.113.7, "curl/8 \\u009b${"x".repeat(56)}…". To allow it: queryParameters: false.`,
    ]);
  });

  it.each([
    [2, 2],
    [3, 3],
    [4, 4],
  ])("with maxRows: 3, %i routes make %i rows, the fourth for all others", async (routes, rows) => {
    const reports = create(3);
    const app = serve(reports);
    for (const name of ["a", "b", "c", "d"].slice(0, routes)) {
      await request(app).get(`/${name}${MALFORMED}`);
      await request(app).get(`/${name}${MALFORMED}`);
    }
    const found = table(reports);
    expect(found).toHaveLength(rows);
    expect(found.some(([, , , , route]) => route === "(other routes)")).toBe(routes > 3);
    expect(lines).toHaveLength(found.length);
  });

  it("counts further routes in one row for each type, and goes on counting those it knows", async () => {
    const reports = create(1);
    const app = serve(reports);
    for (const name of ["a", "b", "c", "a"]) await request(app).get(`/${name}${MALFORMED}`);
    await request(app).get(`/b?${"a=1&".repeat(101)}`);
    expect(table(reports).map(([count, , , type, route]) => [count, type, route])).toEqual([
      ["2", "query.malformed", "GET /a"],
      ["2", "query.malformed", "(other routes)"],
      ["1", "query.too-many", "(other routes)"],
    ]);
  });

  it("ignores a log that throws or rejects", async () => {
    for (const log of [
      () => Promise.reject(new Error("log")),
      () => {
        throw new Error("log");
      },
    ]) {
      const reports = createReports({ log });
      await request(serve(reports)).get(`/a${MALFORMED}`).expect(200);
      expect(table(reports)).toHaveLength(1);
    }
  });
});

it("counts for the whole process by default: guards, suites and servers make one table", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const app = EXPRESS_VERSIONS[1]![1]();
  app.use(suite({ mode: "report" }).guards, (_req, res) => void res.end());
  const server: Server = createServer(app, { report: true });
  const port = await listen(server);
  await exchange(port, "POST / HTTP/1.1\r\nHost: localhost\r\nHost: other\r\nConnection: close\r\n\r\n");
  const written = formatReport();
  expect(written.split("\n")[0]).toMatch(/^count +rule +response +type +route +to allow it$/);
  for (const type of ["content-length.missing", "host.duplicate"]) expect(written).toContain(type);
  expect(warn.mock.calls.flat().join("\n")).toContain("createServer would refuse (no route) with 400 E0009000 (E5, ");
  server.close();
  warn.mockRestore();
});

it.each([
  [{ maxRows: 0 }, "createReports: option `maxRows` must be an integer from 1 to 10000"],
  [{ maxRows: 10_001 }, "createReports: option `maxRows` must be an integer from 1 to 10000"],
  [{ log: true }, "createReports: option `log` must be a function or false"],
  [{ rows: 1 }, "createReports: option `rows` is unknown; the options are `maxRows`, `log`"],
])("createReports(%j) is refused", (options, message) => {
  expect(() => createReports(options as never)).toThrow(new TypeError(message));
});

it("takes the lowest and the highest number of rows, and `log: false`", () => {
  for (const maxRows of [1, 10_000]) expect(createReports({ maxRows, log: false }).formatReport()).toMatch(/^count/);
});
