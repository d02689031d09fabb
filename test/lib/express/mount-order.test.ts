import cors from "cors";
import type { ErrorRequestHandler, Express, RequestHandler, Router } from "express";
import type expressType from "express";
import multer from "multer";
import request from "supertest";
import { operationCors, suite, type SuiteOptions } from "etiquette";
import { createApp } from "../../../example-app/src/app.js";
import { findOrderFaults } from "../../../lib/express/mount-order.js";
import { listMounted } from "../../../lib/express/mounted-layers.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";

const ok: RequestHandler = (_req, res) => {
  res.json({});
};
const ownErrors: ErrorRequestHandler = (error, _req, _res, next) => {
  next(error);
};

/** Returns the app that the request reached, when that is another one, mounted in `app`. */
type Mount = (app: Express, express: typeof expressType) => unknown;

const { guards, fallbacks, parts } = suite({ errorFormatter: { log: () => undefined } });
const [notFound, errorFormatter] = [parts.notFound, parts.errorFormatter];

function routerOf(express: typeof expressType, mount: (router: Router) => void): Router {
  const router = express.Router();
  mount(router);
  return router;
}

const RIGHT: readonly [string, Mount][] = [
  [
    "suite() as recommended",
    (app, express) => {
      app.use(cors(), guards);
      app.use(ok.bind(undefined), express.static("nowhere"));
      app.route("/users").get(ok).post(ok);
      app.use(
        "/orders",
        routerOf(express, (router) => router.get("/", ok)),
      );
      app.use(ownErrors);
      app.use(fallbacks);
    },
  ],
  [
    "a part of the app, by a path",
    (app, express) => {
      app.use(express.static("nowhere"));
      app.get("/", ok);
      app.use(
        "/pages",
        routerOf(express, (router) => router.get("/:page", ok)),
      );
      app.use("/api", cors(), guards);
      app.use(
        "/api",
        routerOf(express, (router) => router.get("/users/:id", ok)),
      );
      app.use("/api", fallbacks);
      app.use("/forms", express.urlencoded({ extended: false }));
      app.post("/forms/contact", ok);
      app.use("/public", cors());
      app.get("/public/data", ok);
      app.use(ok.bind(undefined));
      app.use(ownErrors);
    },
  ],
  [
    "a router with everything in it",
    (app, express) => {
      app.use(
        "/api/:version",
        routerOf(express, (router) => {
          router.use(guards);
          router.get("/users", ok);
          router.use(fallbacks);
        }),
      );
      app.get("/api", ok);
      app.get("/", ok);
    },
  ],
  [
    "two parts of the app",
    (app) => {
      app.use("/api", guards);
      app.get("/api/users", ok);
      app.use("/admin", guards);
      app.get("/admin/users", ok);
      app.use("/api", fallbacks);
      app.use("/admin", fallbacks);
    },
  ],
  [
    "a mounted app",
    (app, express) => {
      const api = express();
      api.use(guards);
      api.get("/users", ok);
      api.use(fallbacks);
      app.get("/", ok);
      app.use("/api", api);
      app.get("/later", ok);
      return api;
    },
  ],
  [
    "the middlewares one by one, with something in between",
    (app, express) => {
      app.use(parts.requestId, ok.bind(undefined), cors(), parts.httpsOnly, parts.bodyLength, parts.contentType);
      app.use(express.json());
      app.get("/users", ok);
      app.use(fallbacks);
    },
  ],
  [
    "body parsers and CORS on routes",
    (app, express) => {
      app.use(guards);
      app.post("/forms", express.urlencoded({ extended: false }), ok);
      app.post("/files", multer().single("file"), ok);
      app.all("/users", operationCors({ origin: "*", operations: { GET: {} } }));
      app.get("/users", ok);
      app.use(fallbacks);
    },
  ],
  [
    "CORS on paths, before the guards",
    (app) => {
      app.options(/.*/, cors());
      app.all("/users", operationCors({ origin: "*", operations: { GET: {} } }));
      app.use(cors(), guards);
      app.get("/users", ok);
      app.use(fallbacks);
    },
  ],
  [
    "cors of a router behind the guards, after that of the app",
    (app, express) => {
      app.use(cors(), guards);
      app.use(
        "/users",
        routerOf(express, (router) => router.use(cors()).get("/", ok)),
      );
      app.use(fallbacks);
    },
  ],
  [
    "an errorFormatter for the guards alone, and error handlers of the app's own",
    (app) => {
      app.use(guards, errorFormatter);
      app.get("/users", ok);
      app.use(ownErrors);
    },
  ],
  [
    "a route with guards of its own",
    (app) => {
      app.get("/alone", guards, ok, fallbacks);
      app.use("/api", guards);
      app.use("/api", fallbacks);
    },
  ],
];

