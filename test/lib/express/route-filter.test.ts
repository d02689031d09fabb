import type { Router } from "express";
import { createServer } from "../../../lib/server/index.js";
import { filterRoutes } from "../../../lib/express/route-filter.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { Random } from "../../support/random.js";
import { listen } from "../../support/raw-socket.js";

interface Layer {
  match: (path: string) => unknown;
  params?: unknown;
  path?: unknown;
  regexp?: RegExp;
  matchers?: unknown[];
}

const SEED = Number(process.env["ROUTES_SEED"] ?? 1);

/** Pieces of patterns and of paths; a pattern that Express refuses is left out. */
const PIECES = [
  ...["/", "/", "/", "/users", "/Users", "/a", "/a-b", "/a.b", "/a_B", "/x~y", "/%61", "/é", "s", "7", ".json", "//"],
  ...[
    "/:id",
    ":id",
    "{/:opt}",
    "{s}",
    "/*rest",
    "/:id?",
    "?",
    "+",
    "*",
    "/*",
    "(x|y)",
    "|/b",
    "/(\\d+)",
    "/:n(\\d+)",
    "\\:",
    "$",
  ],
];
const PLAIN_PIECES = [
  ...PIECES.slice(0, 16),
  "/b",
  "/USERS",
  "/me",
  "/ſ",
  "/uſers",
  "\u212a",
  "/A_b",
  "/a\u007fB",
  "%ff",
  "x",
  ":",
];

const EXPRESSIONS = [
  /^\/users/,
  /\/users\/x/,
  /^\/users\/x$/,
  /^\/users\/?$/i,
  /^\/users|\/b/,
  /^\/a\/(?=b)/m,
  /^\/users\/(\d+)?/y,
];

const stackOf = (router: Router): Layer[] => router.stack as unknown as Layer[];

const handler = (): undefined => undefined;

describe.each(EXPRESS_VERSIONS)("filterRoutes() on %s", (_version, express) => {
  /** What matching says, and what it leaves on the layer. */
  function outcomeOf(layer: Layer, path: string): unknown {
    try {
      return [layer.match(path), layer.params, layer.path];
    } catch (error) {
      return (error as Error).message;
    }
  }

  function routerOf(add: (router: Router) => unknown, options = {}): Router | undefined {
    const router = express.Router(options);
    try {
      add(router);
      return router;
    } catch {
      return undefined;
    }
  }

  it(`matches the same paths as Express does alone (seed ${SEED})`, () => {
    const random = new Random(SEED);
    const join = (pieces: readonly string[], count: number): string =>
      Array.from({ length: random.integer(count) + 1 }, () => random.pick(pieces)).join("");
    let filtered = 0;
    let matched = 0;
    for (let i = 0; i < 4_000; i++) {
      const pattern = random.isLikely(0.05) ? random.pick(EXPRESSIONS) : `/${join(PIECES, 4)}`.replace(/^\/\//, "/");
      const options = { strict: random.isLikely(0.3), caseSensitive: random.isLikely(0.3) };
      const isRoute = random.isLikely(0.7);
      // a copy, because a sticky expression remembers its last place
      const copy = (): RegExp | string => (typeof pattern === "string" ? pattern : new RegExp(pattern));
      const add = (router: Router): unknown => (isRoute ? router.get(copy(), handler) : router.use(copy(), handler));
      const ours = routerOf(add, options);
      const plain = routerOf(add, options);
      if (!ours || !plain) continue;
      filterRoutes(ours);
      const [layer, other] = [stackOf(ours)[0]!, stackOf(plain)[0]!];
      if (Object.hasOwn(layer, "match")) filtered += 1;
      const paths = [
        String(pattern),
        `${String(pattern).toUpperCase()}/`,
        ...[1, 2, 3, 4].map((n) => join(PLAIN_PIECES, n + 1)),
      ];
      for (const path of paths) {
        const expected = outcomeOf(other, path);
        if (Array.isArray(expected) && expected[0] !== false) matched += 1;
        expect([pattern, options, path, outcomeOf(layer, path)]).toEqual([pattern, options, path, expected]);
      }
    }
    expect(filtered).toBeGreaterThan(500);
    expect(matched).toBeGreaterThan(500);
  });

  it("keeps what a layer shows, and its stack", () => {
    const [ours, plain] = [express.Router(), express.Router()];
    for (const router of [ours, plain]) router.get("/users/:id", handler).use("/a", handler);
    filterRoutes(ours);
    expect(Object.keys(ours.stack)).toEqual(["0", "1"]);
    expect(stackOf(ours).map(Object.keys)).toEqual(stackOf(plain).map(Object.keys));
  });

  it("takes routes that are added later, and those of routers in it", () => {
    const [router, inner, later] = [express.Router(), express.Router(), express.Router()];
    router.use("/inner", inner);
    filterRoutes(router);
    filterRoutes(router);
    router.get("/users", handler);
    inner.get("/users", handler);
    inner.use("/later", later);
    later.get("/users", handler);
    const layers = [...stackOf(router), ...stackOf(inner), ...stackOf(later)];
    expect(layers.map((layer) => Object.hasOwn(layer, "match"))).toEqual([true, true, true, true, true]);
  });

  it("asks Express where the layer was given another path", () => {
    const [router, other] = [express.Router(), express.Router()];
    router.get("/users", handler);
    other.get("/others", handler);
    filterRoutes(router);
    const [[layer], [source]] = [stackOf(router), stackOf(other)] as [[Layer], [Layer]];
    expect(layer.match("/others")).toBe(false);
    if (source.regexp) layer.regexp = source.regexp;
    else layer.matchers = source.matchers!;
    expect(layer.match("/others")).toBeTruthy();
  });

  it("calls what replaces match later, and changes nothing where it was replaced before", () => {
    const router = express.Router();
    router.get("/users", handler);
    filterRoutes(router);
    const prototype = Object.getPrototypeOf(stackOf(router)[0]) as Layer;
    const { match } = prototype;
    const asked: string[] = [];
    prototype.match = function (path) {
      asked.push(path);
      return match.call(this, path);
    };
    try {
      expect(stackOf(router)[0]?.match("/others")).toBe(false);
    } finally {
      prototype.match = match;
    }
    expect(asked).toEqual(["/others"]);

    const patched = Object.assign(Object.create(prototype) as Layer, { match: () => true });
    const foreign = { stack: [Object.assign(Object.create(patched) as Layer, stackOf(router)[0])], param: handler };
    filterRoutes(foreign);
    expect(Object.hasOwn(foreign.stack[0]!, "match")).toBe(false);
  });

  it("is done by createServer at the first request, unless accelerate is false", async () => {
    const isFiltered = async (accelerate: boolean): Promise<boolean> => {
      const app = express();
      const server = createServer(app, { accelerate });
      app.get("/users", (_req, res) => res.json([]));
      const port = await listen(server);
      try {
        for (const path of ["/users", "/others", "/USERS/"]) {
          const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
          expect(status).toBe(path === "/others" ? 404 : 200);
        }
      } finally {
        server.close();
      }
      const { _router: router = "lazyrouter" in app ? undefined : app.router } = app as { _router?: Router };
      return Object.hasOwn(stackOf(router!).at(-1)!, "match");
    };
    expect([await isFiltered(true), await isFiltered(false)]).toEqual([true, false]);
  });
});
