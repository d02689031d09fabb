import { METHODS } from "node:http";
import { type Layer, lineageOf, MAX_DEPTH, restOf, routerOf, stackOf, tryMatch } from "./layer.js";

type Route = NonNullable<Layer["route"]>;

/** The methods, in upper case, that `route` has handlers for. Those of the handler `without`, or of `route.all()`, don't count. */
export function methodsOfRoute({ stack }: Route, without: unknown): readonly string[] {
  return stack.flatMap(({ method, handle }) =>
    method === undefined || handle === without ? [] : [method.toUpperCase()],
  );
}

/**
 * The methods that the routes of `app`, of the routers in it and of the apps that it is mounted in have for `path`, as
 * {@link methodsOfRoute} reads them. What `app.all()` mounts counts as middleware. The apps that are mounted in `app` are not
 * read: Express hides them.
 *
 * @param path without a query, as the outermost app got it
 * @returns an empty set when no route has the path
 */
export function methodsOfPath(app: unknown, path: string, without: unknown): ReadonlySet<string> {
  const lineage = lineageOf(app);
  const found = new Set<string>();
  walk(stackOf(lineage[0]), path, 0);
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