const WRONG: readonly [string, Mount, string[]][] = [
  [
    "the guards behind the routes",
    (app) => {
      app.get("/users", ok);
      app.route("/orders/:id").get(ok).delete(ok);
      app.use(guards, fallbacks);
    },
    ["suite().guards stands behind GET /users and GET, DELETE /orders/:id, whose requests it does not see."],
  ],
  [
    "the guards behind one of the routes",
    (app) => {
      app.get("/early", ok);
      app.use(guards);
      app.get("/late", ok);
      app.use(fallbacks);
    },
    ["suite().guards stands behind GET /early, whose"],
  ],
  [
    "the guards of a path behind a router of it",
    (app, express) => {
      app.use(
        "/api/:org",
        routerOf(express, (router) =>
          router.use(
            "/v1",
            routerOf(express, (v1) => v1.get("/users", ok)),
          ),
        ),
      );
      app.get("/", ok);
      app.use("/api", guards, fallbacks);
    },
    ["suite().guards stands behind GET /api/0/v1/users, whose"],
  ],
  [
    "the guards in a router behind its routes",
    (app, express) => {
      app.use(
        "/api",
        routerOf(express, (router) => router.get("/users", ok).use(guards, fallbacks)),
      );
    },
    ["suite().guards stands behind GET /api/users, whose"],
  ],
  [
    "requestId behind a route",
    (app) => {
      app.all("/users", ok);
      app.use(parts.requestId, parts.httpsOnly, fallbacks);
    },
    ["requestId() stands behind every method of /users, whose"],
  ],
  [
    "many routes before the guards",
    (app) => {
      for (const name of ["a", "b", "c", "d", "e"]) app.get(`/${name}`, ok);
      app.use(guards, fallbacks);
    },
    ["suite().guards stands behind GET /a, GET /b, GET /c and 2 more, whose"],
  ],
  [
    "errorFormatter before the routes",
    (app) => {
      app.use(guards, errorFormatter);
      app.get("/users", ok);
      app.use(notFound);
    },
    ["errorFormatter() stands before GET /users and notFound(), whose errors it does not get."],
  ],
  [
    "errorFormatter before a mounted app",
    (app, express) => {
      app.use(guards, errorFormatter);
      app.use("/other", express());
    },
    ["errorFormatter() stands before the app on /other, whose errors"],
  ],
  [
    "a body parser before the guards",
    (app, express) => {
      app.use(express.json(), express.urlencoded({ extended: false }), express.raw(), express.text());
      app.use(multer().none());
      app.use(guards);
      app.get("/users", ok);
      app.use(fallbacks);
    },
    [
      "express.json() stands before suite().guards, so",
      "express.urlencoded() stands before suite().guards, so",
      "express.raw() stands before suite().guards, so",
      "express.text() stands before suite().guards, so",
      "multer stands before suite().guards, so",
    ],
  ],
  [
    "a body parser before the guards of a part of the app",
    (app, express) => {
      app.use(express.json());
      app.use("/api", guards);
      app.use("/api", fallbacks);
    },
    ["express.json() stands before suite().guards, so"],
  ],
  [
    "a body parser before bodyLength",
    (app, express) => {
      app.use(parts.requestId, express.json(), parts.bodyLength, fallbacks);
    },
    ["express.json() stands before bodyLength(), so"],
  ],
  [
    "a body parser in front of a mounted app with guards",
    (app, express) => {
      const api = express();
      api.use(guards, fallbacks);
      app.use(express.json());
      app.use("/api", api);
      return api;
    },
    ["express.json() stands before suite().guards, so"],
  ],
  [
    "cors behind the guards",
    (app) => {
      app.use(guards, cors());
      app.get("/users", ok);
      app.use(fallbacks);
    },
    ["cors() stands behind suite().guards, so a page of another origin"],
  ],
  [
    "operationCors of the app behind the guards",
    (app) => {
      app.use(guards, operationCors({ origin: "*" }));
      app.get("/users", ok);
      app.use(fallbacks);
    },
    ["operationCors() stands behind suite().guards, so a page of another origin"],
  ],
  [
    "cors in a router behind the guards",
    (app, express) => {
      app.use(guards);
      app.use(
        "/users",
        routerOf(express, (router) => router.use(cors()).get("/", ok)),
      );
      app.use(fallbacks);
    },
    ["cors() stands behind suite().guards, so"],
  ],
  [
    "cors of the app behind the guards of a part",
    (app) => {
      app.use("/api", guards);
      app.use("/api", fallbacks);
      app.use(cors());
    },
    ["cors() stands behind suite().guards, so"],
  ],
  [
    "handlers behind the fallbacks",
    (app, express) => {
      app.use(guards, fallbacks);
      app.get("/users", ok);
      app.use(
        "/orders",
        routerOf(express, (router) => router.get("/:id", ok)),
      );
      app.use(express.static("nowhere"));
      app.use((_req, res) => {
        res.sendStatus(404);
      });
    },
    ["notFound() stands before GET /users, GET /orders/:id, serveStatic and 1 more, which is never reached"],
  ],
  [
    "a route behind the fallbacks of a path",
    (app) => {
      app.use("/api", guards, fallbacks);
      app.get("/api/users", ok);
      app.get("/users", ok);
    },
    ["notFound() stands before GET /api/users, which is never reached"],
  ],
  [
    "an error handler behind the fallbacks",
    (app) => {
      app.use(guards, fallbacks);
      app.get("/dead", ok);
      app.use(ownErrors);
    },
    [
      "notFound() stands before GET /dead, which is never reached",
      "errorFormatter() stands before ownErrors, which is never called",
    ],
  ],
];

