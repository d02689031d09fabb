"use strict";

const { Buffer } = require("node:buffer");
const { createCipheriv, createDecipheriv, randomBytes } = require("node:crypto");
const { URL } = require("node:url");
const { requireLib } = require("../../kit/compiled.js");
const { piece } = require("../piece.js");
const { createUser } = require("../samples.js");

const CONTEXT = { resource: "users", org: "acme", filter: 'status eq "ACTIVE"', sort: null };
const KEYS = ["2024-05-17T16:40:02.000Z", "00u1k4Zq8Xb0d7c2ap12"];

const BASE = "https://acme.example.com/api/v1/users";
const NEXT = `${BASE}?limit=20&after=MTphY21lOjAwdTFrNFpxOFhiMGQ3YzJhcDEy`;
const SELF = `${BASE}?limit=20`;

module.exports = [
  piece({
    name: "cursor/encode",
    prepare() {
      const codec = createCodec();
      const sealer = createSealer();
      return {
        ours: () => codec.encode({ direction: "after", keys: KEYS }, CONTEXT),
        peers: { "AES-256-GCM": () => sealer.seal({ direction: "after", keys: KEYS }, CONTEXT) },
      };
    },
  }),

  piece({
    name: "cursor/decode",
    prepare() {
      const codec = createCodec();
      const sealer = createSealer();
      const cursor = codec.encode({ direction: "after", keys: KEYS }, CONTEXT);
      const sealed = sealer.seal({ direction: "after", keys: KEYS }, CONTEXT);
      return {
        ours: () => codec.decode(cursor, "after", CONTEXT),
        peers: { "AES-256-GCM": () => sealer.open(sealed, CONTEXT) },
      };
    },
  }),

  piece({
    name: "link/format",
    prepare() {
      const { formatLinkHeader } = require("etiquette/link-header");
      const LinkHeader = require("http-link-header");
      return {
        ours: (index) => [formatLinkHeader(SELF, "self"), formatLinkHeader(`${NEXT}${index & 15}`, "next")],
        peers: {
          "http-link-header": (index) => formatWithPeer(LinkHeader, index),
          "URL + template": (index) => {
            const self = new URL(SELF);
            const next = new URL(SELF);
            next.searchParams.set("after", `MTphY21lOjAwdTFrNFpxOFhiMGQ3YzJhcDEy${index & 15}`);
            return [`<${self.href}>; rel="self"`, `<${next.href}>; rel="next"`];
          },
        },
      };
    },
  }),

  piece({
    name: "link/page",
    prepare() {
      const { formatPageLinks } = requireLib("list/page-links.js");
      const LinkHeader = require("http-link-header");
      const query = { limit: 20, self: "limit=20", start: "limit=20", others: "limit=20", selection: "" };
      const cursor = NEXT.slice(NEXT.indexOf("after=") + 6);
      return {
        ours: (index) =>
          formatPageLinks(BASE, query, { next: KEYS, previous: undefined }, () => `${cursor}${index & 15}`),
        peers: { "http-link-header": (index) => formatWithPeer(LinkHeader, index) },
      };
    },
  }),

  piece({
    name: "link/parse",
    prepare() {
      const { parseLinkHeader } = require("etiquette/link-header");
      const LinkHeader = require("http-link-header");
      const parse = require("parse-link-header");
      const texts = Array.from({ length: 16 }, (_, index) => `<${SELF}>; rel="self", <${NEXT}${index}>; rel="next"`);
      return {
        ours: (index) => parseLinkHeader(texts[index & 15]),
        peers: {
          "http-link-header": (index) => LinkHeader.parse(texts[index & 15]),
          "parse-link-header": (index) => parse(texts[index & 15]),
        },
      };
    },
  }),

  piece({
    name: "link/parse-spaces-50k",
    prepare() {
      const { parseLinkHeader } = require("etiquette/link-header");
      const LinkHeader = require("http-link-header");
      const [short, long] = [5_000, 50_000].map((length) => `<${SELF}>; rel="self"${" ".repeat(length)}x`);
      return {
        ours: () => parseLinkHeader(long),
        peers: {
          "ours, 5 KB of spaces": () => parseLinkHeader(short),
          "http-link-header": () => attempt(() => LinkHeader.parse(long)),
        },
      };
    },
  }),

  piece({
    name: "list-of-200",
    prepare() {
      const { formatLink, formatList, formatPath, withLinks } = require("etiquette/links");
      const users = Array.from({ length: 200 }, (_, number) => createUser(number));
      return {
        ours: () => formatList(users, BASE, ({ id }) => id),
        peers: {
          "stringify, without links": () => JSON.stringify(users), // nothing written in JavaScript can be faster
          "withLinks + stringify": () =>
            JSON.stringify(users.map((user) => withLinks(user, { self: formatLink(formatPath(BASE, user.id)) }))),
          "spread + stringify": () =>
            JSON.stringify(
              users.map((user) => ({ ...user, _links: { self: { href: `${BASE}/${encodeURIComponent(user.id)}` } } })),
            ),
        },
      };
    },
  }),
];

function formatWithPeer(LinkHeader, index) {
  const link = new LinkHeader();
  link.set({ uri: SELF, rel: "self" });
  link.set({ uri: `${NEXT}${index & 15}`, rel: "next" });
  return link.toString();
}

function createCodec() {
  const { compileCursorCodec } = requireLib("list/cursor.js");
  return compileCursorCodec([randomBytes(32)]);
}

/** The usual alternative: the same JSON, encrypted, bound to the same context. */
function createSealer() {
  const key = randomBytes(32);
  return {
    seal(cursor, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(JSON.stringify(context)));
      const body = Buffer.concat([cipher.update(JSON.stringify(cursor)), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(text, context) {
      const bytes = Buffer.from(text, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(JSON.stringify(context)))
        .setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8"));
    },
  };
}

/** A peer may throw on what it can't read; that is its answer. */
function attempt(run) {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
