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
    readonly stack: readonly Pick<Layer, "handle" | "name">[];
  };
  /** Express 5: whether it is mounted on `/`, and the path that it is mounted on. */
  readonly slash?: boolean;
  readonly rawPath?: unknown;
  /** Express 5: a function for each path. */
  readonly matchers?: readonly unknown[];
  /** Express 4 keeps both in the regular expression. */
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
}
