"use strict";

// Preloaded into Express's own tests, so that every server they make is one of createServer.
const http = require("node:http");
const { createServer } = require("etiquette/create-server");

const createPlainServer = http.createServer;
http.createServer = (first, ...others) =>
  typeof first === "function" ? createServer(first) : createPlainServer(first, ...others);
