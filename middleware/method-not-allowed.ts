import { METHODS } from "node:http";
import type { Request, RequestHandler } from "express";
import { apiError } from "../lib/errors/index.js";
import { assertKnownOptions, optionError } from "../lib/options/index.js";

export interface MethodNotAllowedOptions {
  /**
   * The methods that the path has, for `Allow`; `GET` brings `HEAD`, and `OPTIONS` is always there. At least one, in
   * upper case.
   *
   * @default those of the route it is mounted on: `app.route("/users").get(list).all(methodNotAllowed())`
   */
  methods?: readonly string[];
}

const OPTIONS: Record<keyof MethodNotAllowedOptions, true> = { methods: true };

/**
 * The end of a path that is documented with other methods: 405 `E0000022` with `Allow`. `OPTIONS` is answered 204 with
 * `Allow`. A method that the path has, and whose handler did not answer, is passed on. Mount it as the last handler of
 * the route. Does not answer CORS preflights.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 */
export function methodNotAllowed(options: Readonly<MethodNotAllowedOptions> = {}): RequestHandler {
  const configured = parseOptions(options);

  return function methodNotAllowedMiddleware(req, res, next) {
    const methods = configured ?? methodsOfRoute(req, methodNotAllowedMiddleware);
    if (methods.length === 0) {
      next(new TypeError("methodNotAllowed: mount it on a route that has methods, or give option `methods`"));
      return;
    }
    const allowed = complete(methods);
    const allow = allowed.join(", ");
    if (req.method === "OPTIONS") {
      res.setHeader("Allow", allow);
      res.statusCode = 204;
      res.end();
    } else if (allowed.includes(req.method)) {
      next();
    } else {
      const causes = [`${req.method} is not one of ${allow}.`];
      next(apiError("E0000022", { type: "method.not-allowed", causes, headers: { Allow: allow } }));
    }
  };
}

/** The methods that the route in hand has handlers for. `app.all()` notes every method for `self`, which counts for none. */
function methodsOfRoute(req: Request, self: RequestHandler): string[] {
  const route = req.route as { stack: { method?: string; handle: unknown }[] } | undefined;
  return (route?.stack ?? []).flatMap(({ method, handle }) =>
    method === undefined || handle === self ? [] : [method.toUpperCase()],
  );
}

/** What `Allow` lists: also the two methods that no handler was written for. */
function complete(methods: readonly string[]): string[] {
  const allowed = new Set(methods);
  if (allowed.has("GET")) allowed.add("HEAD");
  allowed.add("OPTIONS");
  return [...allowed].sort();
}

function parseOptions(options: Readonly<MethodNotAllowedOptions>): readonly string[] | undefined {
  assertKnownOptions("methodNotAllowed", options, OPTIONS);
  const methods = options.methods as unknown;
  if (methods === undefined) return undefined;
  if (
    !Array.isArray(methods) ||
    methods.length === 0 ||
    !methods.every((method) => METHODS.includes(method as string))
  ) {
    throw optionError("methodNotAllowed", "methods", "a non-empty array of HTTP methods in upper case");
  }
  return [...(methods as string[])];
}
