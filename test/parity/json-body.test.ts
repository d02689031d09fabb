import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Express, RequestHandler } from "express";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { jsonBody } from "../../middleware/json-body.js";
import { createBodyVerifier } from "../../middleware/utf8-guard.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const LIMIT = 1_000;

const JSON_TYPE = { "Content-Type": "application/json" };

type Fields = Record<string, string>;

describe.each(EXPRESS_VERSIONS)("jsonBody() and express.json() on %s", (version, express) => {
  const peer = createApp(express.json({ limit: LIMIT }));
  const verifying = createApp(express.json({ limit: LIMIT, verify: createBodyVerifier() }));
  const ours = createApp(jsonBody({ limit: LIMIT }));

  function createApp(parser: RequestHandler): Express {
    const app = express();
    app.use(parser);
    app.all("/", (req, res) => {
      res.json({ body: (req.body as unknown) ?? null });
    });
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  async function send(app: Express, body: Buffer | string | undefined, fields: Fields, hasLength = true) {
    const sent = request(app).post("/").set(fields);
    if (hasLength) sent.set("Content-Length", String(Buffer.byteLength(body ?? "")));
    if (body !== undefined) sent.write(body);
    return sent;
  }

  const unicode = { Ω: ["é", "漢", "\u0000", "\ufeff"], "": { a: [1.5, -0, 1e21, true, null] } };

  it.each<[string, Buffer | string, Fields?]>([
    ["an object", JSON.stringify(unicode)],
    ["an array", "[[],{}]"],
    ["white space", ' \t\r\n{ "a" : 1 } '],
    ["a name twice", '{"a":1,"a":2}'],
    ["__proto__", '{"__proto__":{"a":1}}'],
    ["large numbers", "[123456789012345678901234567890,1e999]"],
    ["escapes", String.raw`["\u00e9\"\\\/\b\f\n\r\t"]`],
    ["a charset", "[1]", { "Content-Type": 'application/json; charset="UTF-8"' }],
    ["a type in capitals", "[1]", { "Content-Type": "APPLICATION/JSON" }],
    ["another parameter", "[1]", { "Content-Type": "application/json; profile=a" }],
    ["identity", "[1]", { ...JSON_TYPE, "Content-Encoding": "identity" }],
    ["gzip", gzipSync("[1]"), { ...JSON_TYPE, "Content-Encoding": "gzip" }],
    ["GZIP", gzipSync("[1]"), { ...JSON_TYPE, "Content-Encoding": "GZIP" }],
    ["deflate", deflateSync("[1]"), { ...JSON_TYPE, "Content-Encoding": "deflate" }],
    ["the most bytes", `["${"x".repeat(LIMIT - 4)}"]`],
    [
      "the most bytes, compressed",
      gzipSync(`["${"x".repeat(LIMIT - 4)}"]`),
      { ...JSON_TYPE, "Content-Encoding": "gzip" },
    ],
  ])("read the same from %s", async (_what, body, fields = JSON_TYPE) => {
    for (const hasLength of [true, false]) {
      const [theirs, answer] = [await send(peer, body, fields, hasLength), await send(ours, body, fields, hasLength)];
      expect(answer.status).toBe(200);
      expect(answer.body.body).not.toBeNull();
      expect(answer.text).toBe(theirs.text);
    }
  });

  it.each<[string, Fields]>([
    ["no type", {}],
    ["text", { "Content-Type": "text/plain" }],
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["a suffix", { "Content-Type": "application/vnd.api+json" }],
    ["two types", { "Content-Type": "application/json, text/plain" }],
  ])("leave alone a body of %s", async (_what, fields) => {
    const [theirs, answer] = [await send(peer, "[1]", fields), await send(ours, "[1]", fields)];
    expect(answer.body).toEqual({ body: null });
    // Express 4 puts {} where it has parsed nothing
    expect(theirs.body).toEqual({ body: version === "Express 4" ? {} : null });
  });

  it.each<[string, Buffer | string, number, string, Fields?]>([
    ["half an object", '{"a":', 400, "E0000003"],
    ["single quotes", "['a']", 400, "E0000003"],
    ["white space only", " ", 400, "E0000003"],
    ["two values", "[][]", 400, "E0000003"],
    ["a string", '"a"', 400, "E0000003"],
    ["a number", "1", 400, "E0000003"],
    ["null", "null", 400, "E0000003"],
    ["too many bytes", " ".repeat(LIMIT + 1), 413, "E0009003"],
    ["too many bytes, compressed", gzipSync(" ".repeat(LIMIT + 1)), 413, "E0009003", { "Content-Encoding": "gzip" }],
    ["what is no gzip", "[1]", 400, "E0000003", { "Content-Encoding": "gzip" }],
    ["half a gzip", gzipSync("[1]").subarray(0, 12), 400, "E0000003", { "Content-Encoding": "gzip" }],
    [
      "bytes behind a gzip",
      Buffer.concat([gzipSync("[1]"), Buffer.from("x")]),
      400,
      "E0000003",
      { "Content-Encoding": "gzip" },
    ],
    ["an unknown coding", "[1]", 415, "E0000021", { "Content-Encoding": "compress" }],
    ["two codings", "[1]", 415, "E0000021", { "Content-Encoding": "gzip, gzip" }],
    ["a charset that is none", "[1]", 415, "E0000021", { "Content-Type": "application/json; charset=latin1" }],
  ])("refuse %s alike", async (_what, body, status, errorCode, fields = {}) => {
    for (const hasLength of [true, false]) {
      for (const app of [peer, verifying, ours]) {
        const answer = await send(app, body, { ...JSON_TYPE, ...fields }, hasLength);
        expect([answer.status, answer.body.errorCode]).toEqual([status, errorCode]);
      }
    }
  });

  it.each<[string, Buffer | string]>([
    ["a byte that is not UTF-8", Buffer.from('["\xff"]', "latin1")],
    ["a byte order mark", "\ufeff[]"],
    ["a lone surrogate", String.raw`{"a":["\ud83d"]}`],
    ["a character of four bytes", '{"\u{1f600}":1}'],
    ["a character of four bytes as escapes", String.raw`["\uD83D\uDE00"]`],
  ])("S5 answer as with createBodyVerifier() to %s", async (_what, body) => {
    const [theirs, answer] = [await send(verifying, body, JSON_TYPE), await send(ours, body, JSON_TYPE)];
    expect(answer.status).toBe(400);
    expect({ ...answer.body, errorId: "" }).toEqual({ ...theirs.body, errorId: "" });
    expect((await send(peer, body, JSON_TYPE)).status).toBe(200);
  });

  /** Where ours differs on purpose. */
  describe("differ in", () => {
    it("V2 a body of no bytes, which is {} to the peer and no body to us", async () => {
      for (const hasLength of [true, false]) {
        expect((await send(peer, hasLength ? undefined : "", JSON_TYPE, hasLength)).body).toEqual({ body: {} });
        expect((await send(ours, hasLength ? undefined : "", JSON_TYPE, hasLength)).body).toEqual({ body: null });
      }
    });

    it("S3 a parameter with a comma, with which Express 4 leaves the body unread", async () => {
      const fields = { "Content-Type": "application/json; x=a,b" };
      expect((await send(peer, "[1]", fields)).body).toEqual({ body: version === "Express 4" ? {} : [1] });
      expect((await send(ours, "[1]", fields)).body).toEqual({ body: [1] });
    });

    it("br, which Express 4 does not decode", async () => {
      const fields = { ...JSON_TYPE, "Content-Encoding": "br" };
      const body = brotliCompressSync("[1]");
      expect((await send(peer, body, fields)).status).toBe(version === "Express 4" ? 415 : 200);
      expect((await send(ours, body, fields)).body).toEqual({ body: [1] });
    });

    it("x-gzip, which RFC 9110 section 8.4.1.3 has us take for gzip", async () => {
      const fields = { ...JSON_TYPE, "Content-Encoding": "x-gzip" };
      expect((await send(peer, gzipSync("[1]"), fields)).status).toBe(415);
      expect((await send(ours, gzipSync("[1]"), fields)).body).toEqual({ body: [1] });
    });

    it("RFC 9110 section 15.5.16: Accept-Encoding in the answer to an unknown coding", async () => {
      const fields = { ...JSON_TYPE, "Content-Encoding": "compress" };
      expect((await send(peer, "[1]", fields)).headers).not.toHaveProperty("accept-encoding");
      expect((await send(ours, "[1]", fields)).headers["accept-encoding"]).toBe("gzip, deflate, br");
    });

    it("S5 charset=utf-16, which the peer decodes", async () => {
      const fields = { "Content-Type": "application/json; charset=utf-16" };
      const body = Buffer.from("[1]", "utf16le");
      expect((await send(peer, body, fields)).body).toEqual({ body: [1] });
      expect((await send(ours, body, fields)).status).toBe(415);
    });

    it("V2 a compressed body that is over the limit as it is sent", async () => {
      const fields = { ...JSON_TYPE, "Content-Encoding": "gzip" };
      const body = Buffer.concat([...Array.from({ length: 50 }, () => gzipSync("")), gzipSync("[1]")]);
      expect((await send(peer, body, fields)).body).toEqual({ body: [1] });
      expect((await send(ours, body, fields)).status).toBe(413);
    });

    it("E1 what is said of malformed JSON: its place, and little of it", async () => {
      const body = '{"password":"hunter2",}';
      const theirs = (await send(peer, body, JSON_TYPE)).body as { errorCauses: { errorSummary: string }[] };
      const answer = (await send(ours, body, JSON_TYPE)).body as typeof theirs;
      expect(theirs.errorCauses[0]?.errorSummary).not.toContain("line 1), expected a name");
      expect(answer.errorCauses).toEqual([
        { errorSummary: 'The body: found "}" at byte 22 (line 1), expected a name in double quotes.' },
      ]);
    });
  });
});
