"use strict";

/** Every target, by the name of the case and of the peer. */

const os = require("node:os");

/** A target for the ratio: ours is at least `factor` times as good as the peer. */
function atLeast(factor) {
  return { text: `≥ ${factor} ×`, isReached: ({ ratio }) => ratio >= factor };
}

/** A target for our own figure, in the unit of the case. */
function atMost(figure) {
  return { text: `≤ ${figure}`, isReached: ({ ours }) => ours <= figure };
}

/** Flat: what grows a thousandfold makes it no slower than 1.2 times. For a ratio of the small one to the large one. */
const FLAT = atLeast(0.83);

/** Flat where more data miss the processor's cache: no slower than 1.4 times. */
const FLAT_WITH_CACHE_MISSES = atLeast(0.71);

/** Linear: ten times the input takes no more than twelve times as long. For a ratio of the short one to the long one. */
const LINEAR = atLeast(0.083);

/** For a peer that is measured for information. */
const NONE = undefined;

/** The versions of Node in the columns below. */
const VERSIONS = [20, 22, 24, 26];

/** What whole requests are to reach on each version of Node, as factors. `batching` is `create-server` with `batch: true`. */
const BY_VERSION = {
  "get/create-server": {
    "express-5": [3.5, 3, 1.15, 1.15],
    packages: [6, 6, 4, 4],
    fastify: [0.72, 0.75, 0.8, 0.8],
    "fastify-plugins": [1.5, 1.5, 1.5, 1.5],
  },
  "get/batching": { "express-5": [NONE, NONE, 1.5, 1.5], fastify: [NONE, NONE, 1, 1] },
  "get/listen": { "express-5": [1.3, 1.3, 1.15, 1.2] },
  "get/create-server-4": { "express-4": [2.5] },
  "get/listen-4": { "express-4": [1.3] },
  "get-behind-100/create-server": { "express-5": [3, 3, 2, 2] },
  "post-1k/create-server": { "express-5": [2.6, 2.6, 2.2, 2.4], fastify: [0.9, 0.9, 1, 1.05] },
  "post-1k/create-server-4": { "express-4": [2.6] },
  "post-64k/create-server": { "express-5": [1.5, 1.3, 1.35, 1.15], fastify: [1, 1, 1, 0.95] },
  "post-64k/create-server-4": { "express-4": [1.15] },
  "without-kernel/get/repeated": {
    "express-5": [2.6, 2.6, 1.25, 1.25],
    "fastify-plugins": [1.3, 1.3, 1.5, 1.5],
    bound: [0.75, 0.75, 0.8, 0.8],
  },
  "without-kernel/get/unseen": {
    "express-5": [2, 2, 1.1, 1.1],
    "fastify-plugins": [1.2, 1.2, 1.4, 1.4],
    bound: [0.65, 0.65, 0.7, 0.7],
  },
  "without-kernel/get/*/listen": { "express-5": [1.4, 1.4, 1, 1] },
  ...Object.fromEntries(
    ["not-found", "invalid", "not-modified", "preflight"].map((name) => [
      `without-kernel/${name}/*`,
      { packages: [3, 3, 3, 3] },
    ]),
  ),
  "server/users/*": { "bare Express, createServer": [0.4, 0.4, 0.4, 0.4] },
  "server/webfinger/*": { "bare Express, createServer": [0.5, 0.5, 0.55, 0.55] },
};

const PACKAGES_OF_LINKS = { "http-link-header": atLeast(3), "parse-link-header": atLeast(3) };

