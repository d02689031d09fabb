/**
 * What Express keeps for each `app.use()` and each route, and versions 4 and 5 tell apart. Only this file names it; a test
 * says which member a new version of Express changed.
 */
export interface Layer {
  readonly handle: ((...args: never) => unknown) & { readonly stack?: unknown };
  readonly name: string;
  /** What it matched is in the result, or before router 2.3 in `path`: the part of the path that the layer's own path takes. */
  match: (path: string) => boolean | { readonly path: string };
  path?: string | undefined;
  /** What the last path matched. Express 4. */
  params?: unknown;
  readonly route?: {
    readonly path: unknown;
    readonly methods: Readonly<Record<string, boolean>>;
    readonly stack: readonly (Pick<Layer, "handle" | "name"> & { readonly method?: string })[];
  };
  /** Express 5: whether it is mounted on `/`, and the path that it is mounted on. */
  readonly slash?: boolean;
  readonly rawPath?: unknown;
  /** Express 5: a function for each path. */
  readonly matchers?: readonly unknown[];
  /** Express 4 keeps both in the regular expression. */
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
}

interface App {
  readonly parent?: App;
  readonly mountpath?: unknown;
  readonly _router?: { readonly stack?: unknown };
  readonly router?: { readonly stack?: unknown };
}

/** Routers that contain each other more deeply are not read. */
export const MAX_DEPTH = 8;

/** The apps that `app` is mounted in, from the outermost to `app` itself. */
export function lineageOf(app: unknown): readonly App[] {
  const lineage = [app as App];
  for (let parent = lineage[0]?.parent; parent && lineage.length < MAX_DEPTH; parent = parent.parent) {
    lineage.unshift(parent);
  }
  return lineage;
}

/** What is mounted in `app`. Express 4 has `_router`, and throws when `router` is read. */
export function stackOf(app: App | undefined): readonly Layer[] {
  return ((app?._router ?? app?.router)?.stack ?? []) as readonly Layer[];
}

/** What is mounted in the router, or in the app of `lineage`, that `layer` leads to; `undefined` when it is neither. */
export function routerOf(layer: Layer, lineage: readonly App[]): readonly Layer[] | undefined {
  const { handle, route, name } = layer;
  if (!route && Array.isArray(handle.stack)) return handle.stack as readonly Layer[];
  // Express hides a mounted app behind a function: it is recognised by the path that it was mounted on
  if (name !== "mounted_app") return undefined;
  const child = lineage.find(
    ({ parent, mountpath }) => parent && typeof mountpath === "string" && isOn(layer, mountpath),
  );
  return child && stackOf(child);
}

/** The part of `path` that the layer takes; the whole of it for a route. */
export function matchedBy(layer: Layer, path: string): string | undefined {
  const match = layer.match(path);
  if (match === false) return undefined;
  return (match === true ? layer.path : match.path) ?? "";
}

/** {@link matchedBy}; `undefined` also when a parameter can't be decoded. */
export function tryMatch(layer: Layer, path: string): string | undefined {
  try {
    return matchedBy(layer, path);
  } catch {
    return undefined;
  }
}

export function isOnSlash({ route, slash, regexp }: Layer): boolean {
  return !route && (slash ?? regexp?.fast_slash ?? false);
}

/** Whether the layer is mounted on exactly this path. */
function isOn(layer: Layer, path: string): boolean {
  return isOnSlash(layer) ? path === "/" : matchedBy(layer, path) === path;
}

/** What a router gets of `path` when it is mounted on `prefix`. */
export function restOf(path: string, prefix: string): string {
  const rest = path.slice(prefix.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}
