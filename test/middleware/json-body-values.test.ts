import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import request from "supertest";
import type { ApiError } from "etiquette/api-error";
import { errorFormatter } from "etiquette/error-formatter";
import { idempotency } from "etiquette/idempotency";
import { jsonBody, type JsonBodyOptions } from "etiquette/json-body";
import type { RefusalReport } from "etiquette/reports";
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

  describe("bigint", () => {
    const BIG = "9007199254740993";
    const BODY = `{"id":${BIG},"list":[-${BIG},9007199254740991,1e20,${BIG}.0],"text":"${BIG}","b\\n":1}`;

    /** Shows a bigint as its digits and an `n`. */
    const showBigint: RequestHandler = (req, res) =>
      void res
        .type("json")
        .send(JSON.stringify(req.body, (_, value) => (typeof value === "bigint" ? `${value}n` : value)));

    function appFor(bigint: JsonBodyOptions["bigint"], options: JsonBodyOptions = {}): Express {
      const own = { ...options, ...(bigint && { bigint }) };
      return express().use(jsonBody(own), showBigint, errorFormatter({ log: false })) as Express;
    }

    it.each([
      [undefined, 9007199254740992, -9007199254740992],
      ["string", BIG, `-${BIG}`],
      ["bigint", `${BIG}n`, `-${BIG}n`],
    ] as const)("%s reads an integer beyond 2^53-1, and nothing else, as %j", async (bigint, positive, negative) => {
      const expected = {
        id: positive,
        list: [negative, 9007199254740991, 1e20, 9007199254740992],
        text: BIG,
        "b\n": 1,
      };
      await post(appFor(bigint), BODY).expect(200, expected);
    });

    it("takes one that is the body, in a suite too", async () => {
      await post(appFor("string", { strict: false }), ` ${BIG}`).expect(200, `"${BIG}"`);
      const { guards, fallbacks } = suite({ jsonBody: { bigint: "bigint" }, responseCheck: false });
      await post(express().use(guards, showBigint, fallbacks) as Express, `[${BIG}]`).expect(200, [`${BIG}n`]);
    });

    it.each([
      ['{"é":[0,{"a b":-9007199254740992}]}', "é.1.a b", "-9007199254740992"],
      [`[${"9".repeat(40)}]`, "0", "9".repeat(40)],
      [`[${"9".repeat(41)},1]`, "0", `${"9".repeat(40)}…`],
      [`[-${"9".repeat(40)},1]`, "0", `-${"9".repeat(39)}…`],
      [BIG, "body", BIG],
    ])("E2 refuse says of %s where it is", async (sent, field, shown) => {
      const { body } = await post(appFor("refuse", { strict: false }), sent).expect(400);
      const errorSummary = `${field}: the integer ${shown} is beyond ±9007199254740991, where numbers are not exact.`;
      expect(body).toMatchObject({ errorCode: "E0000001", errorCauses: [{ errorSummary }] });
    });

    it("E2 refuse names the place as a pointer, and cuts a long one", async () => {
      const refusals: unknown[] = [];
      const record: ErrorRequestHandler = (error: ApiError, _req, res, _next) => {
        refusals.push({ type: error.type, pointer: error.causes[0]?.pointer, length: error.message.length < 250 });
        res.end();
      };
      const app = express().use(jsonBody({ bigint: "refuse" }), record) as Express;
      await post(app, `{"a/b":{"c":${BIG}}}`);
      await post(app, `{"${"x".repeat(500)}":${BIG}}`);
      expect(refusals).toEqual([
        { type: "number.unsupported", pointer: "/a~1b/c", length: true },
        { type: "number.unsupported", pointer: undefined, length: true },
      ]);
    });

    it("refuse takes what a number holds", async () => {
      await post(appFor("refuse"), `["${BIG}",-9007199254740991,1e20,12345678901234567.5]`).expect(200);
    });

    it.each(["string", "bigint"] as const)("S9 %s takes 1,000 digits, not more", async (bigint) => {
      for (const digits of [999, 1_000]) await post(appFor(bigint), `[${"9".repeat(digits)}]`).expect(200);
      const { body } = await post(appFor(bigint), `[1,${"9".repeat(1_001)}]`).expect(400);
      const errorCauses = [{ errorSummary: `1: the integer ${"9".repeat(40)}… has more than 1000 digits.` }];
      expect(body).toMatchObject({ errorCode: "E0000001", errorCauses });
    });

    it("is reported with report: true", async () => {
      const reports: RefusalReport[] = [];
      const app = appFor("refuse", { report: true, onReport: (report) => reports.push(report) });
      await post(app, `[${BIG}]`).expect(200);
      expect(reports).toMatchObject([{ type: "number.unsupported", rule: "E2" }]);
    });

    it("is a part of the payload of idempotency()", async () => {
      const app = express();
      app.use(jsonBody({ bigint: "bigint" }), idempotency({ principal: () => "a" }));
      app.post("/", showBigint);
      app.use(errorFormatter({ log: false }));
      const send = (body: string) => post(app, body).set("Idempotency-Key", "1");
      await send(`[${BIG}]`).expect(200);
      await send(`[${BIG}]`).expect(200).expect("Idempotent-Replayed", "true");
      await send("[9007199254740994]").expect(422);
    });
  });
});
