import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { Application, ErrorRequestHandler, Request, RequestHandler } from "express";
import request from "supertest";
import { getRequestId, requestId, tryGetRequestId, type RequestIdOptions } from "etiquette/request-id";
import { EXPRESS_VERSIONS } from "../support/express.js";

const HEADER = "x-svc-request-id";
const GENERATED = /^[A-Za-z0-9_-]{22}$/;

describe.each(EXPRESS_VERSIONS)("requestId() on %s", (_version, express) => {
  function serve(options?: RequestIdOptions): ReturnType<typeof express> {
    const app = express();
    app.disable("x-powered-by");
    app.use(requestId(options));
    app.get("/", (req, res) => {
      res.json({ id: getRequestId(req), tried: tryGetRequestId(req) });
    });
    app.get("/empty", (_req, res) => {
      res.status(204).end();
    });
    app.get("/head", (_req, res) => {
      res.writeHead(202, { "X-Other": "1" }).end();
    });
    return app;
  }

  it("D1 puts an id on the response, the one that the accessors read", async () => {
    const res = await request(serve()).get("/").expect(200);
    expect(res.headers[HEADER]).toMatch(GENERATED);
    expect(res.body).toEqual({ id: res.headers[HEADER], tried: res.headers[HEADER] });
  });

  it("D1 gives each request its own id, concurrent ones too", async () => {
    const server = serve().listen(0, "127.0.0.1");
    await once(server, "listening");
    const answers = await Promise.all(Array.from({ length: 50 }, () => request(server).get("/")));
    server.close();
    expect(new Set(answers.map((res) => res.headers[HEADER]!)).size).toBe(50);
    for (const res of answers) expect(res.body.id).toBe(res.headers[HEADER]);
  });

  it("D1 is on 204, 304, 404, HEAD, OPTIONS and an answer by writeHead", async () => {
    const app = serve();
    const tagged = await request(app).get("/tag").set("If-None-Match", '"1"').expect(404);
    app.get("/tag", (_req, res) => {
      res.set("ETag", '"1"').json({});
    });
    const answers = [
      tagged,
      await request(app).get("/empty").expect(204),
      await request(app).get("/tag").set("If-None-Match", '"1"').expect(304),
      await request(app).head("/").expect(200),
      await request(app).options("/").expect(200),
      await request(app).get("/head").expect(202),
    ];
    for (const res of answers) expect(res.headers[HEADER]).toMatch(GENERATED);
  });

  it("D1 keeps the first id of a request when it is mounted twice", async () => {
    const app = serve();
    app.get("/twice", requestId(), requestId({ namespace: "acme" }), (req, res) => {
      res.json({ id: getRequestId(req) });
    });
    const res = await request(app).get("/twice");
    expect(res.body.id).toBe(res.headers[HEADER]);
    expect(res.headers["x-acme-request-id"]).toBe(res.headers[HEADER]);
  });

  describe("namespace, headerName", () => {
    it("N4 names the header after the namespace", async () => {
      const res = await request(serve({ namespace: "acme" })).get("/");
      expect(res.headers["x-acme-request-id"]).toBe(res.body.id);
      expect(res.headers).not.toHaveProperty(HEADER);
    });

    it("puts headerName before the namespace", async () => {
      const res = await request(serve({ namespace: "acme", headerName: "Request-Id" })).get("/");
      expect(res.headers["request-id"]).toBe(res.body.id);
      expect(res.headers).not.toHaveProperty("x-acme-request-id");
    });
  });

  describe("generator", () => {
    it("is given the request", async () => {
      const generator = (req: Request): string => `${req.method}-1`;
      const res = await request(serve({ generator })).get("/");
      expect(res.headers[HEADER]).toBe("GET-1");
    });

    it.each([["x".repeat(128)], ["x".repeat(127)], [randomUUID()]])("may return %s", async (id) => {
      const res = await request(serve({ generator: () => id })).get("/");
      expect(res.headers[HEADER]).toBe(id);
    });

    it.each([[""], ["x".repeat(129)], ["a b"], ["a\r\nSet-Cookie: b=c"], ["é"], [7], [null], [undefined], [{}]])(
      "must not return %p",
      async (id) => {
        const app = serve({ generator: () => id as string });
        const errors = collectErrors(app);
        const res = await request(app).get("/").expect(500);
        expect(errors).toEqual([
          new TypeError("requestId: `generator` must return 1 to 128 characters of A-Z a-z 0-9 . _ ~ -"),
        ]);
        expect(res.headers).not.toHaveProperty(HEADER);
      },
    );

    it("hands what it throws to the error handler", async () => {
      const failure = new Error("no entropy");
      const app = serve({
        generator: () => {
          throw failure;
        },
      });
      const errors = collectErrors(app);
      await request(app).get("/").expect(500);
      expect(errors).toEqual([failure]);
    });
  });

  describe("trustInbound", () => {
    it("D2 does not believe an inbound id by default", async () => {
      const res = await request(serve()).get("/").set(HEADER, "inbound").expect(200);
      expect(res.headers[HEADER]).toMatch(GENERATED);
    });

    it("D2 keeps the id of a peer that is trusted, and of no other", async () => {
      const app = serve({ trustInbound: (req) => req.headers["x-gateway"] === "1" });
      const believed = await request(app).get("/").set(HEADER, "inbound").set("X-Gateway", "1");
      expect(believed.headers[HEADER]).toBe("inbound");
      expect(believed.body.id).toBe("inbound");
      const other = await request(app).get("/").set(HEADER, "inbound");
      expect(other.headers[HEADER]).toMatch(GENERATED);
    });

    it("D2 reads the inbound id from the header that is configured", async () => {
      const app = serve({ headerName: "Request-Id", trustInbound: () => true });
      const res = await request(app).get("/").set("request-id", "a").set(HEADER, "b");
      expect(res.headers["request-id"]).toBe("a");
    });

    it.each(["x".repeat(127), "x".repeat(128), "A-Z.a_z~0"])("D2 keeps %s", async (id) => {
      const res = await request(serve({ trustInbound: () => true }))
        .get("/")
        .set(HEADER, id);
      expect(res.headers[HEADER]).toBe(id);
    });

    it.each(["", "x".repeat(129), "a b", "a,b", "<script>", "a\tb", "é"])(
      "D2 replaces %p, whoever sends it",
      async (id) => {
        const res = await exchange(serve({ trustInbound: () => true }), [HEADER, Buffer.from(id).toString("latin1")]);
        expect(res[HEADER]).toMatch(GENERATED);
      },
    );

    it("D2 replaces an id that comes twice", async () => {
      const res = await exchange(serve({ trustInbound: () => true }), [HEADER, "a", HEADER, "a"]);
      expect(res[HEADER]).toMatch(GENERATED);
    });

    it.each([
      ["a promise of true", Promise.resolve(true)],
      ["a promise of false", Promise.resolve(false)],
      ["1", 1],
    ])("D2 takes %s for a no", async (_title, answer) => {
      const res = await request(serve({ trustInbound: () => answer as never }))
        .get("/")
        .set(HEADER, "inbound");
      expect(res.headers[HEADER]).toMatch(GENERATED);
    });

    it("does not ask about a request that brings no usable id", async () => {
      const trustInbound = jest.fn(() => true);
      const app = serve({ trustInbound });
      await request(app).get("/");
      await request(app).get("/").set(HEADER, "a b");
      expect(trustInbound).not.toHaveBeenCalled();
    });
  });

  it("D2 parts here from the usual package, which takes any inbound id", async () => {
    const hostile = "x".repeat(4000);
    const app = express();
    app.get("/theirs", usualRequestId, (_req, res) => void res.end());
    app.get("/ours", requestId(), (_req, res) => void res.end());
    const theirs = await request(app).get("/theirs").set("X-Request-Id", hostile);
    expect(theirs.headers["x-request-id"]).toBe(hostile);
    const ours = await request(app).get("/ours").set("X-Svc-Request-Id", hostile);
    expect(ours.headers[HEADER]).toMatch(GENERATED);
  });

  it("is missing where it is not mounted, and says so", async () => {
    const app = express();
    app.get("/", (req, res) => {
      expect(() => getRequestId(req)).toThrow(
        new Error("requestId() did not run for this request; mount it before what reads its value"),
      );
      res.json({ tried: tryGetRequestId(req) ?? null });
    });
    const res = await request(app).get("/").expect(200);
    expect(res.body).toEqual({ tried: null });
  });
});

