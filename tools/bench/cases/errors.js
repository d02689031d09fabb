"use strict";

const { Buffer } = require("node:buffer");
const { piece } = require("../piece.js");
const { RequestDouble, ResponseDouble } = require("../doubles.js");

/** Frames between the event loop and a handler in Express 5, which an error's stack is made of. */
const DEPTH = 24;

const CAUSE = "profile.login: takes at most 100 characters and has 104.";

module.exports = [
  piece({
    name: "error-object",
    prepare() {
      const createError = require("http-errors");
      const { errorFormatter } = require("etiquette/error-formatter");
      const { apiError } = require("etiquette/api-error");
      const format = errorFormatter();
      const req = Object.assign(new RequestDouble({ headers: {} }), { unpipe() {}, resume() {} });

      return {
        ours: () =>
          atDepth(DEPTH, () => {
            const res = new ResponseDouble();
            res.setHeader("X-Svc-Request-Id", "4f1c2d3e4b5a69788796a5b4c3d2e1f0");
            const facts = { type: "validation", detail: "login", causes: [CAUSE] };
            format(apiError("E0000001", facts), req, res);
            return res.body;
          }),
        peers: {
          "http-errors + res.json": () =>
            atDepth(DEPTH, () => {
              const res = new ResponseDouble();
              const error = createError(400, "Api validation failed: login", { code: "E0000001", errors: [CAUSE] });
              return formatAsUsual(error, res);
            }),
          "the error alone": () =>
            atDepth(DEPTH, () => createError(400, "Api validation failed: login", { code: "E0000001" })),
        },
      };
    },
  }),
];

/** The error handler of many an Express app. */
function formatAsUsual(error, res) {
  const { status = 500, expose, message, code, errors } = error;
  res.statusCode = status;
  const body = { error: { status, code, message: expose ? message : "Internal Server Error", errors } };
  const bytes = Buffer.from(JSON.stringify(body));
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", bytes.length);
  res.end(bytes);
  return bytes;
}

function atDepth(depth, run) {
  return depth === 0 ? run() : atDepth(depth - 1, run);
}
