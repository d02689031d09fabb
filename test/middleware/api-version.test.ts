import type { Express, Request, RequestHandler } from "express";
import request from "supertest";
import { apiVersion, getApiVersion, tryGetApiVersion, type ApiVersionOptions } from "../../middleware/api-version.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { notFound } from "../../middleware/not-found.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const DEPRECATED = new Date("2026-01-01T00:00:00.900Z");
const SUNSET = new Date("2026-07-01T00:00:00.000Z");
const V1 = { deprecated: DEPRECATED, sunset: SUNSET, successor: "https://acme.example.com/api/v2" };
const ANNOUNCEMENT = {
  deprecation: "@1767225600",
  sunset: "Wed, 01 Jul 2026 00:00:00 GMT",
  link: '<https://acme.example.com/api/v2>; rel="successor-version"',
};

describe.each(EXPRESS_VERSIONS)("apiVersion on %s", (_version, express) => {
  function serve(options: Partial<ApiVersionOptions> = {}): Express {
    const app = express();
    app.use("/api", apiVersion({ versions: { v1: V1, v2: {} }, now: () => SUNSET.getTime() - 1, ...options }));
    for (const version of ["v1", "v2"]) {
      app.get(`/api/${version}/users`, (req, res) => {
        res.append("Link", '<https://acme.example.com/api/v1/users>; rel="self"').json(getApiVersion(req));
      });
    }
    app.get("/api/openapi.json", (req, res) => {
      res.json(tryGetApiVersion(req) ?? null);
    });
    app.use(notFound());
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  it("N1 serves the versions side by side, and tells the handler which", async () => {
    await request(serve()).get("/api/v1/users?limit=1").expect(200, '"v1"');
    await request(serve()).get("/api/v2/users").expect(200, '"v2"');
  });

  it.each(["/api/v3/users", "/api/v3", "/api/V1/users", "/api/v01/users", "/api/v0/"])(
    "N1 answers %s, a version that is not served, with 404",
    async (path) => {
      const res = await request(serve()).get(path).expect(404);
      expect(res.body).toMatchObject({
        errorCode: "E0000008",
        errorCauses: [{ errorSummary: expect.stringContaining("served: v1, v2.") as string }],
      });
    },
  );

  it.each(["/api", "/api/", "/api/users", "/api/%76%31/users", "/api/version1/users", "/api/toString"])(
    "N1 leaves %s, which names no version, to the other routes",
    async (path) => {
      const res = await request(serve()).get(path).expect(404);
      expect(res.body).toMatchObject({ errorCode: "E0000008", errorCauses: [] });
    },
  );

  it("has no version where the path names none", async () => {
    await request(serve()).get("/api/openapi.json").expect(200, "null");
    expect(() => getApiVersion({})).toThrow(/^apiVersion\(\) did not run/);
    const app = express();
    app.use(apiVersion({ versions: { v1: {} } }), ((req, res) => {
      expect(() => getApiVersion(req)).toThrow("apiVersion() ran, but the path of this request names no version");
      res.end();
    }) satisfies RequestHandler);
    await request(app).get("/users").expect(200);
  });

  it("N2 announces the end of a deprecated version, beside other links", async () => {
    const res = await request(serve()).get("/api/v1/users").expect(200);
    expect(res.headers).toMatchObject({ deprecation: ANNOUNCEMENT.deprecation, sunset: ANNOUNCEMENT.sunset });
    expect(res.headers["link"]).toBe(`${ANNOUNCEMENT.link}, <https://acme.example.com/api/v1/users>; rel="self"`);
  });

  it("N2 announces it on errors too", async () => {
    const res = await request(serve()).get("/api/v1/nowhere").expect(404);
    expect(res.headers).toMatchObject(ANNOUNCEMENT);
  });

  it("N2 announces nothing of a current version", async () => {
    const { headers } = await request(serve()).get("/api/v2/users").expect(200);
    expect(headers).not.toHaveProperty("deprecation");
    expect(headers).not.toHaveProperty("sunset");
    expect(headers["link"]).not.toContain("successor");
  });

  it.each([
    [SUNSET.getTime() - 1, 200],
    [SUNSET.getTime(), 410],
    [SUNSET.getTime() + 1, 410],
  ])("N2 answers a version whose end is at hand, at %d, with %d", async (time, status) => {
    const res = await request(serve({ now: () => time }))
      .get("/api/v1/users")
      .expect(status);
    expect(res.headers).toMatchObject({ deprecation: ANNOUNCEMENT.deprecation });
    if (status === 410) {
      expect(res.body).toMatchObject({
        errorCode: "E0000215",
        errorCauses: [{ errorSummary: 'Version "v1" of this operation has ended.' }],
      });
      await request(serve({ now: () => time }))
        .post("/api/v1/nowhere")
        .expect(410);
    }
  });

  it("N2 announces and ends only the operation on whose route it is", async () => {
    let time = SUNSET.getTime() - 1;
    const app = express();
    const api = express.Router();
    const successor = (req: Request) => req.path.replace("/v1/", "https://acme.example.com/api/v2/");
    api.use(apiVersion({ versions: { v1: {}, v2: {} } }));
    api.get("/v1/users/:id", apiVersion({ versions: { v1: { ...V1, successor } }, now: () => time }));
    api.all(["/v1/users/:id", "/v1/zones"], (_req, res) => {
      res.json([]);
    });
    app.use("/api", api);
    app.use(errorFormatter({ log: () => undefined }));

    const link = '<https://acme.example.com/api/v2/users/1>; rel="successor-version"';
    const { headers } = await request(app).get("/api/v1/users/1?x").expect(200);
    expect(headers).toMatchObject({ ...ANNOUNCEMENT, link });
    time += 1;
    expect((await request(app).get("/api/v1/users/1").expect(410)).headers).toMatchObject({ ...ANNOUNCEMENT, link });
    for (const [method, path] of [
      ["delete", "/api/v1/users/1"],
      ["get", "/api/v1/zones"],
    ] as const) {
      const other = await request(app)[method](path).expect(200);
      for (const field of ["deprecation", "sunset", "link"]) expect(other.headers).not.toHaveProperty(field);
    }
  });

  it("N2 names a page on how to move, and takes links from functions of the request", async () => {
    const v1 = {
      successor: (req: { hostname: string }) =>
        `https://${req.hostname === "127.0.0.1" ? "acme" : "x"}.example.com/api/v2`,
      documentation: "https://docs.example.com/move",
    };
    const res = await request(serve({ versions: { v1 } })).get("/api/v1/nowhere");
    expect(res.headers["link"]).toBe(
      '<https://acme.example.com/api/v2>; rel="successor-version", <https://docs.example.com/move>; rel="deprecation"',
    );
    expect(res.headers).not.toHaveProperty("deprecation");
  });

  it("answers 500 when such a function returns what would break the header", async () => {
    const v1 = { successor: () => 'https://a/>; rel="x"' };
    const res = await request(serve({ versions: { v1 } }))
      .get("/api/v1/users")
      .expect(500);
    expect(res.headers).not.toHaveProperty("link");
  });
});

describe("apiVersion options", () => {
  it("uses the real time by default", async () => {
    const express = EXPRESS_VERSIONS[1]![1];
    const app = express();
    app.use(apiVersion({ versions: { v1: { sunset: new Date(0) } } }));
    await request(app).get("/v1").expect(410);
  });

  it.each([
    [{}, "versions"],
    [{ versions: {} }, "versions"],
    [{ versions: null }, "versions"],
    [{ versions: { one: {} } }, "versions"],
    [{ versions: { v0: {} } }, "versions"],
    [{ versions: { v1: { deprecated: "2026-01-01" } } }, "versions.v1.deprecated"],
    [{ versions: { v1: { sunset: new Date(NaN) } } }, "versions.v1.sunset"],
    [{ versions: { v1: { deprecated: new Date(1), sunset: new Date(0) } } }, "versions.v1.sunset"],
    [{ versions: { v1: { successor: "v2" } } }, "versions.v1.successor"],
    [{ versions: { v1: { documentation: 1 } } }, "versions.v1.documentation"],
    [{ versions: { v1: {} }, now: 0 }, "now"],
  ])("refuses %j", (options, option) => {
    expect(() => apiVersion(options as never)).toThrow(TypeError);
    expect(() => apiVersion(options as never)).toThrow(`apiVersion: option \`${option}\` must be`);
  });

  it("refuses a misspelled member of a version", () => {
    expect(() => apiVersion({ versions: { v1: { sunsett: SUNSET } as never } })).toThrow("option `sunsett` is unknown");
  });

  it("takes a sunset at the instant of the deprecation", () => {
    expect(() => apiVersion({ versions: { v1: { deprecated: SUNSET, sunset: SUNSET } } })).not.toThrow();
  });
});
