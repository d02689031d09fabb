import type { IncomingHttpHeaders } from "node:http";
import type { Request, RequestHandler } from "express";
import {
  compileAccept,
  fieldLines,
  isUtf8,
  MAX_ACCEPT_LENGTH,
  parseMediaType,
  mediaTypesOption,
} from "../lib/http/index.js";
import { hasBody } from "../lib/checks/index.js";
import { apiError, type ErrorCode, type ErrorFacts } from "../lib/errors/index.js";
import { excerpt } from "../lib/text/index.js";
import { assertKnownOptions, booleanOption, createRequestSlot, memoize } from "../lib/options/index.js";

const JSON_ONLY = ["application/json"];

type Refusal = [ErrorCode, ErrorFacts];

const slot = createRequestSlot<string>("contentType");

export interface ContentTypeOptions {
  /**
   * Media types that a request body may have: `type/subtype` in lower case, no wildcards. A `charset` of `utf-8` is
   * allowed with each, another is not; other parameters are ignored.
   *
   * @default ["application/json"]
   */
  consumes?: readonly string[];

  /**
   * Media types that the answer may have, in the same form, the preferred one first.
   *
   * @default ["application/json"]
   */
  produces?: readonly string[];

  /**
   * Whether every request must carry both `Content-Type` and `Accept`, also one without a body.
   *
   * @default false
   */
  strict?: boolean;
}

const OPTIONS: Record<keyof ContentTypeOptions, true> = { consumes: true, produces: true, strict: true };

/**
 * Let a request pass only when its `Content-Type` is one that is consumed and its `Accept` allows one that is produced.
 * Read the latter with {@link getNegotiatedType}. Forbids sniffing on every answer. Does not parse the body, does not set
 * the `Content-Type` of the answer, and leaves OPTIONS alone: a preflight is sent by the browser, not by the caller.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 */
export function contentType(options: Readonly<ContentTypeOptions> = {}): RequestHandler {
  const { consumes, produces, strict } = parseOptions(options);
  const accepted = consumes.join(", ");
  const offered = produces.join(", ");
  const findFault = memoize((value) => findTypeFault(value, consumes));
  const select = compileAccept(produces);
  const preferred = produces[0] ?? "";

  return function contentTypeMiddleware(req, res, next) {
    res.setHeader("X-Content-Type-Options", "nosniff");
    if (produces.length > 1) res.vary("Accept");
    if (req.method === "OPTIONS") {
      slot.set(req, preferred);
      next();
      return;
    }
    const { headers } = req;
    const refusal = checkPresence(req, headers) ?? checkContentType(req, headers) ?? negotiate(req, headers);
    if (refusal) next(apiError(...refusal));
    else next();
  };

  function checkPresence(req: Request, headers: IncomingHttpHeaders): Refusal | undefined {
    const lacksContentType = headers["content-type"] === undefined && (strict || hasBody(req, headers));
    const lacksAccept = strict && !headers.accept;
    if (!lacksContentType && !lacksAccept) return undefined;
    const causes = [];
    if (lacksContentType) causes.push(`Content-Type is missing; accepted: ${accepted}.`);
    if (lacksAccept) causes.push(`Accept is missing; offered: ${offered}.`);
    return ["E0000018", { type: "media-type.missing", causes }];
  }

  function checkContentType(req: Request, { "content-type": sent }: IncomingHttpHeaders): Refusal | undefined {
    if (sent === undefined) return undefined;
    const other = fieldLines(req.rawHeaders, "Content-Type").find((line) => line !== sent);
    if (other !== undefined) {
      const causes = [`Content-Type comes twice, as ${excerpt(sent)} and as ${excerpt(other)}; send one.`];
      return ["E0009000", { type: "media-type.ambiguous", causes }];
    }
    const fault = findFault(sent);
    if (fault === undefined) return undefined;
    // RFC 5789 section 2.2 and RFC 9110 section 15.5.16
    const remedy = { [req.method === "PATCH" ? "Accept-Patch" : "Accept"]: accepted };
    return ["E0000021", { type: "media-type.unsupported", causes: [fault], headers: remedy }];
  }

  function negotiate(req: Request, { accept }: IncomingHttpHeaders): Refusal | undefined {
    const selected = select(accept);
    if (selected === undefined) {
      const causes = [`${describeAccept(accept)}; offered: ${offered}.`];
      return ["E0000122", { type: "media-type.not-acceptable", detail: produces.join("', '"), causes }];
    }
    slot.set(req, selected);
    return undefined;
  }
}

/**
 * The media type that the answer to `req` should have, as {@link contentType} negotiated it: one of `produces`.
 *
 * @throws {Error} when `contentType()` did not run for this request
 */
export function getNegotiatedType(req: object): string {
  return slot.get(req);
}

/** The media type that {@link contentType} negotiated, or `undefined` when it did not run. */
export function tryGetNegotiatedType(req: object): string | undefined {
  return slot.tryGet(req);
}

/** What is wrong with a Content-Type value, for its sender; `undefined` when nothing is. */
function findTypeFault(value: string, consumes: readonly string[]): string | undefined {
  const accepted = `accepted: ${consumes.join(", ")}.`;
  const mediaType = parseMediaType(value);
  if (!mediaType) return `Content-Type ${excerpt(value)} is not a media type; ${accepted}`;
  if (!consumes.includes(mediaType.type)) return `Content-Type is ${excerpt(value)}; ${accepted}`;
  if (!isUtf8(mediaType)) return `Content-Type ${excerpt(value)} names a charset other than utf-8; ${accepted}`;
  return undefined;
}

function describeAccept(accept = ""): string {
  if (accept.length > MAX_ACCEPT_LENGTH) return `Accept is longer than ${MAX_ACCEPT_LENGTH} characters`;
  return `Accept is ${excerpt(accept)}`;
}

function parseOptions(options: Readonly<ContentTypeOptions>): Required<ContentTypeOptions> {
  assertKnownOptions("contentType", options, OPTIONS);
  return {
    consumes: mediaTypesOption("contentType", "consumes", options.consumes, JSON_ONLY),
    produces: mediaTypesOption("contentType", "produces", options.produces, JSON_ONLY),
    strict: booleanOption("contentType", "strict", options.strict, false),
  };
}
