import cors, { type CorsOptions } from "cors";
import express, { type Express } from "express";
import fc from "fast-check";
import request from "supertest";
import { operationCors, type OperationCorsOptions } from "../../middleware/operation-cors.js";

const APP = "https://app.example.com";
const EVIL = "https://evilexample.com";
const EXPOSED = ["ETag", "Link"];

const PEER: CorsOptions = { origin: [APP], credentials: true, exposedHeaders: EXPOSED };
const OURS: OperationCorsOptions = {
  origin: [APP],
  credentials: true,
  exposedHeaders: EXPOSED,
  operations: { GET: {} },
};

/** As the README of the package mounts it. */
function peer(options: CorsOptions = PEER): Express {
  const app = express();
  app.use(cors(options));
  return withRoute(app);
}

function ours(options: OperationCorsOptions = OURS): Express {
  const app = express();
  app.all("/users", operationCors(options));
  return withRoute(app);
}

function withRoute(app: Express): Express {
  app
    .route("/users")
    .get((_req, res) => res.json([]))
    .delete((_req, res) => res.end());
  return app;
}

type Fields = Record<string, string>;

function corsFields({ headers }: { headers: Fields }): Fields {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith("access-control-") || name === "vary"),
  );
}

async function get(app: Express, origin?: string): Promise<Fields> {
  const test = request(app).get("/users");
  return corsFields(await (origin === undefined ? test : test.set("Origin", origin)));
}

async function preflight(app: Express, method: string, origin = APP, path = "/users"): Promise<[number, Fields]> {
  const response = await request(app)
    .options(path)
    .set("Origin", origin)
    .set("Access-Control-Request-Method", method)
    .set("Access-Control-Request-Headers", "x-anything");
  return [response.status, corsFields(response)];
}

describe("operationCors and cors", () => {
  it("answer an allowed simple request alike, with and without credentials", async () => {
    for (const credentials of [true, false]) {
      const theirs = await get(peer({ ...PEER, credentials }), APP);
      expect(theirs["access-control-allow-origin"]).toBe(APP);
      expect(await get(ours({ ...OURS, credentials }), APP)).toEqual(theirs);
    }
  });

  it("answer everyone alike when it is public", async () => {
    const theirs = await get(peer({ exposedHeaders: EXPOSED }), APP);
    expect(theirs["access-control-allow-origin"]).toBe("*");
    expect(await get(ours({ ...OURS, credentials: false, origin: "*" }), APP)).toEqual(theirs);
  });

  it("answer an allowed preflight alike when the package is told all about the one operation", async () => {
    const allowedHeaders = ["X-Anything"];
    const theirs = await preflight(peer({ origin: [APP], methods: ["GET"], allowedHeaders, maxAge: 5 }), "GET");
    const [status, fields] = await preflight(
      ours({ origin: [APP], operations: { GET: { allowedHeaders } }, maxAge: 5 }),
      "GET",
    );
    expect(status).toBe(204);
    const vary = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"; // what ours depends on
    expect([status, fields]).toEqual([theirs[0], { ...theirs[1], vary }]);
  });

  it("trust the same origins of a list", async () => {
    const origin = fc.constantFrom(
      APP,
      EVIL,
      "http://app.example.com",
      `${APP}:8443`,
      `${APP}/`,
      `${APP}.evil.example`,
      "null",
    );
    const [theirs, own] = [peer(), ours()];
    await fc.assert(
      fc.asyncProperty(origin, async (sent) => {
        const granted = (fields: Fields) => fields["access-control-allow-origin"];
        expect(granted(await get(own, sent))).toBe(granted(await get(theirs, sent)));
      }),
      { numRuns: 20 },
    );
  });
});

