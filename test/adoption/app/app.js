"use strict";

const path = require("node:path");
const express = require("express");
const session = require("express-session");
const helmet = require("helmet");
const { accounts, requireUser } = require("./accounts");
const { errorHandler, notFound } = require("./errors");
const { expenses } = require("./expenses");
const { payments } = require("./payments");
const { requestId } = require("./request-id");

function createApp({ store, hub, log, settings }) {
  const app = express();
  const sessions = session({
    name: "sid",
    secret: settings.sessionSecret,
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: "lax", secure: "auto" },
  });

  app.set("trust proxy", "loopback");
  app.use(helmet());
  app.use(requestId);
  app.get("/healthz", (req, res) => res.type("text").send("ok"));
  app.use(express.static(path.join(__dirname, "public")));
  app.post("/hooks/payments", express.raw({ type: "application/json" }), payments(store, settings.paymentSecret));

  app.use(express.json({ limit: "1mb" }));
  app.use(express.urlencoded({ extended: false }));
  app.use(sessions);
  app.use(accounts());
  app.use("/api/expenses", requireUser, expenses(store, hub));
  app.get("/api/events", requireUser, (req, res) => hub.stream(res));

  app.use(notFound);
  app.use(errorHandler(log));
  return { app, sessions };
}

module.exports = { createApp };
