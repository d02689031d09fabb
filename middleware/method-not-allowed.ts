import { METHODS } from "node:http";
import type { Request } from "express";
import { apiError } from "../lib/errors/index.js";
import { methodsOfPath, methodsOfRoute } from "../lib/express/index.js";
import { assertKnownOptions, type Middleware, optionError, type NothingElse } from "../lib/factory/index.js";

export interface MethodNotAllowedOptions {
  /**
   * The methods of the path, for `Allow`: at least one, in upper case. `GET` adds `HEAD`, and `OPTIONS` is always added.
   *
   * @default the methods of the route on which it is mounted, or of all routes of the app with the path of the request
   */
  methods?: readonly string[];
}

const OPTIONS: Record<keyof MethodNotAllowedOptions, true> = { methods: true };

/**
 * Refuse the methods that a path does not have with 405 `E0000022` and `Allow`, and respond to `OPTIONS` with 204 and
 * `Allow`. A request with a method of the path passes, and so does one to a path that no route has. Mount it once after all
 * routes and routers, or as the last handler of a route. Does not answer CORS preflights.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(routes, methodNotAllowed(), notFound());
 * @example
 * app.route("/users").get(listUsers).post(createUser).all(methodNotAllowed());
 */
export function methodNotAllowed(options: Readonly<MethodNotAllowedOptions> = {}, ..._: NothingElse): Middleware {
  const configured = parseOptions(options);

  return function methodNotAllowedMiddleware(req, res, next) {
    const methods = configured ?? methodsFor(req, methodNotAllowedMiddleware);
    if (methods.length === 0) {
      next();
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

/**
 * The methods of the route on which `self` is mounted. If it is mounted elsewhere, or its route has no other handlers, those
 * of every route with the path. Empty when the request is left to what follows.
 */
function methodsFor(req: Request, self: unknown): readonly string[] {
  const route = req.route as Parameters<typeof methodsOfRoute>[0] | undefined; // may be one that passed the request on
  const isOnRoute = route?.stack.some(({ handle }) => handle === self) ?? false;
  const own = isOnRoute && route ? methodsOfRoute(route, self) : [];
  if (own.length > 0) return own;
  const methods = methodsOfPath(req, self);
  if (methods.has("OPTIONS") && (methods.size === 1 || isOnRoute)) return []; // it is often on paths that have no route
  return [...methods];
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