describe.each(EXPRESS_VERSIONS)("the order of an app on %s", (_version, express) => {
  function messagesOf(mount: Mount, unguarded: readonly string[] = []): string[] {
    const app = express();
    return findOrderFaults(mount(app, express) ?? app, "/api/anything", unguarded).map(({ message }) => message);
  }

  it.each(RIGHT)("is right: %s", (_what, mount) => {
    expect(messagesOf(mount)).toEqual([]);
  });

  it.each(WRONG)("is wrong: %s", (_what, mount, messages) => {
    const found = messagesOf(mount);
    expect(found.map((message, index) => message.slice(0, messages[index]?.length))).toEqual(messages);
    for (const message of found) expect(message).toMatch(/ Mount /);
  });

  it("does not take a function of the app for the guards, whatever its name is", () => {
    const mount =
      (guard: RequestHandler): Mount =>
      (app) => {
        app.get("/users", ok);
        app.use(guard, fallbacks);
      };
    const suiteGuards: RequestHandler = (_req, _res, next) => {
      next();
    };
    expect(messagesOf(mount(suiteGuards))).toEqual([]);
    expect(messagesOf(mount(guards))).toEqual([expect.stringContaining("suite().guards stands behind GET /users")]);
  });

  it("leaves out the routes that are named in `unguarded`", () => {
    const mount: Mount = (app) => {
      app.get("/health", ok);
      app.post("/hooks/:name", ok);
      app.use(guards, fallbacks);
    };
    expect(messagesOf(mount, ["/health", "/hooks/stripe"])).toEqual([]);
    expect(messagesOf(mount, ["/health"])).toEqual([expect.stringContaining("behind POST /hooks/:name, whose")]);
  });

  it("leaves the app as it is", async () => {
    const app = express();
    app.use(guards);
    app.get("/users/:id", (req, res) => {
      findOrderFaults(app, "/api/anything", []);
      res.json({ id: req.params["id"], url: req.url, base: req.baseUrl });
    });
    app.use(fallbacks);
    findOrderFaults(app, "/users/9", []);
    const { body } = await request(app).get("/users/7").expect(200);
    expect(body).toEqual({ id: "7", url: "/users/7", base: "" });
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["an app without routes", express()],
    ["a router of another form", Object.assign(() => undefined, { _router: { stack: [{ handle: 1 }, null] } })],
    ["a router whose layers throw", { router: { stack: [{ handle: ok, match: () => fail() }] } }],
  ])("never throws: %s", (_what, app) => {
    expect(findOrderFaults(app, "/%", ["%"])).toEqual([]);
  });

  it.each(WRONG)("is found as well where layers don't tell their paths: %s", (_what, mount, messages) => {
    const app = express();
    const reached = mount(app, express) ?? app;
    for (let each = reached as (App & { parent?: App }) | undefined; each; each = each.parent) forgetPaths(each);
    const found = findOrderFaults(reached, "/api/0/v1/users", []);
    for (const fault of found)
      expect(messages.some((message) => fault.message.startsWith(message.slice(0, 30)))).toBe(true);
    expect(found.length).toBe(messages.length);
  });

  it("reads routers only to a depth, also one that contains itself", () => {
    const app = express();
    const router = express.Router();
    router.use(router).get("/a", ok);
    app.use(router, guards, fallbacks);
    expect(findOrderFaults(app, "/a", [])).toHaveLength(1);
  });
});

