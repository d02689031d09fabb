import { randomBytes } from "node:crypto";
import type { Request } from "express";
import {
  assertKnownOptions,
  compileNamespace,
  createRequestSlot,
  fieldNameOption,
  fromStep,
  functionOption,
  type Middleware,
  type NothingElse,
} from "../lib/factory/index.js";
import { headerWriter } from "../lib/express/index.js";
import { createIdGenerator, isRequestId } from "../lib/http/index.js";

const slot = createRequestSlot<string>("requestId");

export interface RequestIdOptions {
  /**
   * The name that public names such as `headerName` derive from: 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * The header with the request id, on every response.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * Makes the id of a request: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. For another value, the request fails with a
   * `TypeError`.
   *
   * @default 22 random characters of base64url (132 bits)
   */
  generator?: (req: Request) => string;

  /**
   * Whether to keep the id that the request has in the same header. Return `true` only for a peer that you trust, such as
   * your own gateway; any other value counts as `false`. An inbound id that has another form, or comes twice, is always
   * replaced.
   *
   * @default () => false
   */
  trustInbound?: (req: Request) => boolean;
}

const OPTIONS: Record<keyof RequestIdOptions, true> = {
  namespace: true,
  headerName: true,
  generator: true,
  trustInbound: true,
};

/**
 * Give every request an id and put it on the response. Read it with {@link getRequestId}. An id from the client is
 * replaced unless `trustInbound` returns `true`. If this middleware is mounted twice, the first id stays. Does not log.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(requestId());
 * app.get("/", (req, res) => res.json({ id: getRequestId(req) }));
 */
export function requestId(options: Readonly<RequestIdOptions> = {}, ..._: NothingElse): Middleware {
  const { headerName, generate, trustInbound } = parseOptions(options);
  const inboundName = headerName.toLowerCase();
  const setId = headerWriter(headerName);

  return fromStep("requestIdMiddleware", (req, res) => {
    const id = slot.tryGet(req) ?? acceptInbound(req) ?? generate(req);
    if (id === undefined) {
      return new TypeError("requestId: `generator` must return 1 to 128 characters of A-Z a-z 0-9 . _ ~ -");
    }
    slot.set(req, id);
    setId(res, id);
    return undefined;
  });

  function acceptInbound(req: Request): string | undefined {
    const inbound = req.headers[inboundName];
    if (inbound === undefined || !isRequestId(inbound)) return undefined;
    const trusted: unknown = trustInbound(req);
    return trusted === true ? inbound : undefined; // an async function returns a promise, which is truthy
  }
}

/**
 * The id that {@link requestId} gave to `req`.
 *
 * @throws {Error} when `requestId()` did not run for this request
 * @example
 * console.log(`${getRequestId(req)}: user created`);
 */
export function getRequestId(req: object): string {
  return slot.get(req);
}

/**
 * The id that {@link requestId} gave to `req`, or `undefined` when it did not run.
 *
 * @example
 * app.use(errorFormatter({ getRequestId: tryGetRequestId }));
 */
export function tryGetRequestId(req: object): string | undefined {
  return slot.tryGet(req);
}

function parseOptions(options: Readonly<RequestIdOptions>) {
  assertKnownOptions("requestId", options, OPTIONS);
  const { requestIdHeader } = compileNamespace("requestId", options.namespace);
  return {
    headerName: fieldNameOption("requestId", "headerName", options.headerName, requestIdHeader),
    generate: generatorOption(options.generator),
    trustInbound: functionOption("requestId", "trustInbound", options.trustInbound, () => false),
  };
}

/** A function whose ids are valid; `undefined` stands for another value of the application's `generator`. */
function generatorOption(value: RequestIdOptions["generator"]): (req: Request) => string | undefined {
  if (value === undefined) return createIdGenerator(randomBytes);
  const generator = functionOption("requestId", "generator", value, value);
  return (req) => {
    const id: unknown = generator(req);
    return isRequestId(id) ? id : undefined;
  };
}
