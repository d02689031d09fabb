import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import compression from "compression";
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from "express";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import { idempotency } from "etiquette/idempotency";
import { jsonBody } from "etiquette/json-body";
import { getEntityTag, weakEtag, type WeakEtagOptions } from "etiquette/weak-etag";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, parseAnswer } from "../support/raw-socket.js";

const USER = { id: "1", secret: "hunter2" };

const sendUser: RequestHandler = (req) => {
  getEntityTag(req).send(USER);
};

const assertNothing: RequestHandler = (req) => {
  getEntityTag(req).assert(null);
};

/** Ways to respond without a look at the tag. */
const CARELESS: Readonly<Record<string, (req: Request, res: Response) => unknown>> = {
  "res.json": (_req, res) => res.json(USER),
  "res.status(201).send": (_req, res) =>
    res.status(201).set("X-Secret", "hunter2").cookie("a", "hunter2").send("hunter2"),
  "getEntityTag(req).send": sendUser as () => unknown,
  "res.sendStatus(204)": (_req, res) => res.sendStatus(204),
  "res.end": (_req, res) => res.end("hunter2"),
  "res.writeHead": (_req, res) => res.writeHead(200, "hunter2", { "X-Secret": "hunter2" }).end("hunter2"),
  "res.write, later": (_req, res) => {
    setImmediate(() => {
      res.write("hunter2", () => res.end("hunter2"));
    });
  },
  "res.flushHeaders": (_req, res) => {
    res.set("X-Secret", "hunter2").flushHeaders();
    res.end("hunter2");
  },
  pipe: (_req, res) => Readable.from(Array.from({ length: 50 }, () => "hunter2".repeat(1_000))).pipe(res),
  pipeline: (_req, res) => pipeline(Readable.from(["hunter2", "hunter2"]), res).catch(() => undefined),
  "res.sendFile": (_req, res) => {
    res.sendFile(__filename);
  },
  "res.json, twice": (_req, res) => {
    res.json(USER);
    res.json(USER);
  },
};

