import type { ErrorRequestHandler } from "express";
import { apiError } from "../model/api-error.js";
import { isUnavailable } from "../store/contract/errors.js";

/** The usual duration of a failover or restart of a database. */
const RETRY_AFTER_SECONDS = "5";

/**
 * Turn errors of an unavailable database into 503 `E0009011` with `Retry-After`, also when such an error is the cause:
 * credentials then can't be verified. Other errors pass unchanged.
 */
export function unavailable(): ErrorRequestHandler {
  return function unavailableMiddleware(error: unknown, _req, _res, next) {
    if (!isUnavailable(error) && !isUnavailable((error as Error | undefined)?.cause)) {
      next(error);
      return;
    }
    const headers = { "Retry-After": RETRY_AFTER_SECONDS };
    next(apiError("E0009011", { type: "database.unavailable", headers, cause: error }));
  };
}
