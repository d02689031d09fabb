import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express, RequestHandler } from "express";
import request from "supertest";
import { followPages, type FollowPagesError } from "../../lib/list/follow-pages.js";
import { keysetCondition, selectRows, type SortTerm } from "../../lib/list/keyset.js";
import { findLink, parseLinkHeader } from "../../lib/http/link-header.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { getPage, pagination, tryGetPage, type PaginationOptions } from "../../middleware/pagination.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen } from "../support/raw-socket.js";

const SECRET = "0123456789abcdef0123456789abcdef";
const OTHER_SECRET = "fedcba9876543210fedcba9876543210";
const BASE = "https://acme.example.com";
const REQUIRED: PaginationOptions = { secret: SECRET, resource: "users", baseUrl: BASE };

interface Row {
  id: number;
  name: string | null;
}
const ORDER: readonly SortTerm[] = [{ column: "name", nulls: "last" }, { column: "id" }];
/** Ties and nulls. */
const ROWS: readonly Row[] = [
  { id: 1, name: "b" },
  { id: 2, name: null },
  { id: 3, name: "a" },
  { id: 4, name: "a" },
  { id: 5, name: null },
  { id: 6, name: "a" },
  { id: 7, name: "c" },
];
const IN_ORDER = [3, 4, 6, 1, 7, 2, 5];

