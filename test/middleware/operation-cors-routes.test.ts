import type { Express, RequestHandler, Router } from "express";
import request from "supertest";
import { apiError } from "etiquette/api-error";
import { createServer } from "etiquette/create-server";
import { errorFormatter } from "etiquette/error-formatter";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { notFound } from "etiquette/not-found";
import { operationCors, type OperationCorsOptions } from "etiquette/operation-cors";
import { EXPRESS_VERSIONS } from "../support/express.js";

/** operationCors() mounted once with app.use(), which reads the routes of the app. */

const APP = "https://app.example.com";
const EVIL = "https://evilapp.example.com";
const ORIGIN = { origin: [APP] };

/** Every path of the app of {@link mountRoutes}, as its author would list it, with the methods of its routes. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  "/": ["GET"],
  "/api/users": ["GET", "POST"],
  "/api/users/:id": ["GET", "PUT", "DELETE"],
  "/api/orgs/:org/users/:id/keys": ["GET"],
  "/api/orgs/:org/users/:id/keys/:key": ["PATCH", "DELETE"],
};

const ASKED = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "get", "OPTIONS", "FOO"];
const PREFLIGHTS = [
  [APP, "authorization,content-type,if-match"],
  [APP, "if-none-match"],
  [APP, "x-other"],
  [EVIL, ""],
] as const;
const SENT = ["get", "head", "post", "put", "patch", "delete", "options"] as const;

describe.each(EXPRESS_VERSIONS)("operationCors() of an app on %s", (_version, express) => {
  const end: RequestHandler = (req, res) => void res.json({ method: req.method });

  function mountRoutes(app: Express): void {
    const users = express.Router({ mergeParams: true });
    users.route("/").get(end).post(end);
    users.route("/:id").get(end).put(end);
    const keys = express.Router({ mergeParams: true });
    keys.get("/", end);
    keys.patch("/:key", end).delete("/:key", end);
    const api = express.Router();
    api.all(/.*/, (_req, _res, next) => {
      next(); // as authentication is mounted
    });
    api.use("/users", users);
    api.delete("/users/:id", end); // one path, two routers
    api.use("/orgs/:org/users/:id/keys", keys);
    app.get("/", end);
    app.use("/api", api);
  }

  function serve(mountCors: (app: Express) => void, mount = mountRoutes): Express {
    const app = express();
    app.use((_req, res, next) => {
      res.sendDate = false; // two responses may be of two seconds
      next();
    });
    mountCors(app);
    mount(app);
    app.use(methodNotAllowed(), notFound(), errorFormatter({ log: false, getRequestId: () => "id" }));
    return app;
  }

  const served = (options: Partial<OperationCorsOptions> = {}, mount = mountRoutes): Express =>
    serve((app) => app.use(operationCors({ ...ORIGIN, ...options })), mount);

  async function preflight(app: Express, path: string, method: string, origin = APP): Promise<string> {
    const { status, headers } = await request(app)
      .options(path)
      .set("Origin", origin)
      .set("Access-Control-Request-Method", method);
    return [status, headers["access-control-allow-methods"]].join(" ").trim();
  }

  async function isReadable(app: Express, path: string, method: (typeof SENT)[number] = "get"): Promise<boolean> {
    const { headers } = await request(app)[method](path).set("Origin", APP);
    expect(headers["vary"]).toBe("Origin");
    return headers["access-control-allow-origin"] === APP;
  }

  describe("answers the same as when each path is listed", () => {
    const read = served();
    const listed = serve((app) => {
      for (const [path, methods] of Object.entries(LISTED)) {
        const operations = Object.fromEntries(methods.map((method) => [method, {}]));
        app.all(path, operationCors({ ...ORIGIN, operations }));
      }
    });

    async function expectSame(send: (app: Express) => request.Test): Promise<void> {
      const [own, expected] = await Promise.all([send(read), send(listed)]);
      const [ownParts, expectedParts] = [own, expected].map(({ status, body, headers }) => [status, body, headers]);
      expect(ownParts).toEqual(expectedParts);
    }

    const PATHS = [
      ...Object.keys(LISTED).map((path) => path.replace(/:\w+/g, "a%20b")),
      "/API/users/",
      "/api/users/1/?a=/b",
    ];

    it.each(PATHS)("O1 preflights of %s", async (path) => {
      for (const method of ASKED) {
        for (const [origin, fields] of PREFLIGHTS) {
          await expectSame((app) =>
            request(app)
              .options(path)
              .set("Origin", origin)
              .set("Access-Control-Request-Method", method)
              .set("Access-Control-Request-Headers", fields),
          );
        }
      }
    });

    it.each(PATHS)("O3 requests for %s", async (path) => {
      for (const method of SENT) {
        for (const origin of [APP, EVIL, undefined]) {
          await expectSame((app) => {
            const test = request(app)[method](path);
            return origin === undefined ? test : test.set("Origin", origin);
          });
        }
      }
    });
  });

  it.each(["/nowhere", "/api", "/api/orgs/1", "/api/users/1/2", "/api/users/%FF", "/users"])(
    "O1 grants nothing on %s, which has no route",
    async (path) => {
      const status = path.includes("%FF") ? 400 : 404;
      expect(await preflight(served(), path, "GET")).toBe(String(status));
      expect(await preflight(served(), path, "GET", EVIL)).toBe(String(status));
      expect(await isReadable(served(), path)).toBe(false);
    },
  );

  it("O1 opens of each path only what is listed and its routes have", async () => {
    const app = served({ operations: { GET: {}, PATCH: { allowedHeaders: [] } } });
    expect(await preflight(app, "/api/users", "GET")).toBe("204 GET");
    expect(await preflight(app, "/api/users", "POST")).toBe("403");
    expect(await preflight(app, "/api/users", "PATCH")).toBe("403");
    expect(await preflight(app, "/api/orgs/1/users/2/keys/3", "PATCH")).toBe("204 PATCH");
    expect(await preflight(app, "/api/orgs/1/users/2/keys/3", "GET")).toBe("403");
    expect(await isReadable(app, "/api/users")).toBe(true);
    expect(await isReadable(app, "/api/users", "post")).toBe(false);
    const { body } = await request(app)
      .options("/api/users")
      .set("Origin", APP)
      .set("Access-Control-Request-Method", "DELETE");
    expect(body).toMatchObject({
      errorCode: "E0000212",
      errorCauses: [{ errorSummary: '"DELETE" is not open to other origins; open: GET, HEAD.' }],
    });
  });

  it("O1 opens a part of the app, where it is mounted with a path or in a router", async () => {
    const cors = operationCors(ORIGIN);
    const withPath = serve((app) => app.use("/api/users", cors));
    const inRouter = serve(
      () => undefined,
      (app) => {
        const api: Router = express.Router();
        api.use(cors);
        api.get("/users", end);
        app.use("/api", api);
        app.get("/", end);
      },
    );
    for (const app of [withPath, inRouter]) {
      expect(await preflight(app, "/api/users", "GET")).toBe("204 GET");
      expect(await isReadable(app, "/api/users")).toBe(true);
      expect((await request(app).get("/").set("Origin", APP)).headers).not.toHaveProperty("vary");
    }
    expect(await preflight(withPath, "/api/orgs/1/users/2/keys", "GET")).toBe("200"); // of Express itself
  });

  it("O1 reads the routes of one path, where it is mounted on it without a list", async () => {
    const app = serve(
      () => undefined,
      (it) => {
        it.all("/users/:id", operationCors(ORIGIN));
        it.put("/users/:id", end);
        it.route("/groups").all(operationCors(ORIGIN)).get(end);
      },
    );
    expect(await preflight(app, "/users/1", "PUT")).toBe("204 PUT");
    expect(await preflight(app, "/users/1", "DELETE")).toBe("403");
    expect(await preflight(app, "/groups", "GET")).toBe("204 GET");
    expect(await isReadable(app, "/groups")).toBe(true);
  });

  it("O1 reads routes that are added later, those of apps that it is mounted in, but of no app that is mounted", async () => {
    const api = express();
    const app = serve(
      () => undefined,
      (it) => {
        it.use(operationCors(ORIGIN));
        it.use("/api", api);
        it.use(express.Router().get("/late", end));
      },
    );
    api.get("/hidden", end);
    const open = express();
    open.use(operationCors(ORIGIN));
    open.get("/users", end);
    app.use("/unused", end);
    const outer = express();
    outer.use("/open", open);
    expect(await preflight(app, "/late", "GET")).toBe("204 GET");
    expect(await preflight(app, "/api/hidden", "GET")).toBe("200"); // of Express itself
    expect(await isReadable(app, "/api/hidden")).toBe(false);
    expect(await preflight(outer, "/open/users", "GET")).toBe("204 GET");
  });

  it("O1 leaves a path to others that has routes for OPTIONS only", async () => {
    const app = served({}, (it) => it.options("/own", (_req, res) => void res.status(299).end()));
    expect(await preflight(app, "/own", "GET")).toBe("299");
  });

  it("O3 lets a trusted page read what a guard refuses", async () => {
    const app = served({}, (it) => {
      it.use((_req, _res, next) => {
        next(apiError("E0000011"));
      });
      mountRoutes(it);
    });
    expect(await isReadable(app, "/api/users/1")).toBe(true);
    expect(await isReadable(app, "/api/users/1", "post")).toBe(false);
    expect(await preflight(app, "/api/users/1", "PUT")).toBe("204 PUT");
  });

  it("O4 opens the routes to everybody", async () => {
    const app = served({ origin: "*" });
    const read = await request(app).get("/api/users").expect(200);
    expect(read.headers["access-control-allow-origin"]).toBe("*");
    expect((await request(app).get("/nowhere").expect(404)).headers).not.toHaveProperty("access-control-allow-origin");
    expect(await preflight(app, "/api/users", "POST", EVIL)).toBe("204 POST");
  });

  it("O1 reads the routes also where createServer() finds them faster", async () => {
    const server = createServer(served({ origin: () => Promise.resolve([APP]) }), { accelerate: true });
    const app = server as unknown as Express; // supertest takes both
    expect(await preflight(app, "/api/users/1", "PUT")).toBe("204 PUT");
    expect(await isReadable(app, "/api/users/1")).toBe(true);
    expect(await preflight(app, "/nowhere", "PUT")).toBe("404");
  });
});
