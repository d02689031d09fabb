import { once } from "node:events";
import type { Express, RequestHandler } from "express";
import fc from "fast-check";
import HttpLinkHeader from "http-link-header";
import { Client } from "ketting";
import parseLinks from "parse-link-header";
import request from "supertest";
import { findLink, formatLinkHeader, parseLinkHeader } from "../../lib/http/link-header.js";
import { selectRows, type SortTerm } from "../../lib/list/keyset.js";
import { getPage, pagination } from "../../middleware/pagination.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const BASE = "https://acme.example.com";
const ORDER: readonly SortTerm[] = [{ column: "id" }];
const ROWS = [1, 2, 3, 4, 5];

const list: RequestHandler = (req, res) => {
  const page = getPage(req);
  const { after, before, fetchLimit: limit } = page;
  const found = selectRows(ROWS, { after, before, limit }, (id) => [id], ORDER);
  res.json(page.take(found, (id) => [id]));
};

describe.each(EXPRESS_VERSIONS)("the lines of pagination() on %s", (_version, express) => {
  function app(): Express {
    const server = express();
    server.get("/rows", pagination({ secret: "x".repeat(32), resource: "rows", baseUrl: BASE, prev: true }), list);
    return server;
  }

  it("P2 are read by http-link-header and parse-link-header as by us", async () => {
    const first = await request(app()).get("/rows?limit=2&q=%22a%2Cb%3E%22;c");
    const next = findLink(parseLinkHeader(first.get("Link") ?? ""), "next")!;
    const second = await request(app()).get(next.slice(BASE.length));
    for (const { headers } of [first, second]) {
      const joined = headers["link"]!;
      for (const { relations, url } of parseLinkHeader(joined)) {
        const [relation = ""] = relations;
        expect(HttpLinkHeader.parse(joined).get("rel", relation)).toEqual([{ rel: relation, uri: url }]);
        expect(parseLinks(joined)?.[relation]?.url).toBe(url);
      }
    }
    expect(parseLinkHeader(second.get("Link") ?? "")).toHaveLength(3);
  });

  it("P3 are followed by ketting to the end", async () => {
    const server = app().listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const { port } = server.address() as { port: number };
      const client = new Client(BASE);
      client.use(async (outgoing) => fetch(outgoing.url.replace(BASE, `http://127.0.0.1:${port}`)));
      const seen: number[] = [];
      for (let resource = client.go<number[]>("/rows?limit=2"); ;) {
        const state = await resource.get();
        seen.push(...state.data);
        const next = state.links.get("next");
        if (!next) break;
        resource = client.go(next.href);
      }
      expect(seen).toEqual(ROWS);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("parseLinkHeader and http-link-header", () => {
  it("read the same of well-formed lines", () => {
    const url = fc.webUrl({ withQueryParameters: true }).filter((text) => !/[\s<>"]/.test(text));
    const title = fc
      .string({ unit: fc.constantFrom("a", "b", " ", ",", ";", "=", "<", ">"), minLength: 1 })
      .map((text) => text.trim());
    fc.assert(
      fc.property(
        fc.array(fc.tuple(url, fc.constantFrom("next", "self", "prev"), title), { minLength: 1 }),
        (links) => {
          const value = links
            .map(([target, relation, text]) => formatLinkHeader(target, relation, { title: text }))
            .join(", ");
          const ours = parseLinkHeader(value).map(({ url: uri, relations, parameters }) => ({
            uri,
            rel: relations.join(" "),
            title: parameters["title"],
          }));
          expect(ours).toEqual(
            HttpLinkHeader.parse(value).refs.map(({ uri, rel, title: text }) => ({ uri, rel, title: text })),
          );
        },
      ),
    );
  });

  it.each([
    ["relation types are compared without regard to case", "<b>; rel=NEXT"],
    ["the first `rel` counts", "<b>; rel=next; rel=prev"],
    ["white space around `=` is allowed", "<b>; rel = next"],
    ["names of parameters are compared without regard to case", "<b>; REL=next"],
  ])("agree: %s", (_clause, value) => {
    expect(HttpLinkHeader.parse(value).rel("next")[0]?.uri).toBe("b");
    expect(findLink(parseLinkHeader(value), "next")).toBe("b");
  });

  it("differ: white space before a comma is no part of a link (RFC 9110 section 5.6.1)", () => {
    const value = '<a>; rel="x" , <b>; rel="next"';
    expect(HttpLinkHeader.parse(value).rel("next")).toEqual([]);
    expect(findLink(parseLinkHeader(value), "next")).toBe("b");
  });

  it("differ: no parameter reaches a prototype", () => {
    const value = '<a>; rel="next"; __proto__="x"';
    expect(parseLinkHeader(value)[0]?.parameters["__proto__"]).toBe("x");
    expect(Object.getPrototypeOf(HttpLinkHeader.parse(value).refs[0])).not.toBeNull();
  });
});

describe("parseLinkHeader and parse-link-header", () => {
  function theirs(value: string): Record<string, Record<string, string>> {
    return { ...parseLinks(value) } as Record<string, Record<string, string>>;
  }

  it("differ: query parameters of the target are none of the link", () => {
    const value = '<https://a.example/?title=x&page=2>; rel="next"';
    expect(theirs(value)["next"]).toMatchObject({ title: "x", page: "2" });
    expect(parseLinkHeader(value)).toEqual([
      { url: "https://a.example/?title=x&page=2", relations: ["next"], parameters: expect.objectContaining({}) },
    ]);
    expect(Object.keys(parseLinkHeader(value)[0]!.parameters)).toEqual([]);
  });

  it("differ: relation types are compared without regard to case", () => {
    expect(theirs('<b>; rel="NEXT"')["next"]).toBeUndefined();
    expect(findLink(parseLinkHeader('<b>; rel="NEXT"'), "next")).toBe("b");
  });

  it("differ: commas and semicolons within quotes divide nothing", () => {
    const value = '<a>; title="x, <b>; rel=y"; rel="next"';
    expect(theirs(value)["next"]?.["url"]).not.toBe("a");
    expect(findLink(parseLinkHeader(value), "next")).toBe("a");
  });

  it("differ: a header of more than 2,000 characters is read", () => {
    const value = `<https://a.example/?q=${"x".repeat(2000)}>; rel="next"`;
    expect(theirs(value)).toEqual({});
    expect(findLink(parseLinkHeader(value), "next")).toHaveLength(2021);
  });
});

describe("formatLinkHeader, http-link-header and res.links()", () => {
  const hostile = 'https://a.example/?q=x>; rel="evil", <b';

  it("P2 differ: nothing in the URL ends the target", () => {
    const theirs = new HttpLinkHeader();
    theirs.set({ rel: "next", uri: hostile });
    expect(parseLinkHeader(theirs.toString())[0]?.relations).toEqual(["evil"]);
    expect(parseLinkHeader(formatLinkHeader(hostile, "next"))).toMatchObject([{ relations: ["next"] }]);
  });

  it.each(EXPRESS_VERSIONS)("P2 differ: nothing in the URL ends the target of %s", async (_version, express) => {
    const app = express();
    app.get("/", ((_req, res) => {
      res.links({ next: hostile, prev: "/p" }).end();
    }) satisfies RequestHandler);
    const { headers } = await request(app).get("/");
    expect(parseLinkHeader(headers["link"]!)[0]?.relations).toEqual(["evil"]);
  });

  it("P2 differ: neither line ends nor characters beyond Latin-1 reach the header", () => {
    const theirs = new HttpLinkHeader();
    theirs.set({ rel: "next", uri: "https://a.example/\r\nX: y€" });
    expect(theirs.toString()).toContain("\r\n");
    expect(formatLinkHeader("https://a.example/\r\nX: y€", "next")).toBe(
      '<https://a.example/%0D%0AX:%20y%E2%82%AC>; rel="next"',
    );
  });
});
