"use strict";

const { Buffer } = require("node:buffer");
const { createHmac, timingSafeEqual } = require("node:crypto");
const { AppError } = require("./errors");

/** The bank tells which expenses it paid, and signs the bytes of the body. */
function payments(store, secret) {
  return (req, res, next) => {
    if (!Buffer.isBuffer(req.body)) return next(new AppError("bad_request"));
    const expected = createHmac("sha256", secret).update(req.body).digest();
    const given = Buffer.from(req.get("X-Signature") || "", "hex");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return next(new AppError("bad_signature"));
    }
    const { expense } = JSON.parse(req.body);
    store.change(expense, { paid: true }).then(() => res.status(204).end(), next);
  };
}

module.exports = { payments };
