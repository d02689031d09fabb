import { METHODS } from "node:http";
import type { Request } from "express";
import { type Layer, lineageOf, MAX_DEPTH, restOf, routerOf, stackOf, tryMatch } from "./layer.js";

type Route = NonNullable<Layer["route"]>;

/** The methods, in upper case, that `route` has handlers for. Those of the handler `without`, or of `route.all()`, don't count. */
export function methodsOfRoute({ stack }: Route, without: unknown): readonly string[] {
  return stack.flatMap(({ method, handle }) =>
    method === undefined || handle === without ? [] : [method.toUpperCase()],
  );
}

/**
 * The methods that the routes of the app of `req`, of the routers in it and of the apps that it is mounted in have for the
 * path, as {@link methodsOfRoute} reads them. What `app.all()` mounts counts as middleware. The apps that are mounted in the
 * app are not read: Express hides them.
 *
 * @returns an empty set when no route has the path
 */
export function methodsOfPath(req: Request, without?: unknown): ReadonlySet<string> {
  const lineage = lineageOf(req.app);
  const found = new Set<string>();
  walk(stackOf(lineage[0]), pathOf(req), 0);
  return found;

  function walk(stack: readonly Layer[], rest: string, depth: number): void {
    for (const layer of stack) {
      const matched = tryMatch(layer, rest);
      if (matched === undefined) continue;
      const inner = depth < MAX_DEPTH ? routerOf(layer, lineage) : undefined;
      if (inner) walk(inner, restOf(rest, matched), depth + 1);
      else if (layer.route) add(new Set(methodsOfRoute(layer.route, without)));
    }
  }

  function add(methods: ReadonlySet<string>): void {
    if (methods.size < METHODS.length) for (const method of methods) found.add(method);
  }
}

/** The path that the outermost app got, also when a middleware changed it. Express gives a router a slash where there is none. */
function pathOf({ baseUrl, originalUrl, url }: Request): string {
  const [path = ""] = url.split("?", 1);
  return path === "/" && originalUrl.split("?", 1)[0] === baseUrl ? baseUrl : baseUrl + path;
}
