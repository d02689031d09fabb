import type { NextFunction, Request, RequestHandler, Response } from "express";
import { Readable } from "node:stream";
import type { Random } from "./random.js";

/** What happens in the handlers of an app, beside the bytes that it sends: one line for each fact. */
export type Journal = (line: string) => void;

type Step = (res: Response, req: Request) => unknown;
type Last = (res: Response, req: Request, next: NextFunction) => unknown;

/** Values of all kinds, and some that can't be written. */
function jsonValue(random: Random, depth = 3): unknown {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  return random.pick<() => unknown>([
    () => random.pick([null, true, false, 0, -1.5, NaN, "", undefined, () => 1, new Date(0), Symbol("s")]),
    () => random.text(),
    () => random.pick([10n, cyclic, { toJSON: () => "own" }, { toJSON: () => undefined }, new Map(), new Array(2)]),
    () => ({ hello: "world", n: random.integer(100) }),
    () => "x".repeat(random.pick([999, 1_000, 1_001, 16_381, 16_382, 16_383, 16_384, 16_385, 40_000])),
    () => (depth > 0 ? Array.from({ length: random.integer(4) }, () => jsonValue(random, depth - 1)) : 1),
    () => (depth > 0 ? Object.fromEntries([0, 1, 2].map((i) => [`k${i}`, jsonValue(random, depth - 1)])) : {}),
  ])();
}

const TYPES = [
  "json",
  "html",
  "txt",
  "bin",
  "unknown-extension",
  "",
  "application/json",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "text/plain",
  "text/plain; charset=iso-8859-1",
  'text/html;charset="utf-8"; a=b',
  "application/problem+json",
  "application/octet-stream",
  "text/",
  "nonsense; charset=utf-8",
  "text/plain; charset",
  "text/é",
];

const NAMES = ["X-A", "x-a", "X-Powered-By", "Cache-Control", "Last-Modified", "ETag", "etag", "Link", "Vary"];

function headerValue(random: Random): unknown {
  return random.pick<unknown>([
    "value",
    random.text(12),
    "naïve",
    "日本",
    "",
    " padded ",
    "a\nb",
    "tab\there",
    5,
    0,
    true,
    null,
    undefined,
    ["a", "b"],
    ["a", 1, null],
    [],
    { toString: () => "object" },
    '"tag"',
    'W/"tag"',
    "Thu, 01 Jan 1970 00:00:00 GMT",
  ]);
}

/** A step before the response is sent. Each value is drawn once, so that two apps of the same seed are the same. */
function step(random: Random): Step {
  const name = random.pick([...NAMES, "Content-Type", "content-type", "CONTENT-TYPE", "bad name", "X-É", ""]);
  const value = headerValue(random);
  const type = random.pick(TYPES);
  const status = random.pick<unknown>([200, 201, 202, 204, 205, 206, 304, 400, 404, 418, 500, 599, 999, "201"]);
  const text = random.text(9);
  const reason = random.pick(["Fine", "", "Déjà vu"]);
  return random.pick<Step>([
    (res) => res.set(name, value as string),
    (res) => res.header(name, value as string),
    (res) => res.set({ [name]: value, "X-B": text }),
    (res) => (res.set as (...values: unknown[]) => unknown)(name, value, "third"),
    (res) => (res.set as (...values: unknown[]) => unknown)(value),
    (res) => res.setHeader(name, value as string),
    (res) => res.setHeader("X-Fixed", text),
    (res) => res.setHeader("Content-Type", type),
    (res) => res.appendHeader(name, value as string),
    (res) => res.append(name, value as string),
    (res) => res.type(type),
    (res) => res.contentType(type),
    (res) => res.set("Content-Type", type),
    (res) => res.header("content-type", type),
    (res) => res.status(status as number),
    (res) => res.status(status as number),
    (res) => (res.statusCode = typeof status === "number" && status > 199 ? Math.floor(status) : 200),
    (res) => (res.statusMessage = reason),
    (res) => {
      res.removeHeader(name);
    },
    (res) => res.links({ next: `/${text}` }),
    (res) => res.cookie("c", text),
    (res) => res.location(`/${text}`),
    (res) => res.vary("Accept"),
    (res) => res.attachment(`${text}.json`),
    (res) => (res.locals["text"] = text),
    (res) => res.set("ETag", random.isLikely(0.5) ? '"tag"' : 'W/"tag"'),
    (res) => res.set("Cache-Control", "no-cache"),
    (res) => res.set("Transfer-Encoding", "chunked"),
    (res) => {
      res.flushHeaders();
    },
  ]);
}

