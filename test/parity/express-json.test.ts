import type { Express, RequestHandler } from "express";
import fc from "fast-check";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { createBodyVerifier, utf8Guard } from "../../middleware/utf8-guard.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const echo: RequestHandler = (req, res) => {
  res.json({ body: req.body as unknown, query: { ...req.query } });
};

/** Whether `JSON.stringify` of this V8 takes any depth of plain arrays and objects. */
function canWrite(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

describe.each(EXPRESS_VERSIONS)("express.json() with createBodyVerifier() and alone, on %s", (version, express) => {
  const alone = express();
  alone.use(express.json());
  alone.use(echo);
  alone.use(errorFormatter({ log: () => undefined }));

  const ours = express();
  ours.use(utf8Guard());
  ours.use(express.json({ verify: createBodyVerifier() }));
  ours.use(echo);
  ours.use(errorFormatter());

  async function post(app: Express, body: string | Buffer, type = "application/json"): Promise<request.Response> {
    const sent = request(app).post("/").set("Content-Type", type);
    sent.write(body);
    return sent;
  }

  it("read the same from JSON whose characters take up to three bytes", async () => {
    const unit = fc.constantFrom("a", "\\", '"', "\n", "\0", "é", "Ω", "漢", "\ud7ff", "\ue000", "\ufeff", "\uffff");
    const text = fc.string({ unit });
    // without backslashes, which make JSON.parse of Node 24 and 26 misread later keys: see parseJson()
    const key = text.map((rest) => `key${rest.replaceAll("\\", "")}`);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.array(tie("tree")), fc.dictionary(key, tie("tree"))),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(tree), fc.boolean(), async (value, escaped) => {
        const json = JSON.stringify(value);
        const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
        const sent = escaped ? json.replace(/[\x80-\uffff]/g, escape) : json;
        const [theirs, answer] = await Promise.all([post(alone, sent), post(ours, sent)]);
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual({ body: value, query: {} });
        expect(answer.text).toBe(theirs.text);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["nothing", ""],
    ["what is no JSON", "{"],
    ["a string, which is no object", '"a"'],
  ])("answer the same to %s", async (_what, body) => {
    const [theirs, answer] = await Promise.all([post(alone, body), post(ours, body)]);
    expect(answer.status).toBe(theirs.status);
    expect({ ...answer.body, errorId: "" }).toEqual({ ...theirs.body, errorId: "" });
  });

  /** Where ours differs on purpose: rule S5. */
  describe("differ in", () => {
    it.each([
      ["a byte that is not UTF-8", Buffer.from('["\xff"]', "latin1"), ["\ufffd"]],
      ["an encoded surrogate pair", Buffer.from('["\xed\xa0\xbd\xed\xb8\x80"]', "latin1"), ["\ufffd".repeat(6)]],
      ["a byte order mark", Buffer.from("\ufeff[]"), []],
      ["a lone surrogate", String.raw`["\ud83d"]`, ["\ud83d"]],
      ["a lone surrogate in a key", String.raw`{"\udc00":1}`, { "\udc00": 1 }],
      ["a character of four bytes", '["\u{1f600}"]', ["\u{1f600}"]],
      ["a character of four bytes in a key", '{"\u{1f600}":1}', { "\u{1f600}": 1 }],
      ["a surrogate pair as escapes", String.raw`["\uD83D\uDE00"]`, ["\u{1f600}"]],
    ])("S5 %s, which the peer lets pass", async (_what, body, parsed) => {
      const theirs = await post(alone, body);
      expect(theirs.status).toBe(200);
      expect(theirs.body.body).toEqual(parsed);

      const answer = await post(ours, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errorCauses).toHaveLength(1);
    });

    const json = '{"a":"b"}';
    const utf32 = Buffer.from(Uint32Array.from(json, (character) => character.charCodeAt(0)).buffer);
    it.each<[string, Buffer]>([
      ["utf-7", Buffer.from(json)],
      ["utf-16", Buffer.from(json, "utf16le")],
      ["utf-16le", Buffer.from(json, "utf16le")],
      ["utf-16be", Buffer.from(json, "utf16le").swap16()],
      ...(version === "Express 5" ? ([["utf-32le", utf32]] as [string, Buffer][]) : []),
    ])("S5 charset=%s, which the peer decodes", async (charset, body) => {
      const theirs = await post(alone, body, `application/json; charset=${charset}`);
      expect(theirs.body).toEqual({ body: { a: "b" }, query: {} });

      const answer = await post(ours, body, `application/json; charset=${charset}`);
      expect(answer.status).toBe(415);
      expect(answer.body.errorCode).toBe("E0000021");
    });

    it("S5 40,000 levels, which the peer reads; before Node 26 `res.json` can't write them", async () => {
      const body = "[".repeat(40_000) + "]".repeat(40_000);
      expect((await post(alone, body)).status).toBe(canWrite(JSON.parse(body)) ? 200 : 500);

      const answer = await post(ours, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errorCode).toBe("E0000003");
    });

    it.each([
      ["%ff", version === "Express 5" ? "\ufffd" : "%ff"],
      ["%F0%9F%98%80", "\u{1f600}"],
      ["%zz", "%zz"],
    ])("S5 the query value %s, which the peer reads", async (value, read) => {
      const theirs = await request(alone).get(`/?a=${value}`);
      expect(theirs.status).toBe(200);
      expect(theirs.body.query).toEqual({ a: read });

      await request(ours).get(`/?a=${value}`).expect(400);
    });
  });
});
