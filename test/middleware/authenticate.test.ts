import { createServer } from "node:http";
import type { Express, Request } from "express";
import request from "supertest";
import {
  authenticate,
  getPrincipal,
  tryGetPrincipal,
  type AuthenticateOptions,
  type Principal,
} from "../../middleware/authenticate.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, parseAnswer } from "../support/raw-socket.js";

const JOE: Principal = { subject: "joe", scopes: ["users.read"], claims: { org: "acme" } };
const BOT: Principal = { subject: "bot", scopes: [] };

const SCHEMES: AuthenticateOptions["schemes"] = {
  Bearer: (token) => (token === "joe" ? JOE : undefined),
  SVC: (token) => Promise.resolve(token === "bot" ? BOT : null),
};

const MISSING = 'Bearer realm="api", SVC realm="api"';

describe.each(EXPRESS_VERSIONS)("authenticate on %s", (_version, express) => {
  const reported: unknown[] = [];
  let reached: number;

  beforeEach(() => {
    reported.length = 0;
    reached = 0;
  });

  function createApp(options: Partial<AuthenticateOptions> = {}): Express {
    const app = express();
    app.use(authenticate({ schemes: SCHEMES, ...options }));
    app.use((req, res) => {
      reached += 1;
      res.json({ principal: tryGetPrincipal(req) ?? "anonymous" });
    });
    app.use(errorFormatter({ log: (error) => reported.push(error) }));
    return app;
  }

  function get(app: Express, authorization?: string) {
    const test = request(app).get("/");
    return authorization === undefined ? test : test.set("Authorization", authorization);
  }

  function causes(res: request.Response): string[] {
    return (res.body as { errorCauses: { errorSummary: string }[] }).errorCauses.map((cause) => cause.errorSummary);
  }

  describe("good credentials", () => {
    it.each([
      ["Bearer joe", JOE],
      ["bearer joe", JOE],
      ["BEARER   joe", JOE],
      ["SVC bot", BOT],
      ["svc bot", BOT],
    ])("A1 lets %j pass", async (authorization, principal) => {
      const res = await get(createApp(), authorization);
      expect(res.status).toBe(200);
      expect(res.body).toEqual({ principal });
      expect(res.headers).not.toHaveProperty("www-authenticate");
      expect(res.headers).not.toHaveProperty("vary");
    });

    it("A1 hands the verifier the token as it came, and the request", async () => {
      const seen: unknown[] = [];
      const verify = (token: string, req: Request) => {
        seen.push(token, req.path);
        return JOE;
      };
      const app = createApp({ schemes: { Bearer: verify } });
      await request(app).get("/users").set("Authorization", "Bearer aZ09-._~+/==").expect(200);
      expect(seen).toEqual(["aZ09-._~+/==", "/users"]);
    });

    it("A1 does not take a token of one scheme to the verifier of another", async () => {
      expect((await get(createApp(), "SVC joe")).status).toBe(401);
      expect((await get(createApp(), "Bearer bot")).status).toBe(401);
    });

    it.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("A1 guards %s", async (method) => {
      const server = createServer(createApp());
      try {
        const port = await listen(server);
        const head = `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n`;
        expect(await exchange(port, `${head}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
        expect(await exchange(port, `${head}Authorization: Bearer joe\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
        expect(reached).toBe(1);
      } finally {
        server.close();
      }
    });
  });

  describe("refusals", () => {
    it("A2 answers 401 and challenges with every scheme when there are none, without an error code", async () => {
      const res = await get(createApp());
      expect(res.status).toBe(401);
      expect(res.headers["www-authenticate"]).toBe(MISSING);
      expect(res.headers["cache-control"]).toBe("no-store");
      expect(res.body).toMatchObject({ errorCode: "E0000011", errorSummary: "Invalid token provided" });
      expect(causes(res)).toEqual(["Authorization is missing; accepted: Bearer, SVC."]);
      expect(reported).toMatchObject([{ type: "credentials.missing", status: 401 }]);
      expect(reached).toBe(0);
    });

    it.each([
      ["Bearer guess", 'Bearer realm="api", error="invalid_token", SVC realm="api"'],
      ["svc guess", 'Bearer realm="api", SVC realm="api", error="invalid_token"'],
    ])("A2 answers %j with 401 and the error at its scheme", async (authorization, challenges) => {
      const res = await get(createApp(), authorization);
      expect(res.status).toBe(401);
      expect(res.headers["www-authenticate"]).toBe(challenges);
      expect(res.body).toMatchObject({ errorCode: "E0000011" });
      expect(reported).toMatchObject([{ type: "credentials.invalid" }]);
      expect(reached).toBe(0);
    });

    it.each(["Basic am9lOnB3", "Bear joe", "Bearer2 joe", "joe", "", "__proto__ joe", "constructor joe", "=", ",,"])(
      "A2 gives %j, of no scheme that is accepted, no error code",
      async (authorization) => {
        const res = await get(createApp(), authorization);
        expect(res.status).toBe(401);
        expect(res.headers["www-authenticate"]).toBe(MISSING);
        expect(causes(res)).toEqual(["Authorization does not begin with an accepted scheme; accepted: Bearer, SVC."]);
        expect(reached).toBe(0);
      },
    );

    it.each(["Bearer", "Bearer joe joe", "Bearer joe,SVC bot", "Bearer =", 'Bearer token="joe"', "Bearer j\u00f6e"])(
      "A2 refuses %j before the verifier sees it",
      async (authorization) => {
        const verify = jest.fn(() => JOE);
        const server = createServer(createApp({ schemes: { Bearer: verify } }));
        try {
          const head = `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: ${authorization}\r\n\r\n`;
          const answer = parseAnswer(await exchange(await listen(server), head));
          expect(answer.status).toBe(401);
          expect(answer.headers["www-authenticate"]).toBe('Bearer realm="api", error="invalid_token"');
          expect(answer.body).toContain("Authorization must be Bearer, a space, and one token");
          expect(reported).toMatchObject([{ type: "credentials.malformed" }]);
          expect(verify).not.toHaveBeenCalled();
        } finally {
          server.close();
        }
      },
    );

    it.each([
      [8191, 200],
      [8192, 200],
      [8193, 401],
    ])("A2 answers a token of %i characters with %i", async (length, status) => {
      const res = await get(createApp({ schemes: { Bearer: () => JOE } }), `Bearer ${"x".repeat(length)}`);
      expect(res.status).toBe(status);
      if (status === 401) expect(causes(res)).toEqual(["The token in Authorization is longer than 8192 characters."]);
    });

    it.each([
      ["Bearer joe", "Bearer guess"],
      ["Bearer guess", "Bearer joe"],
      ["Bearer joe", "Bearer joe"],
      ["Bearer joe", "SVC bot"],
      ["Bearer joe", ""],
    ])("A2 refuses the two lines %j and %j, of which Express shows the first alone", async (first, second) => {
      const plain = express();
      plain.use((req, res) => res.json(req.headers.authorization));
      const bytes =
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" +
        `Authorization: ${first}\r\nAUTHORIZATION: ${second}\r\n\r\n`;
      const servers = [createServer(plain), createServer(createApp())];
      try {
        const [peer, ours] = await Promise.all(
          servers.map(async (server) => parseAnswer(await exchange(await listen(server), bytes))),
        );
        expect(peer?.body).toBe(JSON.stringify(first));
        expect(ours?.status).toBe(401);
        expect(ours?.body).toContain("Authorization comes more than once; send one.");
        expect(reached).toBe(0);
      } finally {
        for (const server of servers) server.close();
      }
    });

    it("A2 repeats nothing of what was sent, nor does the error", async () => {
      const secret = "s3cr3t-s3cr3t";
      for (const authorization of [secret, `${secret} x`, `Bearer ${secret}`, `Bearer ${secret} x`, `SVC ${secret}`]) {
        const res = await get(createApp(), authorization);
        expect(res.status).toBe(401);
        expect(JSON.stringify([res.headers, res.text])).not.toContain(secret);
      }
      const texts = reported.map((error) => JSON.stringify(error) + String(error) + String((error as Error).stack));
      expect(texts).toHaveLength(5);
      expect(texts.join()).not.toContain(secret);
    });

    it("A2 ignores tokens in the query and in cookies", async () => {
      const res = await request(createApp()).get("/?access_token=joe").set("Cookie", "access_token=joe");
      expect(res.status).toBe(401);
    });
  });

  describe("a verifier that fails", () => {
    it.each([
      ["throws", () => raise(new Error("ECONNREFUSED db.internal"))],
      ["rejects", () => Promise.reject(new Error("ECONNREFUSED db.internal"))],
      ["rejects with a 401 of its own backend", () => Promise.reject(Object.assign(new Error("x"), { status: 401 }))],
      ["rejects with nothing", () => Promise.reject(undefined as unknown as Error)],
    ])("A2 answers 503, not 401, when it %s", async (_title, verify) => {
      const res = await get(createApp({ schemes: { Bearer: verify } }), "Bearer joe");
      expect(res.status).toBe(503);
      expect(res.body).toMatchObject({ errorCode: "E0009011", errorCauses: [] });
      expect(res.text).not.toContain("ECONNREFUSED");
      expect(res.headers).not.toHaveProperty("www-authenticate");
      expect(reported).toMatchObject([{ type: "credentials.unverifiable" }]);
      expect(reached).toBe(0);
    });

    it("A2 hands the failure to the log as the cause", async () => {
      const failure = new Error("store is down");
      await get(createApp({ schemes: { Bearer: () => raise(failure) } }), "Bearer joe");
      expect((reported[0] as Error).cause).toBe(failure);
    });

    it.each([[true], [false], ["joe"], [7], [{}], [{ subject: "joe" }], [{ subject: "", scopes: [] }], [[JOE]]])(
      "A2 answers 500 to %j in place of a principal",
      async (value) => {
        const res = await get(createApp({ schemes: { Bearer: () => value as never } }), "Bearer joe");
        expect(res.status).toBe(500);
        expect(reported).toEqual([
          new TypeError("authenticate: the verifier of Bearer must return { subject, scopes }, or nothing"),
        ]);
        expect(reached).toBe(0);
      },
    );

    it("stays quiet when a time-out answered meanwhile", async () => {
      let release: (principal: Principal) => void = () => undefined;
      const app = express();
      app.use((_req, res, next) => {
        setImmediate(() => {
          res.status(504).end();
          release(JOE);
        });
        next();
      });
      app.use(authenticate({ schemes: { Bearer: () => new Promise((resolve) => (release = resolve)) } }));
      app.use(() => {
        reached += 1;
      });
      await get(app, "Bearer joe").expect(504);
      await new Promise(setImmediate);
      expect(reached).toBe(0);
    });
  });

  describe("sessions", () => {
    const session: AuthenticateOptions["session"] = (req) => {
      switch (req.headers.cookie) {
        case "id=joe":
          return JOE;
        case "id=bot":
          return Promise.resolve(BOT);
        case "id=ended":
          return null;
        case "id=down":
          throw new Error("down");
        default:
          return undefined;
      }
    };
    const visit = (id: string, options: Partial<AuthenticateOptions> = {}) =>
      request(createApp({ session, ...options }))
        .get("/")
        .set("Cookie", `id=${id}`);

    it("A1 takes the principal of the session when there is no Authorization", async () => {
      expect((await visit("joe")).body).toEqual({ principal: JOE });
      expect((await visit("bot")).body).toEqual({ principal: BOT });
    });

    it("A1 lets Authorization win", async () => {
      expect((await visit("joe").set("Authorization", "SVC bot")).body).toEqual({ principal: BOT });
      expect((await visit("joe").set("Authorization", "SVC eve")).status).toBe(401);
    });

    it("A2 refuses a session that is not valid, and a request without one", async () => {
      const ended = await visit("ended", { optional: true });
      expect([ended.status, ended.headers["www-authenticate"]]).toEqual([401, MISSING]);
      expect(causes(ended)).toEqual(["The session is not valid: it may have ended."]);
      expect((await visit("unknown")).status).toBe(401);
      expect((await visit("down")).status).toBe(503);
      expect(reached).toBe(0);
      expect((await visit("unknown", { optional: true })).body).toEqual({ principal: "anonymous" });
    });

    it("A2 answers 403 to a session without the scopes", async () => {
      const res = await visit("bot", { scopes: ["users.read"] });
      expect([res.status, res.headers["www-authenticate"]]).toEqual([
        403,
        'Bearer realm="api", error="insufficient_scope", scope="users.read"',
      ]);
      expect((await visit("joe", { scopes: ["users.read"] })).status).toBe(200);
    });

    it("refuses a session that is no function", () => {
      expect(() => authenticate({ schemes: SCHEMES, session: true as never })).toThrow(
        new TypeError("authenticate: option `session` must be a function"),
      );
    });
  });

  describe("options", () => {
    it("A2 answers 403 to credentials without the scopes, and names those", async () => {
      const app = createApp({ scopes: ["users.read", "users.manage"], realm: 'the "acme" org' });
      const res = await get(app, "bearer joe");
      expect(res.status).toBe(403);
      expect(res.headers["www-authenticate"]).toBe(
        'Bearer realm="the \\"acme\\" org", error="insufficient_scope", scope="users.read users.manage"',
      );
      expect(res.body).toMatchObject({
        errorCode: "E0000006",
        errorSummary: "You do not have permission to perform the requested action",
      });
      expect(causes(res)).toEqual(["The credentials lack the scope users.manage."]);
      expect(reported).toMatchObject([{ type: "scope.insufficient", status: 403 }]);
      expect(reached).toBe(0);
    });

    it("A2 names the scopes in the challenge of a 401", async () => {
      const res = await get(createApp({ scopes: ["users.read"] }));
      expect(res.headers["www-authenticate"]).toBe(
        'Bearer realm="api", scope="users.read", SVC realm="api", scope="users.read"',
      );
    });

    it("A2 lets credentials with the scopes pass", async () => {
      await get(createApp({ scopes: ["users.read"] }), "Bearer joe").expect(200);
      await get(createApp({ scopes: ["users.read"] }), "SVC bot").expect(403);
    });

    it("A3 lets a request without credentials pass when they are optional, and says that the answer depends", async () => {
      const app = createApp({ optional: true });
      const anonymous = await get(app).expect(200, { principal: "anonymous" });
      expect(anonymous.headers["vary"]).toBe("Authorization");
      const known = await get(app, "Bearer joe").expect(200, { principal: JOE });
      expect(known.headers["vary"]).toBe("Authorization");
    });

    it.each(["Bearer guess", "Basic am9lOnB3", "Bearer", ""])(
      "A2 refuses %j also when credentials are optional",
      async (authorization) => {
        const res = await get(createApp({ optional: true }), authorization);
        expect(res.status).toBe(401);
        expect(res.headers["vary"]).toBe("Authorization");
        expect(reached).toBe(0);
      },
    );
  });

  describe("mounted twice", () => {
    it("A1 keeps the principal of the inner one", async () => {
      const app = express();
      app.use(authenticate({ schemes: SCHEMES, optional: true }));
      app.get("/inner", authenticate({ schemes: { Bearer: () => BOT } }), (req, res) => res.json(getPrincipal(req)));
      await request(app).get("/inner").set("Authorization", "Bearer joe").expect(200, BOT);
    });
  });

  describe("accessors", () => {
    it("getPrincipal throws, naming what is missing", async () => {
      const app = express();
      app.get("/never", (req, res) =>
        res.json({ text: raisedBy(() => getPrincipal(req)), tried: tryGetPrincipal(req) }),
      );
      app.get("/anonymous", authenticate({ schemes: SCHEMES, optional: true }), (req, res) =>
        res.json({ text: raisedBy(() => getPrincipal(req)), tried: tryGetPrincipal(req) }),
      );
      await request(app).get("/never").expect({
        text: "authenticate() did not run for this request; mount it before what reads its value",
      });
      await request(app).get("/anonymous").expect({
        text: "authenticate() ran, but the request is anonymous; use tryGetPrincipal()",
      });
    });

    it("keeps the principals of concurrent requests apart", async () => {
      const wait = async (token: string) => {
        await new Promise((resolve) => setTimeout(resolve, token === "0" ? 20 : 0));
        return { subject: token, scopes: [] };
      };
      const server = createServer(createApp({ schemes: { Bearer: wait } }));
      await listen(server);
      try {
        const bodies = await Promise.all(
          Array.from({ length: 20 }, (_, i) => request(server).get("/").set("Authorization", `Bearer ${i}`)),
        );
        expect(bodies.map(({ body }) => (body as { principal: Principal }).principal.subject)).toEqual(
          Array.from({ length: 20 }, (_, i) => String(i)),
        );
      } finally {
        server.close();
      }
    });
  });

  it("leaves a body that arrives during a slow verification whole", async () => {
    const app = express();
    app.use(
      authenticate({
        schemes: { Bearer: () => new Promise((resolve) => setTimeout(resolve, 20, JOE)) },
      }),
      express.json({ limit: "1mb" }),
      (req, res) => res.json((req.body as string[]).length),
    );
    const body = Array.from({ length: 20_000 }, () => "x");
    await request(app).post("/").set("Authorization", "Bearer joe").send(body).expect(200, "20000");
  });
});

describe("the options of authenticate", () => {
  it.each([
    [undefined],
    [null],
    [{}],
    [[]],
    ["Bearer"],
    [{ Bearer: true }],
    [{ Bearer: undefined }],
    [{ "Bea rer": () => JOE }],
    [{ "": () => JOE }],
    [{ Bearer: () => JOE, bearer: () => BOT }],
  ])("refuses %p for schemes", (schemes) => {
    expect(() => authenticate({ schemes: schemes as never })).toThrow(
      /^authenticate: option `schemes` must be an object with a verifier for each scheme/,
    );
  });

  it.each([[""], [7], ["a\r\nb"], ["caf\u00e9"]])("refuses %p for realm", (realm) => {
    expect(() => authenticate({ schemes: SCHEMES, realm: realm as never })).toThrow(
      /^authenticate: option `realm` must/,
    );
  });

  it.each([["users.read"], [["a b"]], [[7]]])("refuses %p for scopes", (scopes) => {
    expect(() => authenticate({ schemes: SCHEMES, scopes: scopes as never })).toThrow(
      /^authenticate: option `scopes` must be an array of scopes|strings/,
    );
  });

  it("refuses scopes that an anonymous request would have to have", () => {
    expect(() => authenticate({ schemes: SCHEMES, scopes: ["a"], optional: true })).toThrow(
      "authenticate: option `scopes` must be empty when `optional` is true: an anonymous request has none",
    );
    expect(() => authenticate({ schemes: SCHEMES, scopes: [], optional: true })).not.toThrow();
  });

  it.each([["yes"], [1], [null]])("refuses %p for optional", (optional) => {
    expect(() => authenticate({ schemes: SCHEMES, optional: optional as never })).toThrow(
      "authenticate: option `optional` must be a boolean",
    );
  });
});

function raise(error: Error): never {
  throw error;
}

function raisedBy(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}
