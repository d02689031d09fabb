"use strict";

const { Buffer } = require("node:buffer");
const http = require("node:http");
const { createServer } = require("etiquette/create-server");
const { sharedShapes } = require("etiquette/shared-shapes");
const { createBareFastify, createFastifyWithPlugins } = require("./fastify.js");
const { createPackagesStack, createSuiteStack, CREATED, USERS } = require("../stacks.js");

const HOST = "127.0.0.1";

/** What starts a server, by name. It listens on a free port of the loopback. */
const SERVERS = {
  "express-5": () => listen(createBareApp(require("express"))),
  "express-4": () => listen(createBareApp(require("express4"))),
  "express-5-shapes": () => listen(createBareApp(require("express"), mountShapes)),
  "express-4-shapes": () => listen(createBareApp(require("express4"), mountShapes)),
  "express-5-server": () => listen(createServer(createBareApp(require("express")))),
  "express-4-server": () => listen(createServer(createBareApp(require("express4")))),
  packages: () => listen(mount(require("express"), createPackagesStack)),
  fastify: () => listenFastify(createBareFastify()),
  "fastify-plugins": () => listenFastify(createFastifyWithPlugins()),
  "node-http": startNodeHttp,
  "create-server": () => listen(createServer(createSuiteApp(require("express")), { batch: false })),
  batching: () => listen(createServer(createSuiteApp(require("express")), { batch: true })),
  listen: () => listen(createSuiteApp(require("express"), ACCELERATED)),
  "create-server-4": () => listen(createServer(createSuiteApp(require("express4")), { batch: false })),
  "listen-4": () => listen(createSuiteApp(require("express4"), ACCELERATED)),
  "batch-off": () => listen(createServer(createTextApp(), { batch: false })),
  "batch-on": () => listen(createServer(createTextApp(), { batch: true })),
  "express-5-behind-100": () => listen(createBareApp(require("express"), addRoutes)),
  "create-server-behind-100": () =>
    listen(createServer(createSuiteApp(require("express"), {}, addRoutes), { batch: false })),
};

/** Texts by their length, and a route that parses a body, for what `batch` does. */
function createTextApp() {
  const express = require("express");
  const app = express();
  app.post("/body", express.json(), (_req, res) => res.status(201).json(CREATED));
  for (const length of [300, 12_000, 65_536]) {
    const text = "x".repeat(length);
    app.get(`/${length}`, (_req, res) => res.type("text").send(text));
  }
  return app;
}

const ACCELERATED = { sharedShapes: { accelerate: true } };

/** @param addFirst adds to the app what comes before the routes */
function createBareApp(express, addFirst) {
  const app = express();
  addFirst?.(app);
  app.get("/users", (_req, res) => res.json(USERS));
  app.post("/users", express.json({ limit: "1mb" }), (_req, res) => res.status(201).json(CREATED));
  return app;
}

/** @param addFirst adds to the app what comes between the guards and the route */
function createSuiteApp(express, options, addFirst) {
  const app = mount(express, (json) => createSuiteStack(json, options), addFirst);
  app.disable("x-powered-by");
  app.disable("etag"); // weakEtag puts it on
  app.disable("query parser"); // queryParameters reads it
  return app;
}

function mountShapes(app) {
  app.use(sharedShapes());
}

/** A hundred routes, each with a parameter, that match no request of the workloads. */
function addRoutes(app) {
  for (let number = 1; number <= 100; number++) app.get(`/resource-${number}/:id`, (_req, res) => res.end());
}

function mount(express, createStack, addFirst) {
  const { guards, path, list, create, fallbacks } = createStack(express.json);
  const app = express();
  app.use(guards);
  addFirst?.(app);
  const route = app.route("/users");
  for (const handler of path) route.all(handler);
  route.get(list).post(create);
  app.use(fallbacks);
  return app;
}

async function listenFastify(app) {
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
