import { findEncodedDelimiter } from "../lib/http/index.js";
import { apiError } from "../lib/errors/index.js";
import { assertKnownOptions, type Middleware, type NothingElse } from "../lib/factory/index.js";

/**
 * Refuse every request that no route handled with 404 `E0000008`. If the path has a percent-encoded delimiter
 * (`/users%3Flimit=1`), the error names it. Mount it after the routes, before `errorFormatter`. Does nothing when a
 * response has begun.
 *
 * @param options there are none yet
 * @throws {TypeError} when an option is given
 * @example
 * app.use(notFound());
 * app.use(errorFormatter());
 */
export function notFound(options: Readonly<Record<string, never>> = {}, ..._: NothingElse): Middleware {
  assertKnownOptions("notFound", options, {});

  return function notFoundMiddleware(req, res, next) {
    if (res.headersSent) return; // a handler responded and then called next()
    const found = findEncodedDelimiter(req.originalUrl);
    const causes = found
      ? [
          `The path has "${found.encoded}", which is data. If it is a delimiter of the URL, send "${found.delimiter}" unencoded.`,
        ]
      : [];
    next(apiError("E0000008", { type: "path.not-found", causes }));
  };
}
