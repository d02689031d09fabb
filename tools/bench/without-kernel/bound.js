"use strict";

const { Buffer } = require("node:buffer");
const { randomBytes } = require("node:crypto");
const directory = require("./directory.js");
const { BASE_URL } = require("../stacks.js");
const { ORIGINS } = require("../samples.js");

/**
 * The bytes of the suite's responses from two functions written by hand, which check less. No suite on Express's router,
 * `res.json` and Node's headers can be faster than this: the difference to it is what can still be saved.
 */

// eslint-disable-next-line no-control-regex -- NUL is where ASCII begins
const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * @param fields what the suite was seen to send: `exposed` for CORS, and `next` of `Link`, if there is one
 */
function mountBoundList(app, rows, { exposed, next }) {
  const list = rows.slice(0, 20);
  app.use(createGuards());
  app.get("/users", function listUsers(req, res) {
    res.setHeader("Vary", "Origin");
    if (ORIGINS.includes(req.headers.origin)) {
      res.setHeader("Access-Control-Allow-Origin", req.headers.origin);
      res.setHeader("Access-Control-Expose-Headers", exposed);
    }
    const self = `<${BASE_URL}${req.url}>; rel="self"`;
    res.setHeader("Link", next === undefined ? self : [self, next]);
    res.setHeader("ETag", 'W/"1.42"');
    res.setHeader("Cache-Control", "private, no-cache");
    res.json(list);
  });
}

function mountBoundWebfinger(app) {
  const { BASE_URL: baseUrl, findProvider } = directory;
  app.use(createGuards());
  app.get("/.well-known/webfinger", function answer(req, res) {
    const resource = decodeURIComponent(req.url.slice(req.url.indexOf("=") + 1));
    const { id, type, name } = findProvider(resource.slice(5));
    res.setHeader("Access-Control-Allow-Origin", "*");
    res.setHeader("Access-Control-Expose-Headers", "X-Svc-Request-Id");
    res.setHeader("Vary", "Accept");
    res.setHeader("Cache-Control", "no-store");
    const properties = {
      "svc:idp:metadata": `${baseUrl}/api/v1/idps/${id}/metadata.xml`,
      "svc:idp:type": type,
      "svc:idp:id": id,
    };
    const link = { rel: "svc:idp", href: `${baseUrl}/sso/idps/${id}`, titles: { und: name }, properties };
    const text = JSON.stringify({ subject: resource, links: [link] });
    res.setHeader("Content-Type", typeFor(req.headers.accept));
    res.setHeader("Content-Length", Buffer.byteLength(text));
    res.end(text);
  });
}

function typeFor(accept) {
  return accept.startsWith("application/json") && !accept.endsWith("*/*")
    ? "application/json; charset=utf-8"
    : "application/jrd+json";
}

function createGuards() {
  let pool = "";
  let at = 0;
  return function guards(req, res, next) {
    const { headers, rawHeaders } = req;
    if (at + 20 > pool.length) [pool, at] = [randomBytes(3072).toString("base64url"), 0];
    req.id = `S-${pool.slice(at, at + 20)}`;
    at += 20;
    req.context = { ip: headers["x-forwarded-for"] ?? req.socket.remoteAddress };
    res.setHeader("X-Svc-Request-Id", req.id);
    if (headers["x-forwarded-proto"] !== "https") return res.end();
    res.setHeader("Strict-Transport-Security", "max-age=31536000");
    res.setHeader("X-Content-Type-Options", "nosniff");
    for (let index = 1; index < rawHeaders.length; index += 2) if (NOT_ASCII.test(rawHeaders[index])) return res.end();
    next();
  };
}

module.exports = { mountBoundList, mountBoundWebfinger };
