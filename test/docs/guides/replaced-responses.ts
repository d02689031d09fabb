import cors, { type CorsOptions } from "cors";
import etag from "etag";
import type { Express } from "express";
import { rateLimit, type Options as LimiterOptions, type Store } from "express-rate-limit";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { operationCors, type OperationCorsOptions } from "etiquette/operation-cors";
import { expressRateLimit, rateLimitHeaders } from "etiquette/rate-limit-headers";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";
import { accepts, status, type Framework, type Row, type Side } from "./replaced.js";

/** The lines of docs/guides/from-other-packages.md about responses. */

interface User {
  id: string;
  name: string;
  lastLogin: number;
}

/** Each GET changes when the user signed in last, if `signsIn`. */
function createUsers(express: Framework, side: Side, signsIn = false): Express {
  const user: User = { id: "1", name: "Ann", lastLogin: 0 };
  const read = (): User => ({ ...user, lastLogin: signsIn ? ++user.lastLogin : 0 });
  const app = express();
  if (side === "package") {
    app.get("/users/1", (_req, res) => {
      const current = read();
      res.set("ETag", etag(JSON.stringify(current), { weak: true })).json(current);
    });
    app.put("/users/1", (_req, res) => void res.json(user));
  } else {
    app.disable("etag");
    const tagged = weakEtag({ fields: ["id", "name"] });
    app.get("/users/1", tagged, (req) => {
      getEntityTag(req).send(read());
    });
    app.put("/users/1", tagged, (req, _res, next) => {
      try {
        getEntityTag(req).assert(user);
        getEntityTag(req).send(user);
      } catch (error) {
        next(error);
      }
    });
  }
  app.get("/plain", (_req, res) => void res.json({}));
  return app.use(errorFormatter({ log: false }));
}

const tagOf = async (app: Express, path = "/users/1"): Promise<string | undefined> =>
  (await request(app).get(path)).headers["etag"];

const getAgain =
  (signsIn: boolean): Row =>
  async (express, side) => {
    const app = createUsers(express, side, signsIn);
    return (await tagOf(app)) === (await tagOf(app)) ? "the same tag" : "another tag";
  };

const conditional =
  (fields: Record<string, string>): Row =>
  async (express, side) => {
    const app = createUsers(express, side);
    const tag = String(await tagOf(app));
    return status(
      request(app)
        .get("/users/1")
        .set({ "If-None-Match": tag, ...fields }),
    );
  };

export const ETAG: Readonly<Record<string, Row>> = {
  "GET again": getAgain(false),
  "GET again, after only `lastLogin` changed": getAgain(true),
  "`If-None-Match` with the tag": conditional({}),
  "the same with `Cache-Control: no-cache`": conditional({ "Cache-Control": "no-cache" }),
  "a malformed `If-None-Match`": conditional({ "If-None-Match": "W/abc" }),
  "PUT with a stale `If-Match`": async (express, side) => {
    const code = await status(request(createUsers(express, side)).put("/users/1").set("If-Match", 'W/"1.stale"'));
    return code === "200" ? "200, an update is lost" : code;
  },
  "a response that nobody tagged": async (express, side) =>
    (await tagOf(createUsers(express, side), "/plain")) === undefined ? "no tag" : "a tag",
};

const APP = "https://app.example.com";
const EVIL = "https://evilexample.com";

function createShared(express: Framework, side: Side, options: object = { origin: [APP] }): Express {
  const app = express();
  if (side === "package") app.use(cors(options));
  else app.use(operationCors(options as Pick<OperationCorsOptions, "origin">));
  app
    .route("/users")
    .get((_req, res) => void res.json([]))
    .post((_req, res) => void res.json({}))
    .all(methodNotAllowed());
  return app.use(errorFormatter({ log: false }));
}

const ask = (app: Express, origin: string) => request(app).get("/users").set("Origin", origin);

const preflight = (app: Express, method: string, origin = APP, path = "/users") =>
  request(app).options(path).set("Origin", origin).set("Access-Control-Request-Method", method);

async function granted(sent: request.Test): Promise<string> {
  const { status, headers } = await sent;
  if (headers["access-control-allow-origin"] !== undefined) return `${status}, allowed`;
  return headers["access-control-allow-methods"] === undefined ? String(status) : `${status}, methods named`;
}

