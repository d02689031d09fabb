"use strict";

const { MulterError } = require("multer");
const { ZodError } = require("zod");

/** Clients of 2019 and later read these codes: don't change them. */
const ERRORS = {
  bad_request: { status: 400, message: "The request is not valid." },
  bad_json: { status: 400, message: "The body is not valid JSON." },
  bad_upload: { status: 400, message: "Send one file, in the field receipt." },
  bad_credentials: { status: 401, message: "The name or the password is wrong." },
  bad_signature: { status: 401, message: "The signature is wrong." },
  not_signed_in: { status: 401, message: "Sign in first." },
  not_found: { status: 404, message: "There is nothing here." },
  already_approved: { status: 409, message: "An approved expense can't be changed." },
  too_large: { status: 413, message: "The body is too large." },
  unsupported_file: { status: 415, message: "A receipt is a PNG or a JPEG." },
  validation_failed: { status: 422, message: "Some fields are not valid." },
  too_many_attempts: { status: 429, message: "Wait a minute." },
  internal: { status: 500, message: "Something went wrong." },
};

class AppError extends Error {
  constructor(code, headers = {}) {
    super(ERRORS[code].message);
    Object.assign(this, { code, status: ERRORS[code].status, headers });
  }
}

function notFound(req, res, next) {
  next(new AppError("not_found"));
}

/** { "error": { "code", "message", "fields" }, "requestId" } */
function errorHandler(log) {
  return (err, req, res, _next) => {
    const code = codeOf(err);
    if (code === "internal") log.error(`${req.id} failed:`, err);
    if (res.headersSent) return res.destroy();
    const { status, message } = ERRORS[code];
    const fields = err instanceof ZodError ? { fields: err.issues.map(toField) } : {};
    res.set(err.headers || {});
    res.status(status).json({ error: { code, message, ...fields }, requestId: req.id });
  };
}

function codeOf(err) {
  if (err instanceof AppError) return err.code;
  if (err instanceof ZodError) return "validation_failed";
  if (err instanceof MulterError) return err.code === "LIMIT_FILE_SIZE" ? "too_large" : "bad_upload";
  if (err.type === "entity.parse.failed") return "bad_json";
  if (err.type === "entity.too.large") return "too_large";
  return err.status >= 400 && err.status < 500 ? "bad_request" : "internal";
}

function toField({ path, message }) {
  return { path: path.join("."), message };
}

module.exports = { AppError, errorHandler, ERRORS, notFound };
