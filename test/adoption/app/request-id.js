"use strict";

const { randomUUID } = require("node:crypto");

/** The proxy gives each request an id; without the proxy it gets one here. */
function requestId(req, res, next) {
  req.id = req.get("X-Request-Id") || randomUUID();
  res.set("X-Request-Id", req.id);
  next();
}

module.exports = { requestId };