/** Something on the one response that a middleware might replace. */
function replacement(random: Random, journal: Journal): Step {
  return random.pick<Step>([
    (res) => {
      const end = res.end.bind(res) as (...values: unknown[]) => Response;
      res.end = (...values: unknown[]) => {
        const [chunk, encoding] = values;
        journal(`end ${Buffer.isBuffer(chunk) ? "bytes" : typeof chunk} ${String(encoding)}`);
        return end(...values);
      };
    },
    (res) => {
      const setHeader = res.setHeader.bind(res);
      res.setHeader = (name, value) => {
        journal(`setHeader ${name} ${String(value)}`);
        return setHeader(name, value);
      };
    },
    (res) => {
      const send = res.send.bind(res);
      res.send = (body: unknown) => {
        journal(`send ${typeof body}`);
        return send(body);
      };
    },
    (res) => {
      const set = res.set.bind(res) as (...values: unknown[]) => Response;
      res.set = (...values: unknown[]) => {
        journal(`set ${values.length} ${String(values[0])} ${typeof values[1]}`);
        return set(...values);
      };
    },
    (res) => {
      const writeHead = res.writeHead.bind(res) as (...values: unknown[]) => Response;
      res.writeHead = (...values: unknown[]) => {
        journal(`writeHead ${res.getHeaderNames().join()}`);
        return writeHead(...values);
      };
    },
    (res, req) => Object.defineProperty(req, "fresh", { value: res.statusCode === 200 }),
  ]);
}

function last(random: Random, journal: Journal): Last {
  const value = jsonValue(random);
  const text = random.text(40);
  const long = text.repeat(450);
  const error = Object.assign(new Error(text), {
    status: random.pick([undefined, 400, 418, 503]),
    headers: { "X-E": "e" },
  });
  return random.pick<Last>([
    ...Array.from({ length: 8 }, (): Last => (res) => res.json(value)),
    ...Array.from({ length: 6 }, (): Last => (res) => res.send(text)),
    (res) => res.send(value),
    (res) => res.send(long),
    (res) => res.send(Buffer.from(text)),
    (res) => res.send(new Uint8Array([104, 105])),
    (res) => (res.send as (...values: unknown[]) => unknown)(text, 202),
    (res) => (res.json as (...values: unknown[]) => unknown)(202, value),
    (res) => res.sendStatus(random.pick([200, 204, 404])),
    (res) => res.jsonp(value),
    (res) => res.end(text),
    (res) => res.end(),
    (res) => {
      res.write(text);
      res.end(text);
    },
    (res) => Readable.from([Buffer.from(text), Buffer.from(text)]).pipe(res),
    (res) => {
      res.redirect(`/${text}`);
    },
    (res) => res.format({ json: () => res.json(value), text: () => res.send(text), default: () => res.send("none") }),
    (res) => {
      res.writeHead(202, { "X-Head": "1", "Content-Type": "text/plain" });
      res.end(text);
    },
    (res) => {
      res.send(text);
      res.send(text); // throws: the headers were sent
    },
    (res) => setImmediate(attempt, () => res.json({ text }), journal),
    (_res, _req, next) => {
      next();
    },
    (_res, _req, next) => {
      next(error);
    },
    () => {
      throw error;
    },
    (res, req) => res.send(JSON.stringify([req.params, req.url, req.baseUrl, req.originalUrl, res.locals])),
  ]);
}

/** A handler of a few steps. One that throws goes on, so that the next step meets what it left behind. */
export function generateHandler(random: Random, journal: Journal): RequestHandler {
  const steps = Array.from({ length: random.integer(4) }, () => step(random));
  if (random.isLikely(0.15)) steps.push(replacement(random, journal));
  const respond = last(random, journal);
  return (req, res, next) => {
    for (const run of steps) attempt(() => run(res, req), journal);
    respond(res, req, next);
  };
}

function attempt(run: () => unknown, journal: Journal): void {
  try {
    run();
  } catch (error) {
    journal(`threw ${String((error as { code?: unknown }).code)} ${(error as Error).message}`);
  }
}
