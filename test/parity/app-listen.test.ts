import { once } from "node:events";
import { createServer as createHttpServer, get, IncomingMessage, ServerResponse, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { text as readText } from "node:stream/consumers";
import { inspect } from "node:util";
import type { Express, NextFunction, Request, Response } from "express";
import request from "supertest";
import { createServer } from "../../lib/server/create-server.js";
import { sharedShapes } from "../../middleware/shared-shapes.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen } from "../support/raw-socket.js";
import { createTestCertificate } from "../support/tls.js";

type Build = (app: Express, express: () => Express) => void;

/** A property that the types of Express don't know. */
type Extended = Record<string, unknown>;

/** What an app is made of, and the requests that it gets: request line first, then header lines. */
interface Behaviour {
  title: string;
  build: Build;
  requests: string[][];
}

const BEHAVIOURS: readonly Behaviour[] = [
  {
    title: "routes, parameters and methods",
    build: (app) => {
      app.param("id", (req: Request, _res: Response, next: NextFunction, id: string) => {
        (req as unknown as Extended)["seen"] = id;
        next();
      });
      app.get("/users/:id", (req: Request, res: Response) => {
        res.json([req.params, (req as unknown as Extended)["seen"], req.route.path, req.originalUrl]);
      });
      app.all("/all", (req: Request, res: Response) => res.send(req.method));
    },
    requests: [
      ["GET /users/a%20b?x=1"],
      ["HEAD /users/1"],
      ["OPTIONS /users/1"],
      ["POST /users/1"],
      ["PROPFIND /all"],
      ["GET /missing"],
    ],
  },
  {
    title: "mounted apps, and what follows them",
    build: (app, express) => {
      const tenant = express();
      const admin = express();
      (app.response as unknown as Extended)["from"] = "app";
      (tenant.response as unknown as Extended)["from"] = "tenant";
      const tell = (req: Request, res: Response): unknown =>
        res.send(
          `${inspect(req.app.mountpath)} ${req.baseUrl} ${req.url} ${String((res as unknown as Extended)["from"])}`,
        );
      admin.get("/x", tell);
      tenant.use("/admin", admin);
      tenant.get("/x", tell);
      app.use(["/t", "/u"], tenant);
      app.use(tell);
    },
    requests: [["GET /t/x"], ["GET /u/admin/x"], ["GET /t/admin/none"], ["GET /x"]],
  },
  {
    title: "bodies and status",
    build: (app) => {
      app.get("/json", (_req: Request, res: Response) => res.status(201).json({ a: "é" }));
      app.get("/jsonp", (_req: Request, res: Response) => res.jsonp({ a: 1 }));
      app.get("/text", (_req: Request, res: Response) => res.send("text"));
      app.get("/bytes", (_req: Request, res: Response) => res.send(Buffer.from([0, 255])));
      app.get("/status", (_req: Request, res: Response) => res.sendStatus(404));
      app.get("/none", (_req: Request, res: Response) => res.status(204).send("never"));
      app.get("/end", (_req: Request, res: Response) => res.end());
    },
    requests: [
      ["GET /json"],
      ["HEAD /json"],
      ["GET /jsonp?callback=f"],
      ["GET /text"],
      ["GET /text", 'If-None-Match: W/"4-nx0ObeRyA9UGu6M4sOjG6e6r5KY"'],
      ["GET /text", "If-None-Match: *"],
      ["GET /bytes"],
      ["GET /status"],
      ["GET /none"],
      ["GET /end"],
    ],
  },
  {
    title: "header fields",
    build: (app) => {
      app.get("/redirect", (_req: Request, res: Response) => {
        res.redirect(301, "/a?b=ü");
      });
      app.get("/fields", (_req: Request, res: Response) => {
        res.cookie("a", "b c", { httpOnly: true, maxAge: undefined }).clearCookie("old");
        res.vary("Accept").vary("Origin").links({ next: "/2" }).location("/3").type("txt").append("X-A", ["1", "2"]);
        res.set("X-B", "3").removeHeader("X-Powered-By");
        res.send(`${res.get("X-B") ?? ""} ${String(res.headersSent)}`);
      });
      app.get("/attachment", (_req: Request, res: Response) => res.attachment("ü.txt").send("a"));
      app.get("/format", (_req: Request, res: Response) => {
        res.format({ "text/plain": () => res.send("text"), "application/json": () => res.send({ a: 1 }) });
      });
      app.use(showMessage);
    },
    requests: [
      ["GET /redirect", "Accept: text/html"],
      ["GET /fields"],
      ["GET /attachment"],
      ["GET /format", "Accept: application/json"],
      ["GET /format", "Accept: image/png"],
    ],
  },
  {
    title: "what a request tells",
    build: (app) => {
      app.get("/", (req: Request, res: Response) => {
        const { hostname, ip, ips, protocol, secure, subdomains, path, query, xhr, fresh, stale } = req;
        const told = { hostname, ip, ips, protocol, secure, subdomains, path, query, xhr, fresh, stale };
        res.json({
          ...told,
          accepts: [req.accepts("json", "html"), req.acceptsEncodings("gzip"), req.acceptsLanguages("el", "en")],
          is: req.is("json"),
          get: [req.get("referrer"), req.get("X-A"), req.header("x-a")],
          range: req.range(100),
        });
      });
    },
    requests: [
      ["GET /?a=1&b[c]=2"],
      [
        "GET /",
        "Accept: text/*",
        "Accept-Encoding: gzip, br",
        "Accept-Language: en;q=0.5, el",
        "Referer: /r",
        "X-A: 1",
      ],
      [
        "GET /",
        "X-Requested-With: XMLHttpRequest",
        "Range: bytes=1-2",
        "Content-Type: application/json",
        "Content-Length: 0",
      ],
    ],
  },
  {
    title: "trusted proxies",
    build: (app) => {
      app.set("trust proxy", "loopback");
      app.get("/", (req: Request, res: Response) => res.json([req.ip, req.ips, req.protocol, req.hostname]));
    },
    requests: [
      ["GET /", "X-Forwarded-For: 192.0.2.1, 127.0.0.2", "X-Forwarded-Proto: https", "X-Forwarded-Host: b.example:81"],
    ],
  },
  {
    title: "errors",
    build: (app) => {
      app.get("/thrown", () => {
        throw Object.assign(new Error("thrown"), { status: 418 });
      });
      app.get("/passed", (_req: Request, _res: Response, next: NextFunction) => {
        next(new Error("passed"));
      });
      app.get("/late", (_req: Request, res: Response, next: NextFunction) => {
        res.write("begun");
        next(new Error("late"));
      });
      app.use((error: Error & { status?: number }, _req: Request, res: Response, next: NextFunction) => {
        if (error.message === "passed") res.status(500).send("formatted");
        else next(error);
      });
      app.use(showMessage);
    },
    requests: [["GET /thrown"], ["GET /passed"], ["GET /late"], ["GET /%"]],
  },
  {
    title: "streams",
    build: (app) => {
      app.get("/pieces", (_req: Request, res: Response) => {
        res.write("one ");
        setTimeout(() => res.end("two"), 5);
      });
      app.get("/sized", (_req: Request, res: Response) => {
        res.set("Content-Length", "6").write("one");
        setImmediate(() => res.end("two"));
      });
      app.get("/trailer", (_req: Request, res: Response) => {
        res.set("Trailer", "X-Sum").write("one");
        res.addTrailers({ "X-Sum": "1" });
        res.end();
      });
      app.get("/large", (_req: Request, res: Response) => res.send("x".repeat(300_000)));
      app.get("/file", (_req: Request, res: Response) => {
        res.sendFile("package.json", { root: process.cwd() });
      });
      app.get("/no-file", (_req: Request, res: Response) => {
        res.download("none.json", "a.json", { root: process.cwd() }, (error) => {
          res.status(404).send(Object.prototype.toString.call(error));
        });
      });
    },
    requests: [
      ["GET /pieces"],
      ["GET /sized"],
      ["GET /trailer"],
      ["GET /large"],
      ["GET /file"],
      ["HEAD /file"],
      ["GET /file", "Range: bytes=2-9"],
      ["GET /no-file"],
    ],
  },
  {
    title: "views, locals and settings",
    build: (app) => {
      app.engine("test", (file, options, done) => {
        done(
          null,
          `${file.endsWith("page.test")} ${inspect((options as Extended)["a"])} ${inspect((options as Extended)["b"])}`,
        );
      });
      app.set("views", __dirname).set("view engine", "test").set("view", TestView).disable("x-powered-by");
      app.locals["a"] = 1;
      app.get("/", (_req: Request, res: Response) => {
        res.locals["b"] = 2;
        res.render("page");
      });
    },
    requests: [["GET /"]],
  },
  {
    title: "identity",
    build: (app) => {
      (app.response as unknown as Extended)["frame"] = function () {
        return new Error().stack?.split("\n")[1];
      };
      app.get("/", (req: Request, res: Response) => {
        const { next } = req;
        res.json({
          frame: (res as unknown as { frame: () => string }).frame(),
          links: [req.app === app, res.app === app, res.req === req, req.res === res, typeof next],
          prototypes: [Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response],
          kinds: [
            req instanceof IncomingMessage,
            res instanceof ServerResponse,
            req.constructor.name,
            res.constructor.name,
          ],
          keys: [Object.keys(req), Object.keys(res)],
          inherited: [enumerate(req), enumerate(res).sort()], // with `accelerate`, some come earlier
          inspected: [inspect(req, { depth: -1 }), inspect(res, { depth: -1 })],
        });
      });
    },
    requests: [["GET /"]],
  },
];

/** The stack, which Express would show, has a frame of createServer. */
function showMessage(error: Error, _req: Request, _res: Response, next: NextFunction): void {
  next(Object.assign(error, { stack: error.message }));
}

const mountNothing: Build = (app) => {
  app.use((_req, _res, next) => {
    next();
  });
};

/** Stands for a template on disk. */
class TestView {
  readonly path = "page.test";
  constructor(
    _name: string,
    private readonly options: { engines: Record<string, (path: string, options: object, done: unknown) => void> },
  ) {}
  render(options: object, done: unknown): void {
    this.options.engines[".test"]?.(this.path, options, done);
  }
}

/** What is compared with `app.listen()`: how a server is made, and the middleware that its app begins with. */
const SERVERS: readonly { name: string; make: (app: Express) => Server; begin?: Build }[] = [
  { name: "createServer(app)", make: (app) => createServer(app) },
  { name: "createServer(app, { batch: false })", make: (app) => createServer(app, { batch: false }) },
  {
    name: "http.createServer(app) behind sharedShapes({ accelerate: true })",
    make: (app) => createHttpServer(app),
    begin: (app) => app.use(sharedShapes({ accelerate: true })),
  },
];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(server: Server): Promise<number> {
  servers.push(server);
  return listen(server);
}

async function listenPlain(app: Express): Promise<number> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return serve(server);
}

