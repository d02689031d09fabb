import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Application } from "express";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import { notFound } from "etiquette/not-found";
import {
  getQuery,
  queryParameters,
  tryGetQuery,
  type Query,
  type QueryParametersOptions,
} from "etiquette/query-parameters";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, parseAnswer, type Answer } from "../support/raw-socket.js";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** What `app` answers to a GET of `target`, sent byte by byte as it is written here. */
async function send(app: Application, target: string): Promise<Answer & { json: Record<string, unknown> }> {
  const server = createServer({ maxHeaderSize: 128 * 1024 }, app);
  servers.push(server);
  const port = await listen(server);
  const text = await exchange(port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const answer = parseAnswer(Buffer.from(text, "latin1").toString());
  return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> };
}

describe.each(EXPRESS_VERSIONS)("queryParameters() on %s", (_version, express) => {
  function serve(options?: QueryParametersOptions): Application {
    const app = express();
    app.use(queryParameters(options));
    app.get("/users", (req, res) => {
      const { parameters } = getQuery(req);
      res.json({ parameters, prototype: Object.getPrototypeOf(parameters) as unknown, theirs: req.query });
    });
    app.use(notFound());
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  async function read(query: string, options?: QueryParametersOptions): Promise<unknown> {
    const { status, json } = await send(serve(options), `/users?${query}`);
    expect(status).toBe(200);
    expect(json["prototype"]).toBeNull();
    return json["parameters"];
  }

  async function refuse(query: string, options?: QueryParametersOptions) {
    const { status, json } = await send(serve(options), `/users?${query}`);
    const causes = json["errorCauses"] as { errorSummary: string }[];
    return { status, code: json["errorCode"], causes: causes.map(({ errorSummary }) => errorSummary) };
  }

  describe("percent-encoding", () => {
    it.each<[string, Record<string, string[]>]>([
      ["", {}],
      ["a", { a: [""] }],
      ["a=", { a: [""] }],
      ["=a", { "": ["a"] }],
      ["&&a=1&&", { a: ["1"] }],
      ["a=1&b=2&a=3", { a: ["1", "3"], b: ["2"] }],
      ["a=joe+tag%2B%20%22%3A%22", { a: ['joe+tag+ ":"'] }],
      ["a[]=1&a[b]=2", { "a[]": ["1"], "a[b]": ["2"] }],
      ["a=b=c?d/e", { a: ["b=c?d/e"] }],
      ["toString=1&constructor=2", { toString: ["1"], constructor: ["2"] }],
    ])("Q1 reads ?%s", async (query, parameters) => {
      expect(await read(query)).toEqual(parameters);
    });

    it("Q1 takes __proto__ for a name like another", async () => {
      const answer = await send(serve(), "/users?__proto__=1&__proto__[x]=2");
      expect(answer.body).toContain('{"parameters":{"__proto__":["1"],"__proto__[x]":["2"]}');
      expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    });

    const NOT_HEX = 'is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".';
    it.each([
      ["a=%zz", `Query parameter "a", offset 2: "%zz" ${NOT_HEX}`],
      ["limit=1&a=x%F", `Query parameter "a", offset 11: "%F" ${NOT_HEX}`],
      ["a=100%", `Query parameter "a", offset 5: "%" ${NOT_HEX}`],
      ["%zz=1", `Query parameter "%zz", offset 0: "%zz" ${NOT_HEX}`],
      ["a=%ff", 'Query parameter "a", offset 2: "%ff" is not well-formed UTF-8.'],
      ["a=%C3", 'Query parameter "a", offset 2: "%C3" is not well-formed UTF-8.'],
      ['a="b"', 'Query parameter "a", offset 2: "\\"" must be percent-encoded.'],
      ["a=<b>", 'Query parameter "a", offset 2: "<" must be percent-encoded.'],
      ["a=b#c", 'Query parameter "a", offset 3: "#" must be percent-encoded.'],
      [
        "a=%F0%9F%98%80",
        'Query parameter "a", offset 2: "%F0%9F%98%80" is a character of four bytes; characters of up to three bytes in UTF-8 are supported.',
      ],
    ])("Q1 refuses ?%s with the parameter and the offset", async (query, cause) => {
      expect(await refuse(query)).toEqual({ status: 400, code: "E0009000", causes: [cause] });
    });

    it('Q1 refuses what Express makes something of: %zz stays, %ff becomes U+FFFD, a raw " passes', async () => {
      const bare = express();
      bare.get("/users", (req, res) => {
        res.json(req.query);
      });
      for (const [query, theirs] of [
        ["a=%zz", { a: "%zz" }],
        ['a="', { a: '"' }],
      ] as const) {
        expect((await send(bare, `/users?${query}`)).json).toEqual(theirs);
        expect((await refuse(query)).status).toBe(400);
      }
      const simple = express();
      simple.set("query parser", "simple");
      simple.get("/users", (req, res) => {
        res.json(req.query);
      });
      expect((await send(simple, "/users?a=%ff")).json).toEqual({ a: "\ufffd" });
      expect((await refuse("a=%ff")).status).toBe(400);
    });

    it.each([
      ["/users%3Flimit=1", "%3F", "?"],
      ["/users%3flimit%3D1", "%3f", "?"],
    ])("Q2 does not find %s and says which delimiter was encoded", async (target, encoded, delimiter) => {
      const { status, json } = await send(serve(), target);
      expect(status).toBe(404);
      const cause = `The path has "${encoded}", which is data. If it is a delimiter of the URL, send "${delimiter}" unencoded.`;
      expect(json).toMatchObject({ errorCode: "E0000008", errorCauses: [{ errorSummary: cause }] });
    });

    it("Q2 takes an encoded delimiter in a value for data, and refuses one in a name", async () => {
      expect(await read("a=b%26c%3Dd%3F%23")).toEqual({ a: ["b&c=d?#"] });
      const cause = (name: string, offset: number, encoded: string, delimiter: string) =>
        `Query parameter "${name}", offset ${offset}: "${encoded}" is "${delimiter}", percent-encoded; send the delimiters of a query as they are.`;
      for (const [query, expected] of [
        ["filter%3Dstatus%20pr", cause("filter=status pr", 6, "%3D", "=")],
        ["a=1%26b=2&c%26limit=1", cause("c&limit", 11, "%26", "&")],
        ["%3Flimit=1", cause("?limit", 0, "%3F", "?")],
        ["limit%23=1", cause("limit#", 5, "%23", "#")],
      ] as const) {
        expect(await refuse(query)).toEqual({ status: 400, code: "E0009000", causes: [expected] });
      }
    });

    it("Q3 hands on an escaped quote of a literal", async () => {
      expect(await read("filter=name%20eq%20%22a%5C%22b%22")).toEqual({ filter: ['name eq "a\\"b"'] });
    });
  });

  describe("plus", () => {
    it.each<[QueryParametersOptions, string]>([
      [{}, "joe+tag +"],
      [{ plus: "literal" }, "joe+tag +"],
      [{ plus: "space" }, "joe tag +"],
    ])("Q1 reads + with %j", async (options, value) => {
      expect(await read("login=joe+tag%20%2B", options)).toEqual({ login: [value] });
    });

    it('Q1 says with "reject" what to send instead', async () => {
      const cause =
        'Query parameter "login", offset 9: "+" means a plus to some servers and a space to others; ' +
        'send a space as "%20", a plus as "%2B".';
      expect(await refuse("login=joe+tag", { plus: "reject" })).toEqual({
        status: 400,
        code: "E0009000",
        causes: [cause],
      });
      expect(await read("login=joe%2Btag%20", { plus: "reject" })).toEqual({ login: ["joe+tag "] });
    });
  });

  describe("text", () => {
    it.each<[string, Record<string, string[]>]>([
      ["q=joe+smith&login=joe+tag", { q: ["joe smith"], login: ["joe+tag"] }],
      ["q=joe%20smith", { q: ["joe smith"] }],
      ["q=joe%2Btag%40example.com+x", { q: ["joe+tag@example.com x"] }],
      ["&&login=+&q=+a++b+&q=%2B&%71=c+d", { login: ["+"], q: [" a  b ", "+", "c d"] }],
      ["q=a=b+c", { q: ["a=b c"] }],
      ["q&q=", { q: ["", ""] }],
    ])("Q3 reads + in a text as a space: ?%s", async (query, parameters) => {
      expect(await read(query, { text: ["q"] })).toEqual(parameters);
    });

    it("Q3 reads what URLSearchParams writes", async () => {
      const words = "C++ & Ångström 100%";
      const query = new URLSearchParams({ q: words, login: "joe+tag" }).toString();
      expect(await read(query, { text: ["q"] })).toEqual({ q: [words], login: ["joe+tag"] });
    });

    it("Q3 doesn't change other policies", async () => {
      expect(await read("q=a+b&r=a+b", { text: ["q"], plus: "space" })).toEqual({ q: ["a b"], r: ["a b"] });
      expect((await refuse("q=a+b", { text: ["q"], plus: "reject" })).status).toBe(400);
    });
  });

  describe("single", () => {
    const options = { single: ["limit", "after"] };

    it("Q4 refuses a parameter that takes one value and comes twice", async () => {
      const res = await request(serve(options)).get("/users?limit=1&a=1&limit=1");
      expect(res.status).toBe(400);
      expect(res.body).toMatchObject({
        errorCode: "E0000001",
        errorSummary: "Api validation failed: limit",
        errorCauses: [{ errorSummary: "limit: takes one value and came more than once." }],
      });
    });

    it("Q4 has a cause for each, in the order of the option", async () => {
      const causes = [
        "limit: takes one value and came more than once.",
        "after: takes one value and came more than once.",
      ];
      expect((await refuse("after&after=1&limit=1&after=2&limit=1", options)).causes).toEqual(causes);
    });

    it("Q4 tells names apart to the letter, once they are decoded", async () => {
      expect((await refuse("limit=1&%6Cimit=2", options)).code).toBe("E0000001");
      expect(await read("limit=1&Limit=2&limit[]=3", options)).toEqual({
        limit: ["1"],
        Limit: ["2"],
        "limit[]": ["3"],
      });
    });

    it("Q4 ignores unknown parameters, also when they repeat", async () => {
      expect(await read("limit=1&x=1&x=2", options)).toEqual({ limit: ["1"], x: ["1", "2"] });
    });

    it("Q4 does not mind the order", async () => {
      expect(await read("limit=1&after=x", options)).toEqual(await read("after=x&limit=1", options));
    });

    it.each(["__proto__", "constructor"])("Q4 works for a parameter named %s", async (name) => {
      expect((await refuse(`${name}=1&${name}=2`, { single: [name] })).causes).toHaveLength(1);
      expect((await send(serve({ single: [name] }), `/users?a=1`)).status).toBe(200);
    });

    it("copies the list", async () => {
      const single = ["limit"];
      const app = serve({ single });
      single.push("a");
      expect((await send(app, "/users?a=1&a=2")).status).toBe(200);
    });
  });

  describe("caps", () => {
    const repeat = (count: number) => Array.from({ length: count }, () => "a=1").join("&&");

    it.each<[QueryParametersOptions, number]>([
      [{}, 100],
      [{ maxParameters: 2 }, 2],
      [{ maxParameters: 1000 }, 1000],
    ])("refuses a parameter too many with %j", async (options, cap) => {
      for (const count of [cap - 1, cap])
        expect(await read(repeat(count), options)).toEqual({ a: Array(count).fill("1") });
      const { status, code, causes } = await refuse(repeat(cap + 1), options);
      expect([status, code]).toEqual([400, "E0009000"]);
      expect(causes[0]).toBe(`Query parameter "a", offset ${cap * 5}: the query has more than ${cap} parameters.`);
    });

    it.each<[QueryParametersOptions, number]>([
      [{}, 16_384],
      [{ maxLength: 10 }, 10],
      [{ maxLength: 65_536 }, 65_536],
    ])("refuses a character too many with %j", async (options, cap) => {
      for (const length of [cap - 1, cap]) {
        expect(await read(`a=${"b".repeat(length - 2)}`, options)).toEqual({ a: ["b".repeat(length - 2)] });
      }
      expect(await refuse(`a=${"b".repeat(cap - 1)}`, options)).toEqual({
        status: 414,
        code: "E0009004",
        causes: [`The query has ${cap + 1} characters; at most ${cap} are accepted.`],
      });
    });
  });

  describe("where it is mounted", () => {
    it("reads the query inside a router, and of an absolute-form target", async () => {
      const app = express();
      const router = express.Router();
      router.use(queryParameters());
      router.get("/users", (req, res) => {
        res.json(getQuery(req).getAll("a"));
      });
      app.use("/api/v1", router);
      app.use("/", router);
      expect((await send(app, "/api/v1/users?a=%2F&a=2")).json).toEqual(["/", "2"]);
      expect((await send(app, "/users?a=1")).json).toEqual(["1"]);
      expect((await send(app, "http://localhost/users?a=1")).json).toEqual(["1"]);
    });

    it("reads the query for each mounting, the last one counts", async () => {
      const app = express();
      app.use(queryParameters());
      app.get("/users", queryParameters({ plus: "space", single: ["q"] }), (req, res) => {
        res.json(getQuery(req).get("q"));
      });
      app.use(errorFormatter());
      expect((await request(app).get("/users?q=a+b")).body).toBe("a b");
      expect((await request(app).get("/users?q=a&q=b")).status).toBe(400);
    });

    it("reads a URL that was rewritten", async () => {
      const app = express();
      app.use((req, _res, next) => {
        req.url = "/users?a=rewritten";
        next();
      });
      app.use(serve());
      expect((await send(app, "/x?a=1")).json["parameters"]).toEqual({ a: ["rewritten"] });
    });

    it("leaves req.query to Express", async () => {
      const query = "a=1&a=2&b+c=%C3%A9&limit=5";
      const bare = express();
      bare.get("/users", (req, res) => {
        res.json(req.query);
      });
      const { json } = await send(serve(), `/users?${query}`);
      expect(json["theirs"]).toEqual((await send(bare, `/users?${query}`)).json);
      expect(json["theirs"]).toHaveProperty("b c");
      expect(json["parameters"]).toHaveProperty("b+c");
    });

    it("keeps the queries of concurrent requests apart", async () => {
      const app = express();
      app.use(queryParameters());
      app.get("/", (req, res) => {
        setTimeout(() => res.json(getQuery(req).get("n")), 5);
      });
      const server = app.listen(0, "127.0.0.1");
      servers.push(server);
      await once(server, "listening");
      const numbers = Array.from({ length: 20 }, (_, index) => String(index));
      const answers = await Promise.all(numbers.map((n) => request(server).get(`/?n=${n}`)));
      expect(answers.map(({ body }) => body as unknown)).toEqual(numbers);
    });
  });

  describe("getQuery", () => {
    it("gives the first value, all values, and none", async () => {
      const app = express();
      app.use(queryParameters());
      app.get("/", (req, res) => {
        const query = getQuery(req);
        const names = ["a", "b", "missing", "toString"];
        res.json({ first: names.map((name) => query.get(name) ?? null), all: names.map((name) => query.getAll(name)) });
      });
      expect((await request(app).get("/?a=1&b&a=2")).body).toEqual({
        first: ["1", "", null, null],
        all: [["1", "2"], [""], [], []],
      });
    });

    it("is frozen, for requests with the same query share it", async () => {
      const app = express();
      const found: Query[] = [];
      app.use(queryParameters());
      app.get("/", (req, res) => {
        found.push(getQuery(req));
        res.json(null);
      });
      for (let count = 0; count < 2; count++) await request(app).get("/?a=1&b=2&a=3");
      expect(found[1]).toBe(found[0]);
      const { parameters } = found[0]!;
      for (const value of [found[0], parameters, ...Object.values(parameters)])
        expect(Object.isFrozen(value)).toBe(true);
    });

    it("throws without queryParameters(), and tryGetQuery gives undefined", () => {
      expect(() => getQuery({})).toThrow(
        "queryParameters() did not run for this request; mount it before what reads its value",
      );
      expect(tryGetQuery({})).toBeUndefined();
    });
  });
});

describe("queryParameters() options", () => {
  it.each<[string, unknown, string]>([
    ["single", "limit", "option `single` must be an array of non-empty strings"],
    ["single", [""], "option `single` must be an array of non-empty strings"],
    ["plus", "plus", 'option `plus` must be "literal", "space" or "reject"'],
    ["plus", true, 'option `plus` must be "literal", "space" or "reject"'],
    ["maxParameters", 0, "option `maxParameters` must be an integer from 1 to 1000"],
    ["maxParameters", 1001, "option `maxParameters` must be an integer from 1 to 1000"],
    ["maxParameters", "10", "option `maxParameters` must be an integer from 1 to 1000"],
    ["maxLength", 0, "option `maxLength` must be an integer from 1 to 65536"],
    ["maxLength", 65_537, "option `maxLength` must be an integer from 1 to 65536"],
    ["maxLength", Infinity, "option `maxLength` must be an integer from 1 to 65536"],
    ["singles", [], "option `singles` is unknown"],
  ])("refuses %s: %j", (name, value, message) => {
    expect(() => queryParameters({ [name]: value })).toThrow(TypeError);
    expect(() => queryParameters({ [name]: value })).toThrow(`queryParameters: ${message}`);
  });
});