describe("operationCors differs from cors on purpose:", () => {
  it("O3 a denied origin gets nothing but Vary", async () => {
    expect(await get(peer(), EVIL)).toEqual({
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "ETag,Link",
      vary: "Origin",
    });
    expect(await get(ours(), EVIL)).toEqual({ vary: "Origin" });
  });

  it("O3 a denied preflight is told neither methods nor headers", async () => {
    const [peerStatus, theirs] = await preflight(peer(), "DELETE", EVIL);
    expect(peerStatus).toBe(204);
    expect(theirs).toMatchObject({
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
      "access-control-allow-headers": "x-anything",
    });
    const [status, fields] = await preflight(ours(), "DELETE", EVIL);
    expect([status, Object.keys(fields)]).toEqual([403, ["vary"]]);
  });

  it("O1 an operation that is not marked is not granted, nor are headers that it has not", async () => {
    for (const method of ["DELETE", "GET"]) {
      const [peerStatus, theirs] = await preflight(peer(), method);
      expect([peerStatus, theirs["access-control-allow-headers"]]).toEqual([204, "x-anything"]);
      const [status, fields] = await preflight(ours(), method);
      expect([status, Object.keys(fields)]).toEqual([403, ["vary"]]);
    }
    expect((await request(peer()).delete("/users").set("Origin", APP)).headers).toHaveProperty(
      "access-control-allow-origin",
    );
    expect((await request(ours()).delete("/users").set("Origin", APP)).headers).not.toHaveProperty(
      "access-control-allow-origin",
    );
  });

  it("O1 a preflight for a path that does not exist is 404", async () => {
    expect((await preflight(peer(), "GET", APP, "/nowhere"))[0]).toBe(204);
    expect(await preflight(ours(), "GET", APP, "/nowhere")).toEqual([404, {}]);
  });

  it("O1 an OPTIONS that asks for no method is no preflight", async () => {
    const theirs = await request(peer()).options("/users");
    expect([theirs.status, theirs.headers["access-control-allow-methods"]]).toEqual([
      204,
      "GET,HEAD,PUT,PATCH,POST,DELETE",
    ]);
    const own = await request(ours()).options("/users").set("Origin", APP);
    expect([own.status, own.headers["allow"]]).toEqual([200, expect.stringContaining("GET")]);
    expect(own.headers).not.toHaveProperty("access-control-allow-methods");
  });

  it("O2 the function that gives the origins sees the request, and fails closed", async () => {
    const seen: unknown[][] = [];
    const theirs = peer({
      origin: (...args: unknown[]) => {
        seen.push(args);
        (args[1] as (error: Error) => void)(new Error("store down"));
      },
    });
    expect((await request(theirs).get("/users").set("Origin", APP)).status).toBe(500);
    expect(seen).toEqual([[APP, expect.any(Function)]]);

    const asked: string[] = [];
    const origin = (req: express.Request): never => {
      asked.push(req.path);
      throw new Error("store down");
    };
    const own = ours({ ...OURS, origin, log: () => undefined });
    const response = await request(own).get("/users").set("Origin", APP);
    expect([response.status, corsFields(response)]).toEqual([200, { vary: "Origin" }]);
    expect(asked).toEqual(["/users"]);
  });

  it("O2 no regular expression is taken: most let in an origin that only ends alike", async () => {
    expect(await get(peer({ origin: /example\.com$/ }), EVIL)).toMatchObject({ "access-control-allow-origin": EVIL });
    expect(() => ours({ ...OURS, origin: [/example\.com$/] as never })).toThrow(TypeError);
  });

  it("O2 `null` is no origin to trust, nor is an origin in another form", async () => {
    expect(await get(peer({ origin: ["null"] }), "null")).toMatchObject({ "access-control-allow-origin": "null" });
    expect(() => ours({ ...OURS, origin: ["null"] })).toThrow(TypeError);

    expect(await get(peer({ origin: [`${APP}/`] }), APP)).not.toHaveProperty("access-control-allow-origin");
    expect(() => ours({ ...OURS, origin: [`${APP}/`] })).toThrow(`write "${APP}" for "${APP}/"`);
  });

  it("O3 an answer that depends on the origin says so also without one", async () => {
    const byFunction = (_origin: string | undefined, done: (error: null, allow: boolean) => void) => {
      done(null, false);
    };
    expect(await get(peer({ origin: byFunction }))).toEqual({});
    expect(await get(ours({ ...OURS, origin: () => [] }))).toEqual({ vary: "Origin" });
  });

  it("O4 everyone and credentials exclude each other", async () => {
    expect(await get(peer({ credentials: true }), EVIL)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-credentials": "true",
    });
    expect(() => ours({ ...OURS, origin: "*" })).toThrow(TypeError);
  });

  it("O3 an error can be read: a guard that comes first with the package leaves a page without a reason", async () => {
    const refuse: express.RequestHandler = (_req, res) => {
      res.status(401).end();
    };
    const theirs = express();
    theirs.use(refuse);
    theirs.get("/users", cors(PEER), (_req, res) => res.json([]));
    expect(await get(theirs, APP)).toEqual({});

    const own = express();
    own.all("/users", operationCors(OURS));
    own.use(refuse);
    expect(await get(own, APP)).toMatchObject({ "access-control-allow-origin": APP });
    expect((await preflight(own, "DELETE"))[0]).toBe(403);
  });
});
