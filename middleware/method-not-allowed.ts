import { METHODS } from "node:http";
import type { Request, RequestHandler } from "express";
import { apiError } from "../lib/errors/index.js";
import { assertKnownOptions, type Middleware, optionError, type NothingElse } from "../lib/factory/index.js";

export interface MethodNotAllowedOptions {
  /**
   * The methods of the path, for `Allow`: at least one, in upper case. `GET` adds `HEAD`, and `OPTIONS` is always added.
   *
   * @default the methods of the route on which it is mounted
   */
  methods?: readonly string[];
}

const OPTIONS: Record<keyof MethodNotAllowedOptions, true> = { methods: true };

/**
 * Refuse the methods that a path does not have with 405 `E0000022` and `Allow`, and respond to `OPTIONS` with 204 and
 * `Allow`. A request with a method of the path passes. Mount it as the last handler of the route. Does not answer CORS
 * preflights.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.route("/users").get(listUsers).post(createUser).all(methodNotAllowed());
 */
export function methodNotAllowed(options: Readonly<MethodNotAllowedOptions> = {}, ..._: NothingElse): Middleware {
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

/** The methods that the current route has handlers for. `self` does not count: `app.all()` adds it for every method. */
function methodsOfRoute(req: Request, self: RequestHandler): string[] {
  const route = req.route as { stack: { method?: string; handle: unknown }[] } | undefined;
  return (route?.stack ?? []).flatMap(({ method, handle }) =>
    method === undefined || handle === self ? [] : [method.toUpperCase()],
  );
}

/** The value of `Allow`, with `HEAD` and `OPTIONS`, which have no handler of their own. */
function complete(methods: readonly string[]): string[] {
  const allowed = new Set(methods);
  if (allowed.has("GET")) allowed.add("HEAD");
  allowed.add("OPTIONS");
  return [...allowed].sort();
}

function parseOptions(options: Readonly<MethodNotAllowedOptions>): readonly string[] | undefined {
  assertKnownOptions("methodNotAllowed", options, OPTIONS, "app.route(path).all(methodNotAllowed())");
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
