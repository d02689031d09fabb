import type { Express, Request, RequestHandler } from "express";
import request from "supertest";
import { routePatternOf } from "../../../lib/express/index.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";

describe.each(EXPRESS_VERSIONS)("routePatternOf() on %s", (version, express) => {
  const end: RequestHandler = (_req, res) => void res.end();

  /** What it returns when the response to `path` is over. */
  async function patternOf(app: Express, path: string): Promise<string | undefined> {
    const outer = express();
    let found: string | undefined = "not called";
    outer.use((req, res, next) => {
      res.once("close", () => (found = routePatternOf(req)));
      next();
    }, app);
    await request(outer).get(path);
    return found;
  }

  it.each([
    ["/", "/"],
    ["/users/7", "/users/:id"],
    ["/users/7?a=/b", "/users/:id"],
    ["/api", "/api"],
    ["/api/things/7", "/api/things/:id"],
    ["/orgs/acme/things/7", "/orgs/:org/things/:id"],
    ["/orgs/a%20b/things/7", "/orgs/:org/things/:id"],
    ["/orgs/orgs/things/7", version === "Express 4" ? "/:org/:org/things/:id" : "/orgs/:org/things/:id"],
    ["/x-a.b/things/7", version === "Express 4" ? "/…/things/:id" : "/x-:a.:b/things/:id"],
    ["/second/things/7", version === "Express 4" ? "/second/things/:id" : "/first/things/:id"],
    ["/deep/1/2/things/7", "/deep/:a/:b/things/:id"],
    ["/mounted/users/7", "/mounted/users/:id"],
    ["/middleware/7", undefined],
    ["/nowhere", undefined],
  ])("GET %s is %s", async (path, pattern) => {
    const things = (): Express => express.Router().get("/", end).get("/things/:id", end) as unknown as Express;
    const app = express();
    app.get("/", end);
    app.get("/users/:id", end);
    app.use("/api", things());
    app.use("/orgs/:org", things());
    app.use("/x-:a.:b", things());
    app.use(["/first", "/second"], things());
    app.use("/deep/:a", express.Router().use("/:b", things()));
    app.use("/mounted", express().get("/users/:id", end));
    app.use("/middleware", end);
    expect(await patternOf(app, path)).toBe(pattern);
  });

  it("has a route whose path is a regular expression, and returns nothing for what is no request of Express", async () => {
    const app = express();
    app.get(/^\/[0-9]+$/, end);
    expect(await patternOf(app, "/77")).toBe("/^\\/[0-9]+$/");
    expect(routePatternOf({} as Request)).toBeUndefined();
    expect(
      routePatternOf({
        route: { path: "/" },
        get app() {
          throw new Error("none");
        },
      } as unknown as Request),
    ).toBeUndefined();
  });
});
