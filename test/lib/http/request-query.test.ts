import fc from "fast-check";
import type { RequestHandler } from "express";
import request from "supertest";
import { queryOf, RequestQuery } from "../../../lib/http/request-query.js";
import { errorFormatter } from "../../../middleware/error-formatter.js";
import { compileFilterSchema, filter, formatFilter, tryGetFilter } from "../../../middleware/filter.js";
import { getPage, pagination } from "../../../middleware/pagination.js";
import { getQuery, queryParameters } from "../../../middleware/query-parameters.js";
import { utf8Guard } from "../../../middleware/utf8-guard.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";

const schema = compileFilterSchema({ attributes: { name: { type: "string" } } });

/** Longer than what is kept by its text. */
const LONG = `name=${"x".repeat(300)}`;

/** What a request was read as. */
const show: RequestHandler = (req, res) => {
  const page = getPage(req);
  page.take([], () => [1]);
  const expression = tryGetFilter(req);
  res.json({
    query: getQuery(req).parameters,
    filter: expression ? formatFilter(expression.filter) : null,
    limit: page.limit,
  });
};

describe("queryOf", () => {
  it.each([
    ["/users", ""],
    ["/users?", ""],
    ["/users?limit=1", "limit=1"],
    ["/users?a=b?c", "a=b?c"],
    ["/users%3Flimit=1", ""],
    ["http://acme.example.com/users?limit=1", "limit=1"],
    ["", ""],
  ])("of %j is %j", (target, query) => {
    const req = {};
    expect(queryOf(req, target).text).toBe(query);
    expect(queryOf(req, target).text).toBe(query);
    expect(queryOf(req, "/users?other=1").text).toBe("other=1");
  });

  it.each(["/users", "/users?a=1", "/users?a=b", "/users?b", "/users?aa=bb", "/users?=b", "/users?a=b?a=bb"])(
    "of another target, %s, is read anew",
    (target) => {
      const req = {};
      queryOf(req, "/users?a=bb");
      expect(queryOf(req, target).text).toBe(target.slice(target.indexOf("?", 6) + 1 || target.length));
    },
  );
});

describe("RequestQuery", () => {
  it("parses a query once", () => {
    const query = new RequestQuery(LONG);
    expect(query.parse()).toBe(query.parse({ plus: "literal", maxParameters: 100, maxBytesPerCharacter: 3 }));
  });

  it.each(["", "a=1&b=2", "a=%"])("is shared by requests with the query %j", (query) => {
    const parsed = queryOf({}, `/users?${query}`).parse();
    expect(queryOf({}, `/people?${query}`).parse()).toBe(parsed);
  });

  it.each([
    [256, true],
    [257, false],
  ])("with %d characters is kept for later requests: %j", (length, isKept) => {
    const target = `/users?${"a=1&".repeat(64).slice(0, length).padEnd(length, "b")}`;
    expect(queryOf({}, target) === queryOf({}, target)).toBe(isKept);
  });

  it("is another one for another query, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-c=&]{1,6}$/), { minLength: 2, maxLength: 50 }), (queries) => {
        for (const query of queries) expect(queryOf({}, `/?${query}`).text).toBe(query);
      }),
    );
  });

  it("derives a result once for each of 16 functions, and again after the seventeenth", () => {
    const query = new RequestQuery("a=1");
    const calls: number[] = [];
    const readers = Array.from({ length: 17 }, (_, index) => ({ text }: RequestQuery) => {
      calls.push(index);
      return `${text} ${index}`;
    });
    const first = readers.slice(0, 16);
    for (const round of [first, first]) expect(round.map((read) => query.derive(read))[15]).toBe("a=1 15");
    expect(calls).toEqual(first.map((_, index) => index));
    expect(query.derive(readers[16]!)).toBe("a=1 16");
    expect(query.derive(readers[0]!)).toBe("a=1 0");
    expect(calls.slice(16)).toEqual([16, 0]);
  });

  it("Q3 has values as a form encodes them, at the places of the parameters", () => {
    const query = new RequestQuery("&a=1+2&&b=%2B+%26=+&c");
    expect(query.parse().parameters).toEqual([
      ["a", "1+2"],
      ["b", "++&=+"],
      ["c", ""],
    ]);
    expect([query.formValue(0), query.formValue(1)]).toEqual(["1 2", "+ &= "]);
    expect(query.parse()).toBe(query.parse()); // the reading is kept
  });

  it("parses by the options of each call", () => {
    const query = new RequestQuery("a=1+2&b=3");
    expect(query.parse().parameters?.[0]).toEqual(["a", "1+2"]);
    expect(query.parse({ plus: "space" }).parameters?.[0]).toEqual(["a", "1 2"]);
    expect(query.parse({ plus: "reject" }).fault).toMatchObject({ reason: "plus" });
    expect(query.parse({ maxParameters: 1 }).fault).toMatchObject({ reason: "count" });
    expect(query.parse().parameters).toHaveLength(2);
    const emoji = new RequestQuery("a=%F0%9F%98%80");
    expect(emoji.parse().fault).toMatchObject({ reason: "fourByte" });
    expect(emoji.parse({ maxBytesPerCharacter: 4 }).parameters).toEqual([["a", "\u{1f600}"]]);
    expect(emoji.parse().fault).toMatchObject({ reason: "fourByte" });
  });
});

