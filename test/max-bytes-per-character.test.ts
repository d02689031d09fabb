import type { Server } from "node:http";
import fc from "fast-check";
import type { Express, Request, Response } from "express";
import {
  compileFilterSchema,
  createBodyVerifier,
  errorFormatter,
  filter,
  getFilter,
  getPage,
  getPatch,
  getQuery,
  jsonBody,
  pagination,
  patch,
  PATCH_TYPES,
  queryParameters,
  responseCheck,
  type ResponseFault,
  utf8Guard,
  webfinger,
} from "etiquette";
import { EXPRESS_VERSIONS } from "./support/express.js";
import { listen } from "./support/raw-socket.js";

const GRIN = "\u{1f600}";
const schema = compileFilterSchema({ attributes: { name: { type: "string" } } });

/** Any characters of Unicode: none is half of a pair. */
const wellFormed = fc.string({ unit: "binary", maxLength: 12 });
const isFourByte = (text: string): boolean => /[\u{10000}-\u{10ffff}]/u.test(text);

describe.each(EXPRESS_VERSIONS)("maxBytesPerCharacter on %s", (_version, express) => {
  const servers: Server[] = [];
  const urls = { 3: "", 4: "" };
  const faults: ResponseFault[] = [];

  beforeAll(async () => {
    for (const maxBytesPerCharacter of [3, 4] as const) {
      const server = serve(maxBytesPerCharacter).listen(0, "127.0.0.1");
      servers.push(server);
      urls[maxBytesPerCharacter] = `http://127.0.0.1:${await listen(server)}`;
    }
  });

  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  function serve(maxBytesPerCharacter: 3 | 4): Express {
    const app = express();
    const verify = createBodyVerifier({ maxBytesPerCharacter });
    app.use("/express-json", express.json({ verify }), (req: Request, res: Response) => res.json(req.body));
    app.use(responseCheck({ maxBytesPerCharacter, log: (found) => faults.push(...found) }));
    app.use(webfinger({ resolve: () => "org", baseUrl: "https://a.example", title: "a", maxBytesPerCharacter }));
    app.use(utf8Guard({ maxBytesPerCharacter }), queryParameters({ maxBytesPerCharacter }));
    app.use(jsonBody({ maxBytesPerCharacter, consumes: ["application/json", ...PATCH_TYPES] }));
    app.post("/body", (req, res) => void res.json(req.body));
    app.get("/query", (req, res) => void res.json(getQuery(req).parameters));
    app.get("/path/:text", (req, res) => void res.json(req.params.text));
    app.get("/filter", filter({ schema, maxBytesPerCharacter }), (req, res) => {
      res.json((getFilter(req).filter as { operand?: string }).operand);
    });
    app.patch("/patch", patch({ maxBytesPerCharacter }), (req, res) => {
      res.json(getPatch(req).apply({ name: "" }));
    });
    const list = { secret: "s".repeat(32), resource: "names", baseUrl: "https://a.example", maxBytesPerCharacter };
    app.get("/list", pagination({ ...list, limit: { default: 1 } }), (req, res) => {
      const page = getPage(req);
      const rows = [GRIN, `${GRIN}2`].filter((row) => page.after === undefined || row > String(page.after[0]));
      res.json(page.take(rows, (row) => [row]));
    });
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  /** What comes back, or the status of a refusal. */
  async function ask(url: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(url, init);
    const body: unknown = await response.json();
    return response.ok ? body : response.status;
  }

  function send(method: string, type: string, body: string | Buffer): RequestInit {
    return { method, headers: { "Content-Type": type }, body: typeof body === "string" ? body : new Uint8Array(body) };
  }

  /** Each way in, and what it makes of a text that it takes. */
  const WAYS: readonly [string, (url: string, text: string) => Promise<unknown>, (text: string) => unknown][] = [
    ["a body", (url, text) => ask(`${url}/body`, post({ [text]: text })), (text) => ({ [text]: text })],
    ["a body of escapes", (url, text) => ask(`${url}/body`, postEscaped([text])), (text) => [text]],
    ["a body of express.json()", (url, text) => ask(`${url}/express-json`, post([text])), (text) => [text]],
    ["a query", (url, text) => ask(`${url}/query?a=${encodeURIComponent(text)}`), (text) => ({ a: [text] })],
    ["a path", (url, text) => ask(`${url}/path/x${encodeURIComponent(text)}`), (text) => `x${text}`],
    [
      "a filter",
      (url, text) => ask(`${url}/filter?filter=${encodeURIComponent(`name eq ${JSON.stringify(text)}`)}`),
      (text) => text,
    ],
    [
      "a JSON Patch",
      (url, text) =>
        ask(`${url}/patch`, send("PATCH", PATCH_TYPES[0], JSON.stringify([{ op: "add", path: "/b", value: [text] }]))),
      (text) => ({ name: "", b: [text] }),
    ],
    [
      "a JSON Merge Patch",
      (url, text) => ask(`${url}/patch`, send("PATCH", PATCH_TYPES[1], JSON.stringify({ name: text }))),
      (text) => ({ name: text }),
    ],
    [
      "a WebFinger resource",
      (url, text) => ask(`${url}/.well-known/webfinger?resource=svc:acct:${encodeURIComponent(text)}`),
      (text) => expect.objectContaining({ subject: `svc:acct:${text}` }),
    ],
  ];

  function post(value: unknown): RequestInit {
    return send("POST", "application/json", JSON.stringify(value));
  }

  function postEscaped(value: unknown): RequestInit {
    const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return send("POST", "application/json", JSON.stringify(value).replace(/[\x7f-\uffff]/g, escape));
  }

  describe.each(WAYS)("in %s", (_way, tell, shown) => {
    // controls are refused by some, U+FEFF by queries; a path takes no dots alone
    const text = wellFormed.map((any) => `a${any.replace(/[\0-\x1f\x7f-\x9f\ufeff]/g, "")}`);

    it("S5 gives back any well-formed text with 4", async () => {
      await fc.assert(
        fc.asyncProperty(text, async (any) => {
          expect(await tell(urls[4], any)).toEqual(shown(any));
        }),
        { numRuns: 60, examples: [[GRIN], [`a\uffff${GRIN}b`], ["\u{10000}\u{10ffff}"]] },
      );
    });

    it("S5 gives back with 3 what has no character of four bytes, and refuses the rest", async () => {
      await fc.assert(
        fc.asyncProperty(text, async (any) => {
          expect(await tell(urls[3], any)).toEqual(isFourByte(any) ? 400 : shown(any));
        }),
        { numRuns: 60, examples: [[GRIN], ["a\ud7ff\ue000\uffff"]] },
      );
    });
  });

  it.each([3, 4] as const)("S5 refuses what is no UTF-8, in a body, with %i", async (maxBytes) => {
    const bodies = [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xf0, 0x80, 0x80, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22],
      [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
      [0x22, 0xf0, 0x9f, 0x98, 0x22],
      [0xef, 0xbb, 0xbf, 0x22, 0x22],
    ].map((bytes) => Buffer.from([0x5b, ...bytes, 0x5d]));
    const mark = Buffer.from('\ufeff["a"]');
    const halves = [
      String.raw`["\ud83d"]`,
      String.raw`["\ude00\ud83d"]`,
      String.raw`{"\ud83d":1}`,
      String.raw`["\ud83d\\ude00"]`,
    ];
    for (const body of [...bodies.slice(0, -1), mark, ...halves]) {
      for (const path of ["/body", "/express-json"]) {
        expect([body, await ask(urls[maxBytes] + path, send("POST", "application/json", body))]).toEqual([body, 400]);
      }
    }
  });

  it.each([3, 4] as const)("S5 refuses what is no UTF-8, in path, query and filter, with %i", async (maxBytes) => {
    for (const sequence of ["%FF", "%C0%AF", "%F0%80%80%AF", "%ED%A0%BD%ED%B8%80", "%F4%90%80%80", "%EF%BB%BF"]) {
      for (const path of ["/path/", "/query?a=", "/.well-known/webfinger?resource=svc:acct:", "/list?a="]) {
        expect([path, sequence, await ask(urls[maxBytes] + path + sequence)]).toEqual([path, sequence, 400]);
      }
    }
    for (const half of [String.raw`\ud83d`, String.raw`\ude00\ud83d`, String.raw`\ud83dx`]) {
      const expression = encodeURIComponent(`name eq "${half}"`);
      expect(await ask(`${urls[maxBytes]}/filter?filter=${expression}`)).toBe(400);
    }
  });

  it.each([3, 4] as const)(
    "S5 refuses a patch with half of a pair that another parser let pass, with %i",
    async (max) => {
      const app = express();
      app.use(express.json({ type: [...PATCH_TYPES] }), patch({ maxBytesPerCharacter: max }));
      app.use((req: Request, res: Response) => res.json(getPatch(req).apply({})));
      app.use(errorFormatter({ log: () => undefined }));
      const server = app.listen(0, "127.0.0.1");
      servers.push(server);
      const url = `http://127.0.0.1:${await listen(server)}`;
      const merge = (json: string) => ask(url, send("PATCH", PATCH_TYPES[1], json));
      expect(await merge(String.raw`{"a":"\ud83d"}`)).toBe(400);
      expect(await merge(String.raw`{"a":"\ud83d\ude00"}`)).toEqual(max === 4 ? { a: GRIN } : 400);
      expect(await merge('{"a":"é"}')).toEqual({ a: "é" });
    },
  );

  it("S5 P2 follows cursors and links over characters of four bytes", async () => {
    const first = await fetch(`${urls[4]}/list?q=${encodeURIComponent(GRIN)}`);
    expect(await first.json()).toEqual([GRIN]);
    const link = first.headers.get("Link") ?? "";
    expect(link).toMatch(/^<https:\/\/a\.example\/list\?q=%F0%9F%98%80>; rel="self", <[\x21-\x7e]+>; rel="next"$/);
    const next = /<https:\/\/a\.example([^>]+)>; rel="next"/.exec(link)?.[1] ?? "";
    expect(await ask(urls[4] + next)).toEqual([`${GRIN}2`]);
  });

  it("S5 takes a header of four bytes only with 4", async () => {
    const headers = { "User-Agent": Buffer.from(GRIN).toString("latin1") };
    expect(await ask(`${urls[3]}/query`, { headers })).toBe(400);
    expect(await ask(`${urls[4]}/query`, { headers })).toEqual({});
  });

  it("S5 reads and writes long bodies of such characters", async () => {
    const text = `${GRIN}é`.repeat(5_000);
    expect(await ask(`${urls[4]}/body`, post([text]))).toEqual([text]);
  });

  it("S5 has responseCheck report with 3 what it lets pass with 4", async () => {
    const check = async (maxBytesPerCharacter: 3 | 4, text: string): Promise<string[]> => {
      const app = express();
      const found: ResponseFault[] = [];
      app.use(responseCheck({ maxBytesPerCharacter, log: (faults) => found.push(...faults) }));
      app.use((_req: Request, res: Response) => res.json({ text }));
      const server = app.listen(0, "127.0.0.1");
      servers.push(server);
      await ask(`http://127.0.0.1:${await listen(server)}`);
      return found.map(({ rule, place }) => `${rule} ${place}`);
    };
    expect(await check(3, GRIN)).toEqual(["S5 /text"]);
    expect(await check(4, GRIN)).toEqual([]);
    expect(await check(4, "\ud83d")).toEqual(["S5 /text"]);
  });

  it.each([5, 2, "4", null, true])("refuses %j as the option", (value) => {
    const options = { maxBytesPerCharacter: value as never };
    const message = /option `maxBytesPerCharacter` must be 3 or 4/;
    for (const factory of [utf8Guard, queryParameters, jsonBody, patch, responseCheck, createBodyVerifier]) {
      expect(() => factory(options)).toThrow(message);
    }
    expect(() => filter({ schema, ...options })).toThrow(message);
  });

  it("reports no fault of its own responses", () => {
    expect(faults.filter(({ rule }) => rule === "S5")).toEqual([]);
  });
});
