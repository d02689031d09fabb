import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
} from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type expressType from "express";
import type { Application, ErrorRequestHandler, RequestHandler } from "express";
import { WebSocket, WebSocketServer } from "ws";
import { bodyLength } from "etiquette/body-length";
import { contentType } from "etiquette/content-type";
import { createServer } from "etiquette/create-server";
import { errorFormatter } from "etiquette/error-formatter";
import { httpsOnly } from "etiquette/https-only";
import { notFound } from "etiquette/not-found";
import { queryParameters } from "etiquette/query-parameters";
import { rateLimitHeaders } from "etiquette/rate-limit-headers";
import { requestContext } from "etiquette/request-context";
import { requestId } from "etiquette/request-id";
import { responseCheck } from "etiquette/response-check";
import { sharedShapes } from "etiquette/shared-shapes";
import { utf8Guard } from "etiquette/utf8-guard";
import { webfinger } from "etiquette/webfinger";
import { EXPRESS_VERSIONS } from "./support/express.js";
import { listen } from "./support/raw-socket.js";

/**
 * Mounted for the whole app, in the default mode, the suite leaves alone what Express does for ordinary routes: the
 * answers of an app with the suite are those of the bare app, but for the headers that the suite adds.
 */

/** What can be mounted for the whole app, in this order, before the routes. */
const BEFORE: readonly (() => RequestHandler)[] = [
  () => sharedShapes(),
  () => responseCheck({ enabled: true, log: () => undefined }),
  () => requestId(),
  () => httpsOnly({ trust: "loopback" }),
  () => bodyLength(),
  () => utf8Guard(),
  () => queryParameters(),
  () => requestContext(),
  () => rateLimitHeaders({ consume: () => ({ limit: 600, remaining: 599, reset: 60_000, allowed: true }) }),
  () => webfinger({ resolve: () => "org", baseUrl: "https://acme.example.com", title: "acme" }),
];

/** What is mounted after the routes. */
const AFTER: readonly (() => RequestHandler | ErrorRequestHandler)[] = [
  () => notFound(),
  () => errorFormatter({ log: () => undefined }),
];

/** Headers that the suite adds to ordinary answers. */
const ADDED = ["x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset", "x-svc-request-id"];

/** What serves the app with the suite; the bare one is always served by Node. */
const SERVERS: readonly (readonly [string, (app: Application) => Server])[] = [
  ["node:http", (app) => createHttpServer(app)],
  ["createServer", (app) => createServer(app)],
];

interface Answer {
  status: number | undefined;
  message: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

interface RequestOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  /** Several chunks are sent with `Transfer-Encoding: chunked`. */
  body?: string | Buffer | readonly string[];
}

const directory = mkdtempSync(path.join(tmpdir(), "coexistence-"));
const MODIFIED = new Date("2026-01-01T00:00:00.000Z");
const BINARY = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
const servers: Server[] = [];
let upstreamPort: number;

