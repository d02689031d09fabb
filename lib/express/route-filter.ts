import type { Layer } from "./layer.js";
import { isOriginal } from "./originals.js";

const FILTER = Symbol("etiquette.routeFilter");

/** The path of each match begins with `prefix`, in any case, and then ends or goes on with a slash. */
interface Filter {
  readonly prefix: string;
  /** What Express matches with, see {@link matcherOf}. */
  readonly matcher: unknown;
}

/** A layer whose route is filtered. */
type Filtered = Layer & { [FILTER]?: Filter };

type Match = (this: Filtered, path: unknown) => unknown;

const SLASH = 47;
const CASE_BIT = 32;

/** Whole segments of a path without any character that has a meaning in a pattern. */
const PLAIN_PATH = /^((?:\/[A-Za-z0-9_.~-]+)+)(?:\/|$)/;

/** The same in the source of a regular expression of Express 4, then a slash, a parameter or the end. */
const PLAIN_SOURCE =
  /^\^((?:\\\/[A-Za-z0-9_~-]+)+)(?:\\\/(?![?*+{])|\(\?:\\\/\(\[\^\\?\/\]\+\?\)\)(?![?*+{])|(?:\\\/\?)?(?:\$|\(\?=\\\/\|\$\))$)/;

/** What such a source ends with for `app.use()`; no other alternative may be in it. */
const END_OF_USE = "(?=\\/|$)";

/** The faster `match` by the prototype of the layers of one version of Express; `null` when that is not known. */
const fastMatches = new WeakMap<object, Match | null>();

/**
 * Let the routes of `router`, and of the routers in it, compare the plain beginning of their path before they match it with
 * a regular expression, so that a route behind many others costs little more than the first. Express's own loop goes
 * through all of them as before. Routes that are added later do the same.
 */
export function filterRoutes(router: unknown): void {
  const { stack, param } = router as { stack?: unknown; param?: unknown };
  if (!Array.isArray(stack) || typeof param !== "function" || Object.hasOwn(stack, "push")) return;
  Object.defineProperty(stack, "push", {
    configurable: true,
    writable: true,
    value: function push(this: Layer[], ...layers: Layer[]): number {
      for (const layer of layers) filterRoute(layer);
      return Array.prototype.push.apply(this, layers);
    },
  });
  for (const layer of stack as Layer[]) filterRoute(layer);
}

function filterRoute(layer: Layer): void {
  if (typeof layer.handle === "function") filterRoutes(layer.handle);
  const match = fastMatchOf(Object.getPrototypeOf(layer) as Layer);
  const prefix = match && prefixOf(layer);
  if (prefix === undefined || Object.hasOwn(layer, "match")) return;
  const filter: Filter = { prefix: prefix.toLowerCase(), matcher: matcherOf(layer) };
  Object.defineProperty(layer, FILTER, { value: filter });
  Object.defineProperty(layer, "match", { value: match, configurable: true, writable: true });
}

function fastMatchOf(express: Layer): Match | undefined {
  let match = fastMatches.get(express);
  if (match === undefined) {
    match = isOriginal("match", express.match) ? createMatch(express) : null;
    fastMatches.set(express, match);
  }
  return match ?? undefined;
}

function createMatch(express: Layer): Match {
  const { match: original } = express;

  return function match(path) {
    const filter = this[FILTER];
    if (
      filter === undefined ||
      typeof path !== "string" ||
      beginsWith(path, filter.prefix) ||
      matcherOf(this) !== filter.matcher || // somebody gave it another path
      express.match !== original
    ) {
      return express.match.call(this, path as string);
    }
    if (this.regexp) this.params = this.path = undefined;
    return false;
  };
}

/** It may be true for another case, or for a few other characters: then the regular expression decides. */
function beginsWith(path: string, prefix: string): boolean {
  const { length } = prefix;
  if (path.length < length || (path.length > length && path.charCodeAt(length) !== SLASH)) return false;
  // From the end, because paths differ there
  for (let i = length - 1; i > 0; i--) {
    const code = path.charCodeAt(i);
    const expected = prefix.charCodeAt(i);
    if (code !== expected && (code | CASE_BIT) !== expected) return false;
  }
  return true;
}

/** What every path that `layer` matches begins with; `undefined` when nothing is certain. */
function prefixOf(layer: Layer): string | undefined {
  if (layer.regexp) return prefixOfRegExp(layer.regexp);
  if (typeof layer.rawPath !== "string") return undefined;
  return PLAIN_PATH.exec(layer.rawPath)?.[1];
}

function prefixOfRegExp({ source, flags }: RegExp): string | undefined {
  const body = source.endsWith(END_OF_USE) ? source.slice(0, -END_OF_USE.length) : source;
  if ((flags !== "" && flags !== "i") || body.includes("|")) return undefined;
  return PLAIN_SOURCE.exec(source)?.[1]?.replaceAll("\\/", "/");
}

function matcherOf({ regexp, matchers }: Layer): unknown {
  return regexp ?? (matchers?.length === 1 ? matchers[0] : undefined);
}
