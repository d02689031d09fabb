import type { Express, RequestHandler } from "express";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import { jsonBody, type JsonBodyOptions } from "etiquette/json-body";
import { suite } from "etiquette/suite";
import { EXPRESS_VERSIONS } from "../support/express.js";

describe.each(EXPRESS_VERSIONS)("jsonBody on %s", (_version, express) => {
  /** Shows what `req.body` is, also where JSON can't. */
  const show: RequestHandler = (req, res) => void res.json({ type: typeof req.body, body: req.body ?? null });

  function createApp(options: JsonBodyOptions): Express {
    const app = express().use(jsonBody(options), express.json({ strict: false }), show, errorFormatter({ log: false }));
    return app as Express;
  }

  const post = (app: Express, body: string) => request(app).post("/").type("json").send(body);

  describe("S3 strict: false", () => {
    const VALUES: readonly [string, object][] = [
      ['"é"', { type: "string", body: "é" }],
      ['""', { type: "string", body: "" }],
      ["0", { type: "number", body: 0 }],
      [" -1.5e3 ", { type: "number", body: -1500 }],
      ["true", { type: "boolean", body: true }],
      ["false", { type: "boolean", body: false }],
      ["null", { type: "object", body: null }],
      ["[]", { type: "object", body: [] }],
    ];

    it.each(VALUES)("takes %s as it is", async (sent, expected) => {
      await post(createApp({ strict: false }), sent).expect(200, expected);
      const { guards, fallbacks } = suite({ jsonBody: { strict: false }, responseCheck: false });
      await post(express().use(guards, show, fallbacks) as Express, sent).expect(200, expected);
      await post(createApp({ strict: false, report: true }), sent).expect(200, expected);
    });

    it.each(["", "tru", '"a', "1 2", "undefined", "NaN"])("E1 refuses %j as without it", async (sent) => {
      const [loose, strict] = [await post(createApp({ strict: false }), sent), await post(createApp({}), sent)];
      expect([loose.status, loose.body.errorCauses]).toEqual([strict.status, strict.body.errorCauses]);
    });

    it("S5 says of a text where it is wrong", async () => {
      const { body } = await post(createApp({ strict: false }), '"a😀"').expect(400);
      expect(body).toMatchObject({
        errorCode: "E0000001",
        errorCauses: [{ errorSummary: expect.stringMatching(/^The body: U\+1F600 at byte 2/) }],
      });
    });
  });
});
