import { once } from "node:events";
import { createServer } from "node:http";
import * as http2 from "node:http2";
import * as https from "node:https";
import { connect, type AddressInfo, type Server } from "node:net";
import type { Application, NextFunction, Request, RequestHandler, Response } from "express";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import { httpsOnly, type HttpsOnlyOptions } from "etiquette/https-only";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { createTestCertificate } from "../support/tls.js";

const ONE_YEAR = 31_536_000;
const HTTP_CAUSE = "This request came over HTTP. Send it to the https: address; there is no redirect.";
const PROXY_CAUSE = "The proxy received this request over HTTP. Send it to the https: address; there is no redirect.";
const MALFORMED_CAUSE =
  'X-Forwarded-Proto must end in "https" or "http", so that the request can be known to have come over HTTPS.';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen<T extends Server>(server: T): Promise<T> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

describe.each(EXPRESS_VERSIONS)("httpsOnly() on %s", (_version, express) => {
  function serve(options?: HttpsOnlyOptions): Application {
    const app = express();
    app.use(httpsOnly(options));
    app.get("/", (_req, res) => {
      res.json({ ok: true });
    });
    app.get("/fail", (_req, _res, next) => {
      next(new Error("broken"));
    });
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  async function serveTls(options?: HttpsOnlyOptions): Promise<https.Server> {
    return listen(https.createServer(await createTestCertificate(), serve(options)));
  }

  function expectRefusal({ status, body, headers }: request.Response, cause: string): void {
    expect(status).toBe(403);
    expect(body).toMatchObject({ errorCode: "E0000006", errorCauses: [{ errorSummary: cause }] });
    expect(headers).not.toHaveProperty("strict-transport-security"); // RFC 6797 section 7.2
    expect(headers).not.toHaveProperty("location");
  }

  describe("a direct connection", () => {
    it("S1 refuses HTTP with 403 and does not redirect", async () => {
      expectRefusal(await request(serve()).get("/"), HTTP_CAUSE);
    });

    it("S1 accepts TLS, with Strict-Transport-Security on every answer", async () => {
      const server = await serveTls();
      for (const [path, status] of [
        ["/", 200],
        ["/missing", 404],
        ["/fail", 500],
      ] as const) {
        const res = await request(server).get(path).trustLocalhost();
        expect(res.status).toBe(status);
        expect(res.headers["strict-transport-security"]).toBe(`max-age=${ONE_YEAR}`);
      }
    });

    it("S1 does not believe X-Forwarded-Proto, either way", async () => {
      expectRefusal(await request(serve()).get("/").set("X-Forwarded-Proto", "https"), HTTP_CAUSE);
      const res = await request(await serveTls())
        .get("/")
        .set("X-Forwarded-Proto", "http")
        .trustLocalhost();
      expect(res.status).toBe(200);
    });
  });

  describe("trust", () => {
    it.each(["https", "HTTPS", " https ", "http, https", "http,https", "junk, https"])(
      "S1 accepts what a trusted proxy received over HTTPS: %j",
      async (value) => {
        const res = await request(serve({ trust: "loopback" }))
          .get("/")
          .set("X-Forwarded-Proto", value);
        expect(res.status).toBe(200);
        expect(res.headers["strict-transport-security"]).toBe(`max-age=${ONE_YEAR}`);
      },
    );

    it.each(["http", "HTTP", "https, http", "https,http"])(
      "S1 refuses what it received over HTTP: %j",
      async (value) => {
        const res = await request(serve({ trust: "loopback" }))
          .get("/")
          .set("X-Forwarded-Proto", value);
        expectRefusal(res, PROXY_CAUSE);
      },
    );

    it("S1 reads the last of several lines", async () => {
      const server = await listen(createServer(serve({ trust: "loopback" })));
      const send = async (...lines: string[]): Promise<string> => {
        const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
        const fields = lines.map((value) => `X-Forwarded-Proto: ${value}\r\n`).join("");
        socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${fields}\r\n`);
        let answer = "";
        for await (const chunk of socket) answer += String(chunk);
        return answer;
      };
      expect(await send("http", "https")).toMatch(/^HTTP\/1\.1 200 /);
      expect(await send("https", "http")).toMatch(/^HTTP\/1\.1 403 /);
      expect(await send("https", "")).toMatch(/^HTTP\/1\.1 403 /);
    });

    it.each(["", "https,", '"https"', "https;", "on", "wss", "https http", "httpsx"])(
      "S1 refuses a malformed X-Forwarded-Proto: %j",
      async (value) => {
        const res = await request(serve({ trust: "loopback" }))
          .get("/")
          .set("X-Forwarded-Proto", value);
        expectRefusal(res, MALFORMED_CAUSE);
      },
    );

    it("S1 refuses HTTP from a trusted proxy that says nothing", async () => {
      expectRefusal(await request(serve({ trust: "loopback" })).get("/"), HTTP_CAUSE);
    });

    it("S1 believes a trusted proxy over its own TLS connection, when it says something", async () => {
      const server = await serveTls({ trust: "loopback" });
      expect((await request(server).get("/").trustLocalhost()).status).toBe(200);
      const res = await request(server).get("/").set("X-Forwarded-Proto", "http").trustLocalhost();
      expectRefusal(res, PROXY_CAUSE);
    });

    it("S1 does not believe a peer that is not in the list", async () => {
      const res = await request(serve({ trust: ["10.0.0.0/8"] }))
        .get("/")
        .set("X-Forwarded-Proto", "https");
      expectRefusal(res, HTTP_CAUSE);
    });

    it("S1 asks a function for each request", async () => {
      const app = serve({ trust: (req) => (req.get("X-Org") === "acme" ? ["127.0.0.1", "::1"] : undefined) });
      const send = (org: string) => request(app).get("/").set("X-Forwarded-Proto", "https").set("X-Org", org);
      expect((await send("acme")).status).toBe(200);
      expect((await send("umbrella")).status).toBe(403);
    });

    it("answers 500 when the function returns no list", async () => {
      const app = serve({ trust: () => 1 as never });
      expect((await request(app).get("/").set("X-Forwarded-Proto", "https")).status).toBe(500);
    });

    it("S1 reads the element that the proxy wrote, where Express reads the client's", async () => {
      const app = express();
      app.set("trust proxy", "loopback");
      app.get("/", (req, res) => {
        res.json(req.secure);
      });
      expect((await request(app).get("/").set("X-Forwarded-Proto", "https, http")).body).toBe(true);
    });
  });

  describe("Strict-Transport-Security", () => {
    it.each<[HttpsOnlyOptions, string | undefined]>([
      [{}, `max-age=${ONE_YEAR}`],
      [{ maxAge: 0 }, "max-age=0"],
      [{ maxAge: 10 * ONE_YEAR }, `max-age=${10 * ONE_YEAR}`],
      [{ maxAge: false }, undefined],
      [{ includeSubDomains: true }, `max-age=${ONE_YEAR}; includeSubDomains`],
      [{ maxAge: 60, includeSubDomains: true }, "max-age=60; includeSubDomains"],
      [{ includeSubDomains: true, preload: true }, `max-age=${ONE_YEAR}; includeSubDomains; preload`],
    ])("is, with %j, %s", async (options, value) => {
      const app = serve({ ...options, trust: "loopback" });
      const res = await request(app).get("/").set("X-Forwarded-Proto", "https");
      expect(res.headers["strict-transport-security"]).toBe(value);
    });
  });
});

describe("httpsOnly() on HTTP/2", () => {
  /** The status that a request over `session` gets; Express itself does not speak HTTP/2. */
  async function statusOver(session: http2.ClientHttp2Session, fields: http2.OutgoingHttpHeaders): Promise<unknown> {
    const stream = session.request({ ":path": "/", ...fields });
    const [headers] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
    stream.resume();
    await once(stream, "end");
    return headers[":status"];
  }

  const listener = (middleware: RequestHandler) => (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => {
    const next = ((error?: { status: number }) => {
      res.statusCode = error?.status ?? 200;
      res.end();
    }) as NextFunction;
    void middleware(req as unknown as Request, res as unknown as Response, next);
  };

  it("S1 accepts a request over TLS and refuses one without", async () => {
    const { key, cert } = await createTestCertificate();
    const secure = await listen(http2.createSecureServer({ key, cert }, listener(httpsOnly())));
    const plain = await listen(http2.createServer(listener(httpsOnly())));
    const proxied = await listen(http2.createServer(listener(httpsOnly({ trust: "loopback" }))));
    const sessions = [
      http2.connect(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`, { ca: cert }),
      http2.connect(`http://127.0.0.1:${(plain.address() as AddressInfo).port}`),
      http2.connect(`http://127.0.0.1:${(proxied.address() as AddressInfo).port}`),
    ] as const;
    try {
      expect(await statusOver(sessions[0], {})).toBe(200);
      expect(await statusOver(sessions[1], { "x-forwarded-proto": "https" })).toBe(403);
      expect(await statusOver(sessions[2], { "x-forwarded-proto": ["http", "https"] })).toBe(200);
      expect(await statusOver(sessions[2], { "x-forwarded-proto": ["https", "http"] })).toBe(403);
    } finally {
      for (const session of sessions) session.close();
    }
  });
});

describe("httpsOnly() options", () => {
  it.each<[string, unknown, string]>([
    ["maxAge", -1, "option `maxAge` must be an integer from 0 to 315360000, or false"],
    ["maxAge", 1.5, "option `maxAge` must be an integer from 0 to 315360000, or false"],
    ["maxAge", 315_360_001, "option `maxAge` must be an integer from 0 to 315360000, or false"],
    ["maxAge", "1y", "option `maxAge` must be an integer from 0 to 315360000, or false"],
    ["maxAge", true, "option `maxAge` must be an integer from 0 to 315360000, or false"],
    ["includeSubDomains", "yes", "option `includeSubDomains` must be a boolean"],
    ["preload", 1, "option `preload` must be a boolean"],
    [
      "preload",
      true,
      "option `preload` must be false unless `includeSubDomains` is true and `maxAge` 31536000 or more",
    ],
    [
      "trust",
      1,
      "option `trust`: a number of hops is not offered, because a client that connects directly would be believed as well; list the proxies",
    ],
    [
      "trust",
      ["10.0.0.1/8"],
      'option `trust`: "10.0.0.1/8" has bits set outside its prefix; the block is "10.0.0.0/8"',
    ],
    ["hsts", true, "option `hsts` is unknown"],
  ])("refuses %s: %j", (name, value, message) => {
    expect(() => httpsOnly({ [name]: value })).toThrow(TypeError);
    expect(() => httpsOnly({ [name]: value })).toThrow(`httpsOnly: ${message}`);
  });

  it.each<[HttpsOnlyOptions]>([
    [{ preload: true, includeSubDomains: true, maxAge: ONE_YEAR - 1 }],
    [{ preload: true, includeSubDomains: true, maxAge: false }],
    [{ includeSubDomains: true, maxAge: false }],
  ])("refuses %j, which contradicts itself", (options) => {
    expect(() => httpsOnly(options)).toThrow(TypeError);
  });
});
