import { SUITE_GUARDS } from "../factory/index.js";
import type { Layer } from "./layer.js";

interface App {
  readonly parent?: App;
  readonly mountpath?: unknown;
  readonly _router?: { readonly stack?: unknown };
  readonly router?: { readonly stack?: unknown };
}

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

/** Routers that contain each other more deeply are not read. */
const MAX_DEPTH = 8;

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
  const lineage = [app as App];
  for (let parent = lineage[0]?.parent; parent && lineage.length < MAX_DEPTH; parent = parent.parent) {
    lineage.unshift(parent);
  }
  const mounted: Mounted[] = [];
  walk(stackOf(lineage[0]), [], "");
  return mounted;

  function walk(stack: readonly Layer[], above: readonly Layer[], prefix: string | undefined): void {
    for (const layer of stack) {
      const chain = [...above, layer];
      const own = samplePath(layer, prefix === undefined ? undefined : restOf(requestPath, prefix));
      const sample = own === undefined || prefix === undefined ? undefined : join(prefix, own);
      const inner = above.length < MAX_DEPTH ? (routerOf(layer) ?? childOf(layer)) : undefined;
      if (inner) walk(inner, chain, isOnSlash(layer) ? prefix : sample);
      else mounted.push(describe(chain, layer, sample, prefix ?? "…"));
    }
  }

  /** Express hides a mounted app behind a function: it is recognised by the path that it was mounted on. */
  function childOf(layer: Layer): readonly Layer[] | undefined {
    if (layer.name !== "mounted_app") return undefined;
    const child = lineage.find(
      ({ parent, mountpath }) => parent && typeof mountpath === "string" && isOn(layer, mountpath),
    );
    return child && stackOf(child);
  }
}

/** Express 4 has `_router`, and throws when `router` is read. */
function stackOf(app: App | undefined): readonly Layer[] {
  return ((app?._router ?? app?.router)?.stack ?? []) as readonly Layer[];
}

function routerOf({ handle, route }: Layer): readonly Layer[] | undefined {
  return !route && Array.isArray(handle.stack) ? (handle.stack as readonly Layer[]) : undefined;
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

/** The part of `path` that the layer takes; the whole of it for a route. */
function matchedBy(layer: Layer, path: string): string | undefined {
  const match = layer.match(path);
  if (match === false) return undefined;
  return (match === true ? layer.path : match.path) ?? "";
}

function isOnSlash({ route, slash, regexp }: Layer): boolean {
  return !route && (slash ?? regexp?.fast_slash ?? false);
}

/** Whether the layer is mounted on exactly this path. */
function isOn(layer: Layer, path: string): boolean {
  return isOnSlash(layer) ? path === "/" : matchedBy(layer, path) === path;
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

function restOf(path: string, prefix: string): string {
  const rest = path.slice(prefix.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function join(prefix: string, path: string): string {
  if (path === "/" || path === "") return prefix === "" ? "/" : prefix;
  return prefix === "/" ? path : prefix + path;
}
