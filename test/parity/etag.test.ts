import etag from "etag";
import type { Express } from "express";
import fc from "fast-check";
import request from "supertest";
import { evaluatePreconditions, parsePreconditions } from "../../lib/http/preconditions.js";
import { strongMatch, weakMatch, type EntityTagComparison } from "../../lib/http/entity-tag.js";
import { getEntityTag, weakEtag } from "../../middleware/weak-etag.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

type Fresh = (requestHeaders: Record<string, string>, responseHeaders: Record<string, string>) => boolean;

// eslint-disable-next-line @typescript-eslint/no-require-imports -- it comes without types
const fresh = require("fresh") as Fresh;

/** What {@link fresh} answers, by ours. */
function isFresh(ifNoneMatch: string, tag: string): boolean {
  const { preconditions } = parsePreconditions("GET", { "if-none-match": ifNoneMatch });
  const hasTag = (candidate: string, isMatch: EntityTagComparison): boolean => isMatch(candidate, tag);
  if (!preconditions) throw new Error(`malformed: ${ifNoneMatch}`);
  return evaluatePreconditions("GET", preconditions, hasTag, weakMatch) === "not-modified";
}

describe("If-None-Match and fresh", () => {
  it("T6 agree on lists of tags that have no comma", () => {
    const tag = fc
      .tuple(fc.constantFrom("", "W/"), fc.constantFrom("a", "b", "W/", "*", "a*", "\u00e9"))
      .map(([weak, text]) => `${weak}"${text}"`);
    const list = fc.oneof(
      fc.constant("*"),
      fc
        .tuple(fc.array(tag, { minLength: 1, maxLength: 4 }), fc.constantFrom(",", ", ", " , "))
        .map(([tags, comma]) => tags.join(comma)),
    );
    fc.assert(
      fc.property(list, tag, (ifNoneMatch, current) => {
        expect(isFresh(ifNoneMatch, current)).toBe(fresh({ "if-none-match": ifNoneMatch }, { etag: current }));
      }),
      { numRuns: 1000 },
    );
  });

  /** Where ours differs on purpose. */
  it.each([
    ["a comma within a tag, which RFC 9110 section 8.8.3 allows", '"a,b"', '"a,b"'],
    ["the same in a list", '"x", W/"a,b"', 'W/"a,b"'],
    ["a tab around a comma (section 5.6.3)", '"x",\t"a"', '"a"'],
  ])("T6 differ on %s", (_difference, ifNoneMatch, current) => {
    expect(fresh({ "if-none-match": ifNoneMatch }, { etag: current })).toBe(false);
    expect(isFresh(ifNoneMatch, current)).toBe(true);
  });

  it("T6 differ on Cache-Control: no-cache, which says nothing of what the client has (RFC 9111 section 5.2.1.4)", () => {
    expect(fresh({ "if-none-match": '"a"', "cache-control": "no-cache" }, { etag: '"a"' })).toBe(false);
    expect(isFresh('"a"', '"a"')).toBe(true);
  });
});

describe("weak comparison and etag", () => {
  it("T2 match exactly those weak tags of etag that it makes of equal bodies", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (first, second) => {
        const [a, b] = [etag(first, { weak: true }), etag(second)];
        expect(weakMatch(a, b)).toBe(first === second);
        expect(strongMatch(a, b)).toBe(false);
        expect(isFresh(a, etag(first))).toBe(true);
      }),
    );
  });
});

describe.each(EXPRESS_VERSIONS)("weakEtag and the automatic tag of %s", (_version, express) => {
  let logins = 0;
  const user = () => ({ id: "1", name: "Joe", lastLogin: ++logins });

  function withAutomaticTag(): Express {
    const app = express();
    app.get("/", (_req, res) => void res.json(user()));
    app.put("/", (_req, res) => void res.json(user()));
    return app;
  }

  function withWeakEtag(): Express {
    const app = express();
    app.disable("etag");
    app.use(weakEtag({ fields: ["id", "name"] }));
    app.get("/", (req) => {
      getEntityTag(req).send(user());
    });
    app.put("/", (req, _res, next) => {
      try {
        const etags = getEntityTag(req);
        etags.assert(user());
        etags.send(user());
      } catch (error) {
        next(error);
      }
    });
    app.get("/plain", (_req, res) => void res.json({}));
    return app;
  }

  const tagOf = async (app: Express) => (await request(app).get("/")).headers["etag"]!;

  it("T2 differ on a body in which only lastLogin changed", async () => {
    const theirs = withAutomaticTag();
    const ours = withWeakEtag();
    expect(await tagOf(theirs)).not.toBe(await tagOf(theirs));
    expect(await tagOf(ours)).toBe(await tagOf(ours));
  });

  it("T3 differ on If-Match, which Express ignores", async () => {
    const put = async (app: Express) => (await request(app).put("/").set("If-Match", 'W/"1.x"')).status;
    expect(await put(withAutomaticTag())).toBe(200);
    expect(await put(withWeakEtag())).toBe(412);
  });

  it("T6 differ on Cache-Control: no-cache, which Node's fetch adds beside If-None-Match", async () => {
    const theirs = express();
    theirs.get("/", (_req, res) => void res.json({ id: 1 }));
    const ours = withWeakEtag();
    const get = async (app: Express) => {
      const headers = { "If-None-Match": await tagOf(app), "Cache-Control": "no-cache" };
      return (await request(app).get("/").set(headers)).status;
    };
    expect(await get(theirs)).toBe(200);
    expect(await get(ours)).toBe(304);
  });

  it("T6 differ on an answer that nobody tagged", async () => {
    expect(await tagOf(withAutomaticTag())).toMatch(/^W\//);
    expect((await request(withWeakEtag()).get("/plain")).headers["etag"]).toBeUndefined();
  });
});
