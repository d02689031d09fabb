import type { ErrorRequestHandler } from "express";
import { apiError } from "../model/api-error.js";
import { isUnavailable } from "../store/errors.js";

/** A database fails over, or restarts, in about this time. */
const RETRY_AFTER_SECONDS = "5";

/** Turn "the database can't be used now" into 503 `E0009011` with `Retry-After`; other errors go on as they are. */
export function unavailable(): ErrorRequestHandler {
  return function unavailableMiddleware(error: unknown, _req, _res, next) {
    if (!isUnavailable(error)) {
      next(error);
      return;
    }
    const headers = { "Retry-After": RETRY_AFTER_SECONDS };
    next(apiError("E0009011", { type: "database.unavailable", headers, cause: error }));
  };
}
