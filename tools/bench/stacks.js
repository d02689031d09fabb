"use strict";

const { createUser, ORIGINS, TEN_RANGES } = require("./samples.js");

/**
 * The same conventions twice, from this suite and from packages, as lists of handlers: request id, the client's address
 * behind ten trusted ranges, user agent, HTTPS only, content type, CORS, a filter, a `Link` line, an entity tag, errors.
 */

const BASE_URL = "https://api.example.com";

/** What cursors are encrypted with, and the list that they are bound to. */
const SECRET = "a secret of thirty-two bytes or more";
const RESOURCE = "users";

const USERS = [createUser(1)];
const CREATED = createUser(2);

/** What the answers depend on; a count of changes, which many stores keep. */
const LIST_STATE = { version: 42 };

/**
 * @param json as for the packages; ours parses them itself
 * @param options more options of the suite
 * @param users what the list has
 */
function createSuiteStack(json, options, users = USERS) {
  const { compileFilterSchema, filter, tryGetFilter } = require("etiquette/filter");
  const { getPage, pagination } = require("etiquette/pagination");
  const { getRequestContext } = require("etiquette/request-context");
  const { getEntityTag, weakEtag } = require("etiquette/weak-etag");
  const { operationCors } = require("etiquette/operation-cors");
  const { suite } = require("etiquette/suite");

  const schema = compileFilterSchema({
    attributes: { status: { type: "string" }, "profile.email": { type: "string" } },
  });
  const { guards, fallbacks } = suite({
    trust: TEN_RANGES,
    jsonBody: json !== undefined && { limit: 1_048_576 },
    ...options,
  });
  return {
    guards,
    path: [operationCors({ origin: ORIGINS, operations: { GET: {}, POST: {} } })],
    list: [
      filter({ schema }),
      pagination({ secret: SECRET, resource: RESOURCE, baseUrl: BASE_URL }),
      weakEtag({ revision: "version" }),
      function listUsers(req) {
        const { ip, userAgent } = getRequestContext(req);
        if (ip === null || userAgent.os === "" || tryGetFilter(req) === undefined) throw new Error("no context");
        const rows = getPage(req).take(users, (user) => [user.id]);
        getEntityTag(req).send(LIST_STATE, rows);
      },
    ],
    create: [
      weakEtag({ revision: "version" }),
      function createUser(req, res) {
        const { ip, userAgent } = getRequestContext(req);
        if (ip === null || userAgent.os === "" || req.body === undefined) throw new Error("no context");
        res.statusCode = 201;
        getEntityTag(req).send(CREATED);
      },
    ],
    fallbacks,
  };
}

/**
 * Express puts the entity tag on the answer itself.
 *
 * @param json `express.json`; without it bodies are not parsed
 * @param users what the list has
 */
function createPackagesStack(json, users = USERS) {
  const accepts = require("accepts");
  const cors = require("cors");
  const createError = require("http-errors");
  const helmet = require("helmet");
  const LinkHeader = require("http-link-header");
  const { nanoid } = require("nanoid");
  const proxyAddr = require("proxy-addr");
  const { parse } = require("scim2-parse-filter");
  const typeis = require("type-is");
  const UAParser = require("ua-parser-js");

  const trust = proxyAddr.compile(TEN_RANGES);
  const types = ["application/json"];
  return {
    guards: [
      function requestId(req, res, next) {
        req.id = nanoid();
        res.setHeader("X-Request-Id", req.id);
        next();
      },
      helmet(),
      cors({ origin: ORIGINS, exposedHeaders: ["Link", "ETag", "X-Request-Id"] }),
      function context(req, _res, next) {
        const userAgent = new UAParser(req.headers["user-agent"]);
        const [browser, os, device] = [userAgent.getBrowser(), userAgent.getOS(), userAgent.getDevice()];
        req.context = { ip: proxyAddr(req, trust), browser: browser.name, os: os.name, device: device.type };
        next();
      },
      function httpsOnly(req, res, next) {
        const trusted = trust(req.socket.remoteAddress, 0);
        if (!trusted || req.headers["x-forwarded-proto"] !== "https")
          return next(createError(403, "HTTPS is required"));
        res.setHeader("Strict-Transport-Security", "max-age=31536000");
        next();
      },
      function contentType(req, _res, next) {
        if (typeis.hasBody(req) && !typeis(req, types)) return next(createError(415));
        if (!accepts(req).type(types)) return next(createError(406));
        next();
      },
      ...(json ? [json({ limit: "1mb" })] : []),
    ],
    path: [],
    list: [
      function listUsers(req, res) {
        try {
          req.filter = parse(req.query.filter);
        } catch (error) {
          throw createError(400, error.message);
        }
        const link = new LinkHeader();
        link.set({ uri: BASE_URL + req.originalUrl, rel: "self" });
        res.setHeader("Link", link.toString());
        res.json(users);
      },
    ],
    create: [
      function createUser(req, res) {
        if (req.body === undefined) throw createError(400);
        res.statusCode = 201;
        res.json(CREATED);
      },
    ],
    fallbacks: [
      function notFound(_req, _res, next) {
        next(createError(404));
      },
      function formatError(error, _req, res, next) {
        if (res.headersSent) return next(error);
        res.status(error.status ?? 500).json({ error: { status: error.status, message: error.message } });
      },
    ],
  };
}

module.exports = { BASE_URL, createPackagesStack, createSuiteStack, CREATED, RESOURCE, SECRET, USERS };