/** The answer as it came, but for the moment. */
async function answerTo(port: number, [line = "", ...fields]: readonly string[], tls = false): Promise<string> {
  const head = [`${line} HTTP/1.1`, "Host: a.b.example.com:1", "Connection: close", ...fields];
  const text = await exchange(port, `${head.join("\r\n")}\r\n\r\n`, { tls });
  return text.replace(/^Date: .*\r\n/m, "");
}

function enumerate(object: object): string[] {
  const names: string[] = [];
  for (const name in object) names.push(name);
  return names;
}

describe.each(EXPRESS_VERSIONS)("on %s", (_version, express) => {
  function createApp(build: Build = () => undefined): Express {
    const app = express();
    app.set("env", "test"); // or errors go to the standard error
    build(app, express);
    return app;
  }

  describe.each(SERVERS)("$name answers as app.listen() does", ({ make, begin }) => {
    it.each(BEHAVIOURS)("$title", async ({ build, requests }) => {
      const behind =
        (middleware?: Build): Build =>
        (app, create) => {
          middleware?.(app, create);
          build(app, create);
        };
      const theirs = await listenPlain(createApp(behind(begin && mountNothing)));
      const ours = await serve(make(createApp(behind(begin))));
      await answerTo(ours, ["GET /first"]);
      for (const sent of requests) {
        const expected = await answerTo(theirs, sent);
        expect(expected).toMatch(/^HTTP\/1\.1 \d{3} /);
        expect(await answerTo(ours, sent)).toBe(expected);
      }
    });
  });

  it.each(BEHAVIOURS)("answers over HTTPS as https.createServer() does: $title", async ({ build, requests }) => {
    const tls = await createTestCertificate();
    const theirs = await serve(createHttpsServer(tls, createApp(build)));
    const ours = await serve(createServer(createApp(build), { tls }));
    for (const sent of requests) expect(await answerTo(ours, sent, true)).toBe(await answerTo(theirs, sent, true));
  });

  it("leaves the app as it is", async () => {
    const app = createApp();
    const { request: requestPrototype, response: responsePrototype } = app;
    const before = [...Reflect.ownKeys(app), ...Reflect.ownKeys(app.request), ...Reflect.ownKeys(app.response)];
    await answerTo(await serve(createServer(app)), ["GET /"]);
    expect(app.request).toBe(requestPrototype);
    expect(app.response).toBe(responsePrototype);
    const after = [...Reflect.ownKeys(app), ...Reflect.ownKeys(app.request), ...Reflect.ownKeys(app.response)];
    expect(after.filter((key) => key !== "_router")).toEqual(before.filter((key) => key !== "_router"));
  });

  it("shows what is added to app.request, app.response and their parents after the server was made", async () => {
    const parent = createApp();
    const app = createApp();
    parent.use("/sub", app);
    const { response: kept } = app;
    const ports = [await serve(createServer(parent)), await serve(createServer(app)), await listenPlain(parent)];
    const extended = (prototype: unknown): Extended => prototype as Extended;
    extended(kept)["own"] = "own";
    extended(parent.response)["inherited"] = "inherited";
    Object.defineProperty(app.request, "shout", {
      configurable: true,
      get(this: Request) {
        return this.method.toLowerCase();
      },
    });
    app.get("/x", (req: Request, res: Response) => {
      const { own, inherited } = extended(res);
      res.json([own, inherited, extended(req)["shout"]]);
    });
    for (const [index, path] of ["/sub/x", "/x", "/sub/x"].entries()) {
      expect(await answerTo(ports[index]!, [`GET ${path}`])).toMatch(/\["own","inherited","get"\]$/);
    }
  });

  it("takes another app.request and app.response that come after the server was made", async () => {
    const app = createApp((made) =>
      made.get("/", (req: Request, res: Response) =>
        res.json([Object.getPrototypeOf(req) === made.request, (res as unknown as Extended)["a"]]),
      ),
    );
    const port = await serve(createServer(app));
    app.request = Object.create(app.request) as typeof app.request;
    app.response = Object.create(app.response, { a: { value: 1 } }) as typeof app.response;
    expect(await answerTo(port, ["GET /"])).toMatch(/\[true,1\]$/);
  });

  it("serves one app on several servers and on app.listen() at once, also through supertest", async () => {
    const app = createApp((made) => made.get("/", (req: Request, res: Response) => res.json(depthOf(req))));
    const ports = [await serve(createServer(app)), await serve(createServer(app)), await listenPlain(app)];
    const answers = await Promise.all(ports.map((port) => answerTo(port, ["GET /"])));
    expect(new Set(answers).size).toBe(1);
    const { text } = await request(app).get("/");
    expect(answers[0]?.endsWith(text)).toBe(true);
  });

  it("gives a mounted app its prototypes, and the parent its own back, also when that is served too", async () => {
    const seen: boolean[] = [];
    const sub = createApp();
    const app = createApp();
    const look = (owner: Express) => (req: Request, res: Response, next: NextFunction) => {
      seen.push(Object.getPrototypeOf(req) === owner.request, Object.getPrototypeOf(res) === owner.response);
      next();
    };
    sub.use(look(sub));
    app.use(look(app), sub, look(app));
    await answerTo(await serve(createServer(sub)), ["GET /"]);
    await answerTo(await serve(createServer(app)), ["GET /"]);
    expect(seen).toEqual(Array(8).fill(true));
  });

  it("hands requests over to another app, and to one of a plain listener", async () => {
    const inner = createApp((app) => app.get("/", (req: Request, res: Response) => res.send(String(req.app === app))));
    const outer = createApp((app) => app.use((req: Request, res: Response) => void inner(req, res)));
    const wrapped = createServer((req, res) => void inner(req as Request, res as Response));
    for (const server of [createServer(outer), wrapped]) {
      expect(await answerTo(await serve(server), ["GET /"])).toMatch(/true$/);
    }
  });

  it("gives the listeners for upgrades the request of Node", async () => {
    const prototypes: unknown[] = [];
    for (const server of [createServer(createApp()), createHttpServer(createApp())]) {
      server.on("upgrade", (req: IncomingMessage, socket: Socket) => {
        prototypes.push(Object.getPrototypeOf(req));
        Object.assign(req, { query: {}, ip: "", protocol: "ws" });
        socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      });
      const answer = await exchange(
        await serve(server),
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
      );
      expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    }
    expect(prototypes).toEqual([IncomingMessage.prototype, IncomingMessage.prototype]);
  });

  it("takes a request whose client is gone", async () => {
    for (const make of [createServer, createHttpServer] as ((app: Express) => Server)[]) {
      const app = createApp();
      const events: string[] = [];
      const closed = new Promise((resolve) => {
        app.use((req: Request, res: Response) => {
          req.on("aborted", () => events.push("aborted")).on("close", () => events.push("request closed"));
          res.on("close", () => {
            events.push(`response closed, ${res.writableFinished ? "" : "not "}finished`);
            resolve(events);
          });
          client.destroy();
        });
      });
      const client = get({ port: await serve(make(app)), host: "127.0.0.1" }).on("error", () => undefined);
      await closed;
      expect(events).toEqual(["aborted", "response closed, not finished", "request closed"]);
    }
  });
});