it("the order of the bundled server is right", () => {
  const anything: unknown = new Proxy(() => undefined, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => "x" : anything),
    apply: () => anything,
  });
  const settings = {
    namespace: "svc",
    apiTokenScheme: "SVC",
    secrets: ["0".repeat(32)],
    trustedProxies: [],
    serverTiming: ["loopback"],
    strictHeaders: true,
    resourceAliases: [],
    securityContact: ["mailto:security@example.com"],
    issuerRel: "https",
  };
  const app = createApp({
    settings,
    store: anything,
    tenants: anything,
    trusts: anything,
    routings: anything,
    events: anything,
    uses: anything,
    log: anything,
    refuseOverload: () => undefined,
  } as never);
  expect(findOrderFaults(app, "/api/v1/users", [])).toEqual([]);
  expect(listMounted(app, "/api/v1/users").length).toBeGreaterThan(50);
});

interface Layer {
  rawPath?: unknown;
  path: string | undefined;
  handle: { stack?: Layer[] };
  match: (path: string) => boolean | { path: string };
}

interface App {
  _router?: { stack: Layer[] };
  router?: { stack: Layer[] };
  stack?: Layer[];
}

/** Make the layers those of router 2.0, the first of Express 5. */
function forgetPaths(router: App): void {
  for (const layer of (router._router ?? router.router ?? router).stack ?? []) {
    const { match } = layer;
    delete layer.rawPath;
    layer.match = function matchOld(path) {
      const result = match.call(layer, path);
      if (typeof result === "object") layer.path = result.path;
      return Boolean(result);
    };
    forgetPaths(layer.handle);
  }
}

function fail(): never {
  throw new Error("a layer of another form");
}

describe.each(EXPRESS_VERSIONS)("responseCheck on %s", (_version, express) => {
  function serve(options: NonNullable<SuiteOptions["responseCheck"]>, mount?: Mount): Express {
    const own = suite({ responseCheck: options, errorFormatter: { log: () => undefined } });
    const app = express();
    app.get("/early", ok);
    mount?.(app, express);
    app.use(own.guards);
    app.get("/users", ok);
    app.use(own.fallbacks);
    return app;
  }

  it("tells the order once, with the first response that it sees", async () => {
    const log = jest.fn<undefined, [readonly { rule: string; place: string }[]]>();
    const app = serve({ log });
    await request(app).get("/users").expect(200);
    await request(app).get("/users").expect(200);
    expect(log).toHaveBeenCalledTimes(1);
    expect(log.mock.lastCall?.[0]).toMatchObject([{ rule: "order", place: "suite().guards" }]);
  });

  it("tells it once, also with guards in two places", async () => {
    const log = jest.fn();
    const app = serve({ log }, (it) => it.use("/other", suite({ responseCheck: { log } }).guards));
    await request(app).get("/users").expect(200);
    await request(app).get("/other").expect(404);
    expect(log).toHaveBeenCalledTimes(1);
  });

  it("writes a line to the console", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    await request(serve(true)).get("/users").expect(200);
    expect(warn.mock.calls).toEqual([
      [
        'The order of the app: suite().guards stands behind GET /early, whose requests it does not see. Mount it before the routes. If a route stands before it on purpose, name its path: responseCheck({ unguarded: ["/path"] }).',
      ],
    ]);
    warn.mockRestore();
  });

  it("says nothing when it is off, or the route is named", async () => {
    const log = jest.fn();
    await request(serve({ log, enabled: false }))
      .get("/users")
      .expect(200);
    await request(serve({ log, unguarded: ["/early"] }))
      .get("/users")
      .expect(200);
    expect(log).not.toHaveBeenCalled();
  });
});
