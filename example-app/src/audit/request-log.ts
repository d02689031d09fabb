import type { ProtocolErrorReport } from "etiquette/create-server";
import type { ErrorReport } from "etiquette/error-formatter";
import type { Request, RequestHandler } from "express";
import { tryGetRequestContext } from "etiquette/request-context";
import { getRequestId } from "etiquette/request-id";
import { createRequestSlot } from "etiquette/request-slot";
import type { Logger } from "pino";
import { tryGetTenant } from "../tenancy/tenant.js";

/** As much of a path as a line holds. */
const MAX_PATH_LENGTH = 512;

/** What went wrong while a request was served, for its line. */
const failures = createRequestSlot<unknown>("requestLog");

/**
 * Write one line for each request when its answer has gone out or the connection is lost. It holds no query, which may
 * name a person, and no header but the client's address that the proxies reported.
 */
export function requestLog(log: Logger): RequestHandler {
  return function requestLogMiddleware(req, res, next) {
    const start = performance.now();
    const path = pathOf(req.originalUrl);
    const { remoteAddress } = req.socket; // a closed socket has none
    res.on("close", () => {
      const { statusCode } = res;
      const err = failures.tryGet(req);
      log[statusCode >= 500 ? "error" : "info"](
        {
          requestId: getRequestId(req),
          method: req.method,
          path,
          status: statusCode,
          durationMs: Math.round((performance.now() - start) * 100) / 100,
          clientIp: tryGetRequestContext(req)?.ip ?? remoteAddress,
          org: tryGetTenant(req)?.org.subdomain,
          ...(!res.writableFinished && { aborted: true }),
          ...(err !== undefined && { err }),
        },
        "request",
      );
    });
    next();
  };
}

/** Write one line for each answer to what never reached the app, such as a request that can't be parsed. */
export function createProtocolErrorLog(log: Logger): (error: Error, report: ProtocolErrorReport) => void {
  return function logProtocolError(_error, { status, errorObject, remoteAddress, req }) {
    log.info(
      {
        requestId: errorObject.errorId,
        method: req?.method,
        path: req && pathOf(req.url ?? ""),
        status,
        code: errorObject.errorCode,
        clientIp: remoteAddress,
      },
      "request refused",
    );
  };
}

/** For the error formatter: keep what must not be told to the client for the line of the request. */
export function noteFailure(
  error: unknown,
  { req, status }: Readonly<Pick<ErrorReport, "status"> & { req: Request }>,
): void {
  if (status >= 500) failures.set(req, error);
}

/** Without query; of an absolute form (RFC 9112 section 3.2.2) without the authority, which may hold a password. */
function pathOf(target: string): string {
  return target
    .replace(/[?#][^]*$/, "")
    .replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*/, "")
    .slice(0, MAX_PATH_LENGTH);
}
