"use strict";

/** What one connection sends to a server: requests as they should be, and requests that are wrong in every way. */

const { Buffer } = require("node:buffer");
const { mutate, noise, word } = require("../fuzz/text.js");

const PATHS = [
  "/.well-known/webfinger?resource=svc:acct:joe@demo.example",
  "/.well-known/webfinger?resource=svc:acct:%C3%A9@demo.example&rel=svc:idp",
  "/.well-known/webfinger",
  "/api/v1/users",
  "/api/v1/logs?limit=1",
  "/sso/idps/SVC",
  "/sso/idps/none",
  "/nowhere",
  "/",
];

const METHODS = ["GET", "GET", "GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"];

const BODIES = ["{}", '{"profile":{}}', "[", "null", "\xff\xfe", '"\\ud800"', '{"a":'.repeat(50), "a=b&c=d"];

/** Lines that make a header wrong, or hard to read. */
const HARD_LINES = [
  "Host: other.localhost",
  "Host:",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 5, 5",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding : chunked",
  "Expect: 100-continue",
  "Expect: the unexpected",
  "Upgrade: websocket\r\nConnection: upgrade",
  "Connection: keep-alive, close, upgrade",
  "Accept: text/html;q=0",
  "Content-Type: application/hal+json",
  "Content-Encoding: gzip",
  "X-Forwarded-Proto: http",
  "X-Forwarded-For: unknown, _x, [::1]:99999",
  'If-None-Match: W/"a", *',
  "Range: bytes=0-",
  " folded: line",
  "No colon here",
  "Na\0me: x",
  "Name: a\0b",
  "Name: \xe9\xff",
  "Authorization: SVC 00",
  "Authorization: Bearer a.b.c",
  "Origin: null",
  "Access-Control-Request-Method: GET",
];

/** Bodies in chunks, of which most are wrong. */
const CHUNKS = [
  "0\r\n\r\n",
  "2\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
  "zz\r\n",
  "2;x=y\r\n{}\r\n0\r\n\r\n",
  "-1\r\n\r\n",
  "2\n{}\n0\n\n",
  "FFFFFFFFFFFFFFFFF\r\n",
];

/** The beginning of a TLS handshake, and of HTTP/2. */
const OTHER_PROTOCOLS = [
  "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "SSH-2.0-x\r\n",
  "\x80\x2e\x01\x03\x01",
];

/**
 * @returns `{ bytes, count, methods, finish, pace }`: `methods` of the responses that must come, or `undefined` when the
 *   server may refuse; `finish` is `wait`, `half-close` or `destroy`; `pace` is `whole`, `parts` or `drip`
 */
function createExchange(random) {
  const pace = random.isLikely(0.9) ? "whole" : random.pick(["parts", "parts", "drip"]);
  const roll = random.fraction();
  if (roll < 0.4) return { ...pipeline(random), finish: "wait", pace };
  if (roll < 0.9)
    return { ...hostilePipeline(random), finish: random.pick(["half-close", "half-close", "destroy"]), pace };
  const bytes = random.isLikely(0.3) ? random.pick(OTHER_PROTOCOLS) + noise(random) : noise(random, 400);
  return { bytes: latin1(bytes), count: 1, finish: "half-close", pace };
}

/** Sound requests, the last of which asks to close the connection. */
function pipeline(random) {
  const methods = Array.from({ length: 1 + random.integer(16) }, () => random.pick(METHODS));
  const texts = methods.map((method, index) => {
    const body = /^(?:POST|PUT|PATCH)$/.test(method) ? "{}" : "";
    const length = body === "" ? [] : [`Content-Length: ${body.length}`, "Content-Type: application/json"];
    return request(
      method,
      random.pick(PATHS),
      [...length, ...(index === methods.length - 1 ? ["Connection: close"] : [])],
      body,
    );
  });
  return { bytes: latin1(texts.join("")), count: methods.length, methods };
}

function hostilePipeline(random) {
  const count = 1 + random.integer(12);
  const texts = Array.from({ length: count }, () => hostileRequest(random));
  return { bytes: latin1(texts.join("")), count };
}

function hostileRequest(random) {
  const method = random.isLikely(0.9) ? random.pick(METHODS.slice(0, -1)) : word(random);
  const target = random.isLikely(0.7)
    ? random.pick(PATHS)
    : random.pick([
        "*",
        "http://a.example/",
        "a.example:443",
        `/${noise(random)}`,
        `/${"a".repeat(random.integer(20_000))}`,
      ]);
  const lines = random.list(0, 4, () => random.pick(HARD_LINES));
  const body = random.isLikely(0.5) ? "" : random.pick(random.isLikely(0.5) ? BODIES : CHUNKS);
  const length = random.isLikely(0.5) ? [`Content-Length: ${body.length}`] : [];
  const text = request(
    method,
    target,
    [...lines, ...length],
    body,
    random.isLikely(0.95) ? "1.1" : random.pick(["1.0", "0.9", "2.0", "9"]),
  );
  return random.isLikely(0.5) ? mutate(random, text) : text;
}

function request(method, target, lines, body, version = "1.1") {
  const head = [
    `${method} ${target} HTTP/${version}`,
    "Host: demo.localhost",
    "X-Forwarded-Proto: https",
    "X-Forwarded-For: 192.0.2.9",
  ];
  return `${[...head, ...lines].join("\r\n")}\r\n\r\n${body}`;
}

function latin1(text) {
  return Buffer.from(text, "latin1");
}

module.exports = { createExchange };
