"use strict";

const { Buffer } = require("node:buffer");
const http = require("node:http");
const express = require("express");
const { createServer } = require("etiquette/create-server");
const { mountBoundList, mountBoundWebfinger } = require("./bound.js");
const directory = require("./directory.js");
const { createBareFastify, createFastifyWithPlugins } = require("../http/fastify.js");
const { createPackagesStack, createSuiteStack } = require("../stacks.js");

/**
 * What makes a server of a workload, by name. It doesn't listen. Those that only `get` has, and `express-5`, send their
 * constant object.
 *
 * @param rows of the list
 * @param fields what the suite was seen to send, for the bound
 */
const SERVERS = {
  "create-server": ({ workload, rows }) => createServer(createSuiteApp(workload, rows), { batch: false }),
  listen: ({ workload, rows }) =>
    http.createServer(createSuiteApp(workload, rows, { sharedShapes: { accelerate: true } })),
  bound: ({ workload, rows, fields }) => createServer(createBoundApp(workload, rows, fields), { batch: false }),
  "express-5": ({ workload, rows }) => http.createServer(createBareApp(workload, rows)),
  "express-5-server": ({ workload, rows }) => createServer(createBareApp(workload, rows), { batch: false }),
  "node-http": ({ rows }) =>
    http.createServer((_req, res) => {
      const text = JSON.stringify(rows);
      res.setHeader("Content-Type", "application/json; charset=utf-8");
      res.setHeader("Content-Length", Buffer.byteLength(text));
      res.end(text);
    }),
  fastify: () => readyServer(createBareFastify()),
  "fastify-plugins": () => readyServer(createFastifyWithPlugins()),
  packages: ({ rows }) => http.createServer(mount(express(), createPackagesStack(express.json, rows))),
};

function createSuiteApp(workload, rows, options) {
  if (workload !== "webfinger") return mount(createApp(), createSuiteStack(express.json, options, rows));
  const { webfinger } = require("etiquette/webfinger");
  const { suite } = require("etiquette/suite");
  const { TEN_RANGES } = require("../samples.js");
  const { guards, fallbacks } = suite({ trust: TEN_RANGES, contentType: false, jsonBody: false, ...options });
  const { BASE_URL: baseUrl, findProvider: resolve } = directory;
  return createApp().use(guards, webfinger({ baseUrl, title: "acme", resolve }), fallbacks);
}

function createBoundApp(workload, rows, fields) {
  const app = createApp();
  if (workload === "webfinger") mountBoundWebfinger(app);
  else mountBoundList(app, rows, fields);
  return app;
}

/** Express as it comes, with a constant that has the length of the response. */
function createBareApp(workload, rows) {
  const app = express();
  if (workload === "webfinger") {
    const { id, type, name } = directory.findProvider("joe@tenant-1.example.com");
    const href = `${directory.BASE_URL}/sso/idps/${id}`;
    const properties = { "svc:idp:metadata": `${href}/metadata.xml/api/v1`, "svc:idp:type": type, "svc:idp:id": id };
    const links = [{ rel: "svc:idp", href, titles: { und: name }, properties }];
    const document = { subject: "acct:joe.1@tenant-1.example.com", links };
    app.get("/.well-known/webfinger", (_req, res) => res.json(document));
  } else {
    const list = rows.slice(0, 20);
    app.get("/users", (_req, res) => res.json(list));
  }
  return app;
}

function createApp() {
  const app = express();
  for (const name of ["x-powered-by", "etag", "query parser"]) app.disable(name);
  return app;
}

function mount(app, { guards, path, list, fallbacks }) {
  app.use(guards);
  const route = app.route("/users");
  for (const handler of path) route.all(handler);
  route.get(list);
  app.use(fallbacks);
  return app;
}

async function readyServer(fastify) {
  await fastify.ready();
  return fastify.server;
}

module.exports = { SERVERS };
