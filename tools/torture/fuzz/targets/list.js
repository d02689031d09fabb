"use strict";

const { jsonObject, mutate, texts, word } = require("../text.js");
const { ensure, ensureEqual, isOneOf } = require("../checks.js");
const { requireLib } = require("../../../kit/compiled.js");

const lib = requireLib("list/index.js");
const { compileTagScheme, RequestQuery } = requireLib("http/index.js");
const { weakMatch } = requireLib("http/entity-tag.js");
const { parseCredentials, formatChallenge } = requireLib("auth/index.js");
const { compileWebfingerParser, formatJrd } = requireLib("webfinger/index.js");
const { compileNamespace } = requireLib("factory/index.js");

const codec = lib.compileCursorCodec(["torture".repeat(8), "older".repeat(8)]);
const readPageQuery = lib.compilePageQueryReader(lib.parsePageLimit("torture"), ["since"]);
const tagScheme = compileTagScheme("torture", { fields: ["a", "profile", "name"] }, { isStrong: false, now: () => 0 });
const namespace = compileNamespace("torture");
const parseWebfinger = compileWebfingerParser(namespace, ["acct:"]);
const ORG = { namespace, baseUrl: "https://a.example", title: "a", issuerRel: "both" };
const PROVIDERS = ["org", { id: "a/b", type: "SAML2", name: "é" }];

const ORDERS = [
  [{ column: "name" }, { column: "id" }],
  [
    { column: "name", direction: "desc", nulls: "last" },
    { column: "id", direction: "desc" },
  ],
  [{ column: "name", nulls: "first" }, { column: "id" }],
];

function key(random) {
  return random.pick([
    null,
    true,
    0,
    -1.5,
    2 ** 53,
    word(random, 0),
    "é",
    "2026-01-31T08:00:00.000Z",
    "a".repeat(random.integer(50)),
  ]);
}

const pageQuery = (random) =>
  random
    .list(0, 5, () =>
      random.pick(["limit=5", "limit=0", "after=abc", "before=", "since=2026", "filter=a%20pr", "limit=+5"]),
    )
    .join("&");

const resource = (random) =>
  `resource=${random.pick(["svc:acct:", "acct:", "ACCT:", "mailto:", ""])}${random.pick(["joe@example.com", "%C3%A9", "a b", ""])}${random.pick(["", "&rel=svc:idp", "&rel=http://openid.net/specs/connect/1.0/issuer", "&resource=x"])}`;

module.exports = [
  {
    name: "cursors",
    generate: (random) => ({
      cursor: { direction: random.pick(["after", "before"]), keys: random.list(1, 8, () => key(random)) },
      context: {
        resource: word(random),
        org: random.pick([null, "a"]),
        filter: random.pick([null, 'a eq "b"']),
        sort: null,
      },
    }),
    allows: isOneOf(lib.CursorError),
    check({ cursor, context }, random) {
      const text = codec.encode(cursor, context);
      ensureEqual(codec.decode(text, cursor.direction, context), cursor, "a cursor comes back");
      const wrong = random.pick([
        [mutate(random, text), cursor.direction, context],
        [text, cursor.direction === "after" ? "before" : "after", context],
        [text, cursor.direction, { ...context, org: "b" }],
        [text, cursor.direction, { ...context, filter: "c" }],
      ]);
      if (wrong[0] === text && wrong[1] === cursor.direction && wrong[2] === context) return;
      const opened = codec.decode(...wrong);
      ensure(false, "an altered cursor is refused", () => JSON.stringify(opened));
    },
  },
  {
    name: "cursors/garbage",
    generate: texts((random) => random.text(20, 90, [..."ABCDEFGHIJKLMNOPabcdefghij0123456789-_"]), ["=", "+", "/"]),
    allows: isOneOf(lib.CursorError),
    check(text) {
      const opened = codec.decode(text, "after", { resource: "users" });
      ensure(false, "a cursor of nobody is refused", () => JSON.stringify(opened));
    },
  },
  {
    name: "page-query",
    generate: texts(pageQuery, ["limit=", "after=", "&", "%00"]),
    check(text) {
      const { query, fault } = readPageQuery(new RequestQuery(text));
      if (fault !== undefined) return ensure(fault.message !== "", "a fault has a message");
      ensure(
        Number.isInteger(query.limit) && query.limit >= 1 && query.limit <= 200,
        "a limit is within its bounds",
        () => query.limit,
      );
    },
  },
  {
    name: "keysets",
    generate: (random) => ({
      order: random.pick(ORDERS),
      rows: random.list(0, 30, (_, id) => ({ name: random.pick(["a", "b", "é", "B", ""]), id })),
      limit: 1 + random.integer(5),
    }),
    check({ order, rows, limit }) {
      const keysOf = ({ name, id }) => [name, id];
      const all = lib.selectRows(rows, { limit: Infinity }, keysOf, order);
      const walked = [];
      for (let position = {}; ;) {
        const page = lib.selectRows(rows, { ...position, limit }, keysOf, order);
        walked.push(...page);
        if (page.length < limit) break;
        position = { after: keysOf(page.at(-1)) };
        lib.keysetCondition(position, order);
      }
      ensureEqual(walked, all, "the pages are the list");
      if (all.length > 0)
        ensureEqual(
          lib.selectRows(rows, { before: keysOf(all[0]), limit }, keysOf, order),
          [],
          "nothing precedes the first",
        );
    },
  },
  {
    name: "entity-tags",
    generate: (random) => ({ ...jsonObject(random, 3), a: word(random) }),
    check(entity) {
      const tag = tagScheme.format(entity);
      ensure(/^W\/"1\.[\w-]{22}"$/.test(tag), "a tag has a form", () => tag);
      ensureEqual(tagScheme.format(Object.fromEntries(Object.entries(entity).reverse())), tag, "order has no meaning");
      ensure(tagScheme.createMatcher(entity)(tag, weakMatch), "an object has its tag");
      ensure(tagScheme.format({ ...entity, a: `${entity.a}!` }) !== tag, "another object has another tag");
    },
  },
  {
    name: "credentials",
    generate: texts(
      (random) => `${random.pick(["Bearer", "SVC", "Basic"])} ${word(random, 0, 60)}${random.pick(["", "=", "=="])}`,
      [" ", "=", ","],
    ),
    check(text) {
      const found = parseCredentials(text);
      if (found === undefined) return;
      ensureEqual(found.scheme, found.scheme.toLowerCase(), "a scheme is in lower case");
      ensure(
        !/["\r\n]/.test(formatChallenge(found.scheme, { realm: "api" }).replaceAll('"api"', "")),
        "a challenge is one line",
      );
    },
  },
  {
    name: "webfinger",
    generate: texts(resource, ["resource=", "rel=", "svc:acct:", "&", "%00", "%2C"]),
    check(text) {
      const { query, fault } = parseWebfinger(text);
      if (fault !== undefined) return ensure(fault.message !== "", "a fault has a message");
      const jrd = formatJrd(query, PROVIDERS, ORG);
      ensureEqual(jrd.subject, query.resource, "the subject is the resource");
      ensure(
        jrd.links.every(({ href }) => href.startsWith("https://a.example/")),
        "links are the org's",
      );
      ensure(JSON.stringify(jrd) !== undefined, "the response is JSON");
    },
  },
];
