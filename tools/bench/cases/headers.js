"use strict";

const { requireLib } = require("../../kit/compiled.js");
const { piece } = require("../piece.js");
const { RequestDouble, ResponseDouble, runHandlers } = require("../doubles.js");
const { ACCEPTS, CONTENT_TYPES, ORIGINS } = require("../samples.js");

module.exports = [
  piece({
    name: "content-type",
    prepare() {
      const { contentType } = require("etiquette/content-type");
      const typeis = require("type-is");
      const accepts = require("accepts");
      const Negotiator = require("negotiator");
      const middleware = contentType();
      const requests = ACCEPTS.flatMap((accept) => CONTENT_TYPES.map((type) => createRequest(accept, type)));
      const res = new ResponseDouble();
      const json = ["application/json"];
      const next = () => undefined;
      return {
        ours: (index) => middleware(requests[index % requests.length], res, next),
        peers: {
          "type-is + accepts": (index) => {
            const req = requests[index % requests.length];
            return typeis(req, json) && accepts(req).type(json);
          },
          "type-is + negotiator": (index) => {
            const req = requests[index % requests.length];
            return typeis(req, json) && new Negotiator(req).mediaType(json);
          },
        },
      };
    },
  }),

  piece({
    name: "accept/hostile-9k",
    prepare() {
      const { compileAccept } = require("etiquette/accept");
      const accepts = require("accepts");
      const Negotiator = require("negotiator");
      const select = compileAccept(["application/json"]);
      const req = { headers: { accept: createHostileAccept(9_000) } };
      return {
        ours: () => select(req.headers.accept),
        peers: {
          negotiator: () => new Negotiator(req).mediaType(["application/json"]),
          accepts: () => accepts(req).type(["application/json"]),
        },
      };
    },
  }),

  piece({
    name: "accept/linear",
    prepare() {
      const { selectMediaType } = require("etiquette/accept");
      const [short, long] = [200, 2_000].map(createHostileAccept);
      return {
        ours: () => selectMediaType(long, ["application/json"]),
        peers: { "ours, 200 characters": () => selectMediaType(short, ["application/json"]) },
      };
    },
  }),

  piece({
    name: "request-id",
    prepare() {
      const { randomBytes, randomUUID } = require("node:crypto");
      const { createIdGenerator } = requireLib("http/random-id.js");
      const { nanoid } = require("nanoid");
      const hyperid = require("hyperid")();
      const generateId = createIdGenerator(randomBytes);
      return {
        ours: () => generateId(),
        peers: {
          "crypto.randomUUID": () => randomUUID(),
          nanoid: () => nanoid(),
          "hyperid (guessable)": () => hyperid(),
        },
      };
    },
  }),

  piece({
    name: "cors/answer",
    prepare() {
      const ours = createOurCors();
      const peer = createPeerCors();
      return { ours: () => answer(ours, "GET"), peers: { cors: () => answer(peer, "GET") } };
    },
  }),

  piece({
    name: "cors/preflight",
    prepare() {
      const ours = createOurCors();
      const peer = createPeerCors();
      return { ours: () => answer(ours, "OPTIONS"), peers: { cors: () => answer(peer, "OPTIONS") } };
    },
  }),
];

function createRequest(accept, type) {
  const rawHeaders = ["Host", "api.example.com", "Content-Type", type, "Content-Length", "17", "Accept", accept];
  return new RequestDouble({ method: "POST", rawHeaders });
}

/** As many different media ranges as fit. */
function createHostileAccept(length) {
  let accept = "";
  for (let number = 0; accept.length < length; number++) accept += `a/b${number};q=0.${number % 1_000},`;
  return accept.slice(0, length);
}

function createOurCors() {
  const { operationCors } = require("etiquette/operation-cors");
  return operationCors({ origin: ORIGINS, operations: { GET: {}, POST: {} } });
}

function createPeerCors() {
  return require("cors")({
    origin: ORIGINS,
    methods: ["GET", "POST"],
    allowedHeaders: ["Accept", "Authorization", "Content-Type", "If-None-Match"],
    exposedHeaders: ["Link", "ETag", "X-Svc-Request-Id", "Retry-After"],
    maxAge: 600,
  });
}

const CORS_HEADERS = {
  origin: ORIGINS[1],
  "access-control-request-method": "GET",
  "access-control-request-headers": "authorization,if-none-match",
};

function answer(middleware, method) {
  const res = new ResponseDouble();
  runHandlers([middleware], new RequestDouble({ method, headers: CORS_HEADERS, route: {} }), res);
  return res;
}
