import type { Express, IRouter, NextFunction, Request, Response } from "express";
import type express from "express";
import { generateHandler, type Journal } from "./generated-handlers.js";
import { Random } from "./random.js";

/** Settings of an app, and what is mounted last: an error handler of its own, or Express's. */
function configure(app: Express, random: Random, journal: Journal): void {
  const draw = random.pick;
  app.set("env", "production");
  app.set("etag", draw<unknown>(["weak", "weak", "strong", false, () => "own", () => '"own"', () => undefined]));
  app.set("json spaces", draw([undefined, undefined, 2, "\t"]));
  app.set("json escape", draw([undefined, undefined, true]));
  app.set("json replacer", draw<unknown>([undefined, undefined, ["hello"], (_key: string, value: unknown) => value]));
  app.set("x-powered-by", draw([true, false]));
  app.set("strict routing", draw([undefined, undefined, true]));
  app.set("case sensitive routing", draw([undefined, undefined, true]));
  app.use((_req, res, next) => {
    res.on("finish", () => {
      journal(`finish ${res.statusCode} ${JSON.stringify(res.getHeaders())} ${JSON.stringify(res.getHeaderNames())}`);
    });
    next();
  });
}

const PATHS = [
  ...["/a", "/a/", "/A", "/b/:id", "/b/c", "/b/:id/d", "/:any", "/a-b", "/a.b", "/users/:id", "/users/me", "/", "/x~y"],
  ...["/users/:id/items/:item", /\/r(e+)g/, ["/a", "/list/:one"], "/%61", "/long/literal/path/here", "/users"],
];

/** Paths that only one major of Express reads. */
const PATHS_OF = {
  4: ["/o/:opt?", "/ab?c", "/a+", "*", "/w/*", "/(x|y)/z", "/n/:n(\\d+)", "/us*s"],
  5: ["/o{/:opt}", "/w/*rest", "/*all", "/e{s}c", '/q/:"quoted name"'],
};

/**
 * Make the app of `seed`: the same app each time, with routes, routers, mounted apps, parameters and errors.
 *
 * @returns the app, and what is to be done when it is served already
 */
export function generateApp(
  create: typeof express,
  major: 4 | 5,
  seed: number,
  journal: Journal,
): { app: Express; addLater: () => void } {
  const random = new Random(seed);
  const paths = [...PATHS, ...PATHS_OF[major]];
  const path = () => random.pick<string>(paths as string[]);
  const app = create();
  configure(app, random, journal);
  if (random.isLikely(0.2))
    app.param("id", (_req, _res, next, id: string) => {
      next(id === "bad" ? new Error("bad") : undefined);
    });
  if (random.isLikely(0.2)) {
    app.use((req, _res, next) => {
      if (req.url.startsWith("/rewrite")) req.url = req.url.replace("/rewrite", "");
      next();
    });
  }
  addRoutes(app, 8 + random.integer(8));
  const router = create.Router({ mergeParams: random.isLikely(0.5) });
  const child = create();
  configure(child, random, journal);
  if (random.isLikely(0.2)) markSent(child);
  addRoutes(router, 4);
  addRoutes(child, 4);
  app.use(random.pick(["/router", "/router/", "/users/:id", "/"]), router);
  app.use(random.pick(["/child", "/users", "/"]), child);
  if (random.isLikely(0.2)) markSent(app);
  return { app, addLater };

  function addLater(): void {
    addRoutes(app, 3);
    addRoutes(router, 2);
    app.use((error: Error & { status?: number }, _req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) next(error);
      else res.status(error.status ?? 500).json({ message: error.message });
    });
  }

  function addRoutes(target: IRouter, count: number): void {
    for (let i = 0; i < count; i++) {
      const method = random.pick(["get", "get", "get", "post", "all", "put", "use", "route"] as const);
      const handle = generateHandler(random, journal);
      if (method === "route") {
        const route = target.route(path()).get(handle);
        setImmediate(() => route.put(handle)); // a method added later
      } else {
        target[method](path(), handle);
      }
    }
  }
}

/** Replace `send` on the prototype of the responses of one app, as users do. */
function markSent(app: Express): void {
  app.response.send = function send(this: Response, body: unknown) {
    this.set("X-Marked", "yes");
    return (Object.getPrototypeOf(app.response) as Response).send.call(this, body);
  };
}
