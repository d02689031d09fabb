import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import compression from "compression";
import cors from "cors";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import helmet from "helmet";
import morgan from "morgan";
import multer from "multer";
import request from "supertest";
import { apiError, type ApiError } from "etiquette/api-error";
import { suite, type SuiteOptions } from "etiquette/suite";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { rowsBelow } from "../support/page-parts.js";
import { exchange, listen, parseAnswer } from "../support/raw-socket.js";
import { run } from "../support/run-snippet.js";

/** What docs/reference/suite.md says of an app that already runs is true, and the complete app works. */
const page = readFileSync(path.join(__dirname, "../../docs/reference/suite.md"), "utf8");

const UPLOAD = multer().single("file");
const EMOJI = "%F0%9F%98%80";

/** For each line of the page's table: the request that is refused, and the response where the page's options are given. */
const REFUSED: Readonly<Record<string, readonly [(app: Express) => request.Test, number, object?]>> = {
  "a form": [(app) => request(app).post("/form").type("form").send("a=1"), 200, { a: "1" }],
  "an upload": [(app) => request(app).post("/upload").attach("file", Buffer.from("abc"), "a"), 200, { size: 3 }],
  "JSON as `text/plain`": [(app) => request(app).post("/").type("text/plain").send('{"a":1}'), 200, { a: 1 }],
  "JSON under": [(app) => request(app).post("/").type("application/vnd.api+json").send('{"a":1}'), 200, { a: 1 }],
  "`EventSource`": [(app) => request(app).get("/").set("Accept", "text/event-stream"), 200],
  "an image": [(app) => request(app).get("/").set("Accept", "image/*"), 200],
  "a POST or PUT": [(app) => request(app).post("/").set("Test-Without-Length", "yes"), 200],
  "an emoji": [(app) => request(app).post(`/?a=${EMOJI}`).send({ a: "😀" }), 200, { a: "😀" }],
  "a query": [(app) => request(app).get("/?q=100%"), 200],
  "more than": [(app) => request(app).get(`/?${"a=1&".repeat(101)}`), 200],
  "JSON of": [
    (app) =>
      request(app)
        .post("/")
        .send({ a: "a".repeat(102_400) }),
    200,
  ],
  "a text": [(app) => request(app).post("/").type("json").send("null"), 200],
  "plain HTTP": [(app) => request(app).get("/").set("X-Forwarded-For", "203.0.113.7"), 200],
  "a path": [(app) => request(app).get("/nowhere").set("Accept", "text/html,*/*;q=0.8"), 404],
  "a request whose": [(app) => request(app).get("/failing"), 500],
};

