import { createHash } from "node:crypto";
import { METHODS as KNOWN_METHODS } from "node:http";
import type { Request, Response } from "express";
import { apiError, type ApiError } from "../lib/errors/index.js";
import {
  assertKnownOptions,
  booleanOption,
  createRequestSlot,
  functionOption,
  integerOption,
  type Middleware,
  type NothingElse,
  optionError,
  stringsOption,
} from "../lib/factory/index.js";
import { fieldLines } from "../lib/http/index.js";
import {
  captureResponse,
  type Entry,
  findKeyFault,
  formatEntry,
  type IdempotencyStore,
  interrupted,
  mismatch,
  notKept,
  parseEntry,
  parseIdempotencyKey,
  replayResponse,
  storeOption,
  underWay,
} from "../lib/idempotency/index.js";

export type { IdempotencyStore } from "../lib/idempotency/index.js";

const FACTORY = "idempotency";

/** The methods that HTTP does not make idempotent. */
const METHODS = ["POST", "PATCH"];

/** In seconds. */
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

const MEGABYTE = 1_048_576;

/** Nothing was done, and the client is asked to send the same request again: its key stays free. */
const RELEASED: ReadonlySet<number> = new Set([429, 503]);

const slot = createRequestSlot<string>(FACTORY, "this request has no Idempotency-Key, or a method that needs none");

export interface IdempotencyOptions {
  /**
   * Returns who makes the request, such as `(req) => getPrincipal(req).subject`, with the org where subjects are unique
   * within one only. Another principal's keys are other keys. Required.
   */
  principal: (req: Request) => string;

  /**
   * Where keys and responses are kept, or a function that returns it for a request: one store for each org, for example.
   * Several processes need a common store.
   *
   * @default memoryIdempotencyStore()
   */
  store?: IdempotencyStore | ((req: Request) => IdempotencyStore);

  /**
   * The methods that take a key, in upper case. Others ignore the field.
   *
   * @default ["POST", "PATCH"]
   */
  methods?: readonly string[];

  /**
   * Whether a request of these methods must have a key.
   *
   * @default false
   */
  required?: boolean;

  /**
   * How many seconds a key is remembered, 60–2,592,000 (30 days). Tell your clients.
   *
   * @default 86400, a day
   */
  expiresIn?: number;

  /**
   * After how many seconds a request without a result counts as interrupted, 1–3,600. Make it longer than your slowest
   * request.
   *
   * @default 60
   */
  timeout?: number;

  /**
   * How many bytes the body of a kept response may have, 0–16,777,216. A longer one is sent once, and not again.
   *
   * @default 1048576, 1 MB
   */
  maxResponseLength?: number;

  /**
   * Returns what must be the same when a key comes again, beside method, target and `Content-Type`. Needed where no body
   * parser runs before this middleware, such as for uploads.
   *
   * @default the parsed body, `req.body`, as JSON
   */
  payload?: (req: Request) => string | Uint8Array;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;

  /**
   * Called when the store fails. Its result and its errors are ignored.
   *
   * @default writes to `console.error`
   */
  log?: (error: unknown, req: Request) => unknown;
}

const OPTIONS: Record<keyof IdempotencyOptions, true> = {
  principal: true,
  store: true,
  methods: true,
  required: true,
  expiresIn: true,
  timeout: true,
  maxResponseLength: true,
  payload: true,
  now: true,
  log: true,
};

/**
 * Carry a request with `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07) out once. When the key comes
 * again, the first response is sent again, with `Idempotent-Replayed: true`. While the first request is under way the
 * response is 409 with `Retry-After`; for another payload it is 422; when the process ended meanwhile it is 409, because
 * nobody knows what was done. Mount it behind authentication and the body parser. Does not undo work, and does not retry.
 *
 * @experimental
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * app.use(idempotency({ principal: (req) => getPrincipal(req).subject }));
 */
