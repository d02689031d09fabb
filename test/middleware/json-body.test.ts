import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { ErrorRequestHandler, Express, Request, RequestHandler } from "express";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { jsonBody, type JsonBodyOptions } from "../../middleware/json-body.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, open, parseAnswer, parseAnswers, readUntilClose } from "../support/raw-socket.js";

const JSON_TYPE = "application/json";

interface AppOptions {
  options?: JsonBodyOptions;
  before?: RequestHandler[];
  handler?: RequestHandler;
  log?: (error: unknown) => void;
}

/** What the request is, as bytes. */
function message(body: Buffer | string, fields: Record<string, string | number> = {}): string {
  const bytes = Buffer.from(body);
  const all = { Host: "localhost", "Content-Type": JSON_TYPE, "Content-Length": bytes.length, ...fields };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST / HTTP/1.1\r\n${lines.join("")}\r\n${bytes.toString("latin1")}`;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

describe.each(EXPRESS_VERSIONS)("jsonBody on %s", (_version, express) => {
  const echo: RequestHandler = (req, res) => {
    res.json({ body: (req.body as unknown) ?? "untouched" });
  };

  function createApp({ options = {}, before = [], handler = echo, log = () => undefined }: AppOptions = {}): Express {
    const app = express();
    app.use(...before, jsonBody(options));
    app.all("/", handler);
    app.use(errorFormatter({ log }));
    return app;
  }

  async function serve<T>(settings: AppOptions, use: (port: number) => Promise<T>): Promise<T> {
    const server = createServer(createApp(settings));
    try {
      return await use(await listen(server));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  /** Send a body as it is, without what supertest would make of it. */
  async function post(app: Express, body: Buffer | string, fields: Record<string, string> = {}) {
    const sent = request(app)
      .post("/")
      .set({ "Content-Type": JSON_TYPE, ...fields });
    sent.write(body);
    return sent;
  }

  describe("S3 what is read", () => {
    it.each([
      ["an object", '{"a":1}', { a: 1 }],
      ["an array", "[1,[]]", [1, []]],
      ["what has white space around", " \r\n\t{ } \n", {}],
      ["text beyond ASCII", '{"é漢":"\\u00e9\\u6f22"}', { é漢: "é漢" }],
      ["text of many bytes", JSON.stringify(["é漢\\n".repeat(3_000)]), ["é漢\\n".repeat(3_000)]],
    ])("is %s", async (_what, sent, body) => {
      const res = await post(createApp(), sent);
      expect(res.body).toEqual({ body });
    });

    it("has the names that were sent, whatever names another body had", async () => {
      const app = createApp({ handler: (req, res) => void res.json(Object.entries(req.body as object)) });
      const earlier: unknown[] = [];
      const keeping = createApp({ handler: (req, res) => void res.json(earlier.push(req.body)) });
      await post(keeping, String.raw`{"sent":1,"b\\":1}`);
      expect((await post(app, String.raw`{"sent":2,"b\u00e9":2}`)).body).toEqual([
        ["sent", 2],
        ["bé", 2],
      ]);
      expect(earlier).toEqual([{ sent: 1, "b\\": 1 }]); // V8 forgets names when no object has them any more
    });

    it("has __proto__ as an ordinary member", async () => {
      const handler: RequestHandler = (req, res) => {
        res.json({ names: Object.keys(req.body as object), admin: (req.body as { admin?: unknown }).admin ?? null });
      };
      const res = await post(createApp({ handler }), '{"__proto__":{"admin":true}}');
      expect(res.body).toEqual({ names: ["__proto__"], admin: null });
    });

    it.each([
      ["application/json; charset=utf-8", { a: 1 }],
      ["Application/JSON;charset=UTF-8", { a: 1 }],
      ["application/json; x=a,b", { a: 1 }],
      ["application/merge-patch+json", "untouched"],
      ["text/plain", "untouched"],
      ["application/json, text/plain", "untouched"],
      ["json", "untouched"],
    ])("of the type %s is %j", async (type, body) => {
      expect((await post(createApp(), '{"a":1}', { "Content-Type": type })).body).toEqual({ body });
    });

    it("V2 is no body of no bytes, with whatever length", async () => {
      await serve({}, async (port) => {
        const close = { Connection: "close" };
        const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${JSON_TYPE}\r\nConnection: close\r\n`;
        const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
        const gzip = { ...close, "Content-Encoding": "gzip" };
        const empty = [message("", close), message("", { ...close, "Content-Length": "00" }), chunked];
        for (const sent of [...empty, `${head}\r\n`, message("", gzip), message(gzipSync(""), gzip)]) {
          expect(parseAnswer(await exchange(port, sent)).body).toBe('{"body":"untouched"}');
        }
      });
    });

    it("is no body that something before has read or parsed", async () => {
      const parsed: RequestHandler = (req, _res, next) => {
        req.body = "theirs";
        next();
      };
      const marked: RequestHandler = (req, _res, next) => {
        Object.assign(req, { _body: true });
        next();
      };
      const drained: RequestHandler = (req, _res, next) => {
        req.resume().on("end", next);
      };
      const bodies = [];
      for (const handler of [parsed, marked, drained, express.json()]) {
        bodies.push(((await post(createApp({ before: [handler] }), "[1]")).body as { body: unknown }).body);
      }
      expect(bodies).toEqual(["theirs", "untouched", "untouched", [1]]);
    });

    it("is not read again by a parser behind it", async () => {
      const app = express();
      app.use(jsonBody(), express.json(), express.urlencoded({ extended: false }), express.text({ type: "*/*" }), echo);
      expect((await post(app, "[1]")).body).toEqual({ body: [1] });
      await serve(
        { handler: (req, res) => res.json([req.readableEnded, (req as { _body?: boolean })._body]) },
        async (port) => {
          expect(parseAnswer(await exchange(port, message("[1]", { Connection: "close" }))).body).toBe("[true,true]");
        },
      );
    });
  });

  describe("S3 the body", () => {
    const text = '{"a":"é漢"}';
    const head = message(text).slice(0, -Buffer.byteLength(text));
    const body = message(text).slice(head.length);

    it.each<[string, string[]]>([
      ["with the header", [head + body]],
      ["after the header", [head, body]],
      ["byte by byte, which cuts characters", [head, ...Array.from(body)]],
      ["half with the header", [head + body.slice(0, 7), body.slice(7)]],
    ])("comes %s", async (_how, parts) => {
      await serve({}, async (port) => {
        const socket = await open(port);
        const answer = once(socket, "data");
        for (const part of parts) {
          socket.write(part);
          if (parts.length > 1) await pause();
        }
        expect(parseAnswer(String(await answer)).body).toBe(`{"body":${Buffer.from(text).toString("latin1")}}`);
        socket.destroy();
      });
    });

    it("comes in chunks, and the next request behind it", async () => {
      await serve({}, async (port) => {
        const chunked = message("", { "Transfer-Encoding": "chunked" }).replace("Content-Length: 0\r\n", "");
        const sent = `${chunked}1\r\n[\r\n2\r\n1]\r\n0\r\n\r\n${message("[2]", { Connection: "close" })}`;
        const answers = parseAnswers(await exchange(port, sent));
        expect(answers.map((answer) => answer.body)).toEqual(['{"body":[1]}', '{"body":[2]}']);
      });
    });

    it("comes in chunks of which the first is a body already", async () => {
      await serve({}, async (port) => {
        const chunked = message("", { "Transfer-Encoding": "chunked", Connection: "close" });
        const sent = `${chunked.replace("Content-Length: 0\r\n", "")}3\r\n[1]\r\n3\r\n[2]\r\n0\r\n\r\n`;
        expect(parseAnswer(await exchange(port, sent))).toMatchObject({ status: 400 });
      });
    });

    it("is read after what took its time, or has paused the request", async () => {
      const slow: RequestHandler = (_req, _res, next) => void setTimeout(next, 20);
      const paused: RequestHandler = (req, _res, next) => {
        req.pause();
        setTimeout(next, 20);
      };
      const watched: RequestHandler = (req, _res, next) => {
        req.on("data", () => undefined);
        next();
      };
      for (const handler of [slow, paused, watched]) {
        for (const sent of ["[1]", `["${"x".repeat(90_000)}"]`]) {
          expect((await post(createApp({ before: [handler] }), sent)).body).toEqual({
            body: JSON.parse(sent) as unknown,
          });
        }
      }
    });

    it("is read whole when something begins to watch it as the last of several parts is there", async () => {
      const watched: RequestHandler = (req, _res, next) => {
        setTimeout(() => {
          req.on("data", () => undefined);
          next();
        }, 60);
      };
      await serve({ before: [watched] }, async (port) => {
        const socket = await open(port);
        const answer = once(socket, "data");
        socket.write(message("[1,2]").slice(0, -3));
        await pause();
        socket.write(",2]");
        expect(parseAnswer(String(await answer)).body).toBe('{"body":[1,2]}');
        socket.destroy();
      });
    });

    it("is answered to a client that half-closes behind it", async () => {
      await serve({}, async (port) => {
        expect(parseAnswer(await exchange(port, message("[1]"), { halfClose: true })).body).toBe('{"body":[1]}');
      });
    });

    it("leaves no listener behind, and the asynchronous context as it was", async () => {
      const storage = new AsyncLocalStorage<string>();
      const counts: number[] = [];
      const count = (req: Request): void => {
        const names = ["data", "end", "error", "close", "readable"];
        counts.push(names.map((name) => req.listenerCount(name)).reduce((sum, each) => sum + each));
      };
      const enter: RequestHandler = (req, _res, next) => {
        count(req);
        storage.run(req.get("X-Name") ?? "", next);
      };
      const handler: RequestHandler = (req, res) => {
        count(req);
        res.end(storage.getStore());
      };
      await serve({ before: [enter], handler }, async (port) => {
        const gzip = message(gzipSync(text), { "Content-Encoding": "gzip", "X-Name": "gzip" });
        for (const [name, parts] of [
          ["whole", [message(text, { "X-Name": "whole" })]],
          ["split", [message(text, { "X-Name": "split" }).slice(0, -3), body.slice(-3)]],
          ["gzip", [gzip]],
        ] as const) {
          const socket = await open(port);
          const answer = once(socket, "data");
          for (const part of parts) {
            socket.write(part);
            await pause();
          }
          expect(parseAnswer(String(await answer)).body).toContain(name);
          socket.destroy();
        }
      });
      expect(counts.filter((_value, index) => index % 2 === 1)).toEqual(
        counts.filter((_value, index) => index % 2 === 0),
      );
    });
  });

  describe("V2 the limit", () => {
    const LIMIT = 100;
    const bodyOf = (length: number): string => JSON.stringify({ text: "x".repeat(length - 11) });

    it.each([
      [LIMIT - 1, 200],
      [LIMIT, 200],
      [LIMIT + 1, 413],
    ])("has %d bytes answered %d, with a length, chunked and compressed", async (length, status) => {
      const app = createApp({ options: { limit: LIMIT } });
      const sent = bodyOf(length);
      expect(sent).toHaveLength(length);
      const answers = [
        await request(app).post("/").type("json").send(sent),
        await post(app, sent),
        await post(app, gzipSync(sent), { "Content-Encoding": "gzip" }),
      ];
      const causes = ["Content-Length is 101", "The body is longer", "Decoded, the body is longer"];
      answers.forEach((answer, index) => {
        expect(answer.status).toBe(status);
        if (status !== 413) return;
        const errorCauses = [{ errorSummary: `${causes[index]}; the limit is 100 bytes.` }];
        expect(answer.body).toMatchObject({ errorCode: "E0009003", errorCauses });
      });
    });

    it("is 102,400 bytes by default", async () => {
      const app = createApp({ handler: (_req, res) => res.end() });
      await request(app).post("/").type("json").send(bodyOf(102_400)).expect(200);
      await request(app).post("/").type("json").send(bodyOf(102_401)).expect(413);
    });

    it("counts a compressed body as sent too", async () => {
      const members = Buffer.concat(Array.from({ length: 10 }, () => gzipSync("")));
      const app = createApp({ options: { limit: LIMIT } });
      await post(app, members, { "Content-Encoding": "gzip" }).then(({ status }) => {
        expect(status).toBe(413);
      });
    });

    it("is told before the body comes, and the connection goes on behind it", async () => {
      await serve({ options: { limit: LIMIT } }, async (port) => {
        const socket = await open(port);
        const sent = message(bodyOf(5_000));
        socket.write(sent.slice(0, -5_000));
        const [early] = (await once(socket, "data")) as [string];
        expect(parseAnswer(early).status).toBe(413);
        const rest = readUntilClose(socket);
        socket.write(sent.slice(-5_000) + message("[1]", { Connection: "close" }));
        expect(parseAnswer(await rest).body).toBe('{"body":[1]}');
      });
    });

    it.each([1_023, 1_024, 1_025, 5_000])("V3 joins a body of %d chunks of a byte as they arrive", async (count) => {
      const concat = jest.spyOn(Buffer, "concat");
      await serve({ options: {} }, async (port) => {
        const socket = await open(port);
        const head = message("", { "Transfer-Encoding": "chunked", Connection: "close" });
        socket.write(head.replace("Content-Length: 0\r\n", ""));
        await pause(); // the header comes alone, so that the body is collected
        const sent = `["${"x".repeat(count - 4)}"]`;
        socket.write(`${Array.from(sent, (byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`);
        expect(await readUntilClose(socket)).toContain(sent);
      });
      const lists = concat.mock.calls.map(([list]) => list.length);
      expect(Math.max(...lists)).toBeGreaterThan(500);
      expect(Math.max(...lists)).toBeLessThanOrEqual(1_024);
      concat.mockRestore();
    });

    it("ends a chunked body that does not end, and the connection goes on behind it", async () => {
      await serve({ options: { limit: LIMIT } }, async (port) => {
        const socket = await open(port);
        socket.write(message("", { "Transfer-Encoding": "chunked" }).replace("Content-Length: 0\r\n", ""));
        const chunk = `32\r\n${" ".repeat(50)}\r\n`;
        const answer = once(socket, "data");
        for (let index = 0; index < 3; index++) {
          socket.write(chunk);
          await pause();
        }
        expect(parseAnswer(String(await answer)).status).toBe(413);
        const rest = readUntilClose(socket);
        socket.write(`${chunk.repeat(100)}0\r\n\r\n${message("[1]", { Connection: "close" })}`);
        expect(parseAnswer(await rest).body).toBe('{"body":[1]}');
      });
    });

    it("stops a body of 1 KB that would be 1 MB", async () => {
      const bomb = gzipSync(`"${" ".repeat(1_000_000)}"`);
      expect(bomb.length).toBeLessThan(2_000);
      const res = await post(createApp(), bomb, { "Content-Encoding": "gzip" });
      expect(res.body).toMatchObject({ errorCode: "E0009003" });
    });
  });

  describe("S3 Content-Encoding", () => {
    const body = { a: "é" };
    const text = JSON.stringify(body);

    it.each([
      ["identity", Buffer.from(text)],
      ["gzip", gzipSync(text)],
      ["GZIP", gzipSync(text)],
      ["x-gzip", gzipSync(text)],
      ["deflate", deflateSync(text)],
      ["br", brotliCompressSync(text)],
    ])("%s is decoded", async (coding, sent) => {
      expect((await post(createApp(), sent, { "Content-Encoding": coding })).body).toEqual({ body });
    });

    it.each(["zstd", "gzip, br", "nonsense"])("%s is 415, with what is accepted", async (coding) => {
      const res = await post(createApp(), text, { "Content-Encoding": coding });
      expect(res.status).toBe(415);
      expect(res.headers["accept-encoding"]).toBe("gzip, deflate, br");
      const errorSummary = `Content-Encoding is "${coding}"; accepted: gzip, deflate, br.`;
      expect(res.body).toMatchObject({ errorCode: "E0000021", errorCauses: [{ errorSummary }] });
    });

    it.each([
      ["gzip", gzipSync(text).subarray(0, -9)],
      ["gzip", Buffer.from(text)],
      ["deflate", Buffer.from(text)],
      ["br", Buffer.from(text)],
    ])("%s that is none is 400", async (coding, sent) => {
      const res = await post(createApp(), sent, { "Content-Encoding": coding });
      expect(res.status).toBe(400);
      const errorCauses = [{ errorSummary: "The body is not what its Content-Encoding says." }];
      expect(res.body).toMatchObject({ errorCode: "E0000003", errorCauses });
    });

    it("with inflate: false is 415 unless it is identity", async () => {
      const app = createApp({ options: { inflate: false } });
      expect((await post(app, text, { "Content-Encoding": "Identity" })).body).toEqual({ body });
      const res = await post(app, gzipSync(text), { "Content-Encoding": "gzip" });
      expect(res.status).toBe(415);
      expect(res.headers["accept-encoding"]).toBe("identity");
    });
  });

  describe("S5 text", () => {
    it.each<[string, Buffer | string, string, string]>([
      ["a character of four bytes", '{"a":"😀"}', "E0000001", "/a: U+1F600 at byte 6 takes four bytes"],
      ["one as escapes", String.raw`["\ud83d\ude00"]`, "E0000001", "/0: U+1F600 at byte 2 takes four bytes"],
      ["half a surrogate pair", String.raw`["\ud83d"]`, "E0000001", String.raw`/0: \ud83d at byte 2 is half`],
      ["a byte that is not UTF-8", Buffer.from('["\xff"]', "latin1"), "E0000003", "/0: 0xff at byte 2"],
      ["a byte order mark", "\ufeff[]", "E0000003", "The body: U+FEFF at byte 0"],
    ])("with %s is 400", async (_what, sent, errorCode, cause) => {
      for (const fields of [{}, { "Content-Encoding": "gzip" }]) {
        const res = await post(createApp(), "Content-Encoding" in fields ? gzipSync(sent) : sent, fields);
        expect(res.body).toMatchObject({
          errorCode,
          errorCauses: [{ errorSummary: expect.stringContaining(cause) as string }],
        });
      }
    });

    it("in another charset is 415", async () => {
      const res = await post(createApp(), "{}", { "Content-Type": "application/json; charset=utf-16" });
      expect(res.status).toBe(415);
      const errorCauses = [{ errorSummary: 'The body is in the charset "utf-16"; accepted is "utf-8".' }];
      expect(res.body).toMatchObject({ errorCode: "E0000021", errorCauses });
    });

    it.each([
      [{}, 1_000],
      [{ maxDepth: 3 }, 3],
    ])("with the options %j is nested %d deep, not deeper", async (options, depth) => {
      const app = createApp({ options, handler: (_req, res) => res.end() });
      const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
      expect((await post(app, nested(depth - 1))).status).toBe(200);
      expect((await post(app, nested(depth))).status).toBe(200);
      const res = await post(app, nested(depth + 1));
      const errorSummary = `The body: the bracket at byte ${depth} opens level ${depth + 1}; ${depth} are supported.`;
      expect(res.body).toMatchObject({ errorCode: "E0000003", errorCauses: [{ errorSummary }] });
    });

    it.each([
      [{}, 50_000],
      [{ maxMembers: 3 }, 3],
    ])("V4 with the options %j has %d members, not more", async (options, members) => {
      const app = createApp({ options, handler: (_req, res) => res.end() });
      const flat = (count: number): string => `[${"1,".repeat(count - 1)}1]`;
      expect((await post(app, flat(members - 1))).status).toBe(200);
      expect((await post(app, flat(members))).status).toBe(200);
      const res = await post(app, flat(members + 1));
      const place = `the next one is at byte ${2 * members + 1}`;
      const errorSummary = `The body has more than ${members} members and elements; ${place}.`;
      expect(res.status).toBe(400);
      expect(res.body).toMatchObject({ errorCode: "E0000003", errorCauses: [{ errorSummary }] });
    });

    it("V4 has its members counted before it is parsed", async () => {
      const res = await post(createApp({ options: { maxMembers: 3 } }), "[1,2,3,4, and no JSON \ud83d");
      expect(res.body.errorCauses[0].errorSummary).toContain("more than 3 members");
    });
  });

  it.each([
    ['{"a":1', 'The body: found the end at byte 6 (line 1), expected "," or "}".'],
    ['{\n"é": tru}', 'The body: found "t" at byte 8 (line 2), expected a value.'],
    [" ", "The body: found the end at byte 1 (line 1), expected a value."],
    ['"a"', "The body is a string; send an object or an array."],
    ["1", "The body is a number; send an object or an array."],
    ["null", "The body is null; send an object or an array."],
  ])("E1 says of %j where and what: %s", async (sent, errorSummary) => {
    const res = await post(createApp(), sent);
    expect(res.status).toBe(400);
    expect(res.body).toMatchObject({ errorCode: "E0000003", errorCauses: [{ errorSummary }] });
  });

  describe("E1 a request that ends before its body", () => {
    async function expectAborted(before: RequestHandler[], leave: (port: number) => Promise<void>): Promise<void> {
      const errors: unknown[] = [];
      let handled = 0;
      const handler: RequestHandler = () => handled++;
      await serve({ before, handler, log: (error) => errors.push(error) }, async (port) => {
        await leave(port);
        for (let tries = 0; errors.length === 0 && tries < 50; tries++) await pause();
        await pause();
      });
      expect(handled).toBe(0);
      expect(errors).toEqual([expect.objectContaining({ status: 400, code: "E0000003", type: "request.aborted" })]);
    }

    it.each(["", "[1,"])("goes to next(error) once, after %j of it", async (part) => {
      await expectAborted([], async (port) => {
        const socket = await open(port);
        socket.write(message("[1,2,3]").slice(0, part.length - 7));
        await pause();
        socket.destroy();
      });
    });

    it("goes to next(error) when it had ended before anything read it", async () => {
      const slow: RequestHandler = (_req, _res, next) => void setTimeout(next, 60);
      await expectAborted([slow], async (port) => {
        const socket = await open(port);
        socket.write(message("[1,2,3]").slice(0, -2));
        await pause();
        socket.destroy();
      });
    });

    it.each([undefined, new Error("theirs")])(
      "goes to next(error) when something destroys it with %s",
      async (error) => {
        const destroy: RequestHandler = (req, _res, next) => {
          setTimeout(() => req.destroy(error), 20);
          next();
        };
        await expectAborted([destroy], async (port) => {
          (await open(port)).on("error", () => undefined).write(message("[1,2,3]").slice(0, -2));
        });
      },
    );
  });

  it("V3 a body of another length than Content-Length says is 400", async () => {
    const more: RequestHandler = (req, _res, next) => {
      req.unshift(Buffer.from(" "));
      next();
    };
    const res = await request(createApp({ before: [more] }))
      .post("/")
      .type("json")
      .send("[1]");
    expect(res.status).toBe(400);
    expect(res.body).toMatchObject({
      errorCode: "E0000003",
      errorCauses: [{ errorSummary: 'The body has 4 bytes, its Content-Length is "3".' }],
    });
  });

  it("E4 a request with an encoding, whose bytes can't be seen, is the application's fault", async () => {
    const errors: unknown[] = [];
    const decoding: RequestHandler = (req, _res, next) => {
      req.setEncoding("utf8");
      next();
    };
    const res = await post(createApp({ before: [decoding], log: (error) => errors.push(error) }), "[1]");
    expect(res.status).toBe(500);
    expect(String(errors[0])).toContain("mount it before the code that calls req.setEncoding()");
  });

  it("makes its errors without a stack trace, and without the body", async () => {
    const errors: Error[] = [];
    const log: ErrorRequestHandler = (error: Error, _req, res, _next) => {
      errors.push(error);
      res.end();
    };
    const app = express();
    app.use(jsonBody({ limit: 20 }), log);
    for (const sent of ["{", "1", " ".repeat(21), '["\u{1f600}"]']) await post(app, sent);
    expect(errors).toHaveLength(4);
    for (const error of errors) {
      expect(error.stack).toBe(`${error.name}: ${error.message}`);
      expect(Object.keys(error)).not.toContain("body");
      expect((error as { body?: unknown }).body).toBeUndefined();
    }
  });
});

