"use strict";

const { Buffer } = require("node:buffer");
const http = require("node:http");
const { createServer } = require("etiquette/create-server");
const { sharedShapes } = require("etiquette/shared-shapes");
const { createPackagesStack, createSuiteStack, CREATED, USERS } = require("../stacks.js");

const HOST = "127.0.0.1";

/** What starts a server, by name. It listens on a free port of the loopback. */
const SERVERS = {
  "express-5": () => listen(createBareApp(require("express"))),
  "express-4": () => listen(createBareApp(require("express4"))),
  "express-5-shapes": () => listen(createBareApp(require("express"), sharedShapes())),
  "express-4-shapes": () => listen(createBareApp(require("express4"), sharedShapes())),
  "express-5-server": () => listen(createServer(createBareApp(require("express")))),
  "express-4-server": () => listen(createServer(createBareApp(require("express4")))),
  packages: () => listen(mount(require("express"), createPackagesStack)),
  fastify: startFastify,
  "node-http": startNodeHttp,
  "create-server": () => listen(createSuiteServer(require("express"))),
  listen: () => listen(createSuiteApp(require("express"))),
  "create-server-4": () => listen(createSuiteServer(require("express4"))),
  "listen-4": () => listen(createSuiteApp(require("express4"))),
  batching: () => listen(createSuiteServer(require("express"), { batch: true })),
};

/** @param first what is mounted before the routes */
function createBareApp(express, ...first) {
  const app = express();
  for (const handler of first) app.use(handler);
  app.get("/users", (_req, res) => res.json(USERS));
  app.post("/users", express.json({ limit: "1mb" }), (_req, res) => res.status(201).json(CREATED));
  return app;
}

function createSuiteApp(express) {
  const app = mount(express, createSuiteStack);
  app.disable("x-powered-by");
  app.disable("etag"); // weakEtag puts it on
  app.disable("query parser"); // queryParameters reads it
  return app;
}

function createSuiteServer(express, options) {
  return createServer(createSuiteApp(express), options);
}

function mount(express, createStack) {
  const { guards, path, list, create, fallbacks } = createStack(express.json);
  const app = express();
  app.use(guards);
  const route = app.route("/users");
  for (const handler of path) route.all(handler);
  route.get(list).post(create);
  app.use(fallbacks);
  return app;
}

async function startFastify() {
  const app = require("fastify").fastify();
  app.get("/users", (_req, reply) => reply.send(USERS));
  app.post("/users", (_req, reply) => reply.code(201).send(CREATED));
  await app.listen({ port: 0, host: HOST });
  return app.server;
}

function startNodeHttp() {
  const server = http.createServer((req, res) => {
    if (req.method === "GET") return send(res, 200, USERS);
    let text = "";
    req.setEncoding("utf8");
    req.on("data", (chunk) => (text += chunk));
    req.on("end", () => {
      JSON.parse(text);
      send(res, 201, CREATED);
    });
  });
  return listen(server);
}

function send(res, status, body) {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  res.end(text);
}

/** @param listener an app or a server */
function listen(listener) {
  return new Promise((resolve, reject) => {
    const server = listener.listen(0, HOST, () => resolve(server));
    server.on("error", reject);
  });
}

module.exports = { SERVERS };
