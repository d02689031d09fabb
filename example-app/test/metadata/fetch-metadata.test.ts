import type { RequestListener } from "node:http";
import { createFetch, type FetchOptions } from "../../src/metadata/fetch-metadata.js";
import { MetadataError } from "../../src/metadata/metadata-error.js";
import { LOOPBACK, startMetadataServer, type MetadataServer } from "../support/metadata-server.js";

const MAX_LENGTH = 262_144;

describe("createFetch", () => {
  const never = new AbortController().signal;
  let host: MetadataServer;

  beforeEach(async () => (host = await startMetadataServer("hello")));
  afterEach(() => host.close());

  /** The reason why the host can't be used, or the text that it sent. */
  async function outcomeOf(options: Partial<FetchOptions> = {}, url = host.url): Promise<string | undefined> {
    try {
      return (await createFetch({ networks: LOOPBACK, ...options })(url, {}, never))?.text;
    } catch (error) {
      expect(error).toBeInstanceOf(MetadataError);
      return (error as Error).message;
    }
  }

  it("asks once, for a body that is not compressed", async () => {
    expect(await outcomeOf()).toBe("hello");
    expect(host.requests).toHaveLength(1);
    expect(host.requests[0]!.headers).toMatchObject({ "accept-encoding": "identity", connection: "close" });
    expect(host.requests[0]!.headers).not.toHaveProperty("if-none-match");
  });

  it("sends the validators of the last response, and takes 304", async () => {
    const lastModified = "Mon, 05 Jan 2026 09:00:00 GMT";
    host.respond((req, res) => {
      const isKnown = req.headers["if-none-match"] === '"1"' && req.headers["if-modified-since"] === lastModified;
      res.writeHead(isKnown ? 304 : 200, { ETag: '"1"', "Last-Modified": lastModified }).end(isKnown ? "" : "new");
    });
    const fetch = createFetch({ networks: LOOPBACK });
    const first = await fetch(host.url, {}, never);
    expect(first).toEqual({ text: "new", validators: { etag: '"1"', lastModified } });
    expect(await fetch(host.url, first!.validators, never)).toBeUndefined();
  });

  it("keeps validators of at most 256 characters", async () => {
    for (const [length, kept] of [
      [255, true],
      [256, true],
      [257, false],
    ] as const) {
      const etag = `"${"a".repeat(length - 2)}"`;
      host.respond((_, res) => res.writeHead(200, { ETag: etag }).end());
      const fetched = await createFetch({ networks: LOOPBACK })(host.url, {}, never);
      expect(fetched?.validators).toEqual(kept ? { etag } : {});
    }
  });

  it.each<[string, RequestListener | string, string]>([
    ["a 304 that nobody asked for", (_, res) => res.writeHead(304).end(), "the host redirects (304)"],
    [
      "a redirect",
      (_, res) => res.writeHead(302, { Location: "/other" }).end(),
      "the host redirects (302); give the address where that ends",
    ],
    ["404", (_, res) => res.writeHead(404).end(), "the host responds with 404"],
    ["503", (_, res) => res.writeHead(503).end(), "the host responds with 503"],
    ["206", (_, res) => res.writeHead(206).end("a"), "the host responds with 206"],
    ["gzip", (_, res) => res.writeHead(200, { "Content-Encoding": "gzip" }).end("a"), "the host compresses"],
    ["bytes that are not UTF-8", (_, res) => res.end(Buffer.from([0xff])), "the metadata is not UTF-8"],
    [
      "another protocol",
      (req) => req.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n"),
      "the host responds with 101",
    ],
    ["no HTTP", (req) => req.socket.end("nonsense\r\n\r\n"), "the connection failed (HPE_"],
    ["the end of the connection", (req) => req.socket.destroy(), "the connection failed (ECONNRESET)"],
    [
      "half a body",
      (req, res) => {
        res.writeHead(200, { "Content-Length": 10 }).write("half");
        setImmediate(() => req.socket.destroy());
      },
      "the connection failed (ECONNRESET)",
    ],
  ])("refuses %s", async (_title, how, reason) => {
    host.respond(how);
    expect((await outcomeOf())!.slice(0, reason.length)).toBe(reason);
    expect(host.requests).toHaveLength(1);
  });

  it.each([
    [MAX_LENGTH - 1, true],
    [MAX_LENGTH, true],
    [MAX_LENGTH + 1, false],
  ])("takes %i bytes: %p", async (length, isTaken) => {
    const text = "a".repeat(length);
    host.respond(text);
    expect(await outcomeOf()).toBe(isTaken ? text : `the metadata has more than ${MAX_LENGTH} bytes`);
  });

  it("does not wait for a body without end", async () => {
    host.respond((_, res) => {
      const send = () => {
        while (!res.destroyed && res.write("a".repeat(65_536)));
      };
      res.on("drain", send);
      send();
    });
    expect(await outcomeOf()).toBe(`the metadata has more than ${MAX_LENGTH} bytes`);
  });

  it.each<[string, RequestListener]>([
    ["sends nothing", () => undefined],
    ["sends half of it", (_, res) => void res.write("half")],
  ])("gives up a host that %s", async (_title, how) => {
    host.respond(how);
    expect(await outcomeOf({ timeout: 100 })).toBe("the host took longer than 0.1 seconds");
  });

  it("ends with the reason of the signal when the server closes", async () => {
    const closing = new AbortController();
    host.respond(() => {
      closing.abort(new Error("closing"));
    });
    await expect(createFetch({ networks: LOOPBACK })(host.url, {}, closing.signal)).rejects.toThrow("closing");
  });

  it("refuses addresses that are not public, without a connection", async () => {
    const reason = "the host has an address that is not public";
    const port = new URL(host.url).port;
    for (const name of ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"]) {
      expect([name, await outcomeOf({ networks: [] }, `http://${name}:${port}/`)]).toEqual([name, reason]);
    }
    expect(host.requests).toHaveLength(0);
  });

  it("refuses a name when one of its addresses is not public", async () => {
    const resolve = () => Promise.resolve(["1.1.1.1", "127.0.0.1"]);
    expect(await outcomeOf({ networks: [], resolve }, host.url.replace("127.0.0.1", "idp.example"))).toBe(
      "the host has an address that is not public",
    );
    expect(host.requests).toHaveLength(0);
  });

  it("connects to the address that it checked: a name is looked up once", async () => {
    const answers = [["127.0.0.1"], ["192.0.2.1"]];
    const resolve = () => Promise.resolve(answers.shift()!);
    expect(await outcomeOf({ resolve }, host.url.replace("127.0.0.1", "idp.example"))).toBe("hello");
    expect(host.requests[0]!.headers.host).toBe(`idp.example:${new URL(host.url).port}`);
    expect(answers).toHaveLength(1);
  });

  it("says that a name has no address", async () => {
    expect(await outcomeOf({ resolve: () => Promise.resolve([]) })).toBe("the host has no address");
  });

  it("speaks TLS to https, and believes no certificate of its own making", async () => {
    expect(await outcomeOf({}, host.url.replace("http:", "https:"))).toMatch(
      /^the connection failed \((EPROTO|ERR_SSL)/,
    );
  });
});
