import type { Application, RequestHandler } from "express";
import request from "supertest";
import { createServer } from "etiquette/create-server";
import { errorFormatter } from "etiquette/error-formatter";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { notFound } from "etiquette/not-found";
import { requestId } from "etiquette/request-id";
import { EXPRESS_VERSIONS } from "../support/express.js";

describe.each(EXPRESS_VERSIONS)("methodNotAllowed() on %s", (_version, express) => {
  let logged: unknown[] = [];

  function serve(mount: (app: Application) => void): Application {
    logged = [];
    const app = express();
    app.use(requestId());
    mount(app);
    app.use(notFound());
    app.use(errorFormatter({ log: (error) => logged.push(error) }));
    return app;
  }

  const users = (app: Application): void => {
    app
      .route("/users")
      .get((_req, res) => void res.json([]))
      .post((_req, res) => void res.json({}))
      .all(methodNotAllowed());
  };

  it.each(["put", "patch", "delete"] as const)("S7 refuses %s with 405 and Allow", async (verb) => {
    const res = await request(serve(users))[verb]("/users").expect(405);
    expect(res.headers["allow"]).toBe("GET, HEAD, OPTIONS, POST");
    expect(res.body).toEqual({
      errorCode: "E0000022",
      errorSummary: "The endpoint does not support the provided HTTP method",
      errorLink: "E0000022",
      errorId: res.headers["x-svc-request-id"],
      errorCauses: [{ errorSummary: `${verb.toUpperCase()} is not one of GET, HEAD, OPTIONS, POST.` }],
    });
  });

  it("S7 leaves the methods of the route alone", async () => {
    const app = serve(users);
    await request(app).get("/users").expect(200);
    await request(app).head("/users").expect(200);
    await request(app).post("/users").expect(200);
  });

  it("S7 is 404 for a path that has no route", async () => {
    await request(serve(users)).put("/missing").expect(404);
  });

  it("D1 answers OPTIONS 204 with Allow and the request's id", async () => {
    const res = await request(serve(users)).options("/users").expect(204);
    expect(res.headers["allow"]).toBe("GET, HEAD, OPTIONS, POST");
    expect(res.headers["x-svc-request-id"]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(res.text).toBe("");
  });

  it("leaves OPTIONS to a handler that the route has for it", async () => {
    const app = serve((it) => {
      it.route("/users")
        .options((_req, res) => void res.status(200).end())
        .all(methodNotAllowed());
    });
    await request(app).options("/users").expect(200);
    const res = await request(app).get("/users").expect(405);
    expect(res.headers["allow"]).toBe("OPTIONS");
  });

  it("does not list HEAD for a path without GET", async () => {
    const app = serve((it) => {
      it.route("/users")
        .post((_req, res) => void res.end())
        .all(methodNotAllowed());
    });
    const head = await request(app).head("/users").expect(405);
    expect(head.headers["allow"]).toBe("OPTIONS, POST");
  });

  it("passes on a method that the path has when its handler did not answer", async () => {
    const app = serve((it) => {
      it.route("/users")
        .get((_req, _res, next) => {
          next();
        })
        .all(methodNotAllowed());
    });
    const res = await request(app).get("/users").expect(404);
    expect(res.headers).not.toHaveProperty("allow");
    await request(app).head("/users").expect(404);
  });

  it("may be mounted on several routes", async () => {
    const last = methodNotAllowed();
    const app = serve((it) => {
      it.route("/a")
        .get((_req, res) => void res.end())
        .all(last);
      it.route("/b")
        .delete((_req, res) => void res.end())
        .all(last);
    });
    expect((await request(app).post("/a")).headers["allow"]).toBe("GET, HEAD, OPTIONS");
    expect((await request(app).post("/b")).headers["allow"]).toBe("DELETE, OPTIONS");
  });

  describe("methods", () => {
    it("names the methods where there is no route to ask", async () => {
      const methods = ["GET", "PATCH", "GET"];
      const app = serve((it) => {
        it.use("/users", methodNotAllowed({ methods }));
        methods.push("DELETE");
      });
      const res = await request(app).delete("/users").expect(405);
      expect(res.headers["allow"]).toBe("GET, HEAD, OPTIONS, PATCH");
    });

    it("goes before those of the route", async () => {
      const app = serve((it) => {
        it.route("/users")
          .get((_req, res) => void res.end())
          .all(methodNotAllowed({ methods: ["GET", "POST"] }));
      });
      expect((await request(app).put("/users")).headers["allow"]).toBe("GET, HEAD, OPTIONS, POST");
    });
  });

  describe("after all routers", () => {
    const allowOf = async (app: Application, path: string, method: "put" | "options" = "put"): Promise<string> => {
      const res = await request(app)[method](path);
      return `${res.status} ${String(res.headers["allow"])}`;
    };
    const end: RequestHandler = (_req, res) => void res.json({});
    const last = methodNotAllowed();

    /** `/api/orgs/:org/users/:id`, whose methods stand in two routers. */
    function mountNested(app: Application): void {
      const users = express.Router({ mergeParams: true });
      users.get("/:id", end);
      users.get("/", end).post("/", end);
      const writers = express.Router();
      writers.delete(["/users/:id", "/users/:id/all"], end);
      const api = express.Router();
      api.all(/.*/, (_req, _res, next) => {
        next(); // as authentication is mounted
      });
      api.use("/orgs/:org/users", users);
      api.use("/orgs/:org", writers);
      app.use("/api", api);
      app.get("/", end);
      app.get(/^\/files\/.+$/, end);
    }

    const nested = (): Application => {
      return serve((app) => {
        mountNested(app);
        app.use(last);
      });
    };

    it.each([
      ["/api/orgs/1/users/2", "405 DELETE, GET, HEAD, OPTIONS"],
      ["/api/orgs/1/users/2/", "405 DELETE, GET, HEAD, OPTIONS"],
      ["/api/orgs/1/users/2?a=/b", "405 DELETE, GET, HEAD, OPTIONS"],
      ["/api/orgs/1/users/2/all", "405 DELETE, OPTIONS"],
      ["/api/orgs/%C3%A9/users", "405 GET, HEAD, OPTIONS, POST"],
      ["/api/orgs/1/users/", "405 GET, HEAD, OPTIONS, POST"],
      ["/", "405 GET, HEAD, OPTIONS"],
      ["/files/a/b", "405 GET, HEAD, OPTIONS"],
      ["/files/", "404 undefined"],
      ["/api/orgs/1", "404 undefined"],
      ["/api/orgs/1/users/2/3", "404 undefined"],
      ["/orgs/1/users", "404 undefined"],
    ])("S7 finds the methods of %s", async (path, expected) => {
      expect(await allowOf(nested(), path)).toBe(expected);
    });

    it("S7 leaves the methods of a path alone", async () => {
      await request(nested()).get("/api/orgs/1/users/2").expect(200);
      await request(nested()).head("/api/orgs/1/users/2").expect(200);
      await request(nested()).delete("/api/orgs/1/users/2").expect(200);
    });

    it("answers OPTIONS for the routes of the app", async () => {
      expect(await allowOf(nested(), "/", "options")).toBe("204 GET, HEAD, OPTIONS");
      expect(await allowOf(nested(), "/missing", "options")).toBe("404 undefined");
    });

    it("answers OPTIONS for those of routers where app.options() has it before them", async () => {
      const app = serve((it) => {
        it.options(/.*/, last);
        mountNested(it);
        it.use(last);
      });
      expect(await allowOf(app, "/api/orgs/1/users/2", "options")).toBe("204 DELETE, GET, HEAD, OPTIONS");
      expect(await allowOf(app, "/api/orgs/1", "options")).toBe("404 undefined");
      expect(await allowOf(app, "/api/orgs/1/users/2")).toBe("405 DELETE, GET, HEAD, OPTIONS");
    });

    it("leaves OPTIONS to a handler behind it, and 404 to a path that has OPTIONS only", async () => {
      const app = serve((it) => {
        it.options(/.*/, last);
        it.route("/users").get(end).options(end);
        it.options("/preflights", end);
        it.use(last);
      });
      await request(app).options("/users").expect(200);
      expect(await allowOf(app, "/users")).toBe("405 GET, HEAD, OPTIONS");
      expect(await allowOf(app, "/preflights")).toBe("404 undefined");
    });

    it("is 404 when the path has the method and its handler passed the request on", async () => {
      const app = serve((it) => {
        it.put("/users", (_req, _res, next) => {
          next();
        });
        it.get("/users", end);
        it.use(last);
      });
      expect(await allowOf(app, "/users")).toBe("404 undefined");
      expect(await allowOf(app, "/users", "options")).toBe("204 GET, HEAD, OPTIONS, PUT");
    });

    it("finds routes that are added later, and the path that a middleware wrote", async () => {
      const api = express.Router();
      const app = serve((it) => {
        it.use((req, _res, next) => {
          req.url = req.url.replace("/old/", "/new/");
          next();
        });
        it.use("/new", api);
        it.use(last);
      });
      expect(await allowOf(app, "/old/users")).toBe("404 undefined");
      api.post("/users", end);
      expect(await allowOf(app, "/old/users")).toBe("405 OPTIONS, POST");
    });

    it("tells a path with a slash from one without, as strict routers do", async () => {
      const strict = express.Router({ strict: true });
      strict.get("/users/", end);
      const app = serve((it) => {
        it.use("/api", strict);
        it.use(last);
      });
      expect(await allowOf(app, "/api/users/")).toBe("405 GET, HEAD, OPTIONS");
      expect(await allowOf(app, "/api/users")).toBe("404 undefined");
    });

    it("may stand in a router, on a path and in a mounted app", async () => {
      const child = express();
      child.get("/users/:id", end);
      child.use(last);
      const router = express.Router();
      router.post("/", end).use(last);
      const app = serve((it) => {
        it.use("/child/:org", child);
        it.use("/router", router);
        it.get("/on/a/path", end);
        it.use("/on", last);
      });
      expect(await allowOf(app, "/child/a/users/1")).toBe("405 GET, HEAD, OPTIONS");
      expect(await allowOf(app, "/router")).toBe("405 OPTIONS, POST");
      expect(await allowOf(app, "/on/a/path")).toBe("405 GET, HEAD, OPTIONS");
    });

    it("may stand behind a route for every method", async () => {
      const app = serve((it) => {
        it.all("/users", (_req, _res, next) => {
          next();
        });
        it.route("/users")
          .all((_req, _res, next) => {
            next();
          })
          .get(end);
        it.all("/users", last);
      });
      expect(await allowOf(app, "/users")).toBe("405 GET, HEAD, OPTIONS");
    });

    it("S7 finds them also where createServer made the routes faster", async () => {
      const server = createServer(nested());
      expect(await allowOf(server as never, "/api/orgs/1/users/2")).toBe("405 DELETE, GET, HEAD, OPTIONS");
      expect(await allowOf(server as never, "/api/orgs/1")).toBe("404 undefined");
    });
  });

  it("S7 parts from Express, which answers a wrong method with 404", async () => {
    const bare = express();
    bare.get("/users", (_req, res) => void res.json([]));
    const theirs = await request(bare).put("/users").expect(404);
    expect(theirs.headers).not.toHaveProperty("allow");
    expect(theirs.headers["content-type"]).toBe("text/html; charset=utf-8");
    await request(serve(users)).put("/users").expect(405);
  });
});

describe("methodNotAllowed: options", () => {
  it.each([[[]], [["get"]], [["GET", "TEA"]], [["*"]], [["GET", 1]], ["GET"], [null], [new Set(["GET"])]])(
    "refuses %p as methods",
    (methods) => {
      expect(() => methodNotAllowed({ methods } as never)).toThrow(
        new TypeError("methodNotAllowed: option `methods` must be a non-empty array of HTTP methods in upper case"),
      );
    },
  );
});
