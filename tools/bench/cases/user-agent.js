"use strict";

const { performance } = require("node:perf_hooks");
const { requireLib } = require("../../kit/compiled.js");
const { piece } = require("../piece.js");
const { RequestDouble } = require("../doubles.js");
const { USER_AGENTS } = require("../samples.js");

/** Texts that make pattern matchers work; the worst of them for ours is measured. */
const HOSTILE = ["x", " ", "(", "x11 ", "mac os ", "chromiu ", "edg", "tv ", "windows phon", "Mozilla/5.0 (", "op op "];

module.exports = [
  piece({
    name: "user-agent/mixed",
    prepare() {
      const read = createReader();
      return { ours: (index) => read(USER_AGENTS[index % USER_AGENTS.length]), peers: createPeers(USER_AGENTS) };
    },
  }),

  piece({
    name: "user-agent/never-seen",
    prepare() {
      const { parseUserAgent } = requireLib("net/user-agent.js");
      return {
        ours: (index) => parseUserAgent(USER_AGENTS[index % USER_AGENTS.length]),
        peers: createPeers(USER_AGENTS),
      };
    },
  }),

  piece({
    name: "user-agent/hostile-8k",
    prepare() {
      const read = createReader();
      const worst = findWorst(read);
      return { ours: () => read(worst), peers: createPeers([worst]) };
    },
  }),
];

/** What a middleware behind `requestContext()` pays for browser, operating system and device. */
function createReader() {
  const { getRequestContext, requestContext } = require("etiquette/request-context");
  const req = new RequestDouble({ headers: {} });
  const middleware = requestContext();
  const next = () => undefined;
  return (userAgent) => {
    req.headers["user-agent"] = userAgent;
    middleware(req, undefined, next);
    return getRequestContext(req).userAgent;
  };
}

/** Equal work: the names of browser and operating system, and the kind of device where a peer has it. */
function createPeers(userAgents) {
  const bowser = require("bowser");
  const UAParser = require("ua-parser-js");
  const { parseUserAgent } = require("detect-browser");
  return {
    bowser: (index) => {
      const { browser, os, platform } = bowser.parse(userAgents[index % userAgents.length]);
      return `${browser.name} ${os.name} ${platform.type}`;
    },
    "ua-parser-js": (index) => {
      const parser = new UAParser(userAgents[index % userAgents.length]);
      return `${parser.getBrowser().name} ${parser.getOS().name} ${parser.getDevice().type}`;
    },
    "detect-browser": (index) => {
      const details = parseUserAgent(userAgents[index % userAgents.length]);
      return details && `${details.name} ${details.os}`;
    },
  };
}

function findWorst(read) {
  const texts = HOSTILE.map((seed) => seed.repeat(Math.ceil(8_192 / seed.length)).slice(0, 8_192));
  const costs = texts.map((text) => {
    for (let run = 0; run < 2_000; run++) read(text);
    const start = performance.now();
    for (let run = 0; run < 2_000; run++) read(text);
    return performance.now() - start;
  });
  return texts[costs.indexOf(Math.max(...costs))];
}
