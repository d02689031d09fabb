"use strict";

const { randomUUID } = require("node:crypto");
const { ORIGINS } = require("../samples.js");
const { CREATED, USERS } = require("../stacks.js");

/** All but `nosniff`, which is the one that the suite sends. */
const HELMET = {
  contentSecurityPolicy: false,
  crossOriginOpenerPolicy: false,
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  strictTransportSecurity: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
};

const QUERY = {
  type: "object",
  properties: { filter: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 200 } },
  additionalProperties: false,
};

const BODY = { type: "object", properties: { users: { type: "array" } }, required: ["users"] };

function createBareFastify() {
  const app = require("fastify").fastify();
  app.get("/users", (_req, reply) => reply.send(USERS));
  app.post("/users", (_req, reply) => reply.code(201).send(CREATED));
  return app;
}

/**
 * Fastify with the conventions that it has plugins for: request id, CORS, entity tag, `Accept`, `nosniff`, checks of query
 * and body, errors. It lacks the suite's context, filter, `Link` line, HTTPS check and checks of text.
 */
function createFastifyWithPlugins() {
  const createError = require("http-errors");
  const app = require("fastify").fastify({ genReqId: () => randomUUID() });
  app.register(require("@fastify/helmet"), HELMET);
  app.register(require("@fastify/cors"), { origin: ORIGINS, exposedHeaders: ["Link", "ETag", "X-Request-Id"] });
  app.register(require("@fastify/etag"), { weak: true });
  app.register(require("@fastify/accepts"));
  app.addHook("onRequest", function guard(req, reply, done) {
    reply.header("X-Request-Id", req.id);
    done(req.type(["application/json"]) ? undefined : createError(406));
  });
  app.setNotFoundHandler((_req, reply) => sendError(createError(404), reply));
  app.setErrorHandler((error, _req, reply) => sendError(error, reply));
  app.register(async (routes) => {
    routes.get("/users", { schema: { querystring: QUERY } }, (_req, reply) => reply.send(USERS));
    routes.post("/users", { schema: { body: BODY } }, (_req, reply) => reply.code(201).send(CREATED));
  });
  return app;
}

function sendError({ statusCode: status = 500, message }, reply) {
  reply.code(status).send({ error: { status, message } });
}

module.exports = { createBareFastify, createFastifyWithPlugins };
