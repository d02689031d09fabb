import { once } from "node:events";
import { gzipSync } from "node:zlib";
import bodyParser from "body-parser";
import type { Express, RequestHandler } from "express";
import request from "supertest";
import typeIs from "type-is";
import { contentType } from "etiquette/content-type";
import { errorFormatter } from "etiquette/error-formatter";
import { jsonBody } from "etiquette/json-body";
import { exchange, listen, parseAnswer } from "../../support/raw-socket.js";

import { accepts, status, type Framework, type Row, type Side } from "./replaced.js";

/** The lines of docs/guides/from-other-packages.md about requests. */

type Make = (express: Framework, side: Side) => Express;

function createApp(express: Framework, handler: RequestHandler): Express {
  const app = express();
  app.use(handler);
  app.all("/", (req, res) => void res.json({ body: (req.body as unknown) ?? null }));
  app.use(errorFormatter({ log: false }));
  return app;
}

const parse: Make = (express, side) => createApp(express, side === "ours" ? jsonBody() : bodyParser.json());
const withFour: Make = (express) => createApp(express, jsonBody({ maxBytesPerCharacter: 4 }));

const postBytes = (app: Express, body: Buffer | string, type = "application/json") => {
  const sent = request(app).post("/").set("Content-Type", type);
  sent.write(body);
  return sent;
};

const parserOption =
  (options: object): Row =>
  (_express, side) =>
    accepts(() => (side === "ours" ? jsonBody(options) : bodyParser.json(options)));

export const BODY_PARSER: Record<string, Row> = {
  "bytes that are not UTF-8": async (express, side) => {
    const { status, body } = await postBytes(parse(express, side), Buffer.from('["\xff"]', "latin1"));
    return status === 200 && body.body[0] === "\ufffd" ? "200, text changed" : String(status);
  },
  "a byte order mark": (express, side) => status(postBytes(parse(express, side), "\ufeff[]")),
  "an emoji": (express, side) => status(postBytes(parse(express, side), '["😀"]')),
  "an emoji, with `maxBytesPerCharacter: 4`": async (express, side) =>
    side === "ours" ? status(postBytes(withFour(express, side), '["😀"]')) : "–",
  "half of a surrogate pair": (express, side) => status(postBytes(parse(express, side), String.raw`["\ud83d"]`)),
  "arrays in arrays, 2,000 levels": (express, side) =>
    status(postBytes(parse(express, side), "[".repeat(2000) + "]".repeat(2000))),
  "`charset=utf-16`": (express, side) =>
    status(postBytes(parse(express, side), Buffer.from("[1]", "utf16le"), "application/json; charset=utf-16")),
  "no bytes, with `Content-Type: application/json`": async (express, side) => {
    const sent = request(parse(express, side)).post("/").type("json").set("Content-Length", "0");
    const { body } = (await sent).body;
    return body === null ? "no `req.body`" : `\`req.body\` is \`${JSON.stringify(body)}\``;
  },
  "malformed JSON": async (express, side) => {
    const { status, text } = await postBytes(parse(express, side), '{"password":hunter2}');
    return `${status}, ${text.includes("at byte 12 (line 1)") ? "byte and line" : /hunter|password/.test(text) && "the body is quoted"}`;
  },
  "20 MB of zeros in gzip": (express, side) => {
    const sent = request(parse(express, side)).post("/").type("json").set("Content-Encoding", "gzip");
    sent.write(gzipSync(Buffer.alloc(20_000_000)));
    return status(sent);
  },
  '`limit: "1mb"`': parserOption({ limit: "1mb" }),
  '`type: "application/*+json"`': (_express, side) =>
    accepts(() =>
      side === "ours"
        ? jsonBody({ consumes: ["application/*+json"] })
        : bodyParser.json({ type: "application/*+json" }),
    ),
  "a number, with `strict: false`": (express, side) => {
    const options = { strict: false };
    return status(postBytes(createApp(express, side === "ours" ? jsonBody(options) : bodyParser.json(options)), "1"));
  },
};

const checkType: Make = (express, side) => {
  const theirs: RequestHandler = (req, res, next) => {
    if (typeIs.hasBody(req) && !typeIs(req, ["application/json"])) res.sendStatus(415);
    else next();
  };
  return createApp(express, side === "ours" ? contentType() : theirs);
};

export const TYPE_IS: Record<string, Row> = {
  JSON: (express, side) => status(postBytes(checkType(express, side), "[]")),
  "a form": async (express, side) => {
    const { status, headers } = await request(checkType(express, side)).post("/").type("form").send("a=1");
    return headers["accept"] === "application/json" ? `${status}, says what it accepts` : String(status);
  },
  "a body without `Content-Type`": (express, side) => {
    const sent = request(checkType(express, side)).post("/").set("Content-Length", "2");
    sent.write("[]");
    return status(sent);
  },
  "`charset=utf-16`": (express, side) =>
    status(postBytes(checkType(express, side), "[]", "application/json; charset=utf-16")),
  "`charset=utf-8` twice": (express, side) =>
    status(postBytes(checkType(express, side), "[]", "application/json; charset=utf-8; charset=utf-8")),
  "two `Content-Type` lines that differ": async (express, side) => {
    const server = checkType(express, side).listen(0, "127.0.0.1");
    await once(server, "listening");
    const lines = ["application/json", "text/plain"].map((type) => `Content-Type: ${type}\r\n`).join("");
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n${lines}\r\n[]`;
    const answer = await exchange(await listen(server), head);
    server.close();
    return String(parseAnswer(answer).status);
  },
  "GET with `Content-Type: text/plain`": (express, side) =>
    status(request(checkType(express, side)).get("/").type("text/plain")),
  "GET with `Accept: text/html`": (express, side) =>
    status(request(checkType(express, side)).get("/").set("Accept", "text/html")),
  "`application/*+json`": (_express, side) =>
    accepts(() =>
      side === "ours"
        ? contentType({ consumes: ["application/*+json"] })
        : typeIs.is("application/hal+json", ["application/*+json"]),
    ),
};