describe("a listener that is no Express app", () => {
  it.each([
    ["a function", () => (_req: IncomingMessage, res: ServerResponse) => void res.end("done")],
    [
      "a function with a `handle`, such as connect's",
      () =>
        Object.assign((_req: IncomingMessage, res: ServerResponse) => void res.end("done"), {
          handle: () => undefined,
        }),
    ],
    [
      "a function with prototypes of something else",
      () =>
        Object.assign((_req: IncomingMessage, res: ServerResponse) => void res.end("done"), {
          handle: () => undefined,
          request: {},
          response: null,
        }),
    ],
  ])("gets Node's own requests and responses: %s", async (_title, create) => {
    const server = createServer(create());
    const prototypes: unknown[] = [];
    server.on("request", (req, res) => prototypes.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res)));
    const response = get({ port: await serve(server), host: "127.0.0.1", agent: false });
    const [answer] = (await once(response, "response")) as [IncomingMessage];
    expect(await readText(answer)).toBe("done");
    expect(prototypes).toEqual([IncomingMessage.prototype, ServerResponse.prototype]);
  });
});

/** How long the chain of prototypes is. */
function depthOf(object: object): number {
  let depth = 0;
  for (let current: unknown = object; current !== null; current = Object.getPrototypeOf(current)) depth += 1;
  return depth;
}