const origins =
  (origin: CorsOptions["origin"], sent: string, allowed: string, denied = "never allowed"): Row =>
  async (express, side) => {
    if (side === "ours") return accepts(() => createShared(express, side, { origin }));
    const { headers } = await ask(createShared(express, side, { origin }), sent);
    return headers["access-control-allow-origin"] === undefined ? denied : allowed;
  };

export const CORS: Readonly<Record<string, Row>> = {
  "GET of the origin": async (express, side) => (await granted(ask(createShared(express, side), APP))).slice(5),
  "a preflight of the origin for POST": (express, side) => status(preflight(createShared(express, side), "POST")),
  "a preflight for DELETE, which no route has": (express, side) =>
    granted(preflight(createShared(express, side), "DELETE")),
  "a preflight of another origin": (express, side) => granted(preflight(createShared(express, side), "POST", EVIL)),
  "a preflight for a path that doesn't exist": (express, side) =>
    granted(preflight(createShared(express, side), "GET", APP, "/nowhere")),
  "what a page may read besides the body": async (express, side) => {
    const exposed = (await ask(createShared(express, side), APP)).headers["access-control-expose-headers"];
    if (exposed === undefined) return "nothing";
    const names = ["Link", "ETag", "X-Svc-Request-Id", "X-Rate-Limit-Limit", "Retry-After"];
    expect(exposed.split(/, */)).toEqual(expect.arrayContaining(names));
    return "`Link`, `ETag`, ids and limits";
  },
  "no options": async (express, side) => {
    if (side === "ours") return accepts(() => operationCors({} as OperationCorsOptions));
    const { headers } = await ask(createShared(express, side, {}), EVIL);
    return headers["access-control-allow-origin"] === "*" ? "every origin" : "no origin";
  },
  "`origin: /example\\.com$/`": origins(/example\.com$/, EVIL, "also `evilexample.com`"),
  '`origin: ["null"]`': origins(["null"], "null", "accepted"),
  '`origin: ["https://app.example.com/"]`': origins([`${APP}/`], APP, "allowed"),
  '`origin: "*"` with `credentials`': (express, side) =>
    accepts(() => createShared(express, side, { origin: "*", credentials: true })),
};

function createLimited(express: Framework, side: Side, options: Partial<LimiterOptions> = {}): Express {
  const all = { windowMs: 60_000, limit: 2, ...options };
  const app = express();
  if (side === "package") app.use(rateLimit(all));
  else app.use(rateLimitHeaders({ consume: expressRateLimit(rateLimit, all) }));
  app.get("/", (_req, res) => void res.json({}));
  return app.use(errorFormatter({ log: false }));
}

async function refused(app: Express): Promise<request.Response> {
  for (let sent = 0; sent < 2; sent++) await request(app).get("/").expect(200);
  return request(app).get("/");
}

const createBrokenStore = (): Store => ({
  increment: () => Promise.reject(new Error("store down")),
  decrement: () => undefined,
  resetKey: () => undefined,
});

export const RATE_LIMIT: Readonly<Record<string, Row>> = {
  "within the limit": (express, side) => status(request(createLimited(express, side)).get("/")),
  "the fields": async (express, side) => {
    const { res } = (await request(createLimited(express, side)).get("/")) as unknown as {
      res: { rawHeaders: string[] };
    };
    const [first = "", ...others] = res.rawHeaders.filter((name) => /^X-Rate-?Limit-/.test(name));
    return [first, ...others.map((name) => name.slice(name.lastIndexOf("-")))].map((name) => `\`${name}\``).join(", ");
  },
  "over the limit": async (express, side) => {
    const { status, body, text } = await refused(createLimited(express, side));
    if (side === "package") expect(text).toContain("Too many requests");
    return `${status}, ${body.errorCode === "E0000047" ? "error object" : "text"}`;
  },
  "`Retry-After` over the limit": async (express, side) =>
    "retry-after" in (await refused(createLimited(express, side))).headers ? "yes" : "no",
  "the store fails": (express, side) =>
    status(request(createLimited(express, side, { store: createBrokenStore() })).get("/")),
  '`message: "Slow down"`': (express, side) => accepts(() => createLimited(express, side, { message: "Slow down" })),
};
