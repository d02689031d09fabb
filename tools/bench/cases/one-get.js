"use strict";

const { piece } = require("../piece.js");
const { RequestDouble, ResponseDouble, runHandlers } = require("../doubles.js");
const { GET_HEADERS, GET_URL } = require("../http/workloads.js");
const { USER_AGENTS } = require("../samples.js");

module.exports = [
  piece({
    name: "all-conventions",
    prepare() {
      const { createPackagesStack, createSuiteStack, USERS } = require("../stacks.js");
      const etag = require("etag");
      const ours = createSuiteStack();
      const peer = createPackagesStack();
      const text = JSON.stringify(USERS);
      const ourHandlers = [ours.guards, ...ours.path, ...ours.list];
      const peerHandlers = [
        ...peer.guards,
        function tagAsExpressDoes(_req, res, next) {
          res.setHeader("ETag", etag(text, { weak: true }));
          next();
        },
        ...peer.list,
      ];
      const rawHeaders = USER_AGENTS.map((userAgent) =>
        Object.entries({ ...GET_HEADERS, "User-Agent": userAgent }).flat(),
      );
      const headers = USER_AGENTS.map((userAgent) => ({ ...lowerCase(GET_HEADERS), "user-agent": userAgent }));

      function get(handlers, index) {
        const variant = index % USER_AGENTS.length;
        const options = { url: GET_URL, rawHeaders: rawHeaders[variant], headers: headers[variant], route: {} };
        const res = new ResponseDouble();
        runHandlers(handlers, new RequestDouble(options), res);
        return res;
      }

      return {
        ours: (index) => get(ourHandlers, index),
        peers: { "ten packages": (index) => get(peerHandlers, index) },
      };
    },
  }),
];

function lowerCase(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
