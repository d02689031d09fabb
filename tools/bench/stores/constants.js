"use strict";

/** Servers that answer with the bytes and the type of an answer to a path, all given as arguments. */
const { Buffer } = require("node:buffer");
const http = require("node:http");
const express = require("express");
require("../../kit/probe.js");

const [name, type, text, path] = process.argv.slice(2);
const bytes = Buffer.from(text);

const SERVERS = {
  "bare Express, createServer": () => require("etiquette/create-server").createServer(createBareApp()),
  "bare Express, app.listen": createBareApp,
  "node:http": () =>
    http.createServer((_req, res) => {
      res.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length });
      res.end(bytes);
    }),
};

function createBareApp() {
  const app = express();
  app.get(path, (_req, res) => res.type(type).send(bytes));
  return app;
}

const server = SERVERS[name]().listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
