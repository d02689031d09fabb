import { hash } from "node:crypto";
import { OutgoingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import { createHeaderStore, directHeaders, headerWriter, readHeader } from "./header-store.js";
import { isOriginal, sourceOf } from "./originals.js";
import { createSentTypes } from "./sent-types.js";

/** Statuses whose responses have no body, or lose headers. Express handles them. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The headers that Express removes from a 304. */
const BODY_FIELDS = ["Content-Type", "Content-Length", "Transfer-Encoding"];

/** In characters. A longer text is cheaper as bytes, which Express makes of it. */
const MAX_TEXT_LENGTH = 16_384;

/** From this length on, Express makes bytes of a text that has no entity tag, too. */
const EXPRESS_BYTES_LENGTH = 1_000;

/** What Express puts before an entity tag, by the function that makes it; `undefined` for a function of the application. */
const tagPrefixes = new WeakMap<object, string | undefined>();

const writeType = headerWriter("Content-Type");

type Method = (this: Response, ...values: unknown[]) => unknown;

/** The methods of Express's prototype, each of which somebody may replace at any time. */
type Methods = Record<"get" | "set" | "header" | "send" | "end", Method>;

/**
 * Create a prototype with faster `set`, `header`, `send` and `setHeader`, which send the same bytes as those of `express`.
 * Each handles only the common case, and passes everything else to the function of `express`.
 *
 * @param express the prototype of all responses of one version of Express; it isn't changed
 * @returns `undefined` when one of its functions isn't the one of a known version
 */
export function createFastResponse(express: Response): Response | undefined {
  if (Object.getPrototypeOf(express) !== ServerResponse.prototype) return undefined;
  const methods = express as unknown as Methods;
  if (!isOriginal("set", methods.set) || methods.header !== methods.set) return undefined;
  if (!isOriginal("send", methods.send) || !isNodesEnd(methods.end)) return undefined;

  const fast = Object.create(express) as Response;
  const types = createSentTypes(express);
  const setHeader = createHeaderStore(express);
  const set = createSet(methods, "set", types.stored);
  return Object.assign(fast, {
    set,
    header: createSet(methods, "header", types.stored),
    send: createSend(methods, types.sent, set),
    ...(setHeader && { setHeader }),
  });
}

/** The text of `end` differs between versions of Node, but only Node's calls this function. */
function isNodesEnd(end: Method): boolean {
  const { end: original } = OutgoingMessage.prototype as unknown as Methods;
  return end === original && sourceOf(end).includes("write_(this, chunk, encoding");
}

/* eslint-disable prefer-rest-params -- the number of arguments matters to Express; rest parameters would cost an array */

function createSet(express: Methods, name: "set" | "header", storedType: (type: string) => string | undefined): Method {
  const original = express[name];

  return function set(this: Response, field, value) {
    if (
      arguments.length === 2 &&
      typeof field === "string" &&
      (typeof value === "string" || typeof value === "number") &&
      express[name] === original
    ) {
      const isType = field === "Content-Type" || (field.length === 12 && field.toLowerCase() === "content-type");
      const stored = isType ? storedType(String(value)) : String(value);
      if (stored !== undefined) {
        if (isType && field === "Content-Type") writeType(this, stored);
        else this.setHeader(field, stored);
        return this;
      }
    }
    return Reflect.apply(express[name], this, arguments) as unknown;
  };
}

function createSend(express: Methods, sentType: (type: string) => string | undefined, set: Method): Method {
  const { send: original, end, set: originalSet } = express;
  const get = sourceOf(express.get).includes("return this.getHeader(field)") ? express.get : undefined;
  const callsStatus = sourceOf(original).includes("this.status(304)"); // Express 5; 4 sets the property

  return function send(this: Response, body) {
    if (
      arguments.length !== 1 ||
      typeof body !== "string" ||
      body === "" ||
      this.headersSent ||
      BODILESS.has(this.statusCode) ||
      (this as unknown as Methods).end !== end || // it may read the body, which is bytes where Express sends bytes
      express.send !== original
    ) {
      return Reflect.apply(express.send, this, arguments) as unknown;
    }
    const read = (this as unknown as Methods).get === get ? readHeader : readByGet;
    const type = read(this, "content-type");
    const sent = typeof type === "string" ? sentType(type) : undefined;
    const makeTag: unknown = (this.app as { get(name: string): unknown }).get("etag fn");
    const prefix = typeof makeTag === "function" ? tagPrefixOf(makeTag) : "";
    if (sent === undefined || prefix === undefined || read(this, "transfer-encoding") !== undefined) {
      return original.call(this, body);
    }
    return sendText(this, body, sent, typeof makeTag === "function" && !read(this, "etag") ? prefix : undefined);
  };

  /** As `send` of Express does for a string, without parsing the type, and without a buffer where a string will do. */
  function sendText(res: Response, text: string, type: string, prefix: string | undefined): unknown {
    const { length } = text;
    const bytes = Buffer.byteLength(text);
    const isLikeExpress = prefix === undefined && length < EXPRESS_BYTES_LENGTH;
    const isText = isLikeExpress || (bytes === length && length <= MAX_TEXT_LENGTH);
    const chunk = isText ? text : Buffer.from(text);

    const isSet = (res as unknown as Methods).set === set && express.set === originalSet;
    const headers = isSet ? directHeaders(res) : undefined;
    if (headers === undefined) {
      res.set("Content-Type", type);
      res.set("Content-Length", bytes as unknown as string);
    } else {
      headers["content-type"] = ["Content-Type", type];
      headers["content-length"] = ["Content-Length", String(bytes)];
    }
    if (prefix !== undefined) {
      res.set("ETag", `${prefix}"${bytes.toString(16)}-${hash("sha1", chunk, "base64").slice(0, 27)}"`);
    }
    if (res.req.fresh) {
      if (callsStatus) res.status(304);
      else res.statusCode = 304;
      for (const name of BODY_FIELDS) res.removeHeader(name);
      res.end();
    } else if (res.req.method === "HEAD") res.end();
    // Where Express sends bytes, Node writes the header as Latin-1, and so it must for a string.
    else if (isText) res.end(chunk, isLikeExpress ? "utf8" : "latin1");
    else res.end(chunk);
    return res;
  }
}

/** What somebody made of `get` may read something else. */
function readByGet(res: Response, lowerCase: string): unknown {
  return res.get(lowerCase);
}

/** The probe shows whether Express made the function for weak or for strong tags. */
function tagPrefixOf(makeTag: object): string | undefined {
  if (tagPrefixes.has(makeTag)) return tagPrefixes.get(makeTag);
  let prefix: string | undefined;
  if (isOriginal("etag", makeTag)) {
    const tag = (makeTag as (body: Buffer) => unknown)(Buffer.from("etiquette"));
    const opaque = `"9-${hash("sha1", "etiquette", "base64").slice(0, 27)}"`;
    prefix = ["W/", ""].find((start) => tag === start + opaque);
  }
  tagPrefixes.set(makeTag, prefix);
  return prefix;
}
