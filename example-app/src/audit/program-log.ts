import type { Logger } from "pino";
import type { EndedRequest } from "./request-facts.js";

/** As much of a path as a line holds. */
const MAX_PATH_LENGTH = 512;

/**
 * Write the line of a request. It holds no query, which may name a person, and no header but the client's address that the
 * proxies reported.
 *
 * @param err the cause of a 5xx
 */
export function writeLine(log: Logger, end: EndedRequest, err?: unknown): void {
  const { facts, isServed, duration, statusCode, isFinished, errorCode } = end;
  const { id, method, url, peer, context, tenant } = facts;
  // what is `undefined` is left out
  const line = {
    requestId: id,
    method,
    path: url === undefined ? undefined : pathOf(url),
    status: statusCode,
    code: isServed ? undefined : errorCode,
    durationMs: duration === undefined ? undefined : Math.round(duration * 100) / 100,
    clientIp: context?.ip ?? peer,
    org: tenant?.org.subdomain,
    aborted: isFinished ? undefined : true,
    err,
  };
  if (isServed) log[statusCode >= 500 ? "error" : "info"](line, "request");
  else log.info(line, "request refused");
}

/** Without query; of an absolute form (RFC 9112 section 3.2.2) without the authority, which may hold a password. */
function pathOf(target: string): string {
  return target
    .replace(/[?#][^]*$/, "")
    .replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*/, "")
    .slice(0, MAX_PATH_LENGTH);
}