describe.each(EXPRESS_VERSIONS)("pagination on %s", (_version, express) => {
  let rows: Row[];
  beforeEach(() => {
    rows = [...ROWS];
  });

  let reads = 0;

  function appWith(options: Partial<PaginationOptions> = {}): Express {
    const app = express();
    app.set("query parser", "simple");
    const list: RequestHandler = (req, res) => {
      const page = getPage(req);
      reads++;
      const keysOf = ({ name, id }: Row): (string | number | null)[] => [name, id];
      const found = selectRows(rows, { after: page.after, before: page.before, limit: page.fetchLimit }, keysOf, ORDER);
      res.json(page.take(found, keysOf).map(({ id }) => id));
    };
    app.get("/users", pagination({ limit: { default: 3, max: 5, min: 0 }, ...REQUIRED, ...options }), list);
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  function relations(response: request.Response): Record<string, string> {
    const links = parseLinkHeader(response.get("Link") ?? "");
    return Object.fromEntries(links.map(({ url, relations: [relation = ""] }) => [relation, url]));
  }

  function local(url: string | undefined): string {
    expect(url).toMatch(/^https:\/\/acme\.example\.com\/users/);
    return url!.slice(BASE.length);
  }

  async function get(app: Express, target: string): Promise<request.Response> {
    return request(app).get(target).set("Host", "evil.example");
  }

  async function expectRefusal(
    app: Express,
    target: string,
    code: string,
    cause: unknown,
    status = 400,
  ): Promise<void> {
    const response = await get(app, target);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ errorCode: code, errorCauses: [{ errorSummary: cause }] });
    expect(response.get("Link")).toBeUndefined();
  }

  describe("links", () => {
    it("P2 sets one line per relation on the wire, absolute, from baseUrl and never from Host", async () => {
      const server = appWith().listen(0, "127.0.0.1");
      const port = await listen(server);
      const answer = await exchange(
        port,
        "GET /users?limit=2&q=a%20b HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n",
      );
      server.close();
      expect(answer.split("\r\n").filter((line) => line.startsWith("Link:"))).toEqual([
        'Link: <https://acme.example.com/users?limit=2&q=a%20b>; rel="self"',
        expect.stringMatching(
          /^Link: <https:\/\/acme\.example\.com\/users\?limit=2&q=a%20b&after=[A-Za-z0-9_-]+>; rel="next"$/,
        ),
      ]);
      expect(answer).not.toContain("evil");
    });

    it.each<[string, PaginationOptions["baseUrl"]]>([
      ["a string", "http://localhost:3000"],
      ["a function", (req) => `http://${req.hostname === "acme.test" ? "acme.localhost" : "[::1]"}:3000`],
    ])("S2 takes http of this machine as %s", async (_case, baseUrl) => {
      const response = await request(appWith({ baseUrl })).get("/users?limit=0").set("Host", "acme.test").expect(200);
      const host = typeof baseUrl === "string" ? "localhost" : "acme.localhost";
      expect(response.get("Link")).toContain(`<http://${host}:3000/users?limit=0>; rel="self"`);
    });

    it("S2 is a 500 when the function returns http of another host", async () => {
      const response = await request(appWith({ baseUrl: () => "http://acme.example.com" })).get("/users");
      expect(response.status).toBe(500);
    });

    it("S2 leaves out the host of a target in absolute form", async () => {
      const server = appWith().listen(0, "127.0.0.1");
      const port = await listen(server);
      const answer = await exchange(
        port,
        "GET http://evil.example/users?limit=5 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      );
      server.close();
      expect(answer).toContain(`Link: <${BASE}/users?limit=5>; rel="self"\r\n`);
      expect(answer).not.toContain("evil");
    });

    it("P2 lets nothing in the path or the query out of the header", async () => {
      const app = express();
      app.use(pagination(REQUIRED), ((req, res) => {
        res.json(getPage(req).take([1], (id) => [id]));
      }) satisfies RequestHandler);
      const server = app.listen(0, "127.0.0.1");
      const port = await listen(server);
      const answer = await exchange(
        port,
        'GET /a>;rel="x",<\\#\\?q=%0d%0aX:%20y%22%3E^{|} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      );
      server.close();
      expect(answer).toContain(
        `\r\nLink: <${BASE}/a%3E;rel=%22x%22,%3C%5C%23%5C?q=%0d%0aX:%20y%22%3E%5E%7B%7C%7D>; rel="self"\r\n`,
      );
    });

    it("P3 ends the list without next", async () => {
      const app = appWith();
      expect(Object.keys(relations(await get(app, "/users?limit=5")))).toEqual(["self", "next"]);
      rows = rows.slice(0, 5);
      expect(Object.keys(relations(await get(app, "/users?limit=5")))).toEqual(["self"]);
      rows = [];
      const empty = await get(app, "/users?limit=5");
      expect(empty.body).toEqual([]);
      expect(Object.keys(relations(empty))).toEqual(["self"]);
    });

    it("P2 keeps the other parameters once and in order, and each cursor replaces the last", async () => {
      const app = appWith();
      const first = await get(app, "/users?b=1&limit=2&a=x%2By&b=2");
      const second = await get(app, local(relations(first)["next"]));
      const { self, next } = relations(second);
      expect(self).toBe(relations(first)["next"]);
      expect(next).toMatch(/^https:\/\/acme\.example\.com\/users\?b=1&limit=2&a=x%2By&b=2&after=[\w-]+$/);
      expect(next).not.toBe(self);
    });

    it("P2 comes first in Link, and takes no line away", async () => {
      const app = express();
      const announce: RequestHandler = (_req, res, next) => {
        res
          .setHeader("Link", ['<https://a.example/v2>; rel="successor-version"'])
          .append("Link", "<https://a.example/help>; rel=help");
        next();
      };
      app.get("/", announce, pagination(REQUIRED), ((req, res) => {
        res.json(getPage(req).take([1], (id) => [id]));
      }) satisfies RequestHandler);
      expect(Object.keys(relations(await get(app, "/")))).toEqual(["self", "successor-version", "help"]);
    });

    it("P2 gives the path as it was sent, also where a router is mounted", async () => {
      const app = express();
      const router = express.Router();
      router.get("/:id/members", pagination(REQUIRED), ((req, res) => {
        res.json(getPage(req).take([1], (id) => [id]));
      }) satisfies RequestHandler);
      app.use("/api/v1/groups", router);
      expect(relations(await get(app, "/api/v1/groups/a%2Fb/members"))).toEqual({
        self: `${BASE}/api/v1/groups/a%2Fb/members`,
      });
    });

    it("S2 asks for the base URL of each request, and takes no other than https", async () => {
      const app = appWith({ baseUrl: (req) => `https://${req.get("X-Org") ?? ""}.example.com/base` });
      const response = await request(app).get("/users").set("X-Org", "beta");
      expect(relations(response)["self"]).toBe("https://beta.example.com/base/users");
      expect((await request(app).get("/users").set("X-Org", "be ta")).status).toBe(500);
    });

    it("P2 answers HEAD with the same lines", async () => {
      const app = appWith();
      const head = await request(app).head("/users");
      expect(head.get("Link")).toBe((await get(app, "/users")).get("Link"));
    });

    it("P2 S9 refuses URLs that are too long for a header, before the rows are read: n - 1, n, n + 1", async () => {
      const url = "<https://acme.example.com/users?limit=5&q=";
      const length = `${url}>; rel="self"${url}&after=>; rel="next"`.length + 128; // of a usual cursor
      const app = appWith({ maxLinkLength: length + 20 });
      expect((await get(app, `/users?limit=5&q=${"x".repeat(9)}`)).status).toBe(200);
      expect((await get(app, `/users?limit=5&q=${"x".repeat(10)}`)).status).toBe(200);
      const cause = "The URLs of this page and the next do not fit into the header; shorten the query.";
      reads = 0;
      await expectRefusal(app, `/users?limit=5&q=${"x".repeat(11)}`, "E0000256", cause, 414);
      expect(reads).toBe(0);
      await expectRefusal(appWith(), `/users?limit=5&q=${"x".repeat(12_288)}`, "E0000256", cause, 414);
    });

    it("P2 refuses keys that are too long for a cursor", async () => {
      rows = [
        { id: 1, name: "x".repeat(4000) },
        { id: 2, name: "y" },
      ];
      await expectRefusal(appWith(), "/users?limit=1", "E0000256", expect.any(String), 414);
    });
  });

  describe("walk", () => {
    it.each([1, 2, 3, 4, 5])("P5 shows every row once, with ties and nulls, %d at a time", async (limit) => {
      const app = appWith();
      const seen: number[] = [];
      for (let target: string | undefined = `/users?limit=${limit}`; target !== undefined;) {
        const response = await get(app, target);
        seen.push(...(response.body as number[]));
        const { next } = relations(response);
        target = next === undefined ? undefined : local(next);
      }
      expect(seen).toEqual(IN_ORDER);
    });

    it("P5 stays where it is while rows come and go, the one at the cursor among them", async () => {
      const app = appWith();
      const first = await get(app, "/users?limit=3");
      expect(first.body).toEqual([3, 4, 6]);
      rows = rows.filter(({ id }) => id !== 6 && id !== 3);
      rows.push({ id: 0, name: "a" }, { id: 9, name: "a" });
      expect((await get(app, local(relations(first)["next"]))).body).toEqual([9, 1, 7]);
    });

    it("P1 goes back through prev, in the order of the list, when that is switched on", async () => {
      const app = appWith({ prev: true });
      const first = await get(app, "/users?limit=2");
      expect(Object.keys(relations(first))).toEqual(["self", "next"]);
      const second = await get(app, local(relations(first)["next"]));
      const third = await get(app, local(relations(second)["next"]));
      expect(third.body).toEqual([7, 2]);
      expect(Object.keys(relations(third))).toEqual(["self", "next", "prev"]);

      const back = await get(app, local(relations(third)["prev"]));
      expect(back.body).toEqual([6, 1]);
      expect(local(relations(back)["self"])).toMatch(/^\/users\?limit=2&before=[\w-]+$/);
      const start = await get(app, local(relations(back)["prev"]));
      expect(start.body).toEqual([3, 4]);
      expect(Object.keys(relations(start))).toEqual(["self", "next"]);
      expect((await get(app, local(relations(start)["next"]))).body).toEqual([6, 1]);
    });

    it("P1 leads from an empty `before` page to the start of the list", async () => {
      const app = appWith({ prev: true });
      const second = await get(app, local(relations(await get(app, "/users?limit=2"))["next"]));
      rows = rows.filter(({ id }) => id !== 3 && id !== 4);
      const empty = await get(app, local(relations(second)["prev"]));
      expect(empty.body).toEqual([]);
      expect(relations(empty)["next"]).toBe(`${BASE}/users?limit=2`);
    });

    it("P2 has no prev unless that is switched on", async () => {
      const app = appWith();
      const second = await get(app, local(relations(await get(app, "/users?limit=2"))["next"]));
      expect(Object.keys(relations(second))).toEqual(["self", "next"]);
    });
  });

  describe("limit", () => {
    it("P6 has a default", async () => {
      expect((await get(appWith(), "/users")).body).toHaveLength(3);
    });

    it("P6 takes both bounds", async () => {
      expect((await get(appWith(), "/users?limit=5")).body).toHaveLength(5);
      const none = await get(appWith(), "/users?limit=0");
      expect(none.body).toEqual([]);
      expect(relations(none)).toEqual({ self: `${BASE}/users?limit=0` });
    });

    it.each(["6", "-1", "1.5", "five", "", "%2B1", "99999999999999999999"])("P6 refuses limit=%s", async (limit) => {
      const cause = expect.stringMatching(/^limit: found ".*", expected an integer from 0 to 5\.$/);
      await expectRefusal(appWith(), `/users?limit=${limit}`, "E0000001", cause);
    });

    it("Q4 refuses limit twice", async () => {
      await expectRefusal(appWith(), "/users?limit=1&limit=1", "E0000001", "limit: given more than once.");
    });

    it("E2 names the parameter in the summary", async () => {
      expect((await get(appWith(), "/users?limit=x")).body.errorSummary).toBe("Api validation failed: limit");
    });
  });

  describe("cursor", () => {
    async function cursorOf(app: Express, target = "/users?limit=2"): Promise<string> {
      return new URL(relations(await get(app, target))["next"]!).searchParams.get("after")!;
    }

    const OTHER_LIST =
      "after: it was altered, or made for another org, resource, filter or sort order. Follow the URLs in Link.";

    it("P1 refuses what is none", async () => {
      const cause = "after: it is not a cursor. Follow the URLs in Link.";
      for (const text of ["x", "7", "%3Cscript%3E", "%00"]) {
        await expectRefusal(appWith(), `/users?after=${text}`, "E0000029", cause);
      }
      await expectRefusal(appWith(), `/users?before=x`, "E0000029", cause.replace("after", "before"));
    });

    it("P1 refuses one that was altered, and one that is too long", async () => {
      const app = appWith();
      const cursor = await cursorOf(app);
      expect((await get(app, `/users?limit=2&after=${cursor}`)).status).toBe(200);
      const altered = cursor.slice(0, 5) + (cursor[5] === "A" ? "B" : "A") + cursor.slice(6);
      await expectRefusal(app, `/users?limit=2&after=${altered}`, "E0000029", OTHER_LIST);
      const cause = "after: it is longer than 4096 characters. Follow the URLs in Link.";
      await expectRefusal(app, `/users?after=${"A".repeat(4097)}`, "E0000029", cause);
    });

    it("P1 refuses one for the other direction", async () => {
      const app = appWith();
      const cause = "before: it is a cursor for the other direction. Follow the URLs in Link.";
      await expectRefusal(app, `/users?before=${await cursorOf(app)}`, "E0000029", cause);
    });

    it("P1 refuses one of another resource, org, filter or sort order", async () => {
      const context = { org: "acme", filter: "a", sort: "name" };
      const cursor = await cursorOf(appWith({ context: () => context }));
      const follow = `/users?after=${cursor}`;
      expect((await get(appWith({ context: () => context }), follow)).status).toBe(200);
      const others: Partial<PaginationOptions>[] = [
        { context: () => ({ ...context, org: "beta" }) },
        { context: () => ({ ...context, filter: "b" }) },
        { context: () => ({ ...context, sort: "id" }) },
        { context: () => ({ ...context, sort: null }) },
        { context: () => ({}) },
        { context: () => context, resource: "groups" },
        { context: () => context, secret: OTHER_SECRET },
      ];
      for (const options of others) await expectRefusal(appWith(options), follow, "E0000029", OTHER_LIST);
    });

    it("P1 binds to all other parameters unless `context` says what selects and sorts", async () => {
      for (const options of [{}, { context: () => ({ org: "acme" }) }]) {
        const app = appWith(options);
        const cursor = await cursorOf(app, "/users?limit=2&status=a&sort=b");
        expect((await get(app, `/users?sort=b&after=${cursor}&status=a&limit=5`)).status).toBe(200);
        for (const query of ["status=a", "status=b&sort=b", "status=a&sort=b&x=y", ""]) {
          await expectRefusal(app, `/users?${query}&after=${cursor}`, "E0000029", OTHER_LIST);
        }
      }
      const app = appWith({ context: () => ({ filter: null }) });
      expect((await get(app, `/users?x=y&after=${await cursorOf(app)}`)).status).toBe(200);
    });

    it("P1 takes those of an earlier secret until it is taken away", async () => {
      const cursor = await cursorOf(appWith());
      const both = appWith({ secret: [Buffer.from(OTHER_SECRET), SECRET] });
      const response = await get(both, `/users?after=${cursor}&limit=1`);
      expect(response.body).toEqual([6]);
      const renewed = local(relations(response)["next"]);
      expect((await get(appWith({ secret: OTHER_SECRET }), renewed)).body).toEqual([1]);
      await expectRefusal(appWith({ secret: OTHER_SECRET }), `/users?after=${cursor}`, "E0000029", OTHER_LIST);
    });

    it("P1 refuses both directions at once, one twice, and an empty one", async () => {
      const cursor = await cursorOf(appWith());
      await expectRefusal(
        appWith(),
        `/users?after=${cursor}&before=${cursor}`,
        "E0000029",
        "after, before: give one of them.",
      );
      await expectRefusal(
        appWith(),
        `/users?after=${cursor}&after=${cursor}`,
        "E0000029",
        "after: given more than once.",
      );
      await expectRefusal(
        appWith(),
        "/users?after=",
        "E0000029",
        "after: it is empty; leave it out for the first page.",
      );
    });

    it("Q1 refuses a malformed query", async () => {
      await expectRefusal(
        appWith(),
        "/users?after=%zz",
        "E0009000",
        expect.stringContaining('Query parameter "after"'),
      );
    });

    it("refuses a parameter of the first page beside one, and links without it", async () => {
      const app = appWith({ firstPageOnly: ["since"] });
      const first = await get(app, "/users?limit=2&since=2024");
      const { self, next } = relations(first);
      expect(self).toBe(`${BASE}/users?limit=2&since=2024`);
      expect(next).toMatch(/\/users\?limit=2&after=[\w-]+$/);
      expect((await get(app, local(next))).body).toEqual([6, 1]);
      await expectRefusal(app, `${local(next)}&since=2024`, "E0000063", "since, after: give one of them.");
    });
  });

  describe("polling", () => {
    it("P4 always has next, and following it later gives exactly what came since", async () => {
      const app = appWith({ polling: (req) => req.query["until"] === undefined });
      rows = [];
      let response = await get(app, "/users?limit=2");
      expect(relations(response)["next"]).toBe(`${BASE}/users?limit=2`);

      const seen: number[] = [];
      for (const arrivals of [[1, 2, 3], [], [4], [], [], [5, 6], [], []]) {
        rows.push(...arrivals.map((id) => ({ id, name: "event" })));
        response = await get(app, local(relations(response)["next"]));
        seen.push(...(response.body as number[]));
      }
      expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
      expect(relations(response)["next"]).toBe(relations(response)["self"]);
    });

    it("P3 ends where it is not polled", async () => {
      const app = appWith({ polling: (req) => req.query["until"] === undefined });
      const response = await get(app, "/users?limit=5&until=2024");
      expect(Object.keys(relations(await get(app, local(relations(response)["next"]))))).toEqual(["self"]);
    });

    it("P4 goes on at the end that the store gives, past what did not match", async () => {
      const app = express();
      let end = 3;
      app.get("/users", pagination({ ...REQUIRED, polling: true }), (req, res) => {
        const page = getPage(req);
        const first = (page.after?.[0] as number | undefined) ?? 0;
        const matching = [4, 6].filter((id) => id > first && id <= end).slice(0, page.fetchLimit);
        res.json(page.take(matching, (id) => [id], [end]));
      });
      let response = await get(app, "/users?limit=1");
      const seen: number[] = [];
      const targets = new Set<string>();
      for (end of [3, 5, 8, 8, 9]) {
        const target = local(relations(response)["next"]);
        targets.add(target);
        response = await get(app, target);
        seen.push(...(response.body as number[]));
      }
      expect(seen).toEqual([4, 6]);
      expect(targets.size).toBe(3); // after 3, 5 and 8
    });

    it("P4 can be said once for all", async () => {
      rows = [];
      expect(relations(await get(appWith({ polling: true }), "/users"))["next"]).toBe(`${BASE}/users`);
    });
  });

  describe("followPages", () => {
    let server: Server;
    let app: Express;
    async function start(options: Partial<PaginationOptions> = {}): Promise<(url: string) => Promise<Response>> {
      app = appWith(options);
      server = app.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      return (url) => fetch(url.replace(BASE, `http://127.0.0.1:${port}`));
    }
    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    it("P3 reads the whole list", async () => {
      const fetchPage = await start();
      const seen: number[] = [];
      const asHere = async (url: string): Promise<object> => ({ ...pick(await fetchPage(url)), url });
      for await (const { rows: page } of followPages<number>(asHere as never, `${BASE}/users?limit=2`))
        seen.push(...page);
      expect(seen).toEqual(IN_ORDER);
    });

    it("P4 knows the end of a list that is polled, and where to go on", async () => {
      const fetchPage = await start({ polling: true });
      const asHere = async (url: string): Promise<object> => ({ ...pick(await fetchPage(url)), url });
      const seen: number[] = [];
      let next: string | undefined = `${BASE}/users?limit=5`;
      for await (const page of followPages<number>(asHere as never, next)) {
        seen.push(...page.rows);
        next = page.next;
      }
      expect(seen).toEqual(IN_ORDER);
      rows.push({ id: 8, name: null });
      for await (const page of followPages<number>(asHere as never, next!)) seen.push(...page.rows);
      expect(seen).toEqual([...IN_ORDER, 8]);
    });

    it("does not take a refusal for the end", async () => {
      const fetchPage = await start();
      const pages = followPages(fetchPage, `${BASE}/users?limit=99`);
      await expect(pages.next()).rejects.toMatchObject({ reason: "status" } satisfies Partial<FollowPagesError>);
    });

    /** What of a Response the iterator reads, so that `url` can be the one that was asked for. */
    function pick(response: Response): object {
      const { ok, status, headers } = response;
      return { ok, status, headers, json: () => response.json() };
    }
  });

  describe("programming errors", () => {
    it.each<[string, Partial<PaginationOptions>]>([
      ["a context that is a promise", { context: (() => Promise.resolve({})) as never }],
      ["a context that is nothing", { context: (() => undefined) as never }],
      ["an org that is no text", { context: (() => ({ org: 7 })) as never }],
      ["a polling that is a promise", { polling: (() => Promise.resolve(true)) as never }],
      [
        "a context that throws",
        {
          context: () => {
            throw new Error("no org");
          },
        },
      ],
    ])("answers %s with 500", async (_title, options) => {
      expect((await get(appWith(options), "/users")).status).toBe(500);
    });

    it("P5 answers keys that two rows share with 500, rather than lose one", async () => {
      rows = [
        { id: 1, name: "a" },
        { id: 1, name: "a" },
      ];
      expect((await get(appWith(), "/users?limit=1")).status).toBe(500);
    });
  });

  describe("getPage", () => {
    it("throws where pagination() did not run, tryGetPage() does not", async () => {
      const app = express();
      app.get("/", ((req, res) => {
        expect(() => getPage(req)).toThrow("pagination() did not run for this request");
        res.json(tryGetPage(req) ?? null);
      }) satisfies RequestHandler);
      expect((await request(app).get("/").expect(200)).body).toBeNull();
    });

    it("gives limit, the number of rows to ask for, and positions that a store can be asked by", async () => {
      const app = express();
      app.get("/users", pagination({ ...REQUIRED, limit: { min: 0 } }), ((req, res) => {
        const page = getPage(req);
        expect(tryGetPage(req)).toBe(page);
        page.take(
          [
            ["a", 1],
            ["b", 2],
            ["c", 3],
          ],
          (keys) => keys,
        );
        const { limit, fetchLimit, after, before } = page;
        res.json({ limit, fetchLimit, after, before, condition: keysetCondition(page, ORDER) });
      }) satisfies RequestHandler);
      const first = await get(app, "/users?limit=2");
      expect(first.body).toEqual({ limit: 2, fetchLimit: 3 });
      const second = await get(app, local(findLink(parseLinkHeader(first.get("Link") ?? ""), "next")));
      expect(second.body).toMatchObject({ limit: 2, fetchLimit: 3, after: ["b", 2] });
      expect(second.body.condition.alternatives).toHaveLength(3);
      expect((await get(app, "/users")).body).toEqual({ limit: 20, fetchLimit: 21 });
      expect((await get(app, "/users?limit=0")).body).toEqual({ limit: 0, fetchLimit: 0 });
    });
  });
});

describe("pagination", () => {
  it.each<[object, string]>([
    [
      { secret: undefined },
      "pagination: option `secret` must be a string or bytes of 32 bytes or more, or an array of these",
    ],
    [{ secret: SECRET.slice(1) }, "pagination: option `secret` must be a string or bytes of 32 bytes or more"],
    [{ secret: [] }, "pagination: option `secret` must be a string or bytes of 32 bytes or more"],
    [{ secret: [SECRET, "short"] }, "pagination: option `secret` must be a string or bytes of 32 bytes or more"],
    [{ resource: "" }, "pagination: option `resource` must be a non-empty string"],
    [{ resource: undefined }, "pagination: option `resource` must be a non-empty string"],
    [{ baseUrl: "http://a.example" }, "pagination: option `baseUrl` must be an absolute https URL"],
    [{ baseUrl: undefined }, "pagination: option `baseUrl` must be an absolute https URL"],
    [{ limit: { max: 0 } }, "pagination: option `limit.max` must be an integer from 1 to"],
    [{ limit: 20 }, "pagination: option `limit` must be an object"],
    [{ context: {} }, "pagination: option `context` must be a function"],
    [{ polling: "yes" }, "pagination: option `polling` must be a boolean, or a function that returns one"],
    [{ firstPageOnly: "since" }, "pagination: option `firstPageOnly` must be an array of non-empty strings"],
    [{ prev: 1 }, "pagination: option `prev` must be a boolean"],
    [{ maxLinkLength: 0 }, "pagination: option `maxLinkLength` must be an integer from 1 to"],
    [{ secrets: [] }, "pagination: option `secrets` is unknown"],
  ])("refuses the options %j", (options, message) => {
    expect(() => pagination({ ...REQUIRED, ...options })).toThrow(message);
    expect(() => pagination({ ...REQUIRED, ...options })).toThrow(TypeError);
  });
});
