"use strict";

const http = require("node:http");
const { createApp } = require("./app");
const { createHub } = require("./hub");
const { serveSockets } = require("./sockets");
const { createStore } = require("./store");

const SETTINGS = {
  sessionSecret: process.env.SESSION_SECRET || "development",
  paymentSecret: process.env.PAYMENT_SECRET || "development",
};

function createExpenseServer({ store = createStore(), log = console } = {}) {
  const hub = createHub();
  const { app, sessions } = createApp({ store, hub, log, settings: SETTINGS });
  const server = http.createServer(app);
  serveSockets(server, sessions, hub);
  return server;
}

module.exports = { createExpenseServer, SETTINGS };

if (require.main === module) createExpenseServer().listen(process.env.PORT || 3000);
