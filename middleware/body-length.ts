import { METHODS } from "node:http";
import type { Request, Response } from "express";
import { findFramingFault } from "../lib/faults/index.js";
import { createGuard, type Refusal } from "../lib/errors/index.js";
import { REPORT_OPTIONS, reportOption, type ReportOptions } from "../lib/report/index.js";
import {
  assertKnownOptions,
  createRequestSlot,
  ENDED,
  type Middleware,
  optionError,
  stringsOption,
  type NothingElse,
} from "../lib/factory/index.js";

/** Without PATCH: browsers send no `Content-Length` for a PATCH without a body (Fetch, HTTP-network-or-cache fetch). */
const DEFAULT_METHODS = ["POST", "PUT"];

/** The request that was refused on a socket. */
const refused = createRequestSlot<object>("bodyLength.refused");

export interface BodyLengthOptions extends ReportOptions {
  /**
   * The status when both `Content-Length` and `Transfer-Encoding` are missing.
   *
   * @default 411
   */
  status?: 411 | 400;

  /**
   * The methods whose requests must have one of them, in upper case. For other methods they are checked if present.
   *
   * @default ["POST", "PUT"]
   */
  methods?: readonly string[];
}

const OPTIONS: Record<keyof BodyLengthOptions, true> = { status: true, methods: true, ...REPORT_OPTIONS };

/**
 * Refuse an HTTP/1 request when the end of its body is uncertain: a POST or PUT with neither `Content-Length` nor
 * `Transfer-Encoding` (411), and any request with an invalid one (400). The connection is closed, and no later request on
 * it is served. HTTP/2 needs neither field. Does not read the body or limit its length; body parsers do.
 *
 * @throws {TypeError} when an option is unknown or out of bounds
 * @example
 * app.use(bodyLength({ methods: ["POST", "PUT", "PATCH"] }));
 */
export function bodyLength(options: Readonly<BodyLengthOptions> = {}, ..._: NothingElse): Middleware {
  const { status, methods, report } = parseOptions(options);
  const mustHaveLength = new Set(methods);

  return createGuard("bodyLength", check, report, (req, res) => {
    refused.set(req.socket, req);
    res.setHeader("Connection", "close");
  });

  function check(req: Request, res: Response): Refusal | typeof ENDED | undefined {
    if (req.httpVersionMajor > 1) return undefined; // frames say where the body ends (RFC 9113 section 8.1)
    if ((refused.tryGet(req.socket) ?? req) !== req) {
      res.destroy(); // the response to the refused request before was the last on this connection (RFC 9112 section 9.6)
      return ENDED;
    }
    return findFault(req);
  }

  function findFault(req: Request): Refusal | undefined {
    const { method, headers } = req;
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) {
      return findFramingFault(req);
    }
    if (!mustHaveLength.has(method)) return undefined;
    const cause = `${method} has neither Content-Length nor Transfer-Encoding; without a body send "Content-Length: 0".`;
    return [status === 411 ? "E0009002" : "E0009000", { type: "content-length.missing", causes: [cause] }];
  }
}

function parseOptions(options: Readonly<BodyLengthOptions>) {
  assertKnownOptions("bodyLength", options, OPTIONS);
  const { status = 411 } = options;
  if (status !== 411 && (status as unknown) !== 400) throw optionError("bodyLength", "status", "411 or 400");

  const methods = stringsOption("bodyLength", "methods", options.methods, DEFAULT_METHODS);
  if (!methods.every((method) => METHODS.includes(method))) {
    throw optionError("bodyLength", "methods", "an array of HTTP methods in upper case");
  }
  return { status, methods, report: reportOption("bodyLength", options) };
}