describe.each(EXPRESS_VERSIONS)("the query of a request on %s", (_version, express) => {
  const parts: RequestHandler[] = [
    utf8Guard(),
    queryParameters(),
    filter({ schema }),
    pagination({ secret: "s".repeat(32), resource: "users", baseUrl: "https://acme.example.com" }),
  ];

  it("is one object wherever a router is mounted", async () => {
    const seen: unknown[] = [];
    const look: RequestHandler = (req, _res, next) => {
      seen.push(queryOf(req, req.url), queryOf(req, req.originalUrl), queryOf(req, req.url).parse());
      next();
    };
    const app = express();
    const router = express.Router();
    router.get("/users", look, ...parts, look, show);
    app.use(look);
    app.use("/api", router);
    app.use("/", look);

    const response = await request(app).get(`/api/users?${LONG}&limit=3&filter=name%20eq%20%22a%22`);
    expect(response.body).toMatchObject({ filter: 'name eq "a"', limit: 3 });
    const [query, , parsed] = seen;
    expect(seen).toHaveLength(9);
    for (const [index, value] of seen.entries()) expect(value).toBe(index % 3 === 2 ? parsed : query);
  });

  it.each(["/users?filter=name%20eq%20%22b%22&limit=7", "/users?filter=name%20eq%20%22bcd%22", "/users", "/users?"])(
    "is that of the URL at that time, after a rewrite to %s",
    async (url) => {
      const app = express();
      const [guard, parameters, filtered, paged] = parts as [RequestHandler, ...RequestHandler[]];
      app.use(guard, parameters!, (req, _res, next) => {
        req.url = url;
        next();
      });
      app.get("/users", filtered!, paged!, show);
      app.use(errorFormatter());

      const sent = "filter=name%20eq%20%22a%22&limit=5";
      const response = await request(app).get(`/people?${sent}`);
      const text = /%22(.*)%22/.exec(url)?.[1];
      expect(response.body).toEqual({
        query: { filter: ['name eq "a"'], limit: ["5"] }, // read before
        filter: text === undefined ? null : `name eq "${text}"`,
        limit: 5, // links to other pages are made of the URL as sent, and so is the page
      });
      expect(response.get("Link")).toBe(`<https://acme.example.com/people?${sent}>; rel="self"`);
    },
  );

  it("is its own while other requests are under way", async () => {
    const waiting: (() => void)[] = [];
    const wait: RequestHandler = (_req, _res, next) => {
      waiting.push(next);
      if (waiting.length === 2) for (const proceed of waiting.splice(0)) proceed();
    };
    const app = express();
    app.get("/users", ...parts.flatMap((part) => [part, wait]), show);

    const answers = await Promise.all(["a", "b"].map((name) => request(app).get(`/users?limit=1&q=${name}`)));
    expect(answers.map(({ body }) => (body as { query: unknown }).query)).toEqual([
      { limit: ["1"], q: ["a"] },
      { limit: ["1"], q: ["b"] },
    ]);
  });
});
