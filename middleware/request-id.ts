import { randomBytes } from "node:crypto";
import type { Request, RequestHandler } from "express";
import {
  assertKnownOptions,
  compileNamespace,
  createRequestSlot,
  fieldNameOption,
  functionOption,
} from "../lib/options/index.js";
import { createIdGenerator, isRequestId } from "../lib/http/index.js";

const slot = createRequestSlot<string>("requestId");

export interface RequestIdOptions {
  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * Header that carries the id on every response.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * Makes the id of a request: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. Another value is a programming error and
   * goes to `next(err)`.
   *
   * @default 22 random characters of base64url (132 bits)
   */
  generator?: (req: Request) => string;

  /**
   * Whether the id that this request brought in the same header may be kept: true only for a peer that you trust, such
   * as your own gateway. Anything but `true` is a no. An inbound id that is not of the form above, or comes twice, is
   * replaced all the same.
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
 * Give every request an id and put it on the response. An id sent by the caller is not believed unless `trustInbound`
 * says so. A request that has an id already, because this is mounted twice, keeps it. Read it with {@link getRequestId}.
 * Does not log.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 */
export function requestId(options: Readonly<RequestIdOptions> = {}): RequestHandler {
  const { headerName, generator, trustInbound } = parseOptions(options);
  const inboundName = headerName.toLowerCase();

  return function requestIdMiddleware(req, res, next) {
    const id: unknown = slot.tryGet(req) ?? acceptInbound(req) ?? generator(req);
    if (!isRequestId(id)) {
      next(new TypeError("requestId: `generator` must return 1 to 128 characters of A-Z a-z 0-9 . _ ~ -"));
      return;
    }
    slot.set(req, id);
    res.setHeader(headerName, id);
    next();
  };

  function acceptInbound(req: Request): string | undefined {
    const inbound = req.headers[inboundName];
    if (!isRequestId(inbound)) return undefined;
    const trusted: unknown = trustInbound(req);
    return trusted === true ? inbound : undefined; // the promise of an async function is no yes
  }
}

/**
 * The id given to `req` by {@link requestId}.
 *
 * @throws {Error} when `requestId()` did not run for this request
 */
export function getRequestId(req: object): string {
  return slot.get(req);
}

/** The id given to `req` by {@link requestId}, or `undefined` when it did not run. */
export function tryGetRequestId(req: object): string | undefined {
  return slot.tryGet(req);
}

function parseOptions(options: Readonly<RequestIdOptions>): Required<Omit<RequestIdOptions, "namespace">> {
  assertKnownOptions("requestId", options, OPTIONS);
  const { requestIdHeader } = compileNamespace("requestId", options.namespace);
  return {
    headerName: fieldNameOption("requestId", "headerName", options.headerName, requestIdHeader),
    generator: functionOption("requestId", "generator", options.generator, createIdGenerator(randomBytes)),
    trustInbound: functionOption("requestId", "trustInbound", options.trustInbound, () => false),
  };
}
