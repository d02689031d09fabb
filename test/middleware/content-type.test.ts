import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import { connect, type AddressInfo } from "node:net";
import type { Express, RequestHandler } from "express";
import request from "supertest";
import {
  contentType,
  getNegotiatedType,
  tryGetNegotiatedType,
  type ContentTypeOptions,
} from "../../middleware/content-type.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const PATCH_TYPES = ["application/json-patch+json", "application/merge-patch+json"];

describe.each(EXPRESS_VERSIONS)("contentType on %s", (_version, express) => {
  function appWith(options?: ContentTypeOptions): Express {
    const app = express();
    app.use(contentType(options));
    app.use(((req, res) => {
      res.type(getNegotiatedType(req)).send("{}");
    }) satisfies RequestHandler);
    app.use(errorFormatter());
    return app;
  }

  const app = appWith();
  const strict = appWith({ strict: true });
  const webfinger = appWith({ produces: ["application/jrd+json", "application/json"] });

  function causes(response: request.Response): string[] {
    return (response.body.errorCauses as { errorSummary: string }[]).map(({ errorSummary }) => errorSummary);
  }

  describe("Content-Type", () => {
    it.each([
      ["application/json"],
      ["Application/JSON"],
      ["application/json;charset=utf-8"],
      ["application/json; charset=UTF-8"],
      ['application/json; CharSet="Utf-8"'],
      ["application/json; profile=x"],
      ['application/json; x="a,b"'],
      ["application/json; x=a,b"],
    ])("S3 accepts %s", async (type) => {
      const response = await request(app).post("/").set("Content-Type", type).send("{}");
      expect(response.status).toBe(200);
    });

    it.each([
      ["text/plain", 'Content-Type is "text/plain"; accepted: application/json.'],
      ["application/hal+json", 'Content-Type is "application/hal+json"; accepted: application/json.'],
      ["application/*", 'Content-Type is "application/*"; accepted: application/json.'],
      ["json", 'Content-Type "json" is not a media type; accepted: application/json.'],
      [
        "application/json, text/plain",
        'Content-Type "application/json, text/plain" is not a media type; accepted: application/json.',
      ],
      [
        "application/json; charset=utf-16",
        'Content-Type "application/json; charset=utf-16" names a charset other than utf-8; accepted: application/json.',
      ],
      [
        "application/json; charset=utf-7",
        'Content-Type "application/json; charset=utf-7" names a charset other than utf-8; accepted: application/json.',
      ],
    ])("S3 refuses %s with 415 E0000021", async (type, cause) => {
      const response = await request(app).post("/").set("Content-Type", type).send("{}");
      expect(response.status).toBe(415);
      expect(response.body.errorCode).toBe("E0000021");
      expect(causes(response)).toEqual([cause]);
      expect(response.headers["accept"]).toBe("application/json");
      expect(response.headers["accept-patch"]).toBeUndefined();
    });

    it("S3 refuses a charset given twice", async () => {
      const type = "application/json; charset=utf-8; charset=utf-16";
      await request(app).post("/").set("Content-Type", type).send("{}").expect(415);
    });

    it("S3 refuses an empty one with 415", async () => {
      const answer = await exchange(app, "GET / HTTP/1.1", "Content-Type:");
      expect(answer).toMatch(/^HTTP\/1.1 415 /);
      expect(answer).toContain(String.raw`Content-Type \"\" is not a media type; accepted: application/json.`);
    });

    it("S3 refuses the wrong one without a body too, where type-is has no answer", async () => {
      await request(app).get("/").set("Content-Type", "application/hal+json").expect(415);
      await request(app).delete("/").set("Content-Type", "text/plain").expect(415);
    });

    it("gives the same verdict again", async () => {
      for (const round of [1, 2]) {
        const refused = await request(app).get("/").set("Content-Type", "text/csv");
        expect([round, refused.status, causes(refused)]).toEqual([
          round,
          415,
          ['Content-Type is "text/csv"; accepted: application/json.'],
        ]);
        await request(app).get("/").set("Content-Type", "application/json").expect(200);
      }
    });

    it.each([
      [63, `x/${"y".repeat(61)}`],
      [64, `x/${"y".repeat(62)}`],
      [65, `x/${"y".repeat(62)}…`],
    ])("repeats at most 64 characters of a refused value of %d", async (length, shown) => {
      const response = await request(app)
        .get("/")
        .set("Content-Type", `x/${"y".repeat(length - 2)}`);
      expect(causes(response)).toEqual([`Content-Type is "${shown}"; accepted: application/json.`]);
    });

    it("S3 lets a request without a body omit it, Content-Length: 0 included", async () => {
      await request(app).get("/").expect(200);
      await request(app).post("/").set("Content-Length", "0").expect(200);
      expect(await exchange(app, "POST / HTTP/1.1", "Content-Length: 000")).toMatch(/^HTTP\/1.1 200 /);
    });

    it.each([
      ["Content-Length: 2", "{}"],
      ["Content-Length: 002", "{}"],
      ["Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"],
      ["Transfer-Encoding: chunked", "0\r\n\r\n"],
    ])("S3 refuses a body without it with 400 E0000018: %s", async (framing, body) => {
      const answer = await exchange(app, "POST / HTTP/1.1", framing, "", body);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('"errorCode":"E0000018"');
      expect(answer).toContain('[{"errorSummary":"Content-Type is missing; accepted: application/json."}]');
    });

    it("S3 refuses two lines that differ with 400, which Node and Express take for the first", async () => {
      const lines = ["Content-Type: application/json", "content-type: text/plain"];
      const answer = await exchange(app, "GET / HTTP/1.1", ...lines);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain('"errorCode":"E0009000"');
      const cause = 'Content-Type comes twice, as "application/json" and as "text/plain"; send one.';
      expect(answer).toContain(JSON.stringify(cause));

      const bare = express();
      bare.use((req, res) => void res.send(req.headers["content-type"]));
      expect(await exchange(bare, "GET / HTTP/1.1", ...lines)).toMatch(/\r\n\r\napplication\/json$/);
    });

    it("S3 refuses a second line that differs in a parameter, in case, or by being empty", async () => {
      for (const second of ["application/json;charset=utf-16", "Application/JSON", ""]) {
        const lines = ["Content-Type: application/json", `Content-Type: ${second}`];
        expect(await exchange(app, "GET / HTTP/1.1", ...lines)).toMatch(/^HTTP\/1.1 400 /);
      }
    });

    it("S3 refuses a third line that differs", async () => {
      const same = "Content-Type: application/json";
      expect(await exchange(app, "GET / HTTP/1.1", same, same, "Content-Type: a/b")).toMatch(/^HTTP\/1.1 400 /);
    });

    it("S3 takes identical lines for one", async () => {
      const same = "Content-Type: application/json";
      expect(await exchange(app, "GET / HTTP/1.1", same, same)).toMatch(/^HTTP\/1.1 200 /);
    });

    it("leaves OPTIONS alone", async () => {
      await request(strict).options("/").set("Accept", "text/html").set("Content-Type", "text/plain").expect(200);
      const answered = await request(webfinger).options("/").set("Accept", "application/json").expect(200);
      expect(answered.headers["content-type"]).toMatch(/^application\/jrd\+json/);
    });
  });

  describe("Accept", () => {
    it.each([
      ["application/json"],
      ["application/json;charset=UTF-8"],
      ["application/*"],
      ["*/*"],
      ["text/html, */*;q=0.1"],
      [""],
    ])("S3 accepts %j", async (accept) => {
      await request(app).get("/").set("Accept", accept).expect(200);
    });

    it.each([
      ["text/html"],
      ["application/hal+json"],
      ["application/json;q=0, */*"],
      ["application/json, application/json;q=0"],
      ["application/json;q=2"],
      ["application/json;charset=utf-16"],
      ["json"],
    ])("S3 refuses %j with 406 E0000122", async (accept) => {
      const response = await request(app).get("/").set("Accept", accept);
      expect(response.status).toBe(406);
      expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(response.body).toMatchObject({
        errorCode: "E0000122",
        errorSummary: "Accept Header did not contain supported media type 'application/json'",
        errorCauses: [{ errorSummary: `Accept is "${accept}"; offered: application/json.` }],
      });
    });

    it("S3 reads several lines as one list", async () => {
      const lines = ["Accept: text/html", "Accept: application/json"];
      expect(await exchange(app, "GET / HTTP/1.1", ...lines)).toMatch(/^HTTP\/1.1 200 /);
    });

    it.each([
      [-1, 200, undefined],
      [0, 200, undefined],
      [1, 406, "Accept is longer than 2048 characters; offered: application/json."],
    ])("reads 2,048 characters: the limit %d", async (difference, status, cause) => {
      const accept = `application/json, ${"x".repeat(2048 + difference - 18)}`;
      const response = await request(app).get("/").set("Accept", accept);
      expect(response.status).toBe(status);
      if (cause !== undefined) expect(causes(response)).toEqual([cause]);
    });

    it("judges Content-Type first", async () => {
      await request(app).get("/").set("Accept", "text/html").set("Content-Type", "text/html").expect(415);
    });
  });

  describe("consumes", () => {
    const patch = appWith({ consumes: PATCH_TYPES });

    it.each(PATCH_TYPES)("V4 takes %s", async (type) => {
      await request(patch).patch("/").set("Content-Type", type).send("[]").expect(200);
    });

    it("V4 refuses another type of a PATCH with 415 and Accept-Patch", async () => {
      const response = await request(patch).patch("/").set("Content-Type", "application/json").send("{}");
      expect(response.status).toBe(415);
      expect(response.headers["accept-patch"]).toBe(PATCH_TYPES.join(", "));
      expect(response.headers["accept"]).toBeUndefined();
      expect(causes(response)).toEqual([
        'Content-Type is "application/json"; accepted: application/json-patch+json, application/merge-patch+json.',
      ]);
    });
  });

  describe("produces", () => {
    it.each([
      [undefined, "application/jrd+json"],
      ["*/*", "application/jrd+json"],
      ["application/json", "application/json"],
      ["application/json, application/jrd+json;q=0.5", "application/json"],
    ])("W8 negotiates, for %s, %s", async (accept, expected) => {
      const response = await request(webfinger)
        .get("/")
        .set(accept === undefined ? {} : { Accept: accept });
      expect(response.headers["content-type"]).toBe(`${expected}; charset=utf-8`);
    });

    it("names every type that is offered in a 406", async () => {
      const response = await request(webfinger).get("/").set("Accept", "text/html");
      expect(response.body.errorSummary).toBe(
        "Accept Header did not contain supported media type 'application/jrd+json', 'application/json'",
      );
      expect(causes(response)).toEqual(['Accept is "text/html"; offered: application/jrd+json, application/json.']);
    });

    it("S6 adds Vary: Accept where there is a choice, and keeps what Vary holds", async () => {
      for (const accept of ["*/*", "text/html"]) {
        const several = await request(webfinger).get("/").set("Accept", accept);
        expect(several.headers["vary"]).toBe("Accept");
        const one = await request(app).get("/").set("Accept", accept);
        expect(one.headers["vary"]).toBeUndefined();
      }

      const cors = express();
      cors.use((_req, res, next) => {
        res.vary("Origin");
        next();
      });
      cors.use(contentType({ produces: ["application/json", "text/csv"] }));
      const both = await request(cors).get("/");
      expect(both.headers["vary"]).toBe("Origin, Accept");
    });
  });

  describe("strict", () => {
    it("S3 takes a request that carries both headers", async () => {
      await request(strict).get("/").set("Accept", "*/*").set("Content-Type", "application/json").expect(200);
    });

    it.each([
      [{}, ["Content-Type is missing; accepted: application/json.", "Accept is missing; offered: application/json."]],
      [{ Accept: "application/json" }, ["Content-Type is missing; accepted: application/json."]],
      [{ "Content-Type": "application/json" }, ["Accept is missing; offered: application/json."]],
      [{ "Content-Type": "application/json", Accept: "" }, ["Accept is missing; offered: application/json."]],
    ])("S3 refuses %j with 400 E0000018", async (headers, expected) => {
      const response = await request(strict).get("/").set(headers);
      expect(response.status).toBe(400);
      expect(response.body.errorCode).toBe("E0000018");
      expect(causes(response)).toEqual(expected);
    });

    it("S3 refuses the wrong ones as it does by default", async () => {
      await request(strict).get("/").set("Accept", "*/*").set("Content-Type", "text/plain").expect(415);
      await request(strict).get("/").set("Accept", "a/b").set("Content-Type", "application/json").expect(406);
    });
  });

  describe("negotiate", () => {
    const app = express();
    app.use(contentType({ produces: ["application/jrd+json", "application/json"], strict: true, negotiate: false }));
    app.use(((req, res) => {
      res.json({ type: tryGetNegotiatedType(req) ?? "none", error: messageOf(() => getNegotiatedType(req)) });
    }) satisfies RequestHandler);
    app.use(errorFormatter());
    const both = { Accept: "text/html", "Content-Type": "application/json" };

    it("W8 S3 refuses no Accept when it is false, and selects no type", async () => {
      const response = await request(app).get("/").set(both).expect(200);
      const error = "contentType() ran, but its option `negotiate` is false";
      expect(response.body).toEqual({ type: "none", error });
      expect(response.headers["vary"]).toBe("Accept");
      const preflight = await request(app).options("/").expect(200);
      expect(preflight.body).toMatchObject({ type: "none" });
    });

    it("S3 checks the rest", async () => {
      await request(app)
        .get("/")
        .set({ ...both, "Content-Type": "text/plain" })
        .expect(415);
      const response = await request(app).get("/").set("Content-Type", "application/json").expect(400);
      expect(causes(response)).toEqual(["Accept is missing; offered: application/jrd+json, application/json."]);
    });
  });

  it("S6 forbids sniffing on every answer, also without the error formatter", async () => {
    const bare = express();
    bare.use(contentType());
    bare.use((_req, res) => void res.json({}));
    for (const method of ["get", "options"] as const) {
      const response = await request(bare)[method]("/");
      expect(response.headers["x-content-type-options"]).toBe("nosniff");
      expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    }
    const refused = await request(bare).get("/").set("Accept", "text/html");
    expect(refused.headers["x-content-type-options"]).toBe("nosniff");
  });

  it("leaves the body unread", async () => {
    const echo = express();
    echo.use(contentType(), (req, res) => void req.pipe(res.type("text")));
    const response = await request(echo).post("/").set("Content-Type", "application/json").send("[1]");
    expect(response.text).toBe("[1]");
  });

  it("says what kind of error it is, for programs", async () => {
    const types: unknown[] = [];
    const quiet = express();
    quiet.use(contentType());
    quiet.use(errorFormatter({ log: (error) => void types.push((error as { type: unknown }).type) }));
    await exchange(quiet, "POST / HTTP/1.1", "Content-Length: 1", "", "1");
    await exchange(quiet, "GET / HTTP/1.1", "Content-Type: a/b", "Content-Type: a/c");
    await request(quiet).get("/").set("Content-Type", "a/b");
    await request(quiet).get("/").set("Accept", "a/b");
    expect(types).toEqual([
      "media-type.missing",
      "media-type.ambiguous",
      "media-type.unsupported",
      "media-type.not-acceptable",
    ]);
  });
});

