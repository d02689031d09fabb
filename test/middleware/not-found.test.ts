import type { Application } from "express";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import { notFound } from "etiquette/not-found";
import { requestId } from "etiquette/request-id";
import { EXPRESS_VERSIONS } from "../support/express.js";

describe.each(EXPRESS_VERSIONS)("notFound() on %s", (_version, express) => {
  function serve(): Application {
    const app = express();
    app.use(requestId());
    app.get("/users", (_req, res) => void res.json([]));
    app.get("/users/:id", (_req, res) => void res.json({}));
    app.get("/answered", (_req, res, next) => {
      res.write("half");
      next();
      setTimeout(() => res.end("whole"), 5);
    });
    app.use(notFound());
    app.use(errorFormatter());
    return app;
  }

  it.each(["/", "/missing", "/api/v9/users", "/users/1/secrets", "//users", "/users/../missing", "/Users%20"])(
    "S7 answers %s, which is not documented, with 404 and the error object",
    async (path) => {
      const res = await request(serve()).get(path).expect(404);
      expect(res.body).toEqual({
        errorCode: "E0000008",
        errorSummary: "The requested path was not found",
        errorLink: "E0000008",
        errorId: res.headers["x-svc-request-id"],
        errorCauses: [],
      });
    },
  );

  it.each(["get", "head", "post", "put", "patch", "delete", "options"] as const)(
    "S7 answers %s with 404",
    async (verb) => {
      const res = await request(serve())[verb]("/missing");
      expect(res.status).toBe(404);
      expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
    },
  );

  it("S7 leaves documented paths alone", async () => {
    await request(serve()).get("/users").expect(200);
  });

  it("leaves an answer alone that is on its way", async () => {
    const res = await request(serve()).get("/answered").expect(200);
    expect(res.text).toBe("halfwhole");
  });

  it.each([
    ["/users%3Flimit=1", "%3F", "?"],
    ["/users%3flimit%3D1%26after%3Dx", "%3f", "?"],
    ["/users%23top", "%23", "#"],
    ["/api%2Fv1%2Fusers", "%2F", "/"],
    ["/https%3A//example.com/users", "%3A", ":"],
  ])("Q2 finds nothing at %s and says which delimiter was encoded", async (path, encoded, delimiter) => {
    const res = await request(serve()).get(path).expect(404);
    expect(res.body).toMatchObject({
      errorCode: "E0000008",
      errorCauses: [
        {
          errorSummary: `The path has "${encoded}", which is data. If it is a delimiter of the URL, send "${delimiter}" unencoded.`,
        },
      ],
    });
  });

  it("Q2 sees the whole path from inside a router", async () => {
    const app = express();
    const router = express.Router();
    router.use(notFound());
    app.use("/a%3Fb", router);
    app.use("/a", router);
    app.use(errorFormatter());
    const res = await request(app).get("/a/b%3Fc");
    expect(res.body.errorCauses).toHaveLength(1);
  });

  it("Q2 does not mind encoded delimiters in the query", async () => {
    const res = await request(serve()).get("/missing?filter=a%20eq%20%22b%3F%26%22").expect(404);
    expect(res.body.errorCauses).toEqual([]);
  });

  it("parts from Express's own 404, which is HTML and shows the path", async () => {
    const bare = express();
    const theirs = await request(bare).get("/<b>");
    expect(theirs.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(theirs.text).toContain("Cannot GET /%3Cb%3E");
    const ours = await request(serve()).get("/<b>");
    expect(ours.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(ours.text).not.toContain("Cannot GET");
  });
});
