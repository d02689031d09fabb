import type { Application } from "express";
import request from "supertest";
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

  it.each([
    ["use", (app: Application) => app.use("/users", methodNotAllowed())],
    ["all", (app: Application) => app.all("/users", methodNotAllowed())],
  ])("says in the log that it is mounted with %s and knows no methods", async (_title, mount) => {
    const res = await request(serve((app) => void mount(app))).get("/users");
    expect(res.status).toBe(500);
    expect(res.headers).not.toHaveProperty("allow");
    expect(logged).toEqual([
      new TypeError("methodNotAllowed: mount it on a route that has methods, or give option `methods`"),
    ]);
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
