"use strict";

const { texts, word } = require("../text.js");
const { ensure, ensureEqual } = require("../checks.js");
const { requireLib } = require("../../../kit/compiled.js");

const http = requireLib("http/index.js");
const { strongMatch, weakMatch } = requireLib("http/entity-tag.js");
const { findRequestFault, findExpectFault, findFramingFault } = requireLib("faults/index.js");

const TYPES = ["application/json", "application/hal+json", "text/html", "*/*", "application/*", "multipart/form-data"];
const PARAMETERS = ["charset=utf-8", 'charset="utf-8"', "q=0.5", "q=.2", "q=0", "boundary=--x", 'x="a\\"b"', "v=1,2"];
const OFFERED = ["application/json", "application/jrd+json", "text/csv"];

function mediaType(random) {
  return [random.pick(TYPES), ...random.list(0, 3, () => random.pick(PARAMETERS))].join(
    random.pick([";", "; ", " ; "]),
  );
}

function uri(random) {
  const path = random.list(0, 4, () => `/${word(random, 0)}`).join("");
  return `${random.pick(["", "https://a.example", "http://[::1]:8443"])}${path}${random.pick(["", "?a=1", "?q=%C3%A9&b"])}`;
}

function link(random) {
  const parameters = random.list(0, 3, () =>
    random.pick(['rel="next"', "rel=self", 'title="a, b"', "title*=UTF-8''%E2", "x"]),
  );
  return [`<${uri(random)}>`, ...parameters].join(random.pick(["; ", ";", " ;\t"]));
}

function query(random) {
  const encode = (text) => (random.isLikely(0.7) ? encodeURIComponent(text) : text);
  return random
    .list(0, 6, () => `${encode(word(random))}=${encode(random.pick(["é", "a b", "+", "😀", "1", "x=y"]))}`)
    .join("&");
}

function tags(random) {
  return random
    .list(1, 5, () => `${random.pick(["", "W/"])}"${word(random, 0)}"`)
    .join(random.pick([",", ", ", " , "]));
}

const languages = (random) =>
  random
    .list(1, 6, () => random.pick(["en", "de-AT", "zh-Hant-TW", "*", "i-klingon", "fr;q=0.5", "x-a;q=0"]))
    .join(", ");

const target = (random) => random.pick([uri(random), "*", "example.com:443", `/users%3Flimit=${word(random)}`]);

function rawHeaders(random) {
  const names = ["Host", "host", "Content-Length", "Transfer-Encoding", "Upgrade", "Connection", "Expect", "X-A"];
  const values = [
    "a.example",
    "[::1]:80",
    "5",
    "+5",
    "5, 5",
    "chunked",
    "gzip, chunked",
    "upgrade",
    "100-continue",
    "",
    "a b",
  ];
  return random.list(0, 8, () => [random.pick(names), random.pick(values)]).flat();
}