describe.each(EXPRESS_VERSIONS)("weakEtag on %s", (_version, express) => {
  let logged: unknown[];
  beforeEach(() => (logged = []));

  function createApp(handler: RequestHandler, options: Partial<WeakEtagOptions> = { enforce: true }): Express {
    const app = express().disable("etag");
    app.use((_req, res, next) => {
      res.set("X-Before", "kept");
      next();
    });
    const router = express.Router({ mergeParams: true });
    router.all("/users/:id", weakEtag({ fields: ["id"], ...options }), handler);
    app.use("/orgs/:org", router);
    app.use(errorFormatter({ log: (error) => void logged.push(error) }));
    return app;
  }

  const url = "/orgs/7/users/1?a=1";
  const put = (app: Express) => request(app).put(url).set("If-Match", "*");
  const messages = () => logged.map((error) => (error as Error).message);

  describe("T3 enforce: true refuses a 2xx for preconditions that nothing evaluated", () => {
    it.each(Object.entries(CARELESS))("with %s", async (_how, handler) => {
      const app = createApp(handler as RequestHandler);
      const res = await request(app).put(url).set("If-None-Match", '"x"').expect(500); // sendFile evaluates If-Match
      expect(res.body).toMatchObject({ errorCode: "E0000009" });
      expect(JSON.stringify(res.headers) + res.text).not.toContain("hunter2");
      expect(res.headers).toMatchObject({ "x-before": "kept" });
      for (const name of ["etag", "last-modified", "set-cookie"]) expect(res.headers).not.toHaveProperty(name);
      expect(messages()).toEqual([
        expect.stringMatching(
          /^weakEtag: PUT \/orgs\/:org\/users\/:id responded 20\d and nothing evaluated If-None-Match, so the update of another client may be lost\. Call getEntityTag\(req\)\.assert\(current\)/,
        ),
      ]);
    });

    it.each(["POST", "PUT", "PATCH", "DELETE"])("of %s, for If-None-Match and for both", async (method) => {
      const app = createApp((_req, res) => void res.json({}));
      const verb = method.toLowerCase() as "put";
      await request(app)[verb](url).set("If-None-Match", "*").expect(500);
      await request(app)[verb](url).set({ "If-None-Match": "*", "If-Match": "*" }).expect(500);
      expect(messages()[0]).toContain("nothing evaluated If-None-Match, so");
      expect(messages()[1]).toContain("nothing evaluated If-Match and If-None-Match, so");
    });

    it("and the connection goes on", async () => {
      const server = createServer(createApp(CARELESS["pipe"] as RequestHandler));
      const port = await listen(server);
      const head = `PUT /orgs/1/users/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n`;
      const answers = await exchange(port, `${head}If-Match: *\r\n\r\n${head}Connection: close\r\n\r\n`);
      server.close();
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 500", "HTTP/1.1 200"]);
      expect(answers.split("HTTP/1.1 200")[0]).not.toContain("hunter2");
    });

    it("with an error handler that takes its time, or that is Express's own", async () => {
      const slow: ErrorRequestHandler = (error: Error, _req, res, _next) => {
        setTimeout(() => res.status(503).send(error.message.slice(0, 8)), 10);
      };
      const tagged = weakEtag({ fields: ["id"], enforce: true });
      const app = express().put("/", tagged, CARELESS["pipe"] as RequestHandler, slow) as Express;
      await request(app).put("/").set("If-Match", "*").expect(503, "weakEtag");

      const plain = express()
        .set("env", "test")
        .put("/", tagged, CARELESS["res.write, later"] as RequestHandler);
      const { text } = await request(plain as Express)
        .put("/")
        .set("If-Match", "*")
        .expect(500);
      expect(text).not.toContain("hunter2");
    });

    it("behind compression", async () => {
      const app = express().use(
        compression({ threshold: 0 }),
        createApp(CARELESS["pipe"] as RequestHandler),
      ) as Express;
      const { body, text } = await put(app).expect(500);
      expect(body).toHaveProperty("errorCode", "E0000009");
      expect(text).not.toContain("hunter2");
    });
  });

  describe("T3 enforce: true sends", () => {
    it.each<[string, RequestHandler, number]>([
      ["what assert allowed", (req, res) => void (getEntityTag(req).assert(USER), res.json({})), 200],
      ["what matches looked at", (req, res) => void (getEntityTag(req).matches(USER), res.write("a"), res.end()), 200],
      ["what evaluate looked at", (req, res) => void (getEntityTag(req).evaluate(null), res.writeHead(204).end()), 204],
      ["412", assertNothing, 412],
      ["404", (_req, res) => void res.status(404).json({}), 404],
      ["a redirect", (_req, res) => void res.status(302).set("Location", "/").end(), 302],
      ["409 by writeHead", (_req, res) => void res.writeHead(409).end("a"), 409],
    ])("%s", async (_what, handler, status) => {
      await request(createApp(handler)).put(url).set("If-Match", "*").expect(status);
      expect(logged.filter((error) => !(error as { code?: string }).code)).toEqual([]);
    });

    it("what has no preconditions, and what reads, with the methods of the response as they were", async () => {
      const own: unknown[] = [];
      const app = createApp((_req, res) => {
        own.push(["writeHead", "write", "end"].some((name) => Object.hasOwn(res, name)));
        res.json({});
      });
      await request(app).put(url).expect(200);
      await request(app).get(url).set("If-None-Match", '"x"').expect(200);
      await request(app).head(url).set("If-Match", "*").expect(200);
      expect(own).toEqual([false, false, false]);
    });

    it("what another weakEtag() evaluated, earlier or later", async () => {
      const tag = () => weakEtag({ fields: ["id"], enforce: true });
      const look: RequestHandler = (req, _res, next) => {
        getEntityTag(req).assert(USER);
        next();
      };
      const done: RequestHandler = (_req, res) => void res.json({});
      for (const handlers of [
        [tag(), look, tag(), done],
        [tag(), tag(), look, done],
      ]) {
        await request(express().put("/", ...handlers) as Express)
          .put("/")
          .set("If-Match", "*")
          .expect(200);
      }
      const careless = express()
        .put("/", tag(), tag(), done)
        .use(errorFormatter({ log: false })) as Express;
      expect((await request(careless).put("/").set("If-Match", "*").expect(500)).body).toHaveProperty("errorCode");
    });

    it("what idempotency() sends again", async () => {
      const app = express();
      app.use(jsonBody(), weakEtag({ fields: ["id"], enforce: true }), idempotency({ principal: () => "a" }));
      app.post("/", (req, res) => {
        getEntityTag(req).assert(USER);
        res.json({});
      });
      const send = () => request(app).post("/").set({ "If-Match": "*", "Idempotency-Key": "1" }).send({});
      await send().expect(200);
      await send().expect(200).expect("Idempotent-Replayed", "true");
    });
  });

  describe("T3 in development", () => {
    let warn: jest.SpyInstance;
    const { NODE_ENV } = process.env;
    beforeEach(() => {
      process.env["NODE_ENV"] = "development";
      warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    });
    afterEach(() => {
      process.env["NODE_ENV"] = NODE_ENV;
      jest.restoreAllMocks();
    });

    it("a warning tells it once for each route, and nothing else changes", async () => {
      const app = createApp((_req, res) => void res.json(USER), {});
      for (const sent of [put(app), put(app), request(app).put("/orgs/8/users/2").set("If-Match", "*")]) {
        await sent.expect(200, USER);
      }
      await request(app).patch(url).set("If-None-Match", "*").expect(200);
      expect(warn.mock.calls.flat()).toEqual([
        "weakEtag: PUT /orgs/:org/users/:id responded 200 and nothing evaluated If-Match, so the update of another client may be lost. Call getEntityTag(req).assert(current) before you write, or write with compareAndSet().",
        expect.stringContaining(
          "weakEtag: PATCH /orgs/:org/users/:id responded 200 and nothing evaluated If-None-Match",
        ),
      ]);
    });

    it("there is none for what was evaluated, failed, reads or has no preconditions, nor with enforce", async () => {
      await put(createApp((req, res) => void (getEntityTag(req).evaluate(USER), res.json({})), {})).expect(200);
      await put(createApp((_req, res) => void res.status(404).end(), {})).expect(404);
      const careless = createApp((_req, res) => void res.json({}), {});
      await request(careless).put(url).expect(200);
      await request(careless).get(url).set("If-None-Match", '"x"').expect(200);
      await put(createApp((_req, res) => void res.json({}))).expect(500);
      process.env["NODE_ENV"] = "production";
      await put(createApp((_req, res) => void res.json({}), {})).expect(200);
      expect(warn.mock.calls).toEqual([]);
    });
  });

  describe("QUERY, which reads (RFC 10008)", () => {
    let server: Server;
    afterEach(() => server.close());

    async function query(handler: RequestHandler, field: string): Promise<{ status: number; body: string }> {
      const app = createApp(handler, { enforce: true, required: true });
      server = createServer(app);
      const port = await listen(server);
      const head = "Host: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n";
      return parseAnswer(await exchange(port, `QUERY /orgs/1/users/1 HTTP/1.1\r\n${head}${field}\r\n\r\n{}`));
    }

    it.each<[string, RequestHandler, string, number]>([
      [
        "assert passes for a tag that the client has",
        (req, res) => void (getEntityTag(req).assert(USER), res.end()),
        "If-None-Match: *",
        200,
      ],
      [
        "assert throws for another tag",
        (req, res) => void (getEntityTag(req).assert(USER), res.end()),
        'If-Match: "x"',
        412,
      ],
      ["send sends 304 for a tag that the client has", sendUser, "If-None-Match: *", 304],
      ["send sends 412 for another tag", sendUser, 'If-Match: "x"', 412],
      ["send sends 200 otherwise", sendUser, 'If-None-Match: "x"', 200],
      ["nothing is required or enforced", (_req, res) => void res.end(), "If-Match: *", 200],
    ])("T6 %s", async (_what, handler, field, status) => {
      expect((await query(handler, field)).status).toBe(status);
    });
  });
});
