import type { Request } from "express";
import { excerpt } from "../text/index.js";
import { isOnSlash, type Layer, lineageOf, MAX_DEPTH, restOf, routerOf, stackOf, tryMatch } from "./layer.js";

/** Stands for the path of a router that has parameters, where a version of Express doesn't tell how it is written. */
const UNKNOWN = "/…";

/**
 * The path of the route that serves `req`, as the app wrote it: `/orgs/:org/users`. The values of parameters are not in it,
 * so there are as many as the app has routes. `undefined` while no route has matched. Never throws.
 */
export function routePatternOf(req: Request): string | undefined {
  const route = req.route as Readonly<{ path: unknown }> | undefined;
  if (route === undefined) return undefined;
  try {
    const { app, originalUrl } = req;
    const lineage = lineageOf(app);
    const [path = "/"] = originalUrl.split("?", 1);
    const prefix = find(stackOf(lineage[0]), path, lineage);
    return join(prefix ?? UNKNOWN, String(route.path));
  } catch {
    return undefined; // a router of another form
  }

  /** The paths that the routers with `route` in them are mounted on, the outermost first. */
  function find(
    stack: readonly Layer[],
    rest: string,
    lineage: ReturnType<typeof lineageOf>,
    depth = 0,
  ): string | undefined {
    if (stack.some((layer) => layer.route === route)) return "";
    for (const layer of stack) {
      const inner = depth < MAX_DEPTH ? routerOf(layer, lineage) : undefined;
      const matched = inner && tryMatch(layer, rest);
      if (inner === undefined || matched === undefined) continue;
      const below = find(inner, restOf(rest, matched), lineage, depth + 1);
      if (below !== undefined) return join(mountPathOf(layer, matched), below);
    }
    return undefined;
  }
}

/** The method and the route of `req` for a log: `GET /orgs/:org/users`. Where no route has matched, `GET "/path"` without its query. */
export function nameRoute(req: Request): string {
  return `${req.method} ${routePatternOf(req) ?? excerpt(req.originalUrl.split("?", 1)[0] ?? "")}`;
}

/** The path that a router is mounted on, which took `matched` of the path of the request. */
function mountPathOf(layer: Layer, matched: string): string {
  const { rawPath, params } = layer;
  if (isOnSlash(layer)) return "";
  if (rawPath !== undefined) return String(Array.isArray(rawPath) ? rawPath[0] : rawPath);
  const names = new Map(Object.entries(params ?? {}).map(([name, value]) => [String(value), `:${name}`]));
  const written = matched.split("/").map((segment) => names.get(decodeURIComponent(segment)) ?? segment);
  const isComplete = [...names.values()].every((name) => written.includes(name));
  return isComplete ? written.join("/") : UNKNOWN;
}

function join(prefix: string, path: string): string {
  return path === "/" || path === "" ? prefix || path : prefix + path;
}