beforeAll(async () => {
  for (const [name, content] of [
    ["page.html", "<h1>0123456789</h1>"],
    ["data.bin", BINARY],
    [".hidden", "secret"],
  ] as const) {
    writeFileSync(path.join(directory, name), content);
    utimesSync(path.join(directory, name), MODIFIED, MODIFIED);
  }
  const upstream = createHttpServer((req, res) => {
    void collect(req).then((body) => {
      res.writeHead(203, { "X-Upstream": "yes", ETag: '"strong"', "Set-Cookie": ["a=1", "b=2"] });
      res.end(
        JSON.stringify({ method: req.method, url: req.url, custom: req.headers["x-custom"], body: body.toString() }),
      );
    });
  });
  servers.push(upstream);
  upstreamPort = await listen(upstream);
});

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(directory, { recursive: true });
});

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An app as anyone has it, that knows nothing of the suite. */
function mountOrdinaryRoutes(app: Application, express: typeof expressType): void {
  app.use("/static", express.static(directory));
  app.get("/file", (_req, res) => {
    res.download(path.join(directory, "data.bin"), "日本.bin");
  });
  app.get("/query", (req, res) => {
    res.json({ query: req.query, url: req.url, originalUrl: req.originalUrl });
  });
  app.post("/form", express.urlencoded({ extended: true }), (req, res) => {
    res.json(req.body);
  });
  app.post("/json", express.json(), (req, res) => {
    res.status(201).location("/json/1").json(req.body);
  });
  app.get("/stream", (_req, res) => {
    res.type("text/csv");
    Readable.from(["a,b\n", "1,2\n", "é,😀\n"]).pipe(res);
  });
  app.put("/echo", (req, res) => {
    res.set("Content-Type", req.get("Content-Type") ?? "");
    req.pipe(res);
  });
  app.post("/upload", (req, res) => {
    void collect(req).then((bytes) =>
      res.json({ type: req.get("Content-Type"), size: bytes.length, sha256: hash(bytes) }),
    );
  });
  let sendNext: (() => void) | undefined;
  app.get("/events", (_req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    res.write("id: 1\ndata: first\n\n");
    sendNext = () => res.end("id: 2\ndata: second\n\n");
  });
  app.post("/events/next", (_req, res) => {
    sendNext?.();
    res.sendStatus(204);
  });
  app.all(/^\/proxy\//, (req, res, next) => {
    const options = { port: upstreamPort, host: "127.0.0.1", method: req.method, path: req.url, headers: req.headers };
    const proxied = httpRequest({ ...options, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    proxied.on("error", next);
    req.pipe(proxied);
  });
  app.get("/html", (_req, res) => {
    res.cookie("session", "1", { httpOnly: true }).send("<p>é</p>");
  });
  app.get("/redirect", (_req, res) => {
    res.redirect("/html?a=b");
  });
  app.get("/teapot", (_req, _res, next) => {
    next(Object.assign(new Error("short and stout"), { teapot: true }));
  });
  const ownErrors: ErrorRequestHandler = (error: { teapot?: boolean }, _req, res, next) => {
    if (error.teapot) res.status(418).send("I'm a teapot");
    else next(error);
  };
  app.use(ownErrors);
}

async function serve(app: Application, create: (app: Application) => Server): Promise<number> {
  const server = create(app);
  servers.push(server);
  const sockets = new WebSocketServer({ server, path: "/socket" });
  sockets.on("connection", (socket, req) => {
    socket.send(`welcome ${req.url ?? ""}`);
    socket.on("message", (data, isBinary) => {
      socket.send(data, { binary: isBinary });
    });
  });
  return listen(server);
}

async function open(port: number, target: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const { method = "GET", headers = {}, body } = options;
  const fields = { "X-Forwarded-Proto": "https", ...headers };
  const req = httpRequest({ port, host: "127.0.0.1", path: target, method, headers: fields, agent: false });
  if (Array.isArray(body)) for (const chunk of body as readonly string[]) req.write(chunk);
  else if (body !== undefined) req.setHeader("Content-Length", Buffer.byteLength(body as string));
  req.end(Array.isArray(body) ? undefined : body);
  const [answer] = (await once(req, "response")) as [IncomingMessage];
  return answer;
}

async function send(port: number, target: string, options?: RequestOptions): Promise<Answer> {
  const answer = await open(port, target, options);
  const body = (await collect(answer)).toString("latin1");
  return { status: answer.statusCode, message: answer.statusMessage, headers: answer.headers, body };
}

describe.each(EXPRESS_VERSIONS)("on %s", (_version, express) => {
  describe.each(SERVERS)("an app with the suite, served by %s,", (_server, create) => {
    let bare: number;
    let suite: number;

    beforeAll(async () => {
      const bareApp = express();
      mountOrdinaryRoutes(bareApp, express);
      bare = await serve(bareApp, (app) => createHttpServer(app));

      const app = express();
      for (const factory of BEFORE) app.use(factory());
      app.use("/api", contentType());
      app.post("/api/users", express.json(), (req, res) => {
        res.json(req.body);
      });
      mountOrdinaryRoutes(app, express);
      for (const factory of AFTER) app.use(factory());
      suite = await serve(app, create);
    });

    /** The answer of the app with the suite, once it is known to be that of the bare one. */
    async function compare(target: string, options?: RequestOptions): Promise<Answer> {
      const theirs = await send(bare, target, options);
      const ours = await send(suite, target, options);
      for (const name of ADDED) expect(ours.headers).toHaveProperty([name]);
      const stays = ([name]: [string, unknown]): boolean => name !== "date" && !ADDED.includes(name);
      const strip = (answer: Answer) => ({
        ...answer,
        headers: Object.fromEntries(Object.entries(answer.headers).filter(stays)),
      });
      expect(strip(ours)).toEqual(strip(theirs));
      return ours;
    }

    describe("serves static files as before:", () => {
      it.each<[string, string, RequestOptions, number]>([
        ["a page", "/static/page.html", {}, 200],
        ["a large binary file", "/static/data.bin", {}, 200],
        ["HEAD", "/static/page.html", { method: "HEAD" }, 200],
        ["a range", "/static/data.bin", { headers: { Range: "bytes=10-19" } }, 206],
        ["the end of a file", "/static/data.bin", { headers: { Range: "bytes=-5" } }, 206],
        [
          "several ranges, which are answered in whole",
          "/static/page.html",
          { headers: { Range: "bytes=0-1,4-5" } },
          200,
        ],
        [
          "a condition that holds",
          "/static/page.html",
          { headers: { "If-Modified-Since": MODIFIED.toUTCString() } },
          304,
        ],
        ["a condition that does not", "/static/page.html", { headers: { "If-None-Match": '"other"' } }, 200],
        ["a directory without its slash", "/static", {}, 301],
      ])("%s", async (_what, target, options, status) => {
        expect((await compare(target, options)).status).toBe(status);
      });

      it("an entity tag", async () => {
        const { headers } = await compare("/static/page.html");
        expect(headers.etag).toMatch(/^W\//);
        expect((await compare("/static/page.html", { headers: { "If-None-Match": headers.etag } })).status).toBe(304);
      });

      it.each<[string, OutgoingHttpHeaders, number]>([
        ["a range that can't be satisfied", { Range: "bytes=99999999-" }, 416],
        ["a precondition that fails", { "If-Unmodified-Since": new Date(0).toUTCString() }, 412],
      ])("%s, with the error object", async (_what, headers, status) => {
        const theirs = await send(bare, "/static/data.bin", { headers });
        const ours = await send(suite, "/static/data.bin", { headers });
        expect([theirs.status, ours.status]).toEqual([status, status]);
        expect(ours.headers["content-range"]).toBe(theirs.headers["content-range"]);
        expect(JSON.parse(ours.body)).toHaveProperty("errorCode");
      });

      it("a download with a name beyond ASCII", async () => {
        const { headers } = await compare("/file");
        expect(headers["content-disposition"]).toContain("filename*=UTF-8''%E6%97%A5%E6%9C%AC.bin");
      });
    });

    describe("takes bodies as before:", () => {
      it("a form", async () => {
        const body = "name=J%C3%B6rg+M&tags[]=a&tags[]=b&address[city]=X&emoji=%F0%9F%98%80";
        const headers = { "Content-Type": "application/x-www-form-urlencoded" };
        const answer = await compare("/form", { method: "POST", headers, body });
        expect(JSON.parse(Buffer.from(answer.body, "latin1").toString())).toEqual({
          name: "Jörg M",
          tags: ["a", "b"],
          address: { city: "X" },
          emoji: "😀",
        });
      });

      it("JSON, also chunked", async () => {
        const headers = { "Content-Type": "application/json" };
        expect((await compare("/json", { method: "POST", headers, body: '{"a":"😀"}' })).status).toBe(201);
        expect((await compare("/json", { method: "POST", headers, body: ['{"a":', "1}"] })).body).toBe('{"a":1}');
      });

      it("an upload of several parts, read raw", async () => {
        const boundary = "----suite";
        const body = Buffer.concat([
          Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="ä.bin"\r\n\r\n`),
          BINARY,
          Buffer.from(`\r\n--${boundary}--\r\n`),
        ]);
        const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
        const answer = await compare("/upload", { method: "POST", headers, body });
        expect(JSON.parse(answer.body)).toMatchObject({ size: body.length, sha256: hash(body) });
      });

      it("a body in chunks, piped back", async () => {
        const headers = { "Content-Type": "application/octet-stream" };
        const answer = await compare("/echo", { method: "PUT", headers, body: ["one, ", "two, ", "three"] });
        expect(answer.body).toBe("one, two, three");
        expect(answer.headers["transfer-encoding"]).toBe("chunked");
      });

      it("an empty body", async () => {
        expect((await compare("/upload", { method: "POST", body: "" })).status).toBe(200);
      });
    });

    it("streams as before", async () => {
      const { body, headers } = await compare("/stream");
      expect(Buffer.from(body, "latin1").toString()).toBe("a,b\n1,2\né,😀\n");
      expect(headers["transfer-encoding"]).toBe("chunked");
    });

    it("sends each server-sent event when it happens", async () => {
      for (const port of [bare, suite]) {
        const events = await open(port, "/events", { headers: { Accept: "text/event-stream" } });
        expect(events.headers["content-type"]).toBe("text/event-stream");
        const iterator = events[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
        const nextEvent = async () => String((await iterator.next()).value);
        expect(await nextEvent()).toBe("id: 1\ndata: first\n\n"); // while the stream is open
        expect((await send(port, "/events/next", { method: "POST", body: "" })).status).toBe(204);
        expect(await nextEvent()).toBe("id: 2\ndata: second\n\n");
        expect((await iterator.next()).done).toBe(true);
      }
    });

    it.each<[string, RequestOptions]>([
      ["/proxy/a%20b?x=1&x=2&y=a+b", {}],
      ["/proxy/post", { method: "POST", body: "text", headers: { "Content-Type": "text/plain", "X-Custom": "1" } }],
      ["/proxy/chunks", { method: "PATCH", body: ["a", "b"], headers: { "Content-Type": "application/x-any" } }],
      ["/proxy/gone", { method: "DELETE" }],
    ])("proxies as before: %s", async (target, options) => {
      const { status, headers, body } = await compare(target, options);
      expect([status, headers["x-upstream"], headers.etag]).toEqual([203, "yes", '"strong"']);
      expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
      expect(JSON.parse(body)).toMatchObject({ method: options.method ?? "GET", url: target });
    });

    it("leaves websockets on the same server alone", async () => {
      for (const port of [bare, suite]) {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/socket?a=1`);
        const received: string[] = [];
        socket.on("message", (data: Buffer) => received.push(data.toString()));
        await once(socket, "open");
        socket.send("text");
        socket.send(Buffer.from("binary"));
        while (received.length < 3) await once(socket, "message");
        expect(received).toEqual(["welcome /socket?a=1", "text", "binary"]);
        socket.close(1000, "done");
        expect(await once(socket, "close")).toEqual([1000, Buffer.from("done")]);
      }
    });

    describe("does what Express does on its own:", () => {
      it.each<[string, string, RequestOptions, number]>([
        ["the parsed query", "/query?a=1&a=2&b[c]=d&e=f+g&h=%C3%A9", {}, 200],
        ["HTML and cookies", "/html", {}, 200],
        ["HEAD of a GET route", "/html", { method: "HEAD" }, 200],
        ["a redirect", "/redirect", {}, 302],
        ["the app's own error handler", "/teapot", {}, 418],
      ])("%s", async (_what, target, options, status) => {
        expect((await compare(target, options)).status).toBe(status);
      });

      it("304 for what it tagged", async () => {
        const { headers } = await compare("/query?a=1");
        expect(headers.etag).toMatch(/^W\//);
        expect((await compare("/query?a=1", { headers: { "If-None-Match": headers.etag } })).status).toBe(304);
      });
    });

    it("has the suite's answers where they are asked for", async () => {
      const headers = { "Content-Type": "text/plain" };
      expect((await send(suite, "/api/users", { method: "POST", headers, body: "x" })).status).toBe(415);
      expect((await send(suite, "/query?a=%zz")).status).toBe(400);
      expect((await send(suite, "/html", { headers: { "X-Forwarded-Proto": "http" } })).status).toBe(403);
      const missing = await send(suite, "/missing");
      expect(JSON.parse(missing.body)).toMatchObject({ errorCode: "E0000008" });
      // a route without a handler for it: whatever comes after the routes and ends requests is before Express's own answer
      expect((await send(suite, "/html", { method: "OPTIONS" })).status).toBe(404);
    });
  });
});
