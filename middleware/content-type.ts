import type { IncomingHttpHeaders } from "node:http";
import type { Request, Response } from "express";
import {
  compileAccept,
  fieldLines,
  isUtf8,
  MAX_ACCEPT_LENGTH,
  parseMediaType,
  mediaTypesOption,
  negotiatedType,
} from "../lib/http/index.js";
import { hasBody } from "../lib/faults/index.js";
import { createGuard, type Refusal } from "../lib/errors/index.js";
import { constantHeader } from "../lib/express/index.js";
import { REPORT_OPTIONS, reportOption, type ReportOptions } from "../lib/report/index.js";
import { excerpt, memoize } from "../lib/text/index.js";
import { assertKnownOptions, booleanOption, type Middleware, type NothingElse } from "../lib/factory/index.js";

const JSON_ONLY = ["application/json"];

export interface ContentTypeOptions extends ReportOptions {
  /**
   * Media types that a request body may have: `type/subtype` in lower case, no wildcards. The only `charset` allowed is
   * `utf-8`; other parameters are ignored.
   *
   * @default ["application/json"]
   */
  consumes?: readonly string[];

  /**
   * Media types that the response may have, in the same form, the preferred one first.
   *
   * @default ["application/json"]
   */
  produces?: readonly string[];

  /**
   * Whether every request must have both `Content-Type` and `Accept`, even without a body.
   *
   * @default false
   */
  strict?: boolean;

  /**
   * Whether `Accept` is negotiated. `false` leaves that to a handler that does it itself, such as `webfinger()`, and never
   * refuses with 406; `strict` still demands the field.
   *
   * @default true
   */
  negotiate?: boolean;
}

const forbidSniffing = constantHeader("X-Content-Type-Options", "nosniff");

const OPTIONS: Record<keyof ContentTypeOptions, true> = {
  consumes: true,
  produces: true,
  strict: true,
  negotiate: true,
  ...REPORT_OPTIONS,
};

/**
 * Let a request pass only when `consumes` has its `Content-Type` and `Accept` allows a type of `produces`. Read the
 * selected type with {@link getNegotiatedType}. Every response has `X-Content-Type-Options: nosniff`. OPTIONS always
 * passes, because browsers send preflights without these fields. With `report` the header is not sent, because browsers
 * would refuse scripts and styles of another type. Does not parse the body or set the `Content-Type` of
 * the response.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(contentType({ produces: ["application/json", "text/csv"] }));
 */
export function contentType(options: Readonly<ContentTypeOptions> = {}, ..._: NothingElse): Middleware {
  const { consumes, produces, strict, negotiate, report } = parseOptions(options);
  const accepted = consumes.join(", ");
  const offered = produces.join(", ");
  const findFault = memoize((value) => findTypeFault(value, consumes));
  const select = compileAccept(produces);
  const preferred = negotiate ? (produces[0] ?? "") : null;

  return createGuard("contentType", check, report);

  function check(req: Request, res: Response): Refusal | undefined {
    if (report === undefined) forbidSniffing(res);
    else negotiatedType.set(req, preferred); // for what passes although Accept allows none
    if (produces.length > 1) res.vary("Accept");
    if (req.method === "OPTIONS") {
      negotiatedType.set(req, preferred);
      return undefined;
    }
    const { headers } = req;
    return checkPresence(req, headers) ?? checkContentType(req, headers) ?? checkAccept(req, headers);
  }

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

  function checkAccept(req: Request, { accept }: IncomingHttpHeaders): Refusal | undefined {
    const selected = negotiate ? select(accept) : null;
    if (selected === undefined) {
      const causes = [`${describeAccept(accept)}; offered: ${offered}.`];
      return ["E0000122", { type: "media-type.not-acceptable", detail: produces.join("', '"), causes }];
    }
    negotiatedType.set(req, selected);
    return undefined;
  }
}

/**
 * The media type for the response to `req` that {@link contentType} selected from `produces`.
 *
 * @throws {Error} when `contentType()` did not run for this request, or its option `negotiate` is false
 * @example
 * if (getNegotiatedType(req) === "text/csv") res.type("csv").send(toCsv(users));
 */
export function getNegotiatedType(req: object): string {
  return negotiatedType.get(req);
}

/**
 * The media type that {@link contentType} selected, or `undefined` when it did not run.
 *
 * @example
 * const type = tryGetNegotiatedType(req) ?? "application/json";
 */
export function tryGetNegotiatedType(req: object): string | undefined {
  return negotiatedType.tryGet(req);
}

/** What is wrong with a `Content-Type`, as a cause for the client; `undefined` when it is accepted. */
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

function parseOptions(options: Readonly<ContentTypeOptions>) {
  assertKnownOptions("contentType", options, OPTIONS);
  return {
    consumes: mediaTypesOption("contentType", "consumes", options.consumes, JSON_ONLY),
    produces: mediaTypesOption("contentType", "produces", options.produces, JSON_ONLY),
    strict: booleanOption("contentType", "strict", options.strict, false),
    negotiate: booleanOption("contentType", "negotiate", options.negotiate, true),
    report: reportOption("contentType", options),
  };
}