module.exports = [
  {
    name: "media-type",
    generate: texts(mediaType, [...TYPES, ...PARAMETERS]),
    check(text) {
      const parsed = http.parseMediaType(text);
      if (parsed === undefined) return;
      const written = http.formatMediaType(parsed);
      ensureEqual(http.parseMediaType(written), parsed, "a printed media type is the same");
      ensure(typeof http.isUtf8(parsed) === "boolean", "isUtf8() decides");
    },
  },
  {
    name: "accept",
    generate: texts((random) => random.list(1, 6, () => mediaType(random)).join(", "), [...TYPES, ...PARAMETERS]),
    check(text) {
      const found = http.selectMediaType(text, OFFERED);
      ensure(found === undefined || OFFERED.includes(found), "what is selected was offered", () => found);
      ensureEqual(http.compileAccept(OFFERED)(text), found, "the cached selection is the same");
    },
  },
  {
    name: "link/parse",
    generate: texts((random) => random.list(1, 4, () => link(random)).join(", "), ["<", ">", "rel=", ";", ", <"]),
    check(text) {
      for (const { url, relations, parameters } of http.parseLinkHeader(text)) {
        ensure(!url.includes(">"), "a target ends at its bracket", () => url);
        ensure(
          relations.every((relation) => relation === relation.toLowerCase()),
          "relations are in lower case",
        );
        ensure(Object.getPrototypeOf(parameters) === null, "parameters have no prototype");
      }
    },
  },
  {
    name: "link/format",
    generate: (random) => ({
      url: texts(uri)(random),
      relation: random.pick(["next", "self", "https://a.example/rel", "svc:idp"]),
      title: texts(word)(random),
    }),
    allows: (error) => error instanceof TypeError && /lone surrogate|control character/.test(error.message),
    check({ url, relation, title }) {
      const [found, ...others] = http.parseLinkHeader(http.formatLinkHeader(url, relation, { title }));
      ensureEqual(others, [], "one link stays one");
      ensureEqual(found.url, http.encodeUri(url), "the target comes back encoded");
      ensureEqual(http.encodeUri(found.url), found.url, "encoding twice changes nothing");
      ensureEqual(found.relations, [relation], "the relation comes back");
      ensureEqual(found.parameters.title, title, "the parameter comes back");
    },
  },
  {
    name: "query",
    generate: texts(query, ["&", "=", "%26", "%3D", "+", "%ED%A0%80", "%C0%80", "%EF%BB%BF"]),
    check(text, random) {
      const options = { plus: random.pick(["literal", "space", "reject"]), maxBytesPerCharacter: random.pick([3, 4]) };
      const { parameters, fault } = http.parseQuery(text, options);
      if (fault !== undefined) {
        ensure(fault.offset >= 0 && fault.offset <= text.length, "a fault lies in the query", () => fault.offset);
        ensure(http.formatQueryFault(fault) !== "", "a fault has a message");
        return;
      }
      const again = parameters.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
      const names = parameters.some(([name]) => /[=&?#]/.test(name));
      const empty = parameters.some(([name, value]) => name === "" && value === "");
      if (!names && !empty) ensureEqual(http.parseQuery(again, options).parameters, parameters, "parameters come back");
      http.groupParameters(parameters);
      new http.RequestQuery(text).parse(options);
    },
  },
  {
    name: "languages",
    generate: texts(languages, ["-", "en", ";q=", "x-"]),
    check(text) {
      const found = http.parseLanguages(text);
      ensure(found.length <= 16 && new Set(found).size === found.length, "languages are few and different");
      ensureEqual(http.parseLanguages(found.join(",")), found, "they come back in their order");
    },
  },
  {
    name: "preconditions",
    generate: (random) => [
      random.pick(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]),
      texts(tags, ['W/"', '"', "*"])(random),
      texts(tags)(random),
    ],
    check([method, ifMatch, ifNoneMatch]) {
      const { preconditions, fault } = http.parsePreconditions(method, {
        "if-match": ifMatch,
        "if-none-match": ifNoneMatch,
      });
      if (preconditions === undefined) return ensure(fault.endsWith("."), "a fault is a sentence", () => fault);
      for (const hasTag of [undefined, () => true, () => false]) {
        const outcome = http.evaluatePreconditions(method, preconditions, hasTag, weakMatch);
        ensure(["proceed", "not-modified", "failed"].includes(outcome), "there are three outcomes", () => outcome);
        ensure(outcome !== "not-modified" || method === "GET" || method === "HEAD", "304 is for reading");
      }
      for (const tag of Array.isArray(preconditions.ifMatch) ? preconditions.ifMatch : []) {
        ensure(weakMatch(tag, tag), "a tag matches itself");
        ensure(strongMatch(tag, tag) === !tag.startsWith("W/"), "a weak tag matches nothing strongly");
      }
    },
  },
  {
    name: "request-head",
    generate: (random) => ({
      method: random.pick(["GET", "POST", "CONNECT", "OPTIONS", undefined]),
      url: texts(target, ["http://", "//", "%2F", "\\"])(random),
      httpVersion: random.pick(["1.1", "1.0", "2.0", "0.9"]),
      rawHeaders: rawHeaders(random).map((part) => (random.isLikely(0.1) ? texts(word)(random) : part)),
    }),
    check(head) {
      const rules = { maxHeadersCount: 100, acceptsUpgrade: () => false };
      for (const fault of [findRequestFault(head, rules), findFramingFault(head), findExpectFault(head.url)]) {
        if (fault === undefined) continue;
        ensure(/^E\d{7}$/.test(fault[0]), "a fault has a code", () => fault[0]);
      }
      http.findEncodedDelimiter(head.url);
      http.queryOf({}, head.url);
      http.isRequestId(head.url);
    },
  },
];
