import type { RequestHandler } from "express";
import { findEncodedDelimiter } from "../lib/http/index.js";
import { apiError } from "../lib/errors/index.js";
import { assertKnownOptions } from "../lib/options/index.js";

/**
 * The fallback for a path that nothing answered: 404 `E0000008`. When a structural delimiter of the URL was
 * percent-encoded (`/users%3Flimit=1`), the error says which. Mount it after the routes, before `errorFormatter`. Leaves
 * an answer alone that is on its way.
 *
 * @param options there are none yet
 * @throws {TypeError} when an option is given
 */
export function notFound(options: Readonly<Record<string, never>> = {}): RequestHandler {
  assertKnownOptions("notFound", options, {});

  return function notFoundMiddleware(req, res, next) {
    if (res.headersSent) return; // a handler answered and then called next()
    const found = findEncodedDelimiter(req.originalUrl);
    const causes = found
      ? [
          `The path has "${found.encoded}", which is data; as a delimiter of the URL, "${found.delimiter}" is not encoded.`,
        ]
      : [];
    next(apiError("E0000008", { type: "path.not-found", causes }));
  };
}
