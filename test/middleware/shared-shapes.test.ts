import { once } from "node:events";
import { createServer as createPlainServer, IncomingMessage, ServerResponse, type Server } from "node:http";
import { createServer as createHttpsServer, Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import type { Express, Request, Response } from "express";
import { createServer, protocolErrors } from "etiquette/create-server";
import { sharedShapes } from "etiquette/shared-shapes";
import { HAS_LONE_SHAPES } from "../../lib/express/shared-shape.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen } from "../support/raw-socket.js";
import { createTestCertificate } from "../support/tls.js";

setFlagsFromString("--allow-natives-syntax");
const haveSameShape = runInThisContext("(a, b) => %HaveSameMap(a, b)") as (a: object, b: object) => boolean;
const hasSlots = runInThisContext("(object) => %HasFastProperties(object)") as (object: object) => boolean;

/** Classes of its own: V8 remembers the 256 prototypes that a class was given first, and other tests give many. */
function createHttpServer(app: Express): Server {
  class FreshMessage extends IncomingMessage {}
  class FreshResponse extends ServerResponse {}
  return createPlainServer({ IncomingMessage: FreshMessage, ServerResponse: FreshResponse }, app);
}

const GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

type Exchange = readonly [req: Request, res: Response];

describe.each(EXPRESS_VERSIONS)("sharedShapes() on %s", (_version, express) => {
  /** Two requests under way at the same time. */
  async function ask(createHost: (app: Express) => Server, isMounted = true) {
    const app = express();
    app.use(
      isMounted
        ? sharedShapes()
        : (_req, _res, next) => {
            next();
          },
    );
    const exchanges: Exchange[] = [];
    let touched = false;
    // what is put on a request that does not have it yet is looked for in its prototypes first
    const prototype = new Proxy(Object.getPrototypeOf(app.request) as object, {
      set(target, key, value, receiver) {
        touched ||= typeof key === "symbol" && key.description === "etiquette.passing";
        return Reflect.set(target, key, value, receiver);
      },
    });
    Object.setPrototypeOf(app.request, prototype);
    let compare: (pair: readonly [Exchange, Exchange]) => void;
    const both = new Promise<readonly [Exchange, Exchange]>((resolve) => (compare = resolve));
    app.get("/users", (...[req, res]) => {
      exchanges.push([req, res]);
      if (exchanges.length === 2) compare(exchanges as unknown as [Exchange, Exchange]);
    });
    const server = createHost(app);
    const port = await listen(server);
    const answers = Promise.all([1, 2].map((q) => fetch(`http://127.0.0.1:${port}/users?q=${q}`)));
    const [[req, res], [otherReq, otherRes]] = await both;
    const facts = {
      shared: [haveSameShape(req, otherReq), haveSameShape(res, otherRes)],
      slots: [hasSlots(req), hasSlots(res)],
      keys: [Object.keys(req), Object.keys(res)],
    };
    for (const [request, response] of exchanges) response.json({ q: request.query["q"], path: request.path });
    const bodies = await Promise.all((await answers).map((answer) => answer.json()));
    server.close();
    return { ...facts, bodies, touched };
  }

  it("has requests share a hidden class, and responses", async () => {
    // V8 forgets the hidden classes of hash tables when it collects garbage, which may happen between two requests
    const attempts = [await ask(createHttpServer), await ask(createHttpServer), await ask(createHttpServer)];
    expect(attempts.map(({ shared }) => shared)).toContainEqual([true, true]);
  });

  (HAS_LONE_SHAPES ? it : it.skip)("is needed for that on this version of Node", async () => {
    const { shared } = await ask(createHttpServer, false);
    expect(shared).toEqual([false, false]);
  });

  it("answers as without it", async () => {
    const [plain, shared] = [await ask(createHttpServer, false), await ask(createHttpServer)];
    expect(shared.keys).toEqual(plain.keys);
    expect(shared.bodies).toEqual(plain.bodies);
    expect(shared.bodies).toContainEqual({ q: "1", path: "/users" });
  });

  it("leaves alone what createServer made, which shares it from birth", async () => {
    const { slots, touched } = await ask(createServer);
    expect(slots).toEqual([true, true]);
    expect(touched).toBe(false);
    expect((await ask(createHttpServer)).touched).toBe(HAS_LONE_SHAPES);
  });

  describe("with `accelerate`", () => {
    /** Whether the second request and its response had the prototypes of the app before it got them. */
    async function look(app: Express, server: Server): Promise<boolean[]> {
      const seen: boolean[] = [];
      const { request, response } = app;
      const port = await listen(server);
      try {
        await exchange(port, GET, { tls: server instanceof HttpsServer });
        server.prependListener("request", (req, res) => {
          seen.push(Object.getPrototypeOf(req) === request, Object.getPrototypeOf(res) === response);
        });
        expect(await exchange(port, GET, { tls: server instanceof HttpsServer })).toContain("200 OK");
      } finally {
        server.close();
      }
      return seen;
    }

    function createApp(): Express {
      const app = express();
      app.use(sharedShapes({ accelerate: true }));
      return app.get("/", (_req, res) => void res.json({ a: 1 }));
    }

    it("has the server make requests and responses with the prototypes of the app, from the second on", async () => {
      const app = createApp();
      expect(await look(app, createPlainServer(app))).toEqual([true, true]);
      expect(await look(app, createPlainServer(app))).toEqual([true, true]);
      const parent = express();
      parent.use(app);
      expect(await look(parent, createPlainServer(parent))).toEqual([true, true]);
    });

    it("does so over HTTPS", async () => {
      const app = createApp();
      expect(await look(app, createHttpsServer(await createTestCertificate(), app))).toEqual([true, true]);
    });

    it("leaves alone a server with another listener, or with constructors of its own", async () => {
      const app = createApp();
      const shared = createPlainServer(app).on("request", () => undefined);
      expect(await look(app, shared)).toEqual([false, false]);
      expect(
        await look(
          app,
          createPlainServer((req, res) => void app(req, res)),
        ),
      ).toEqual([false, false]);
      expect(await look(app, createHttpServer(app))).toEqual([false, false]);
    });

    it("leaves alone every server without the option", async () => {
      const app = express();
      app.use(sharedShapes()).get("/", (_req, res) => void res.json({ a: 1 }));
      expect(await look(app, createPlainServer(app))).toEqual([false, false]);
    });

    it("gives upgrades plain requests on a server of protocolErrors()", async () => {
      const app = createApp();
      const server = protocolErrors(createPlainServer(app));
      const port = await listen(server);
      await exchange(port, GET);
      const upgraded = once(server, "upgrade");
      const answered = exchange(port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
      const [req, socket] = (await upgraded) as [IncomingMessage, Socket];
      expect(Object.getPrototypeOf(req)).toBe(IncomingMessage.prototype);
      socket.end();
      await answered;
      server.close();
    });
  });
});
