import { once } from "node:events";
import { createServer, request as httpRequest, type OutgoingHttpHeaders, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import Bowser from "bowser";
import type { Application } from "express";
import fc from "fast-check";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import {
  getRequestContext,
  requestContext,
  tryGetRequestContext,
  type RequestContext,
  type RequestContextOptions,
} from "etiquette/request-context";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { USER_AGENTS } from "../support/user-agents.js";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test knows what it asked for
type Body = any;

const CHROME = USER_AGENTS[0]![3];

describe.each(EXPRESS_VERSIONS)("requestContext() on %s", (_version, express) => {
  /** An application that answers with what `read` makes of the context. */
  function serve(
    options?: RequestContextOptions,
    read: (context: RequestContext) => unknown = (it) => it,
  ): Application {
    const app = express();
    app.use(requestContext(options));
    app.get("/", (req, res) => {
      res.json(read(getRequestContext(req)) ?? null);
    });
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  async function send(app: Application, headers: Record<string, string> = {}): Promise<Body> {
    const res = await request(app).get("/").set(headers);
    expect(res.status).toBe(200);
    return res.body;
  }

  /** The body that answers a request with these lines, written as they are. */
  async function sendLines(app: Application, ...lines: string[]): Promise<Body> {
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(["GET / HTTP/1.1", "Host: localhost", "Connection: close", ...lines, "", ""].join("\r\n"), "latin1");
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    server.close();
    return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
  }

  describe("ip", () => {
    const ipOf = (options?: RequestContextOptions) => serve(options, ({ ip }) => ip);

    it("C2 is the peer's address by default", async () => {
      expect(await send(ipOf())).toBe("127.0.0.1");
      expect(await send(ipOf(), { "X-Forwarded-For": "192.0.2.7", Forwarded: "for=192.0.2.8" })).toBe("127.0.0.1");
    });

    it("C3 is the first hop that is not trusted, from the right", async () => {
      const app = ipOf({ trust: ["loopback", "10.0.0.0/8"] });
      expect(await send(app)).toBe("127.0.0.1");
      expect(await send(app, { "X-Forwarded-For": "192.0.2.7" })).toBe("192.0.2.7");
      expect(await send(app, { "X-Forwarded-For": "203.0.113.1, 192.0.2.7, 10.1.2.3" })).toBe("192.0.2.7");
      expect(await send(app, { "X-Forwarded-For": "10.0.0.1, 10.0.0.2" })).toBe("10.0.0.1");
      expect(await send(app, { "X-Forwarded-For": " , 10.0.0.2" })).toBe("10.0.0.2");
      expect(await send(app, { "X-Forwarded-For": "" })).toBe("127.0.0.1");
    });

    it("C3 ignores X-Forwarded-For from a peer that is no trusted proxy", async () => {
      expect(await send(ipOf({ trust: ["10.0.0.0/8"] }), { "X-Forwarded-For": "192.0.2.7" })).toBe("127.0.0.1");
    });

    it.each([
      ["203.0.113.7:4711", "203.0.113.7"],
      ["[2001:db8::1]:443", "2001:db8::1"],
      ['"203.0.113.7"', "203.0.113.7"],
      ["::ffff:203.0.113.7", "203.0.113.7"],
      ["2001:DB8:0:0::1", "2001:db8::1"],
      ["fe80::1%eth0", "fe80::1"],
    ])("C3 normalises %s", async (hop, ip) => {
      expect(await send(ipOf({ trust: "loopback" }), { "X-Forwarded-For": hop })).toBe(ip);
    });

    it.each(["unknown", "<script>alert(1)</script>", "0x7f.1", "127.1", "2130706433", "0177.0.0.1", "::1::", "%00"])(
      "C3 ends the walk before %s",
      async (hop) => {
        const value = `192.0.2.7, ${hop}, 10.0.0.1`;
        expect(await send(ipOf({ trust: "loopback, uniquelocal" }), { "X-Forwarded-For": value })).toBe("10.0.0.1");
      },
    );

    it("C3 joins several lines in their order", async () => {
      const app = ipOf({ trust: "loopback, uniquelocal" });
      expect(await sendLines(app, "X-Forwarded-For: 192.0.2.7", "X-Forwarded-For: 10.0.0.1, 10.0.0.2")).toBe(
        "192.0.2.7",
      );
      expect(await sendLines(app, "X-Forwarded-For: 10.0.0.1", "X-Forwarded-For: 192.0.2.7")).toBe("192.0.2.7");
    });

    it.each([
      [31, "192.0.2.7"],
      [32, "10.0.0.1"],
      [33, "10.0.0.1"],
    ])("C3 reads 32 hops: beyond %i trusted ones the client is %s", async (count, ip) => {
      const hops = ["192.0.2.7", ...Array.from({ length: count }, () => "10.0.0.1")];
      expect(await send(ipOf({ trust: "loopback, uniquelocal" }), { "X-Forwarded-For": hops.join() })).toBe(ip);
    });

    it("C3 reads Forwarded instead when told so, never both", async () => {
      const app = ipOf({ trust: "loopback, uniquelocal", forwarded: "forwarded" });
      const value = 'for=192.0.2.7;proto=https, for="10.0.0.1:80"';
      expect(await send(app, { Forwarded: value, "X-Forwarded-For": "203.0.113.1" })).toBe("192.0.2.7");
      expect(await send(app, { "X-Forwarded-For": "203.0.113.1" })).toBe("127.0.0.1");
      expect(await sendLines(app, 'Forwarded: for="', "Forwarded: for=192.0.2.7")).toBe("192.0.2.7");
    });

    it("C3 can be read after the connection was closed", async () => {
      let context: RequestContext | undefined;
      const app = express();
      app.use(requestContext());
      const arrived = new Promise<Server>((resolve) => {
        app.get("/", (req) => {
          context = getRequestContext(req);
          req.on("close", () => {
            resolve(server);
          });
          socket.destroy();
        });
      });
      const server = createServer(app).listen(0, "127.0.0.1");
      await once(server, "listening");
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      (await arrived).close();
      expect(context?.ip).toBe("127.0.0.1");
    });

    it("C2 is null on a Unix socket", async () => {
      const directory = mkdtempSync(join(tmpdir(), "etiquette-"));
      const socketPath = join(directory, "socket");
      const server = createServer(serve({ trust: "loopback" })).listen(socketPath);
      await once(server, "listening");
      try {
        const req = httpRequest({ socketPath, path: "/", headers: { "X-Forwarded-For": "192.0.2.7" } }).end();
        const [res] = (await once(req, "response")) as [AsyncIterable<Buffer>];
        let body = "";
        for await (const chunk of res) body += String(chunk);
        expect(JSON.parse(body)).toMatchObject({
          ip: null,
          chain: [{ reason: "unparsable" }, { reason: "unverified" }],
        });
      } finally {
        server.close();
        rmSync(directory, { recursive: true });
      }
    });
  });

  describe("chain", () => {
    it("C4 tells why each hop is believed or not", async () => {
      const app = serve({ trust: ["loopback", "10.0.0.0/8"] }, ({ chain }) => chain);
      const value = "1.1.1.1, unknown, 192.0.2.7, [2001:db8::1]:1, 10.0.0.1:80";
      expect(await send(app, { "X-Forwarded-For": value })).toEqual([
        { ip: "127.0.0.1", version: 4, source: "socket", trusted: true, reason: "trusted", range: "loopback" },
        {
          ip: "10.0.0.1",
          version: 4,
          source: "x-forwarded-for",
          trusted: true,
          reason: "trusted",
          range: "10.0.0.0/8",
        },
        { ip: "2001:db8::1", version: 6, source: "x-forwarded-for", trusted: false, reason: "untrusted", range: null },
        { ip: "192.0.2.7", version: 4, source: "x-forwarded-for", trusted: false, reason: "unverified", range: null },
        { ip: null, version: null, source: "x-forwarded-for", trusted: false, reason: "unverified", range: null },
        { ip: "1.1.1.1", version: 4, source: "x-forwarded-for", trusted: false, reason: "unverified", range: null },
      ]);
    });

    it("C4 never holds what is no address", async () => {
      const body = await send(serve({ trust: "loopback" }), { "X-Forwarded-For": "<script>, _hidden, unknown, x" });
      expect(JSON.stringify(body)).not.toMatch(/script|hidden|unknown,/);
    });
  });

  describe("trust", () => {
    it("C3 asks a function for the list of the org", async () => {
      const lists: Record<string, readonly string[]> = { acme: ["127.0.0.0/8"], umbrella: ["10.0.0.0/8"] };
      const app = serve({ trust: (req) => lists[req.get("X-Org") ?? ""] }, ({ ip }) => ip);
      const from = (org: string) => send(app, { "X-Forwarded-For": "192.0.2.7", "X-Org": org });
      expect(await from("acme")).toBe("192.0.2.7");
      expect(await from("umbrella")).toBe("127.0.0.1");
      expect(await from("unknown")).toBe("127.0.0.1");
    });

    it("C3 takes a predicate from the function", async () => {
      const isGateway = (address: string) => address === "127.0.0.1";
      const app = serve({ trust: () => isGateway });
      const body = await send(app, { "X-Forwarded-For": "192.0.2.7" });
      expect(body).toMatchObject({ ip: "192.0.2.7", chain: [{ range: "isGateway" }, { reason: "untrusted" }] });
    });

    it("answers 500 when the function throws or returns no list", async () => {
      const failing = () => {
        throw new Error("no org");
      };
      for (const trust of [failing, () => ["10.0.0.1/8"], () => 1 as never, () => true as never]) {
        expect((await request(serve({ trust })).get("/")).status).toBe(500);
      }
    });
  });

  describe("userAgent", () => {
    const userAgentOf = (options?: RequestContextOptions) => serve(options, ({ userAgent }) => userAgent);

    it("C1 is recorded raw and parsed", async () => {
      expect(await send(userAgentOf(), { "User-Agent": CHROME })).toEqual({
        raw: CHROME,
        browser: "CHROME",
        os: "Windows",
        device: "Computer",
      });
    });

    it("C1 is unknown when it is absent, empty or without hints", async () => {
      const unknown = { browser: "Unknown", os: "Unknown", device: "Unknown" };
      expect(await sendLines(userAgentOf())).toEqual({ raw: null, ...unknown });
      expect(await sendLines(userAgentOf(), "User-Agent:")).toEqual({ raw: "", ...unknown });
      expect(await send(userAgentOf(), { "User-Agent": "curl/8.5.0" })).toEqual({ raw: "curl/8.5.0", ...unknown });
    });

    it.each([1023, 1024, 1025])("C1 keeps 1,024 characters of %i", async (length) => {
      const { raw } = await send(userAgentOf(), { "User-Agent": "a".repeat(length) });
      expect(raw).toBe("a".repeat(Math.min(length, 1024)));
    });

    it.each([
      ["UTF-8", "Café/1.0 (Ελλάδα)", Buffer.from("Café/1.0 (Ελλάδα)").toString("latin1")],
      ["UTF-8 with an emoji", "App 😀", Buffer.from("App 😀").toString("latin1")],
      ["ISO 8859-1", "Caf\xe9/1.0", "Caf\xe9/1.0"],
      ["UTF-8 that is cut within its last character", "a".repeat(1_023), `${"a".repeat(1_023)}\xc3\xa9`],
    ])("C1 is recorded as it was meant: %s", async (_title, raw, sent) => {
      expect(await sendLines(userAgentOf(), `User-Agent: ${sent}`)).toMatchObject({ raw });
    });

    it("C1 takes another parser, and knows nothing when that throws", async () => {
      const userAgent = (raw: string) => {
        const { browser, os } = Bowser.parse(raw);
        return { browser: browser.name ?? "", os: os.name ?? "", device: "Computer" as const };
      };
      const app = userAgentOf({ userAgent });
      expect(await send(app, { "User-Agent": CHROME })).toMatchObject({ browser: "Chrome", os: "Windows" });
      expect(await sendLines(app, "User-Agent:")).toMatchObject({ raw: "", browser: "Unknown", device: "Unknown" });
    });

    it("C1 parses a string once, when it is first read", async () => {
      const userAgent = jest.fn(() => ({ browser: "A", os: "B", device: "Mobile" as const }));
      await send(serve({ userAgent }, ({ ip }) => ip));
      expect(userAgent).not.toHaveBeenCalled();
      const app = userAgentOf({ userAgent });
      await send(app, { "User-Agent": "x" });
      await send(app, { "User-Agent": "x" });
      expect(userAgent).toHaveBeenCalledTimes(1);
    });
  });

  describe("languages", () => {
    it("C5 are ordered tags", async () => {
      const app = serve({}, ({ languages }) => languages);
      expect(await send(app, { "Accept-Language": "fr;q=0.5, de-ch, junk!, *;q=0.1" })).toEqual(["de-CH", "fr"]);
      expect(await sendLines(app)).toEqual([]);
      expect(await sendLines(app, "Accept-Language: en", "Accept-Language: fr")).toEqual(["en", "fr"]);
    });

    it("C5 are at most 16", async () => {
      const value = Array.from({ length: 3000 }, (_, index) => `x${(index % 26).toString(26)}`).join();
      expect(
        await send(
          serve({}, (it) => it.languages.length),
          { "Accept-Language": value },
        ),
      ).toBe(16);
    });
  });

  describe("fingerprint", () => {
    const fingerprintOf = () => serve({}, ({ fingerprint }) => fingerprint);

    it.each(["a", "DEADbeef01", "aGk+/w==", "v1:abc|def_~.-", "x".repeat(255), "x".repeat(256)])(
      "C6 is %s",
      async (value) => {
        expect(await send(fingerprintOf(), { "X-Device-Fingerprint": value })).toBe(value);
      },
    );

    it.each(["", "x".repeat(257), "a b", "a,b", "<script>", 'a"b', "a;b", "\u00e4"])("C6 is not %j", async (value) => {
      expect(await sendLines(fingerprintOf(), `X-Device-Fingerprint: ${value}`)).toBeNull();
    });

    it("C6 is undefined when it is absent or comes twice", async () => {
      expect(await sendLines(fingerprintOf())).toBeNull();
      expect(await sendLines(fingerprintOf(), "X-Device-Fingerprint: a", "X-Device-Fingerprint: b")).toBeNull();
    });

    it("C6 is never printed with the context", async () => {
      const print = (context: RequestContext) => [
        JSON.stringify({ context }),
        JSON.stringify({ ...context }),
        JSON.stringify(context.toJSON()),
        JSON.stringify(structuredClone(context.toJSON())),
        inspect(context, { showHidden: true, getters: true, depth: null }),
        inspect({ context }, { depth: null }),
        `${Object.getOwnPropertyNames(context).join()}${Object.keys(context).join()}`,
      ];
      const body: string[] = await send(serve({}, print), { "X-Device-Fingerprint": "s3cret-device" });
      for (const text of body) expect(text).not.toContain("s3cret");
      expect(body[0]).toContain('"ip":"127.0.0.1"');
    });
  });

  it("C7 is one and the same for all who ask, and undefined where the middleware did not run", async () => {
    const app = express();
    app.get("/before", (req, res) => {
      res.json(tryGetRequestContext(req) === undefined);
    });
    app.get("/missing", (req, res) => {
      res.json(getRequestContext(req));
    });
    app.use(requestContext());
    app.get("/", (req, res) => {
      const context = getRequestContext(req);
      res.json([tryGetRequestContext(req) === context, context.chain === context.chain]);
    });
    app.use(errorFormatter({ log: () => undefined }));
    expect((await request(app).get("/before")).body).toBe(true);
    expect((await request(app).get("/missing")).status).toBe(500);
    expect((await request(app).get("/")).body).toEqual([true, true]);
  });

  it("C1 C3 C5 C6 never throws, whatever the headers say", async () => {
    const app = serve({ trust: "loopback, uniquelocal" });
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const text = fc.string({ unit: fc.constantFrom(...Array.from('10.:,;"\\[]= q-enfor\u00e4%\t')), maxLength: 60 });
    const names = ["User-Agent", "X-Forwarded-For", "Accept-Language", "X-Device-Fingerprint"] as const;
    await fc.assert(
      fc.asyncProperty(fc.tuple(text, text, text, text), async (values) => {
        const headers: OutgoingHttpHeaders = Object.fromEntries(names.map((name, index) => [name, values[index]]));
        const [res] = (await once(httpRequest({ host: "127.0.0.1", port, headers }).end(), "response")) as [
          { statusCode: number; resume(): void },
        ];
        res.resume();
        expect(res.statusCode).toBe(200);
      }),
      { numRuns: 150 },
    );
    server.close();
  });
});

describe("requestContext() options", () => {
  it.each<[string, unknown, string]>([
    ["forwarded", "both", 'option `forwarded` must be "x-forwarded-for" or "forwarded"'],
    ["forwarded", "toString", 'option `forwarded` must be "x-forwarded-for" or "forwarded"'],
    ["forwarded", null, 'option `forwarded` must be "x-forwarded-for" or "forwarded"'],
    ["userAgent", "bowser", "option `userAgent` must be a function"],
    ["trust", 1, "option `trust`: a number of hops is not offered"],
    ["trust", true, "option `trust` must be a list"],
    ["trust", "0.0.0.0/0", 'option `trust`: "0.0.0.0/0" would trust every address'],
    ["trustProxy", "loopback", "option `trustProxy` is unknown"],
  ])("refuses %s: %j", (name, value, message) => {
    expect(() => requestContext({ [name]: value })).toThrow(TypeError);
    expect(() => requestContext({ [name]: value })).toThrow(`requestContext: ${message}`);
  });
});