/** The others: by the peer, and under `limit` what our own figure is to reach. A `*` stands for any text. */
const TARGETS = {
  "get/resident": { "express-5": atLeast(1) },
  "allocated/get/*": { "express-5": atLeast(0.769) }, // at most 1.3 times as many
  "all-conventions": { "ten packages": atLeast(20), limit: atMost(4) },
  "content-type": { "type-is + accepts": atLeast(10), "type-is + negotiator": atLeast(10) },
  "accept/hostile-9k": { negotiator: atLeast(10), accepts: atLeast(10) },
  "accept/linear": { "ours, 200 characters": LINEAR },
  "utf8/150b/ascii": { limit: atMost(0.1) },
  "utf8/1k/ascii": { "decode + regex": atLeast(10) },
  "utf8/64k/ascii": { "JSON.parse": atLeast(50), "decode + regex": atLeast(10) },
  "utf8/64k/with-depth": {},
  "utf8/64k/*": { "JSON.parse": atLeast(10), "decode + regex": atLeast(1) },
  "utf8/*/with-depth": {},
  "utf8/*": { "decode + regex": atLeast(1) },
  "trusted-proxies/*/10": { "proxy-addr": atLeast(10), "net.BlockList": atLeast(10) },
  "trusted-proxies/*/10000": { "proxy-addr": atLeast(500), "net.BlockList": atLeast(500) },
  "trusted-proxies/*/flat": { "ours, 10 ranges": FLAT },
  "client-address": { "proxy-addr": atLeast(8) },
  "user-agent/mixed": { bowser: atLeast(10), "ua-parser-js": atLeast(10), "detect-browser": atLeast(10) },
  "user-agent/never-seen": { bowser: atLeast(4), "ua-parser-js": atLeast(4), "detect-browser": atLeast(4) },
  "user-agent/hostile-8k": { limit: atMost(3) },
  "request-id": { "crypto.randomUUID": atLeast(5) },
  "filter/parse/*": { "scim2-parse-filter": atLeast(4), scimmy: atLeast(4) },
  "filter/evaluate/*": { "scim2-parse-filter": atLeast(12), scimmy: atLeast(12) },
  "entity-tag/4k/fields": { "pick + stringify + etag": atLeast(1.2) },
  "entity-tag/*": { "pick + stringify + etag": atLeast(2) },
  "cursor/*": { "AES-256-GCM": atLeast(0.83) },
  "link/page": { "http-link-header": atLeast(8) },
  "link/format": { "http-link-header": atLeast(1) },
  "link/parse": PACKAGES_OF_LINKS,
  "link/parse-spaces-50k": { "ours, 5 KB of spaces": LINEAR },
  "error-object": { "http-errors + res.json": atLeast(2) },
  // with every quota full; of the ratio, the rules that select a provider by its name are a microsecond each
  "routing/full": { limit: atMost(1_000) },
  "routing/flat/*": { "ours, 10 rules": FLAT_WITH_CACHE_MISSES },
  "json-patch": { "fast-json-patch, a copy": atLeast(1), "rfc6902, a copy": atLeast(1) },
  "merge-patch": { "json-merge-patch, a copy": atLeast(1) },
  "list-of-200": { "spread + stringify": atLeast(1.5) },
  "growth/users/*": { "first page": FLAT },
  "growth/logs/*": { "at the start": FLAT },
  "growth/requests/heap": { "after 10000 requests": FLAT },
  "growth/requests/resident": { "express-5": atLeast(1) },
  "growth/memory/heap": { "after 10000 requests": FLAT },
  "growth/memory/resident": { "after 10000 requests": atMost(130) },
  "growth/start/time": { limit: atMost(1_000) },
  "growth/start/resident": { limit: atMost(130) },
  "console/*/first-paint": { limit: atMost(2_000) },
  "console/*/shift": { limit: atMost(0.1) },
  "scale/orgs/cold-99-percent": { limit: atMost(50) },
  "scale/orgs/change-seen-last": { limit: atMost(1_000) },
  // beside two processes the load needs a core of its own
  "server/processes": { "one process": os.availableParallelism() < 3 ? NONE : atLeast(1.7) },
};

const PATTERNS = [
  ...Object.entries(BY_VERSION).map(([pattern, targets]) => compile(pattern, (major) => chooseFactors(targets, major))),
  ...Object.entries(TARGETS).map(([pattern, targets]) => compile(pattern, () => targets)),
];

function compile(pattern, targetsOn) {
  return { regexp: new RegExp(`^${pattern.replaceAll("*", ".+")}$`), targetsOn };
}

/** Of a version that has no column, the one before counts. */
function chooseFactors(targets, major) {
  const column = VERSIONS.findLastIndex((version) => version <= major);
  const factors = Object.entries(targets).map(([peer, columns]) => [peer, columns[column]]);
  return Object.fromEntries(factors.map(([peer, factor]) => [peer, factor === NONE ? NONE : atLeast(factor)]));
}

/**
 * The targets of a case by the name of the peer.
 *
 * @param name with `node-24/` before it for another Node than the one that runs the benchmark
 */
function targetsOf(name) {
  const [, major = Number.parseInt(process.versions.node, 10), rest] = /^(?:node-(\d+)\/)?(.+)$/.exec(name);
  return PATTERNS.find(({ regexp }) => regexp.test(rest))?.targetsOn(Number(major)) ?? {};
}

/** The target of a row; without a peer, that of our own figure. */
function targetOf(name, peerName) {
  return targetsOf(name)[peerName ?? "limit"];
}

module.exports = { targetOf, targetsOf };