describe("contentType over HTTP/2", () => {
  it("V3 sees a body that no header announces", async () => {
    const middleware = contentType() as unknown as (req: unknown, res: unknown, next: (error?: Error) => void) => void;
    const server = http2.createServer((req, res) => {
      middleware(req, res, (error) => {
        res.statusCode = (error as { status?: number } | undefined)?.status ?? 200;
        res.end();
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      const post = async (headers: http2.OutgoingHttpHeaders, body?: string): Promise<unknown> => {
        const stream = session.request({ ":method": "POST", ...headers }, { endStream: body === undefined });
        if (body !== undefined) stream.end(body);
        const [answer] = (await once(stream, "response")) as [http2.IncomingHttpHeaders];
        stream.resume();
        return answer[":status"];
      };
      expect(await post({}, "{}")).toBe(400);
      expect(await post({ "content-type": "application/json" }, "{}")).toBe(200);
      expect(await post({})).toBe(200);
    } finally {
      session.destroy();
      server.close();
    }
  });
});

describe("the accessors of contentType", () => {
  it("tell that the middleware did not run", () => {
    expect(() => getNegotiatedType({})).toThrow(
      new Error("contentType() did not run for this request; mount it before what reads its value"),
    );
    expect(tryGetNegotiatedType({})).toBeUndefined();
  });
});

describe("the options of contentType", () => {
  it.each([
    ["consumes", "application/json"],
    ["consumes", []],
    ["consumes", ["application/*"]],
    ["consumes", ["Application/json"]],
    ["consumes", ["application/json;charset=utf-8"]],
    ["consumes", ["json"]],
    ["consumes", [1]],
    ["produces", []],
    ["produces", ["*/*"]],
    ["produces", ["application/json", ""]],
    ["produces", null],
    ["strict", "yes"],
    ["strict", null],
    ["negotiate", 0],
  ])("refuses %s: %j", (option, value) => {
    const start = new RegExp(`^contentType: option \`${option}\` must be `);
    expect(() => contentType({ [option]: value })).toThrow(TypeError);
    expect(() => contentType({ [option]: value })).toThrow(start);
  });

  it("take undefined for the default", () => {
    expect(() => contentType({ consumes: undefined, produces: undefined, strict: undefined } as object)).not.toThrow();
  });
});

function messageOf(act: () => unknown): string {
  try {
    return String(act());
  } catch (error) {
    return (error as Error).message;
  }
}

/** Send lines as they are over a socket of their own; what stands behind an empty line is the body. */
async function exchange(app: Express, requestLine: string, ...lines: string[]): Promise<string> {
  const server = http.createServer(app);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const end = lines.indexOf("");
  const fields = end === -1 ? lines : lines.slice(0, end);
  const body = end === -1 ? "" : lines.slice(end + 1).join("");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.end(`${[requestLine, "Host: localhost", "Connection: close", ...fields].join("\r\n")}\r\n\r\n${body}`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  server.close();
  return Buffer.concat(chunks).toString();
}
