import type { Express } from "express";
import request from "supertest";
import { authenticate, getPrincipal, tryGetPrincipal } from "../../middleware/authenticate.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { requireScopes, type RequireScopesOptions } from "../../middleware/require-scopes.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const REQUIRED: RequireScopesOptions = { scopes: ["users.read"], getPrincipal: tryGetPrincipal };

describe.each(EXPRESS_VERSIONS)("requireScopes on %s", (_version, express) => {
  const reported: unknown[] = [];

  beforeEach(() => {
    reported.length = 0;
  });

  /** Whoever sends `Bearer a.b/c` has the scopes a.b and c. */
  function createApp(options: Partial<RequireScopesOptions> = {}, optional = true): Express {
    const app = express();
    const verify = (token: string) => ({ subject: "joe", scopes: token.split("/") });
    app.use(authenticate({ schemes: { Bearer: verify }, optional }));
    app.get("/", requireScopes({ ...REQUIRED, ...options }), (_req, res) => res.json("users"));
    app.use(errorFormatter({ log: (error) => reported.push(error) }));
    return app;
  }

  it.each(["Bearer users.read", "Bearer users.manage/users.read"])("A2 lets %s pass", async (authorization) => {
    await request(createApp()).get("/").set("Authorization", authorization).expect(200);
  });

  it.each(["Bearer users.manage", "Bearer USERS.READ", "Bearer users.rea", "Bearer users.read.x", "Bearer /"])(
    "A2 answers %s with 403 and the scope that is needed",
    async (authorization) => {
      const res = await request(createApp()).get("/").set("Authorization", authorization);
      expect(res.status).toBe(403);
      expect(res.headers["www-authenticate"]).toBe(
        'Bearer realm="api", error="insufficient_scope", scope="users.read"',
      );
      expect(res.body).toMatchObject({
        errorCode: "E0000006",
        errorCauses: [{ errorSummary: "The credentials lack the scope users.read." }],
      });
      expect(reported).toMatchObject([{ type: "scope.insufficient" }]);
    },
  );

  it("A2 needs all scopes, and gives a cause for each that is missing", async () => {
    const app = createApp({ scopes: ["a", "b", "c"] });
    await request(app).get("/").set("Authorization", "Bearer c/b/a").expect(200);
    const res = await request(app).get("/").set("Authorization", "Bearer b");
    expect(res.body).toMatchObject({
      errorCauses: [
        { errorSummary: "The credentials lack the scope a." },
        { errorSummary: "The credentials lack the scope c." },
      ],
    });
  });

  it("A2 answers an anonymous request with 401, the scope, and no error code", async () => {
    const res = await request(createApp()).get("/");
    expect(res.status).toBe(401);
    expect(res.headers["www-authenticate"]).toBe('Bearer realm="api", scope="users.read"');
    expect(res.body).toMatchObject({
      errorCode: "E0000011",
      errorCauses: [{ errorSummary: "Authorization is missing; the operation needs the scope users.read." }],
    });
    expect(reported).toMatchObject([{ type: "credentials.missing" }]);
  });

  it("challenges with the scheme and the realm that are given", async () => {
    const app = createApp({ scheme: "SVC", realm: "acme" });
    const anonymous = await request(app).get("/");
    expect(anonymous.headers["www-authenticate"]).toBe('SVC realm="acme", scope="users.read"');
    const lacking = await request(app).get("/").set("Authorization", "Bearer x");
    expect(lacking.headers["www-authenticate"]).toBe(
      'SVC realm="acme", error="insufficient_scope", scope="users.read"',
    );
  });

  it("A2 lets nobody pass where nobody was authenticated", async () => {
    for (const [accessor, status] of [
      [tryGetPrincipal, 401],
      [getPrincipal, 500],
    ] as const) {
      const app = express();
      app.get("/", requireScopes({ scopes: ["a"], getPrincipal: accessor }), (_req, res) => res.json("users"));
      app.use(errorFormatter({ log: () => undefined }));
      await request(app).get("/").set("Authorization", "Bearer a").expect(status);
    }
  });

  it.each([[{}], [{ scopes: undefined }], [{ scopes: null }]])(
    "A2 lets the principal %j, without an array of scopes, not pass",
    async (principal) => {
      const app = createApp({ getPrincipal: () => principal as never });
      await request(app).get("/").set("Authorization", "Bearer users.read").expect(500);
    },
  );

  it("A2 takes a text that contains the scope for no scope", async () => {
    const app = createApp({ getPrincipal: () => ({ scopes: "users.read users.manage" }) as never });
    await request(app).get("/").expect(500);
    expect(reported).toEqual([new TypeError("requireScopes: `getPrincipal` must return { scopes }, or nothing")]);
  });
});

describe("the options of requireScopes", () => {
  it.each([[undefined], [[]], ["users.read"], [["a b"]], [[""]]])("refuses %p for scopes", (scopes) => {
    expect(() => requireScopes({ ...REQUIRED, scopes: scopes as never })).toThrow(
      /^requireScopes: option `scopes` must be an? /,
    );
  });

  it.each([[undefined], [{}]])("refuses %p for getPrincipal", (accessor) => {
    expect(() => requireScopes({ ...REQUIRED, getPrincipal: accessor as never })).toThrow(
      "requireScopes: option `getPrincipal` must be a function",
    );
  });

  it.each([["a b"], [""], [7]])("refuses %p for scheme", (scheme) => {
    expect(() => requireScopes({ ...REQUIRED, scheme: scheme as never })).toThrow(
      /^requireScopes: option `scheme` must be/,
    );
  });

  it.each([["a\nb"], [""], [7]])("refuses %p for realm", (realm) => {
    expect(() => requireScopes({ ...REQUIRED, realm: realm as never })).toThrow(
      /^requireScopes: option `realm` must be/,
    );
  });
});
