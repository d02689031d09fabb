import { SUITE_GUARDS } from "../factory/index.js";
import { isOnSlash, type Layer, lineageOf, matchedBy, MAX_DEPTH, restOf, routerOf, stackOf } from "./layer.js";

/** Something that is mounted in an app, or in a router in it, at any depth. */
export interface Mounted {
  readonly kind: "route" | "app" | "middleware" | "errorHandler";
  /** The name of the function, or `GET /users` for a route. */
  readonly name: string;
  /** The names of a route's own handlers. */
  readonly handlers: readonly string[];
  /** Whether it gets every request to `path`. */
  readonly covers: (path: string) => boolean;
  /** Whether it gets every request to the app. */
  readonly isEverywhere: boolean;
  /** A path that it gets: for a route one that it serves, otherwise that it is mounted on. `undefined` when none is known. */
  readonly sample: string | undefined;
}

export const SUITE_GUARDS_NAME = "suite().guards";

/** `route.all()` has one method, `_all`; `app.all()` has every one. */
const MAX_METHODS = 5;

/** The value of a parameter in a sample: `\d+` takes it, and most other patterns do. */
const PARAMETER = "0";

/**
 * What is mounted in the app, in the order in which a request meets it. The routers in it are read too, and the apps that it
 * is itself mounted in. Where a version of Express doesn't tell the path of a router, `requestPath` is tried.
 *
 * @throws when the app's router is of an unknown form
 */
export function listMounted(app: unknown, requestPath: string): readonly Mounted[] {
  const lineage = lineageOf(app);
  const mounted: Mounted[] = [];
  walk(stackOf(lineage[0]), [], "");
  return mounted;

  function walk(stack: readonly Layer[], above: readonly Layer[], prefix: string | undefined): void {
    for (const layer of stack) {
      const chain = [...above, layer];
      const own = samplePath(layer, prefix === undefined ? undefined : restOf(requestPath, prefix));
      const sample = own === undefined || prefix === undefined ? undefined : join(prefix, own);
      const inner = above.length < MAX_DEPTH ? routerOf(layer, lineage) : undefined;
      if (inner) walk(inner, chain, isOnSlash(layer) ? prefix : sample);
      else mounted.push(describe(chain, layer, sample, prefix ?? "…"));
    }
  }
}

function describe(chain: readonly Layer[], layer: Layer, sample: string | undefined, prefix: string): Mounted {
  const { route, handle } = layer;
  const name = nameOf(layer);
  let kind: Mounted["kind"] = "middleware";
  if (route) kind = "route";
  else if (name === "mounted_app") kind = "app";
  else if (handle.length === 4) kind = "errorHandler";
  return {
    kind,
    name: route ? nameOfRoute(route, prefix) : name,
    handlers: route ? route.stack.map(nameOf) : [],
    covers: (path) => matches(chain, path),
    isEverywhere: !route && chain.every(isOnSlash),
    sample,
  };
}

/** The guards of a suite have a name that no function of an app has. */
function nameOf({ handle, name }: Pick<Layer, "handle" | "name">): string {
  return SUITE_GUARDS in handle ? SUITE_GUARDS_NAME : name;
}

/** `GET, POST /users/:id`; in a router on `/api`, `GET, POST /api/users/:id`. */
function nameOfRoute({ path, methods }: NonNullable<Layer["route"]>, prefix: string): string {
  const names = Object.keys(methods).map((method) => method.toUpperCase());
  const written = names.length > MAX_METHODS || names[0] === "_ALL" ? "every method of" : names.join(", ");
  return `${written} ${typeof path === "string" ? join(prefix, path) : String(path)}`;
}

function matches(chain: readonly Layer[], path: string): boolean {
  let rest = path;
  return chain.every((layer) => {
    const matched = matchedBy(layer, rest);
    if (matched === undefined) return false;
    rest = restOf(rest, matched);
    return true;
  });
}

/** A path, below the one of its router, that the layer gets. */
function samplePath(layer: Layer, requestPath: string | undefined): string | undefined {
  if (isOnSlash(layer)) return "/";
  const candidates = [toSample(layer.route?.path ?? layer.rawPath), fromRegExp(layer.regexp), requestPath];
  for (const candidate of candidates) {
    const matched = candidate === undefined ? undefined : matchedBy(layer, candidate);
    if (matched !== undefined) return layer.route ? candidate : matched;
  }
  return undefined;
}

/** `/users/:id` is `/users/0`; an optional part is left out. */
function toSample(path: unknown): string | undefined {
  const first: unknown = Array.isArray(path) ? path[0] : path;
  if (typeof first !== "string") return undefined;
  return first
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\/:\w+(?:\([^)]*\))?\?/g, "")
    .replaceAll(/:\w+(?:\([^)]*\))?[*+]?|\*\w*|\(\.\*\)/g, PARAMETER);
}

/** `^\/users\/(?:([^\/]+?))\/?(?=\/|$)` is `/users/0`. */
function fromRegExp(regexp: RegExp | undefined): string | undefined {
  const source = regexp && /^\^(.*?)\\\/\?\(\?=/.exec(regexp.source)?.[1];
  return source?.replaceAll(/\(\?:(\\\/)?\([^)]*\)\)/g, `$1${PARAMETER}`).replaceAll(/\\(.)/g, "$1");
}

function join(prefix: string, path: string): string {
  if (path === "/" || path === "") return prefix === "" ? "/" : prefix;
  return prefix === "/" ? path : prefix + path;
}
