import { gzipSync } from "node:zlib";
import type { Express, RequestHandler } from "express";
import fc from "fast-check";
import request from "supertest";
import { contentType } from "../../middleware/content-type.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { compileFilterSchema, filter, tryGetFilter } from "../../middleware/filter.js";
import { jsonBody } from "../../middleware/json-body.js";
import { methodNotAllowed } from "../../middleware/method-not-allowed.js";
import { operationCors } from "../../middleware/operation-cors.js";
import { getPage, pagination } from "../../middleware/pagination.js";
import { queryBody, type QueryBodyOptions } from "../../middleware/query-body.js";
import { getQuery, queryParameters } from "../../middleware/query-parameters.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const ORIGIN = "https://console.example.com";

const SCHEMA = compileFilterSchema({ attributes: { id: { type: "number" }, name: { type: "string" } } });
const USERS = Array.from({ length: 50 }, (_, index) => ({ id: index + 1, name: "joe" }));

/** It takes more characters than a server reads of a request. */
const LONG_FILTER = `id gt 0 and name ne "${"ü ".repeat(3_000)}"`;

describe.each(EXPRESS_VERSIONS)("queryBody on %s", (_version, express) => {
  /** An app that sends what it read. */
  function echo(options: QueryBodyOptions = {}, ...before: RequestHandler[]): Express {
    const app = express();
    app.use(...before, queryBody(options), queryParameters({ maxParameters: 1_000, maxBytesPerCharacter: 4 }));
    app.all("/users", (req, res) => res.json(getQuery(req).parameters));
    app.use(errorFormatter({ log: false }));
    return app;
  }

  /** A list with filters and pages. */
  function list(): Express {
    const app = express();
    const origin = [ORIGIN];
    const handlers: RequestHandler[] = [
      filter({ schema: SCHEMA }),
      pagination({
        secret: "s".repeat(32),
        resource: "users",
        baseUrl: "https://api.example.com",
        firstPageOnly: ["since"],
      }),
      (req, res) => {
        const { after: [position = 0] = [], fetchLimit } = getPage(req);
        const found = USERS.filter(tryGetFilter(req)?.toPredicate() ?? (() => true)).filter(
          ({ id }) => id > Number(position),
        );
        res.json(getPage(req).take(found.slice(0, fetchLimit), ({ id }) => [id]));
      },
    ];
    app.all(
      "/users",
      operationCors({ origin, operations: { GET: {}, QUERY: {} } }),
      contentType({ consumes: [FORM, JSON_TYPE] }),
    );
    app.all("/users", queryBody());
    app.get("/users", ...handlers);
    app.query?.("/users", ...handlers);
    app.use(methodNotAllowed(), errorFormatter({ log: false }));
    return app;
  }

  const ask = (app: Express, target: string, body: string | Buffer, type: string = FORM): request.Test =>
    new request.Test(app, "QUERY", target)
      .set("Content-Type", type)
      .serialize((sent) => sent as string)
      .send(body);

  it("Q5 reads parameters from the URL, then from a form", async () => {
    const res = await ask(echo(), "/users?limit=5", "login=joe%2Bwork&name=Joe+Doe&tag=a&tag=b").expect(200);
    expect(res.body).toEqual({ limit: ["5"], login: ["joe+work"], name: ["Joe Doe"], tag: ["a", "b"] });
  });

  it("Q5 reads parameters from a JSON object", async () => {
    const text = '{"filter":"a eq \\"ü&=+\\"","limit":5,"deleted":false,"tag":["a","b"],"id":12345678901234567890}';
    for (const before of [[], [jsonBody()]]) {
      const res = await ask(echo({}, ...before), "/users", text, JSON_TYPE).expect(200);
      expect(res.body).toMatchObject({ filter: ['a eq "ü&=+"'], limit: ["5"], deleted: ["false"], tag: ["a", "b"] });
    }
    const exact = await ask(echo(), "/users", text, JSON_TYPE).expect(200);
    expect(exact.body).toMatchObject({ id: ["12345678901234567890"] });
  });

  it("reads compressed and empty bodies", async () => {
    const app = echo();
    const packed = await ask(app, "/users", gzipSync("a=1")).set("Content-Encoding", "gzip").expect(200);
    expect(packed.body).toEqual({ a: ["1"] });
    for (const type of [FORM, JSON_TYPE]) {
      const empty = await ask(app, "/users?a=1", "", type).expect(200);
      expect(empty.body).toEqual({ a: ["1"] });
    }
    const coded = ask(echo({ inflate: false }), "/users", gzipSync("a=1")).set("Content-Encoding", "gzip");
    await coded.expect(415);
  });

  it("leaves other methods alone, and tells all that there is QUERY", async () => {
    const res = await request(echo()).post("/users?a=1").type("form").send("b=2").expect(200);
    expect(res.body).toEqual({ a: ["1"] });
    expect(res.headers["accept-query"]).toBe("application/x-www-form-urlencoded, application/json");
    const one = await request(echo({ consumes: [JSON_TYPE] }))
      .get("/users")
      .expect(200);
    expect(one.headers["accept-query"]).toBe("application/json");
  });

  it.each([
    ["text/plain", "a=1", 415, "E0000021"],
    ["application/sql", "select 1", 415, "E0000021"],
    ["nonsense", "a=1", 415, "E0000021"],
    [FORM, "a=%", 400, "E0009000"],
    [FORM, "a=%ff", 400, "E0009000"],
    [FORM, Buffer.from([0x61, 0x3d, 0xff]), 400, "E0009000"],
    [FORM, "a%26b=1", 400, "E0009000"],
    [JSON_TYPE, "[]", 400, "E0000003"],
    [JSON_TYPE, "7", 400, "E0000003"],
    [JSON_TYPE, "{", 400, "E0000003"],
    [JSON_TYPE, '{"a":null}', 400, "E0000001"],
    [JSON_TYPE, '{"a":{}}', 400, "E0000001"],
    [JSON_TYPE, '{"a":[[]]}', 400, "E0000001"],
    [JSON_TYPE, '{"a":"\\ud800"}', 400, "E0000001"],
    [JSON_TYPE, '{"a":"😀"}', 400, "E0000001"],
    [JSON_TYPE, '{"a&b":1}', 400, "E0009000"],
  ])("Q5 refuses %s %j with %i %s", async (type, body, status, code) => {
    const res = await ask(echo(), "/users", body, type).expect(status);
    expect(res.body).toMatchObject({ errorCode: code });
    expect(res.headers["accept-query"]).toBeDefined();
    expect(res.headers["location"]).toBeUndefined();
  });

  it("refuses a QUERY without a Content-Type", async () => {
    const res = await ask(echo(), "/users", "", "").unset("Content-Type").expect(400);
    expect(res.body).toMatchObject({ errorCode: "E0000018" });
  });

  it.each([
    [99, 200],
    [100, 200],
    [101, 413],
  ])("takes a body of 100 bytes: %i are %i", async (length, status) => {
    await ask(echo({ limit: 100 }), "/users", `a=${"x".repeat(length - 2)}`).expect(status);
  });

  it.each([
    [9, 200],
    [10, 200],
    [11, 400],
  ])("takes at most 10 parameters of URL and body: %i are %i", async (count, status) => {
    const body = Array.from({ length: count - 1 }, (_, index) => `p${index}=1`).join("&");
    await ask(echo({ maxParameters: 10 }), "/users?a=1", body).expect(status);
  });

  it("names the URL for a GET with the same result, as long as it is short", async () => {
    const app = list();
    const res = await ask(app, "/users?limit=2", "filter=id+lt+5").expect(200);
    expect(res.headers["content-location"]).toBe("/users?limit=2&filter=id%20lt%205");
    expect(res.headers["location"]).toBe(res.headers["content-location"]);
    const same = await request(app).get(res.headers["location"]!).expect(200);
    expect(same.body).toEqual(res.body);
    expect(same.headers["etag"]).toBe(res.headers["etag"]);
    for (const [length, isNamed] of [
      [9, false],
      [10, true],
      [11, true],
    ] as const) {
      const short = await ask(echo({ maxLocationLength: length }), "/users", "a=1").expect(200);
      expect("location" in short.headers).toBe(isNamed);
    }
  });

  it("P2 leads to the next page of a QUERY by the same method and body", async () => {
    const app = list();
    const body = `filter=${encodeURIComponent(LONG_FILTER)}&since=2026-01-01`;
    expect(body.length).toBeGreaterThan(16_384);
    const found: { id: number }[] = [];
    let target = "/users?limit=20";
    for (let page = 0; page < 3; page++) {
      const res = await ask(app, target, body).expect(200);
      expect(res.headers["location"]).toBeUndefined();
      found.push(...(res.body as { id: number }[]));
      const next = /<https:\/\/api\.example\.com([^>]+)>; rel="next"/.exec(String(res.headers["link"]))?.[1];
      if (next === undefined) break;
      expect(next).toMatch(/^\/users\?limit=20&after=[\w.-]+$/);
      target = next;
      await ask(app, target, "filter=id+gt+1").expect(400); // the cursor is of another selection
    }
    expect(found).toEqual(USERS);
  });

  it("T2 answers a QUERY whose result the client has with 304", async () => {
    const app = list();
    const first = await ask(app, "/users", "limit=3").expect(200);
    const tag = first.headers["etag"]!;
    await ask(app, "/users", "limit=3").set("If-None-Match", tag).expect(304);
    await ask(app, "/users", "limit=4").set("If-None-Match", tag).expect(200);
  });

  it("O1 lets trusted origins send a QUERY, after a preflight", async () => {
    const app = list();
    const preflight = await request(app)
      .options("/users")
      .set({
        Origin: ORIGIN,
        "Access-Control-Request-Method": "QUERY",
        "Access-Control-Request-Headers": "if-none-match",
      })
      .expect(204);
    expect(preflight.headers["access-control-allow-methods"]).toBe("QUERY");
    const res = await ask(app, "/users", "limit=1").set("Origin", ORIGIN).expect(200);
    expect(res.headers["access-control-allow-origin"]).toBe(ORIGIN);
  });

  it("V5 lists QUERY in Allow", async () => {
    const res = await request(list()).delete("/users").expect(405);
    expect(res.headers["allow"]?.split(", ").toSorted()).toEqual(["GET", "HEAD", "OPTIONS", "QUERY"]);
  });

  it("gives the same values as the URL, for all texts", async () => {
    const app = echo({ maxBytesPerCharacter: 4 });
    const text = fc.string({ unit: "binary", maxLength: 10 }).filter((value) => !/[\ufeff]/.test(value));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (values) => {
        const form = new URLSearchParams(values.map((value): [string, string] => ["v", value]));
        const byForm = await ask(app, "/users", form.toString());
        const byJson = await ask(app, "/users", JSON.stringify({ v: values }), JSON_TYPE);
        expect(byForm.body).toEqual(values.length === 0 ? {} : { v: values });
        expect(byJson.body).toEqual(byForm.body);
      }),
      { numRuns: 50 },
    );
  });
});

describe("queryBody()", () => {
  it.each([
    [{ consumes: [] }],
    [{ consumes: ["application/sql"] }],
    [{ limit: 0 }],
    [{ limit: 1_048_577 }],
    [{ maxParameters: 1_001 }],
    [{ maxLocationLength: -1 }],
    [{ maxBytesPerCharacter: 2 }],
    [{ inflate: 1 }],
  ])("refuses %j", (options) => {
    expect(() => queryBody(options as never)).toThrow(TypeError);
  });
});
