import { createServer } from "node:http";
import { deflateSync, gzipSync } from "node:zlib";
import type { Express, RequestHandler } from "express";
import bodyParser from "body-parser";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import {
  createBodyVerifier,
  utf8Guard,
  verifyUtf8,
  type BodyVerifierOptions,
  type Utf8GuardOptions,
} from "../../middleware/utf8-guard.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, parseAnswer } from "../support/raw-socket.js";

const GRIN = "\u{1f600}";
const PAIR = String.raw`\ud83d\ude00`;

interface Refused {
  status: number;
  body: { errorCode: string; errorSummary: string; errorCauses: { errorSummary: string }[] };
}

function causes({ body }: Refused): string[] {
  return body.errorCauses.map(({ errorSummary }) => errorSummary);
}

describe.each(EXPRESS_VERSIONS)("utf8Guard on %s", (_version, express) => {
  function appWith(options?: Utf8GuardOptions): Express {
    const app = express();
    app.use(utf8Guard(options));
    app.use(((_req, res) => {
      res.send("served");
    }) satisfies RequestHandler);
    app.use(errorFormatter());
    return app;
  }

  /** `bytes` is latin1: a character a byte. */
  async function ask(app: Express, target: string, ...fields: string[]): Promise<Refused> {
    const server = createServer({ insecureHTTPParser: true }, app);
    const head = [`GET ${target} HTTP/1.1`, "Host: a", "Connection: close", ...fields].join("\r\n");
    const answer = parseAnswer(await exchange(await listen(server), `${head}\r\n\r\n`));
    server.close();
    return {
      status: answer.status,
      body: answer.status === 200 ? {} : JSON.parse(Buffer.from(answer.body, "latin1").toString()),
    };
  }

  const app = appWith();

  it.each(["/", "/caf%C3%A9?name=%E2%82%AC", "/%EF%BF%BF", "/%ED%9F%BF%EE%80%80", "/100%25?q=a+b&&=", "/?", "*"])(
    "S5 lets %s pass",
    async (target) => {
      expect((await ask(app, target)).status).toBe(200);
    },
  );

  it.each([
    [
      "/%F0%9F%98%80",
      "The path: U+1F600 at byte 1 takes four bytes in UTF-8; characters of up to three are supported.",
    ],
    ["/users/%FF?a=b", "The path: 0xff at byte 7 is not well-formed UTF-8."],
    ["/%C0%AFetc", "The path: 0xc0 at byte 1 is not well-formed UTF-8."],
    ["/%ED%A0%BD%ED%B8%80", "The path: 0xed at byte 1 is not well-formed UTF-8."],
    ["/%EF%BB%BFjoe", "The path: U+FEFF at byte 1 is a byte order mark; leave it out."],
    [
      "/%zz",
      'The path: "%zz" at byte 1 is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".',
    ],
  ])("S5 refuses the path %s", async (target, cause) => {
    const answer = await ask(app, target);
    expect(answer.status).toBe(400);
    expect(answer.body.errorCode).toBe("E0009000");
    expect(causes(answer)).toEqual([cause]);
  });

  it.each([
    [
      "/?a=b&name=x%F0%9F%98%80",
      'Query parameter "name": U+1F600 at byte 10 takes four bytes in UTF-8; characters of up to three are supported.',
    ],
    ["/?caf%C3%A9=%E9", 'Query parameter "café": 0xe9 at byte 10 is not well-formed UTF-8.'],
    ["/?%FF=1", 'Query parameter "%FF": 0xff at byte 0 is not well-formed UTF-8.'],
    ["/?a&%FF", 'Query parameter "%FF": 0xff at byte 2 is not well-formed UTF-8.'],
    ["/?q=%EF%BB%BFx", 'Query parameter "q": U+FEFF at byte 2 is a byte order mark; leave it out.'],
    [
      "/?a=1&b=%F",
      'Query parameter "b": "%F" at byte 6 is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".',
    ],
  ])("S5 refuses the query of %s", async (target, cause) => {
    const answer = await ask(app, target);
    expect(answer.status).toBe(400);
    expect(answer.body.errorCode).toBe("E0009000");
    expect(causes(answer)).toEqual([cause]);
  });

  it("S5 looks at the whole target within a router", async () => {
    const mounted = express();
    mounted.use("/api", app);
    expect((await ask(mounted, "/api/users/%FF")).body.errorCauses[0]?.errorSummary).toContain("byte 11");
  });

  it("S5 refuses in the query what it lets pass as a path, when only that is checked, and the reverse", async () => {
    const query = appWith({ path: false, headers: [] });
    expect((await ask(query, "/?a=%FF")).status).toBe(400);
    expect((await ask(query, "/", "User-Agent: \xff")).status).toBe(200);
    const path = appWith({ query: false });
    expect((await ask(path, "/?a=%FF")).status).toBe(200);
    expect((await ask(path, "/a%FF")).status).toBe(400);
  });

  it.each([
    ["User-Agent: caf\xc3\xa9 \xe2\x82\xac", 200, []],
    ["User-Agent: caf\xe9", 400, ["User-Agent: 0xe9 at byte 3 is not well-formed UTF-8."]],
    [
      "X-Device-Fingerprint: a\xf0\x9f\x98\x80",
      400,
      ["X-Device-Fingerprint: U+1F600 at byte 1 takes four bytes in UTF-8; characters of up to three are supported."],
    ],
    ["user-agent: \xef\xbb\xbfcurl", 400, ["User-Agent: U+FEFF at byte 0 is a byte order mark; leave it out."]],
    ["User-Agent: \xed\xa0\xbd\xed\xb8\x80", 400, ["User-Agent: 0xed at byte 0 is not well-formed UTF-8."]],
    ["X-Other: \xff", 200, []],
    ["User-Agent: %FF", 200, []],
    ["Accept-Language: fr\xff", 400, ["Accept-Language: 0xff at byte 2 is not well-formed UTF-8."]],
    ['If-Match: "\xff"', 400, ["If-Match: 0xff at byte 1 is not well-formed UTF-8."]],
    ['If-None-Match: W/"\xff"', 400, ["If-None-Match: 0xff at byte 3 is not well-formed UTF-8."]],
  ])("S5 answers the header %j with %d", async (field, status, expected) => {
    const answer = await ask(app, "/", field);
    expect(answer.status).toBe(status);
    if (status === 400) expect(causes(answer)).toEqual(expected);
  });

  it("S5 looks at every line of a header, also those that Node drops", async () => {
    expect((await ask(app, "/", "User-Agent: a", "User-Agent: \xff")).status).toBe(400);
  });

  it("S5 checks the headers in `headers`, and only those", async () => {
    const chosen = appWith({ headers: ["X-Name"] });
    expect((await ask(chosen, "/", "x-name: \xff")).status).toBe(400);
    expect((await ask(chosen, "/", "User-Agent: \xff")).status).toBe(200);
  });

  it("names the first of `headers` that is at fault, in whichever order they came", async () => {
    const chosen = appWith({ headers: ["X-Name", "X-Note"] });
    const refused = await ask(chosen, "/", "X-Note: \xff", "x-name: ok", "x-name: \xff");
    expect(causes(refused)).toEqual([expect.stringMatching(/^X-Name: 0xff/)]);
  });

  it("tells programs by `type` what it was", async () => {
    const types: unknown[] = [];
    const logging = express();
    logging.use(utf8Guard(), express.json({ verify: createBodyVerifier() }));
    logging.use(errorFormatter({ log: (error) => types.push((error as { type: string }).type) }));
    const post = (target: string): request.Test => request(logging).post(target).type("json");
    await post("/%FF").send("{}");
    await post("/%F0%9F%98%80").send("{}");
    await post("/").send(`["${GRIN}"]`);
    await post("/").send("\ufeff[]");
    await post("/").send("[".repeat(2_002));
    await post("/").set("Content-Type", "application/json; charset=utf-16").send("{}");
    expect(types).toEqual([
      "text.malformed",
      "text.unsupported",
      "text.unsupported",
      "text.malformed",
      "body.too-deep",
      "charset.unsupported",
    ]);
  });

  it.each([
    [{ path: 1 }, "utf8Guard: option `path` must be a boolean"],
    [{ query: "no" }, "utf8Guard: option `query` must be a boolean"],
    [{ headers: "User-Agent" }, "utf8Guard: option `headers` must be an array of non-empty strings"],
    [{ headers: ["User Agent"] }, "utf8Guard: option `headers` must be a header field name"],
    [
      { body: true },
      "utf8Guard: option `body` is unknown; the options are `path`, `query`, `headers`, `maxBytesPerCharacter`, `report`, `onReport`",
    ],
  ])("refuses the options %j", (options, message) => {
    expect(() => utf8Guard(options as Utf8GuardOptions)).toThrow(new TypeError(message));
  });

  describe("verifyUtf8", () => {
    const parsing = express();
    parsing.use(express.json({ verify: verifyUtf8 }));
    parsing.use(express.urlencoded({ extended: true, verify: verifyUtf8 }));
    parsing.use(express.text({ verify: verifyUtf8 }));
    parsing.use(express.raw({ verify: verifyUtf8 }));
    parsing.use(((req, res) => {
      res.json(Buffer.isBuffer(req.body) ? req.body.toString("latin1") : req.body);
    }) satisfies RequestHandler);
    parsing.use(errorFormatter());

    async function post(
      type: string,
      body: string | Buffer,
      fields: Record<string, string> = {},
    ): Promise<request.Response> {
      const sent = request(parsing)
        .post("/")
        .set({ "Content-Type": type, ...fields });
      sent.write(body);
      return sent;
    }

    it.each([
      ['{"name":"Ωé漢￿","é":[1,null,{}]}'],
      [String.raw`{"a":"\u00e9 \ud7ff \ue000 \\ud83d \n"}`],
      ["{}"],
      ['["\ufefeff\ufeff"]'],
    ])("S5 lets %s pass", async (json) => {
      const answer = await post("application/json", json);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(JSON.parse(json));
    });

    it.each([
      [`{"profile":{"firstName":"Joe${GRIN}"}}`, "/profile/firstName: U+1F600 at byte 28 takes"],
      [`{"profile":{"firstName":"Joe${PAIR}"}}`, "/profile/firstName: U+1F600 at byte 28 takes"],
      [`{"a":[0,{"b/c~":"${PAIR.toUpperCase().replaceAll("U", "u")}"}]}`, "/a/1/b~1c~0: U+1F600 at byte 17 takes"],
      [`{"a":{"k${GRIN}":1}}`, "/a/kU+1F600: U+1F600 at byte 8 takes"],
      [`{"a":{"k${PAIR}":1}}`, "/a/kU+1F600: U+1F600 at byte 8 takes"],
      [String.raw`{"a":"\ud83d"}`, String.raw`/a: \ud83d at byte 6 is half of a surrogate pair`],
      [String.raw`{"a":"\ude00\ud83d"}`, String.raw`/a: \ude00 at byte 6 is half of a surrogate pair`],
      [`["${GRIN}"]`, "/0: U+1F600 at byte 2 takes"],
    ])("S5 refuses %s with 400 E0000001", async (json, cause) => {
      const answer = await post("application/json", json);
      expect(answer.status).toBe(400);
      expect(answer.body.errorCode).toBe("E0000001");
      const [place] = cause.split(":");
      expect(answer.body.errorSummary).toBe(`Api validation failed: ${place ?? ""}`);
      expect(causes(answer)).toEqual([expect.stringMatching(new RegExp(`^${escapeRegExp(cause)}`))]);
      expect(findTextFaultIn(answer.text)).toBe(false);
    });

    it.each([
      ["a byte that is never used", [0x22, 0xff, 0x22], "/a: 0xff at byte 6 is not well-formed UTF-8."],
      ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22], "/a: 0xc0 at byte 6 is not well-formed UTF-8."],
      ["an encoded surrogate", [0x22, 0xed, 0xa0, 0xbd, 0x22], "/a: 0xed at byte 6 is not well-formed UTF-8."],
      ["a character cut off", [0x22, 0xe2, 0x82, 0x22], "/a: 0xe2 at byte 6 is not well-formed UTF-8."],
    ])("S5 refuses %s with 400 E0000003", async (_what, value, cause) => {
      const answer = await post("application/json", Buffer.from([...Buffer.from('{"a":'), ...value, 0x7d]));
      expect(answer.status).toBe(400);
      expect(answer.body.errorCode).toBe("E0000003");
      expect(causes(answer)).toEqual([cause]);
    });

    it("S5 refuses a byte order mark", async () => {
      const answer = await post("application/json", "\ufeff{}");
      expect(answer.status).toBe(400);
      expect(answer.body.errorCode).toBe("E0000003");
      expect(causes(answer)).toEqual(["The body: U+FEFF at byte 0 is a byte order mark; leave it out."]);
    });

    it.each([
      ["gzip", gzipSync],
      ["deflate", deflateSync],
    ])("S5 looks at the body after content decoding: %s", async (coding, compress) => {
      const fields = { "Content-Encoding": coding };
      expect((await post("application/json", compress(`{"a":"${PAIR}"}`), fields)).status).toBe(400);
      expect((await post("application/json", compress('{"a":"é"}'), fields)).body).toEqual({ a: "é" });
    });

    it.each(["utf-7", "utf-16", "UTF-16LE", "utf-32", "iso-8859-1", "us-ascii"])(
      "S5 refuses charset=%s with 415 E0000021",
      async (charset) => {
        for (const type of ["application/json", "text/plain"]) {
          const answer = await post(`${type}; charset=${charset}`, "{}");
          expect(answer.status).toBe(415);
          expect(answer.body.errorCode).toBe("E0000021");
          expect(causes(answer)[0]?.toLowerCase()).toContain(`"${charset.toLowerCase()}"`);
        }
      },
    );

    it.each(["utf-8", "UTF-8", '"Utf-8"'])("S5 accepts charset=%s", async (charset) => {
      expect((await post(`application/json; charset=${charset}`, '{"a":1}')).body).toEqual({ a: 1 });
    });

    it("S5 refuses a charset that the parser was told to assume", async () => {
      const app = express();
      app.use(express.text({ defaultCharset: "iso-8859-1", verify: verifyUtf8 }), errorFormatter());
      await request(app).post("/").type("text/plain").send("a").expect(415);
    });

    it("S5 looks at text, forms and raw bodies too", async () => {
      expect((await post("text/plain", "Ω")).text).toBe('"Ω"');
      expect(causes(await post("text/plain", `a${GRIN}`))).toEqual([
        "The body: U+1F600 at byte 1 takes four bytes in UTF-8; characters of up to three are supported.",
      ]);
      expect((await post("application/octet-stream", "Ω")).status).toBe(200);
      expect((await post("application/octet-stream", Buffer.from([0xff]))).status).toBe(400);
      expect((await post("application/octet-stream; charset=utf-16", "a")).status).toBe(415);

      const form = "application/x-www-form-urlencoded";
      expect((await post(form, "name=caf%C3%A9+%E2%82%AC&x=y")).body).toEqual({ name: "café €", x: "y" });
      const encoded = await post(form, "x=y&na%20me=a%F0%9F%98%80");
      expect(encoded.body.errorCode).toBe("E0000001");
      expect(causes(encoded)).toEqual([
        'Field "na me": U+1F600 at byte 13 takes four bytes in UTF-8; characters of up to three are supported.',
      ]);
      const illFormed = await post(form, "name=%E9");
      expect(illFormed.body.errorCode).toBe("E0000003");
      expect(causes(illFormed)).toEqual(['Field "name": 0xe9 at byte 5 is not well-formed UTF-8.']);
      expect((await post(form, `name=${GRIN}`)).status).toBe(400);
    });

    it("S5 is not led astray by a Content-Type that the parser does not look at", async () => {
      const app = express();
      app.use(express.json({ type: () => true, verify: verifyUtf8 }), errorFormatter());
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "image/png"]) {
        await request(app).post("/").set("Content-Type", type).send(`{"a":"${PAIR}"}`).expect(400);
      }
    });

    it("S5 works with body-parser itself and with for whoever reads the body alone", async () => {
      const app = express();
      app.post("/parser", bodyParser.json({ verify: verifyUtf8 }));
      app.post("/raw", (async (req, res, next) => {
        try {
          const chunks: Buffer[] = [];
          for await (const chunk of req) chunks.push(chunk as Buffer);
          const body = Buffer.concat(chunks);
          verifyUtf8(req, res, body);
          res.json(JSON.parse(body.toString()));
        } catch (error) {
          next(error);
        }
      }) as RequestHandler);
      app.use(errorFormatter());
      for (const path of ["/parser", "/raw"]) {
        const answer = await request(app).post(path).type("json").send(`{"a":"${PAIR}"}`);
        expect(answer.body).toMatchObject({ errorCode: "E0000001", errorSummary: "Api validation failed: /a" });
      }
      await request(app).post("/raw").type("json").send('{"a":"é"}').expect(200, { a: "é" });
      await request(app).post("/raw").set("Content-Type", "application/json; charset=utf-16").send("{}").expect(415);
    });

    it("leaves JSON that is malformed to the parser", async () => {
      const answer = await post("application/json", '{"a":');
      expect(answer.status).toBe(400);
      expect(answer.body.errorCode).toBe("E0000003");
    });

    it("S5 names the beginning of a pointer that is long", async () => {
      const answer = await post("application/json", `${"[".repeat(40_000)}"${GRIN}"`);
      expect(causes(answer)[0]).toMatch(/^(\/0){32}…: U\+1F600 at byte 40001 takes/);
    });
  });

  describe("createBodyVerifier", () => {
    function appOf(parser: "json" | "text" | "urlencoded", options?: BodyVerifierOptions): Express {
      const app = express();
      const verify = createBodyVerifier(options);
      app.use(express[parser]({ type: () => true, extended: true, verify }));
      app.use(((_req, res) => {
        res.send("served");
      }) satisfies RequestHandler);
      app.use(errorFormatter());
      return app;
    }

    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

    it.each([2, 64, 2000])("lets maxDepth - 1 and maxDepth levels pass and refuses one more: %d", async (maxDepth) => {
      const app = appOf("json", { maxDepth });
      await request(app)
        .post("/")
        .type("json")
        .send(nested(maxDepth - 1))
        .expect(200);
      await request(app).post("/").type("json").send(nested(maxDepth)).expect(200);
      const answer = await request(app)
        .post("/")
        .type("json")
        .send(nested(maxDepth + 1));
      expect(answer.status).toBe(400);
      expect(answer.body.errorCode).toBe("E0000003");
      expect(causes(answer)).toEqual([
        `The body: the bracket at byte ${maxDepth} opens level ${maxDepth + 1}; ${maxDepth} are supported.`,
      ]);
    });

    it("V4 lets maxMembers members pass and refuses one more", async () => {
      const app = appOf("json", { maxMembers: 3 });
      await request(app).post("/").type("json").send('{"a":[1,2]}').expect(200);
      const answer = await request(app).post("/").type("json").send('{"a":[1,2,3]}').expect(400);
      expect(answer.body.errorCode).toBe("E0000003");
      expect(causes(answer)).toEqual(["The body has more than 3 members and elements; the next one is at byte 10."]);
    });

    it("has 1,000 levels by default", async () => {
      await request(appOf("json")).post("/").type("json").send(nested(1000)).expect(200);
      await request(appOf("json")).post("/").type("json").send(nested(1001)).expect(400);
    });

    it("does not count brackets in strings, nor in texts and forms", async () => {
      await request(appOf("json", { maxDepth: 1 }))
        .post("/")
        .type("json")
        .send(`["${nested(50)}"]`)
        .expect(200);
      const text = appOf("text", { format: "text", maxDepth: 1 });
      await request(text).post("/").type("json").send(nested(50)).expect(200);
      const form = appOf("urlencoded", { format: "form", maxDepth: 1 });
      await request(form).post("/").type("json").send(nested(50)).expect(200);
    });

    it("S5 reads as `format` says, whatever the Content-Type", async () => {
      const percent = "a=%F0%9F%98%80";
      const statuses = async (format: "json" | "form" | "text" | undefined): Promise<number[]> => {
        const app = appOf("text", format && { format });
        const bodies = [percent, PAIR, GRIN];
        const answers = await Promise.all(
          bodies.map(async (body) => request(app).post("/").type("text/plain").send(body)),
        );
        return answers.map(({ status }) => status);
      };
      expect(await statuses("json")).toEqual([200, 400, 400]);
      expect(await statuses("form")).toEqual([400, 200, 400]);
      expect(await statuses("text")).toEqual([200, 200, 400]);
      expect(await statuses(undefined)).toEqual([200, 400, 400]);
    });

    it("S5 refuses what verifyUtf8 refuses", async () => {
      const app = appOf("json");
      const answer = await request(app).post("/").type("json").send(`{"a":"${PAIR}"}`);
      expect(answer.body).toMatchObject({ errorCode: "E0000001", errorSummary: "Api validation failed: /a" });
      await request(app).post("/").set("Content-Type", "application/json; charset=utf-16").send("{}").expect(415);
    });

    it.each([
      [{ format: "xml" }, 'createBodyVerifier: option `format` must be "json", "form" or "text"'],
      [{ maxDepth: 0 }, "createBodyVerifier: option `maxDepth` must be an integer from 1 to 2000"],
      [{ maxDepth: 2001 }, "createBodyVerifier: option `maxDepth` must be an integer from 1 to 2000"],
      [{ maxMembers: 0 }, "createBodyVerifier: option `maxMembers` must be an integer from 1 to 100000000"],
      [{ maxDepth: "64" }, "createBodyVerifier: option `maxDepth` must be an integer from 1 to 2000"],
      [
        { depth: 64 },
        "createBodyVerifier: option `depth` is unknown; the options are `format`, `maxDepth`, `maxMembers`, `maxBytesPerCharacter`, `report`, `onReport`",
      ],
    ])("refuses the options %j", (options, message) => {
      expect(() => createBodyVerifier(options as BodyVerifierOptions)).toThrow(new TypeError(message));
    });

    it("says so when it was not called", async () => {
      const app = express();
      const errors: unknown[] = [];
      app.use(express.json({ verify: createBodyVerifier as never }));
      app.use(errorFormatter({ log: (error) => errors.push(error) }));
      await request(app).post("/").type("json").send("{}");
      expect(String(errors[0])).toContain("used without a call; write { verify: createBodyVerifier() }");
    });
  });
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Whether an answer itself holds what it refuses. */
function findTextFaultIn(answer: string): boolean {
  return /[\ud800-\udfff]/.test(JSON.stringify(JSON.parse(answer)));
}