const ROWS = rowsBelow(page, "In an app that already runs").map(([request_ = "", response = "", allowed = ""]) => {
  const name = Object.keys(REFUSED).find((start) => request_.startsWith(start)) ?? request_;
  const [, status = "", code] = /^(\d{3})(?: `(\w+)`)?/.exec(response) ?? [];
  const snippets = [...allowed.matchAll(/`(\w+: [^`]+)`/g)].map(([, snippet = ""]) => snippet);
  return [name, Number(status), code, snippets] as const;
});

it("the page has a line for each request that is tested, and no other", () => {
  expect(ROWS.map(([name]) => name)).toEqual(Object.keys(REFUSED));
});

describe.each(EXPRESS_VERSIONS)("docs/reference/suite.md on %s", (_version, express) => {
  function serve(options: SuiteOptions): Express {
    const { errorFormatter = { log: false } } = options;
    const { guards, fallbacks } = suite({ ...options, errorFormatter, responseCheck: false });
    const app = express();
    app.use((req, _res, next) => {
      if (req.headers["test-without-length"]) delete req.headers["content-length"]; // supertest always sends it
      next();
    });
    app.use(guards);
    const echo: RequestHandler = (req, res) => res.json(req.body ?? {});
    app.post("/form", express.urlencoded({ extended: false }), echo);
    app.post("/upload", UPLOAD, (req, res) => res.json({ size: req.file?.size }));
    app.all("/", echo);
    app.get("/failing", () => {
      throw new Error("a secret");
    });
    app.use(fallbacks);
    return app;
  }

  it.each(ROWS)("%s is refused", async (name, status, code) => {
    const { body, text } = await REFUSED[name]![0](serve({})).expect(status);
    expect(body).toHaveProperty("errorCode", code ?? expect.stringMatching(/^E\d+$/));
    expect(text).not.toContain("secret");
  });

  it.each(ROWS.flatMap(([name, , , snippets]) => snippets.map((snippet) => [name, snippet] as const)))(
    "%s is allowed by %s",
    async (name, snippet) => {
      // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is a page of this repository
      const options = new Function(`return { ${snippet} }`)() as SuiteOptions;
      const [send, status, body = {}] = REFUSED[name]!;
      const sent = send(serve(options));
      if (snippet.startsWith("trust")) void sent.set("X-Forwarded-Proto", "https");
      const res = await sent.expect(status);
      expect(res.body).toMatchObject(body);
      expect(res.body).not.toHaveProperty("errorCode");
    },
  );

  describe("where the rest goes:", () => {
    const { guards, fallbacks } = suite({ responseCheck: false, errorFormatter: { log: false } });

    it("a logger, helmet, compression and cors before the guards see refusals", async () => {
      const lines: string[] = [];
      const app = express();
      app.use(morgan(":status :res[x-svc-request-id]", { stream: { write: (line) => lines.push(line) } }));
      app.use(helmet(), compression({ threshold: 0 }), cors(), guards, fallbacks);
      const { headers } = await request(app).get("/").set("Accept", "text/html").expect(406);
      expect(headers).toMatchObject({
        "content-security-policy": expect.any(String),
        "content-encoding": "gzip",
        "access-control-allow-origin": "*",
      });
      expect(lines).toEqual([`406 ${headers["x-svc-request-id"]}\n`]);
    });

    it.each<[string, (app: Express) => request.Test]>([
      ["the JSON body", (app) => request(app).post("/").send({ a: "😀" })],
      ["User-Agent", (app) => request(app).get("/").set("User-Agent", Buffer.from("😀").toString("latin1"))],
    ])("an emoji is refused and allowed in %s too", async (_where, send) => {
      await send(serve({})).expect(400);
      await send(serve({ maxBytesPerCharacter: 4 })).expect(200);
    });

    it.each(['"', "<", ">"])("a query with %s as it is is refused, and allowed", async (character) => {
      const statusOf = async (options: SuiteOptions): Promise<number> => {
        const plain = createServer(serve(options));
        const head = `GET /?q=${character} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        const answer = await exchange(await listen(plain), head);
        plain.close();
        return parseAnswer(answer).status;
      };
      expect(await statusOf({})).toBe(400);
      expect(await statusOf({ queryParameters: false, utf8Guard: { query: false } })).toBe(200);
    });

    it("Content-Type is checked without a body too", async () => {
      await request(serve({})).get("/").type("form").expect(415);
    });

    it("the Strict-Transport-Security of httpsOnly counts", async () => {
      const app = express();
      app.use(helmet(), suite({ trust: "loopback", responseCheck: false }).guards);
      const { headers } = await request(app).get("/").set({ Host: "a.example", "X-Forwarded-Proto": "https" });
      expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    });

    it("a health check and a webhook before the guards are not refused, and are named as unguarded", async () => {
      const log = jest.fn();
      const own = suite({ responseCheck: { unguarded: ["/health", "/webhook"], log }, errorFormatter: { log: false } });
      const app = express();
      app.get("/health", (_req, res) => {
        res.send("ok");
      });
      app.post("/webhook", express.raw({ type: "application/json" }), (req, res) => {
        res.json({ raw: Buffer.isBuffer(req.body) });
      });
      app.use(own.guards, own.fallbacks);
      const { body } = await request(app).post("/webhook").send({ a: 1 }).expect(200);
      expect(body).toEqual({ raw: true });
      await request(app).get("/health").set("Host", "10.0.0.7").expect(200, "ok");
      await request(app).get("/").set("Host", "10.0.0.7").expect(403);
      expect(log).not.toHaveBeenCalled();
    });

    it("a rate limiter behind the guards refuses with an id and the error object", async () => {
      const app = express();
      app.use(guards);
      app.use(
        rateLimit({
          limit: 1,
          handler: (_req, _res, next) => {
            next(apiError("E0000047"));
          },
        }),
      );
      app.use(fallbacks);
      await request(app).get("/").expect(404);
      const { body, headers } = await request(app).get("/").expect(429);
      expect(body).toMatchObject({ errorCode: "E0000047", errorId: headers["x-svc-request-id"] });
    });

    it("an error handler of the app's own sends what it knows, and leaves the rest", async () => {
      const app = express();
      app.use(guards);
      app.get("/teapot", () => {
        throw new Error("teapot");
      });
      app.use(((error: ApiError, _req, res, next) => {
        if (error.message === "teapot") res.sendStatus(418);
        else next(error);
      }) as ErrorRequestHandler);
      app.use(fallbacks);
      await request(app).get("/teapot").expect(418, "I'm a Teapot");
      expect((await request(app).get("/").expect(404)).body).toHaveProperty("errorCode", "E0000008");
    });
  });

  describe("docs/examples/complete-app.ts", () => {
    const example = readFileSync(path.join(__dirname, "../../docs/examples/complete-app.ts"), "utf8");
    const folder = mkdtempSync(path.join(tmpdir(), "suite-"));
    const lines: string[] = [];
    let upstream: Server;
    let server: Server;
    let warned: jest.SpyInstance;

    beforeAll(async () => {
      writeFileSync(path.join(folder, "logo.png"), "png");
      upstream = createServer((req, res) => {
        void req.toArray().then((chunks) => {
          res.end(`${req.method} ${req.url} ${Buffer.concat(chunks as Buffer[]).toString()}`);
        });
      });
      const port = await listen(upstream);
      warned = jest.spyOn(console, "warn").mockImplementation(() => undefined);
      jest.spyOn(console, "error").mockImplementation(() => undefined);
      jest.spyOn(process.stdout, "write").mockImplementation((line) => Boolean(lines.push(String(line))));
      const snippet = example
        .replace('"public"', JSON.stringify(folder))
        .replace("http://127.0.0.1:4000", `http://127.0.0.1:${port}`);
      server = await run(snippet, express);
    });

    afterAll(async () => {
      for (const each of [server, upstream]) {
        each.closeAllConnections();
        await once(each.close(), "close");
      }
      await setTimeout(20); // morgan writes its last line
      jest.restoreAllMocks();
      rmSync(folder, { recursive: true });
    });

    /** As the proxy that ends TLS sends it. */
    const sent = (test: request.Test): request.Test =>
      test.set("X-Forwarded-Proto", "https").set("X-Forwarded-For", "203.0.113.7");

    it("has pages as before: HTML, files, 404 and 500, whatever Accept says", async () => {
      await sent(request(server).get("/")).set("Accept", "text/html").expect(200, /<form/);
      await sent(request(server).get("/logo.png")).set("Accept", "image/*").expect(200, Buffer.from("png"));
      await sent(request(server).get("/nowhere"))
        .set("Accept", "text/html")
        .expect(404, /no such page/);
      await sent(request(server).get("/?a=100%")).expect(200);
      const form = sent(request(server).post("/login"))
        .type("application/x-www-form-urlencoded; charset=x")
        .send("a=1");
      await form.expect(500, /went wrong/);
    });

    it("signs in with a form, and knows the session in the API", async () => {
      const agent = request.agent(server);
      await sent(agent.get("/api/me")).expect(401);
      const { headers } = await sent(agent.post("/login").type("form").send("name=Ann")).expect(302);
      const [cookie = ""] = headers["set-cookie"] as unknown as string[];
      expect(cookie).toContain("Secure");
      await sent(agent.get("/api/me")).set("Cookie", cookie.split(";", 1)).expect(200, { name: "Ann" });
    });

    it("takes JSON with an emoji, and refuses a form and what is malformed", async () => {
      await sent(request(server).post("/api/messages").send({ a: "😀" })).expect(201, { a: "😀" });
      await sent(request(server).post("/api/messages").type("form").send("a=1")).expect(415);
      await sent(request(server).post("/api/messages").type("json").send("{")).expect(400);
      await sent(request(server).get("/api/nowhere"))
        .set("Accept", "text/html,*/*;q=0.8")
        .expect(404, /E0000008/);
    });

    it("takes an upload, and says what is wrong with one", async () => {
      const upload = (name: string, size: number) =>
        sent(request(server).post("/api/photos").attach(name, Buffer.alloc(size), "a.png"));
      await upload("photo", 1_048_576).expect(201, { bytes: 1_048_576 });
      const large = await upload("photo", 1_048_577).expect(413);
      expect(large.body).toMatchObject({ errorCode: "E0009003", errorCauses: [{ errorSummary: "File too large" }] });
      await upload("other", 1).expect(400);
    });

    it("sends a download, and events one by one", async () => {
      const csv = await sent(request(server).get("/api/report.csv")).set("Accept", "text/csv").expect(200);
      expect(csv.text).toBe("name,score\nJörg,1\n");
      const { port } = server.address() as AddressInfo;
      const headers = { Accept: "text/event-stream", "Accept-Encoding": "gzip", "X-Forwarded-Proto": "https" };
      const events = get({ port, host: "127.0.0.1", path: "/api/events", headers });
      const [res] = (await once(events, "response")) as [IncomingMessage];
      const [first] = (await once(res, "data")) as [Buffer];
      expect(String(first)).toBe("data: hello\n\n"); // while the stream is open
      events.destroy();
    });

    it("forwards JSON to the other server", async () => {
      await sent(request(server).post("/legacy/x").send({ a: 1 })).expect(200, 'POST /x {"a":1}');
    });

    it("lets a page of the other origin read what is refused", async () => {
      const origin = "https://app.example.com";
      const preflight = sent(request(server).options("/api/messages")).set("Origin", origin);
      await preflight.set("Access-Control-Request-Method", "POST").expect(204);
      const { headers } = await sent(request(server).post("/api/messages").type("form").send("a=1")).set(
        "Origin",
        origin,
      );
      expect(headers["access-control-allow-origin"]).toBe(origin);
      expect(headers["access-control-expose-headers"]).toBe("X-Svc-Request-Id");
      expect(lines.join("")).toContain(`POST /api/messages 415 ${headers["x-svc-request-id"]}`);
    });

    it("counts requests by the client's address", async () => {
      const ask = (ip: string) =>
        request(server).get("/api/me").set("X-Forwarded-Proto", "https").set("X-Forwarded-For", ip);
      const counts = [];
      for (const ip of ["198.51.100.1", "198.51.100.1", "198.51.100.2"]) {
        counts.push((await ask(ip)).headers["x-ratelimit-remaining"]);
      }
      expect(counts).toEqual(["99", "98", "99"]);
    });

    it("is mounted in the right order", () => {
      expect(warned.mock.calls.flat().filter((line) => String(line).includes("order"))).toEqual([]);
    });
  });
});
