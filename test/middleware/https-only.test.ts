import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, get, type IncomingMessage } from "node:http";
import * as http2 from "node:http2";
import * as https from "node:https";
import { connect, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
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
      expectRefusal(await request(serve({ localhost: false })).get("/"), HTTP_CAUSE);
      expectRefusal(await request(serve()).get("/").set("Host", "api.example.com"), HTTP_CAUSE);
    });

    it("S1 accepts TLS, with Strict-Transport-Security on every answer", async () => {
      const server = await serveTls();
      for (const [path, status] of [
        ["/", 200],
        ["/missing", 404],
        ["/fail", 500],
      ] as const) {
        const res = await request(server).get(path).set("Host", "api.example.com").trustLocalhost();
        expect(res.status).toBe(status);
        expect(res.headers["strict-transport-security"]).toBe(`max-age=${ONE_YEAR}`);
      }
    });

    it.each([
      ...[
        "localhost",
        "LOCALHOST:3000",
        "localhost.",
        "acme.localhost:8443",
        "127.0.0.1",
        "127.1.2.3:80",
        "[::1]:3000",
      ],
      ...["", "localhost.example.com", "128.0.0.1", "[::2]", "localhost@example.com"],
    ])("S1 sends no Strict-Transport-Security for a local host, as over TLS for the Host %s", async (host) => {
      const { port } = (await serveTls()).address() as AddressInfo;
      // superagent takes the host as the name in the handshake, which can't be an address from Node 26 on
      const tls = { servername: "localhost", rejectUnauthorized: false, agent: false };
      const sent = https.get({ host: "127.0.0.1", port, setHost: false, headers: { Host: host }, ...tls });
      const [res] = (await once(sent, "response")) as [IncomingMessage];
      res.resume();
      expect(res.statusCode).toBe(200);
      const isLocal = /^(?:.*\.)?localhost\.?(?::|$)|^127\.|^\[::1\]/i.test(host);
      expect(res.headers["strict-transport-security"]).toBe(isLocal ? undefined : `max-age=${ONE_YEAR}`);
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
          .set({ Host: "api.example.com", "X-Forwarded-Proto": value });
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
      const app = serve({ trust: "loopback" });
      expectRefusal(await request(app).get("/").set("Host", "api.example.com"), HTTP_CAUSE);
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

  describe("localhost", () => {
    /** The status of a request that is sent byte by byte. */
    async function statusOf(server: Server, head: string, from?: string): Promise<number> {
      const { port } = server.address() as AddressInfo;
      const socket = connect({ port, host: "127.0.0.1", ...(from !== undefined && { localAddress: from }) });
      socket.write(`${head.replaceAll("\n", "\r\n")}\r\nConnection: close\r\n\r\n`);
      let answer = "";
      for await (const chunk of socket) answer += String(chunk);
      return Number(answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    }

    it.each([
      "localhost",
      "localhost:3000",
      "localhost:",
      "LocalHost",
      "localhost.",
      "localhost.:3000",
      "foo.localhost",
      "a.b-c_d.localhost:65535",
      "127.0.0.0",
      "127.0.0.1:80",
      "127.255.255.255",
      "[::1]",
      "[::1]:3000",
    ])("S1 passes HTTP with the Host %s, without Strict-Transport-Security", async (host) => {
      const res = await request(serve()).get("/").set("Host", host);
      expect(res.status).toBe(200);
      expect(res.headers).not.toHaveProperty("strict-transport-security");
    });

    it.each([
      "localhost.evil.com",
      "evillocalhost",
      "localhost..",
      ".localhost",
      "a..localhost",
      "localhost:65536",
      "localhost:3000:3000",
      "localhost:80@evil.com",
      "evil.com@localhost",
      "evil.com, localhost",
      "evil.com#.localhost",
      "evil.com/.localhost",
      "evil.com%2f.localhost",
      "%6cocalhost",
      "127.0.0.1.evil.com",
      "127.0.0.1.",
      "127.1",
      "127.0.0.01",
      "127.0.0.256",
      "0x7f.0.0.1",
      "2130706433",
      "126.255.255.255",
      "128.0.0.1",
      "0.0.0.0",
      "[::]",
      "[::2]",
      "[::ffff:127.0.0.1]",
      "::1",
      "[::1",
      "[::1%25lo]",
      "",
    ])("S1 refuses HTTP with the Host %j", async (host) => {
      expectRefusal(await request(serve()).get("/").set("Host", host), HTTP_CAUSE);
    });

    it("S1 refuses HTTP without a Host, with two, and with a target of another host", async () => {
      const server = await listen(createServer(serve()));
      expect(await statusOf(server, "GET / HTTP/1.0\nHost: localhost")).toBe(200);
      expect(await statusOf(server, "GET / HTTP/1.0")).toBe(403);
      expect(await statusOf(server, "GET / HTTP/1.1\nHost: localhost\nHost: localhost")).toBe(403);
      expect(await statusOf(server, "GET / HTTP/1.1\nHost: localhost\nHost: evil.com")).toBe(403);
      expect(await statusOf(server, "GET http://localhost/ HTTP/1.1\nHost: localhost")).toBe(200);
      expect(await statusOf(server, "GET http://evil.com/ HTTP/1.1\nHost: localhost")).toBe(403);
    });

    it.each([
      "Forwarded",
      "Via",
      "X-Real-IP",
      "X-Forwarded-For",
      "X-Forwarded-Proto",
      "X-Forwarded-Host",
      "X-Forwarded-Prefix",
      "x-forwarded-client-cert",
    ])("S1 refuses HTTP with %s, even an empty one", async (name) => {
      for (const value of ["", "https", "127.0.0.1"]) {
        expectRefusal(await request(serve()).get("/").set(name, value), HTTP_CAUSE);
      }
    });

    it("S1 passes HTTP from any loopback address, and from no other peer", async () => {
      const server = await listen(createServer(serve()));
      const head = "GET / HTTP/1.1\nHost: localhost";
      expect(await statusOf(server, head, "127.255.255.254")).toBe(200);

      let peer: string | undefined;
      server.on("connection", (socket) => Object.defineProperty(socket, "remoteAddress", { value: peer }));
      for (peer of ["127.0.0.0", "127.255.255.255", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"]) {
        expect([peer, await statusOf(server, head)]).toEqual([peer, 200]);
      }
      const others = [
        "126.255.255.255",
        "128.0.0.1",
        "::",
        "::2",
        "::ffff:128.0.0.1",
        "fe80::1",
        "10.0.0.1",
        undefined,
      ];
      for (peer of others) {
        expect([peer, await statusOf(server, head)]).toEqual([peer, 403]);
      }
    });

    it("S1 refuses HTTP over a Unix domain socket, whose peer may be a proxy", async () => {
      const folder = mkdtempSync(path.join(tmpdir(), "https-only-"));
      const server = createServer(serve());
      try {
        const socketPath = path.join(folder, "http.sock");
        servers.push(server);
        await once(server.listen(socketPath), "listening");
        const [res] = (await once(get({ socketPath, headers: { Host: "localhost" } }), "response")) as [
          IncomingMessage,
        ];
        res.resume();
        expect(res.statusCode).toBe(403);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

    it("S1 refuses all of it when it is false", async () => {
      for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
        expectRefusal(
          await request(serve({ localhost: false }))
            .get("/")
            .set("Host", host),
          HTTP_CAUSE,
        );
      }
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
      const res = await request(app).get("/").set("Host", "api.example.com").set("X-Forwarded-Proto", "https");
      expect(res.headers["strict-transport-security"]).toBe(value);
      const local = await request(app).get("/").set("Host", "localhost").set("X-Forwarded-Proto", "https");
      expect(local.headers).not.toHaveProperty("strict-transport-security");
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
    const strict = await listen(http2.createServer(listener(httpsOnly({ localhost: false }))));
    const proxied = await listen(http2.createServer(listener(httpsOnly({ trust: "loopback" }))));
    const sessions = [
      http2.connect(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`, { ca: cert }),
      http2.connect(`http://127.0.0.1:${(plain.address() as AddressInfo).port}`),
      http2.connect(`http://127.0.0.1:${(proxied.address() as AddressInfo).port}`),
      http2.connect(`http://127.0.0.1:${(strict.address() as AddressInfo).port}`),
    ] as const;
    try {
      expect(await statusOver(sessions[0], {})).toBe(200);
      expect(await statusOver(sessions[1], { "x-forwarded-proto": "https" })).toBe(403);
      expect(await statusOver(sessions[1], {})).toBe(200);
      expect(await statusOver(sessions[1], { ":authority": "api.example.com" })).toBe(403);
      expect(await statusOver(sessions[1], { host: "api.example.com" })).toBe(403);
      expect(await statusOver(sessions[3], {})).toBe(403);
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
    ["localhost", "yes", "option `localhost` must be a boolean"],
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