describe("jsonBody over HTTP/2", () => {
  it("V3 reads a body that has neither a length nor chunks", async () => {
    const middleware = jsonBody() as unknown as (req: unknown, res: unknown, next: (error?: unknown) => void) => void;
    const server = http2.createServer((req, res) => {
      middleware(req, res, () => res.end(JSON.stringify((req as { body?: unknown }).body ?? "untouched")));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      for (const [sent, body] of [
        [undefined, '"untouched"'],
        ["[1]", "[1]"],
      ]) {
        const headers = { ":method": "POST", "content-type": JSON_TYPE };
        const stream = session.request(headers, { endStream: sent === undefined }).setEncoding("utf8");
        if (sent !== undefined) stream.end(sent);
        let text = "";
        for await (const part of stream) text += String(part);
        expect(text).toBe(body);
      }
    } finally {
      session.destroy();
      server.close();
    }
  });

  // Node says "end" of a stream that the client cancels; what came is then no JSON, or all of it.
  it.each(["cancelled by the client", "destroyed by the server"])(
    "E1 goes on with an error, once, when the stream is %s within the body",
    async (how) => {
      const middleware = jsonBody() as unknown as (req: unknown, res: unknown, next: (error?: unknown) => void) => void;
      const errors: unknown[] = [];
      const server = http2.createServer((req, res) => {
        middleware(req, res, (error) => errors.push(error));
        if (how === "destroyed by the server") setTimeout(() => req.stream.destroy(), 20);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const arrived = once(server, "request");
      const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      try {
        const stream = session.request({ ":method": "POST", "content-type": JSON_TYPE }, { endStream: false });
        stream.on("error", () => undefined).write("[1");
        await arrived;
        await pause();
        if (how === "cancelled by the client") stream.close(http2.constants.NGHTTP2_CANCEL);
        for (let tries = 0; errors.length === 0 && tries < 50; tries++) await pause();
        await pause();
        expect(errors).toEqual([expect.objectContaining({ status: 400, code: "E0000003" })]);
      } finally {
        session.destroy();
        server.close();
      }
    },
  );
});

describe("jsonBody options", () => {
  it.each([
    [{ limit: 0 }, "`limit` must be an integer from 1 to 104857600"],
    [{ limit: 104_857_601 }, "`limit` must be an integer from 1 to 104857600"],
    [{ limit: "1mb" }, "`limit` must be an integer from 1 to 104857600"],
    [{ consumes: [] }, "`consumes` must be a non-empty array of media types in lower case"],
    [{ consumes: ["application/*"] }, "`consumes` must be a non-empty array of media types in lower case"],
    [{ consumes: ["Application/JSON"] }, "`consumes` must be a non-empty array of media types in lower case"],
    [{ consumes: ["application/json; a=b"] }, "`consumes` must be a non-empty array of media types in lower case"],
    [{ consumes: JSON_TYPE }, "`consumes` must be an array of non-empty strings"],
    [{ maxDepth: 0 }, "`maxDepth` must be an integer from 1 to 2000"],
    [{ maxDepth: 2_001 }, "`maxDepth` must be an integer from 1 to 2000"],
    [{ maxMembers: 0 }, "`maxMembers` must be an integer from 1 to 100000000"],
    [{ maxMembers: 100_000_001 }, "`maxMembers` must be an integer from 1 to 100000000"],
    [{ inflate: 1 }, "`inflate` must be a boolean"],
    [{ strict: 0 }, "`strict` must be a boolean"],
    [{ bigint: true }, '`bigint` must be "string", "bigint" or "refuse"'],
    [{ bigint: "number" }, '`bigint` must be "string", "bigint" or "refuse"'],
  ])("are refused: %j", (options, message) => {
    expect(() => jsonBody(options as never)).toThrow(`jsonBody: option ${message}`);
    expect(() => jsonBody(options as never)).toThrow(TypeError);
  });

  it.each([
    { limit: 1 },
    { limit: 104_857_600 },
    { maxDepth: 1 },
    { maxDepth: 2_000 },
    { maxMembers: 1 },
    { maxMembers: 100_000_000 },
    { consumes: ["text/x-json"] },
  ])("are taken: %j", (options) => {
    expect(() => jsonBody(options)).not.toThrow();
  });
});