export function idempotency(options: Readonly<IdempotencyOptions>, ..._: NothingElse): Middleware {
  const { principal, storeOf, methods, required, lifetime, timeout, maxResponseLength, payload, now, log } =
    parseOptions(options);

  return function idempotencyMiddleware(req, res, next) {
    const sent = methods.has(req.method) ? fieldLines(req.rawHeaders, "Idempotency-Key") : [];
    const key = sent.length === 1 ? parseIdempotencyKey(sent[0] ?? "") : undefined;
    if (key === undefined) {
      slot.set(req, null);
      next(findKeyFault(sent, required && methods.has(req.method)));
      return;
    }
    void carryOutOnce(req, res, key).then((outcome) => {
      if (outcome === "first") slot.set(req, key);
      if (outcome === "first") next();
      else if (outcome !== "sent") next(outcome);
    }, next);
  };

  /** Whether the request is the first with its key, and is to be carried out; or the error that refuses it. */
  async function carryOutOnce(req: Request, res: Response, key: string): Promise<"first" | "sent" | ApiError> {
    const storeKey = storeKeyOf(principal(req), key);
    const store = storeOf(req);
    const claim = { fingerprint: fingerprintOf(req, payload(req)), deadline: now() + timeout };
    let known: string | undefined;
    try {
      known = await store.add(storeKey, formatEntry(claim), lifetime);
    } catch (error) {
      tell(error, req);
      return apiError("E0009011", { type: "idempotency.unavailable", cause: error });
    }
    if (res.headersSent) return "sent"; // a time-out responded while the store was busy
    if (known !== undefined) return answer(parseEntry(known), claim.fingerprint, res);
    captureResponse(res, maxResponseLength, (response) => keep(store, storeKey, { ...claim, response }, req));
    return "first";
  }

  function answer(entry: Entry, fingerprint: string, res: Response): "sent" | ApiError {
    if (entry.fingerprint !== fingerprint) return mismatch();
    const { response, deadline } = entry;
    if (response === undefined) return deadline > now() ? underWay() : interrupted();
    if (response === null) return notKept(maxResponseLength);
    res.setHeader("Idempotent-Replayed", "true");
    replayResponse(res, response);
    return "sent";
  }

  /** A response that can't be kept is sent all the same: the work is done. */
  async function keep(store: IdempotencyStore, storeKey: string, entry: Entry, req: Request): Promise<void> {
    try {
      if (RELEASED.has(entry.response?.status ?? 0)) await store.delete(storeKey);
      else await store.set(storeKey, formatEntry(entry), lifetime);
    } catch (error) {
      tell(error, req);
    }
  }

  function tell(error: unknown, req: Request): void {
    try {
      log(error, req);
    } catch {
      // the response does not depend on the log
    }
  }
}

/**
 * The key of `req`, without quotes.
 *
 * @throws {Error} when `idempotency()` did not run for this request, or it has no key
 * @example
 * await payments.create({ ...req.body, reference: getIdempotencyKey(req) });
 */
export function getIdempotencyKey(req: object): string {
  return slot.get(req);
}

/**
 * The key of `req`, or `undefined` when it has none or {@link idempotency} did not run.
 *
 * @example
 * const reference = tryGetIdempotencyKey(req) ?? randomUUID();
 */
export function tryGetIdempotencyKey(req: object): string | undefined {
  return slot.tryGet(req);
}

/** The store knows neither the principal nor the key. */
function storeKeyOf(principal: unknown, key: string): string {
  if (typeof principal !== "string" || principal === "") {
    throw new TypeError(`${FACTORY}: \`principal\` must return a non-empty string`);
  }
  return `${digest(principal).slice(0, 22)}.${digest(key)}`;
}

function fingerprintOf({ method, originalUrl, headers }: Request, payload: string | Uint8Array): string {
  const head = JSON.stringify([method, originalUrl, headers["content-type"] ?? ""]);
  return createHash("sha256").update(head).update(payload).digest("base64url");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function parsedBody(req: Request): string | Uint8Array {
  const body: unknown = req.body;
  if (body instanceof Uint8Array || typeof body === "string") return body;
  return body === undefined ? "" : JSON.stringify(body, digitsOfBigint);
}

/** JSON has no form for a bigint, which `jsonBody({ bigint: "bigint" })` makes. */
function digitsOfBigint(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

function logToConsole(error: unknown): void {
  console.error(`${FACTORY}: the store failed:`, error);
}

function parseOptions(options: Readonly<IdempotencyOptions>) {
  assertKnownOptions(FACTORY, options, OPTIONS, `app.use(${FACTORY}({ … }))`);
  const { principal } = options;
  if (typeof principal !== "function") throw optionError(FACTORY, "principal", "a function");
  const methods = stringsOption(FACTORY, "methods", options.methods, METHODS);
  if (!methods.every((method) => KNOWN_METHODS.includes(method)))
    throw optionError(FACTORY, "methods", "an array of methods in upper case");
  const seconds = (name: "expiresIn" | "timeout", bounds: { fallback: number; min: number; max: number }): number =>
    1_000 * integerOption(FACTORY, name, options[name], bounds);
  return {
    principal,
    storeOf: storeOption(FACTORY, options.store),
    methods: new Set(methods),
    required: booleanOption(FACTORY, "required", options.required, false),
    lifetime: seconds("expiresIn", { fallback: DAY, min: MINUTE, max: 30 * DAY }),
    timeout: seconds("timeout", { fallback: MINUTE, min: 1, max: HOUR }),
    maxResponseLength: integerOption(FACTORY, "maxResponseLength", options.maxResponseLength, {
      fallback: MEGABYTE,
      min: 0,
      max: 16 * MEGABYTE,
    }),
    payload: functionOption(FACTORY, "payload", options.payload, parsedBody),
    now: functionOption(FACTORY, "now", options.now, Date.now),
    log: functionOption(FACTORY, "log", options.log, logToConsole),
  };
}
