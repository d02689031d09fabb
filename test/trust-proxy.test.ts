import type { Express } from "express";
import fc from "fast-check";
import request from "supertest";
import { getRequestContext } from "etiquette";
import { suite, type SuiteOptions } from "etiquette/suite";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import { EXPRESS_VERSIONS } from "./support/express.js";

const LIST = ["loopback", "10.0.0.0/8", "2001:db8:1::/48", "192.0.2.1-192.0.2.9"];

interface Seen {
  readonly ip: string;
  readonly contextIp: string;
  readonly secure: boolean;
}

/** `suite().trustProxy` makes Express's own `req.ip` and `req.protocol` say what `requestContext` and `httpsOnly` say. */
describe.each(EXPRESS_VERSIONS)("trustProxy of suite() on %s", (_version, express) => {
  function serve(options: SuiteOptions, trustProxy = suite(options).trustProxy): Express {
    const { guards, fallbacks } = suite({ ...options, errorFormatter: { log: () => undefined } });
    const app = express();
    app.set("trust proxy", trustProxy);
    app.use((req, res, next) => {
      res.set("Seen-Protocol", req.protocol);
      next();
    });
    app.use(guards);
    app.get("/", (req, res) => {
      res.json({ ip: req.ip, contextIp: getRequestContext(req).ip, secure: req.secure });
    });
    app.use(fallbacks);
    return app;
  }

  async function ask(
    app: Express,
    fields: Record<string, string>,
  ): Promise<{ status: number; protocol: string } & Seen> {
    const res = await request(app).get("/").set(fields);
    return { status: res.status, protocol: String(res.headers["seen-protocol"]), ...(res.body as Seen) };
  }

  it.each<[string, string, string]>([
    ["the first hop that is not trusted", "198.51.100.1, 203.0.113.7, 10.0.0.9", "203.0.113.7"],
    ["the last hop, when all are trusted", "10.0.0.1, 10.0.0.9", "10.0.0.1"],
    ["a trusted hop with a port", "203.0.113.7, 10.0.0.9:4711", "203.0.113.7"],
    ["a trusted hop in brackets", '203.0.113.7, "[2001:db8:1::7]:443"', "203.0.113.7"],
    ["a trusted IPv4-mapped hop", "203.0.113.7, ::ffff:10.0.0.9", "203.0.113.7"],
    ["a span, which Express's own lists don't have", "203.0.113.7, 192.0.2.9", "203.0.113.7"],
    ["what stands outside the span", "203.0.113.7, 192.0.2.10", "192.0.2.10"],
  ])("C3 gives req.ip %s", async (_what, forwardedFor, ip) => {
    const seen = await ask(serve({ trust: LIST }), { "X-Forwarded-For": forwardedFor, "X-Forwarded-Proto": "https" });
    expect(seen).toMatchObject({ status: 200, ip, contextIp: ip });
  });

  it("C3 agrees with requestContext on every chain of addresses", async () => {
    const app = serve({ trust: LIST });
    const address = fc.oneof(
      fc.constantFrom("127.0.0.1", "10.1.2.3", "192.0.2.5", "203.0.113.7", "::1", "2001:db8:1::7", "2001:db8:2::7"),
      fc.ipV4(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(address, { minLength: 1, maxLength: 5 }), async (hops) => {
        const seen = await ask(app, { "X-Forwarded-For": hops.join(", "), "X-Forwarded-Proto": "https" });
        expect(seen.ip).toBe(seen.contextIp);
      }),
      { numRuns: 60 },
    );
  });

  it("S1 agrees with httpsOnly on what the proxy says of TLS", async () => {
    const app = serve({ trust: LIST });
    expect(await ask(app, { "X-Forwarded-Proto": "https" })).toMatchObject({
      status: 200,
      protocol: "https",
      secure: true,
    });
    expect(await ask(app, { "X-Forwarded-Proto": "http" })).toMatchObject({ status: 403, protocol: "http" });
  });

  it("C2 S1 trusts nobody without `trust`", async () => {
    const seen = await ask(serve({ httpsOnly: false }), {
      "X-Forwarded-For": "203.0.113.7",
      "X-Forwarded-Proto": "https",
    });
    expect(seen).toMatchObject({ protocol: "http", secure: false });
    expect(seen.ip).toMatch(/127\.0\.0\.1$/);
  });

  it("C2 S1 trusts no peer outside the list", async () => {
    const app = serve({ trust: "10.0.0.0/8", httpsOnly: false });
    const seen = await ask(app, { "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https" });
    expect(seen).toMatchObject({ protocol: "http", contextIp: "127.0.0.1" });
  });

  // the page of suite() tells these two
  it("leaves Express's reading of a hop without an address, and of several schemes, as it is", async () => {
    const app = serve({ trust: LIST, httpsOnly: false });
    expect(await ask(app, { "X-Forwarded-For": "203.0.113.7, unknown" })).toMatchObject({
      ip: "unknown",
      contextIp: "127.0.0.1",
    });
    const strict = serve({ trust: LIST });
    expect(await ask(strict, { "X-Forwarded-Proto": "https, http" })).toMatchObject({ status: 403, protocol: "https" });
  });

  it("has a compiled list do the same without the suite", async () => {
    const list = compileTrustedProxies(LIST);
    const app = serve({ trust: () => list }, list);
    const seen = await ask(app, { "X-Forwarded-For": "203.0.113.7, 192.0.2.9", "X-Forwarded-Proto": "https" });
    expect(seen).toMatchObject({ status: 200, ip: "203.0.113.7", contextIp: "203.0.113.7", protocol: "https" });
  });
});

describe("trustProxy of suite()", () => {
  it("trusts no peer without an address, as on a Unix socket, and no text", () => {
    const { trustProxy } = suite({ trust: "loopback" });
    expect([undefined, "", "unknown", "127.0.0.1", "127.0.0.1:80"].map(trustProxy)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("is refused for what Express can't follow, but only when it is read", () => {
    expect(() => suite({ trust: () => ["10.0.0.0/8"] }).trustProxy).toThrow(
      new TypeError(
        'suite: option `trust`: Express asks about an address without its request, so a function can\'t answer; give it a list, or give `compileTrustedProxies(list)` to "trust proxy"',
      ),
    );
    expect(() => suite({ trust: "loopback", requestContext: { forwarded: "forwarded" } }).trustProxy).toThrow(
      new TypeError(
        'suite: `trustProxy` needs `forwarded: "x-forwarded-for"` of `requestContext`, the only field that Express reads',
      ),
    );
  });
});