describe("requestId: options", () => {
  it.each([
    [{ namespace: "Svc" }, "option `namespace` must be 1 to 32 lower-case letters and digits, a letter first"],
    [{ headerName: "" }, "option `headerName` must be a header field name"],
    [{ headerName: "X Id" }, "option `headerName` must be a header field name"],
    [{ generator: "uuid" }, "option `generator` must be a function"],
    [{ trustInbound: true }, "option `trustInbound` must be a function"],
  ])("refuses %p", (options, message) => {
    expect(() => requestId(options as never)).toThrow(new TypeError(`requestId: ${message}`));
  });
});

/** The whole of the packages that most people use, in effect. */
const usualRequestId: RequestHandler = (req, res, next) => {
  const id = req.get("X-Request-Id") ?? randomUUID();
  res.set("X-Request-Id", id);
  next();
};

function collectErrors(app: Application): unknown[] {
  const errors: unknown[] = [];
  const collect: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
    errors.push(error);
    next(error);
  };
  app.use(collect);
  return errors;
}

/** One GET whose header lines go out exactly as given. */
async function exchange(
  app: { listen(port: number, host: string): Server },
  lines: string[],
): Promise<IncomingHttpHeaders> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({
      port,
      host: "127.0.0.1",
      headers: ["Host", "a", "Connection", "close", ...lines] as never,
    });
    sent.end();
    const [res] = (await once(sent, "response")) as [{ headers: IncomingHttpHeaders; resume(): void }];
    res.resume();
    return res.headers;
  } finally {
    server.close();
  }
}
