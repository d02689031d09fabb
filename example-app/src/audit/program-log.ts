import type { IpRangeSet } from "etiquette/ip-ranges";
import type { Logger } from "pino";
import type { EndedRequest, RequestFacts } from "./request-facts.js";

/** A line keeps this many characters of a path. */
const MAX_PATH_LENGTH = 512;

/**
 * Write the log line of a request. It contains no query, which may name a person, and no header except the client's
 * address as the service's own proxies reported it.
 *
 * @param clientIp see {@link findClientIp}
 * @param err the cause of a 5xx
 */
export function writeLine(log: Logger, end: EndedRequest, clientIp: string | undefined, err?: unknown): void {
  const { facts, isServed, duration, statusCode, isFinished, errorCode, traceId } = end;
  const { id, method, url, tenant } = facts;
  // members that are `undefined` are left out
  const line = {
    requestId: id,
    traceId,
    method,
    path: url === undefined ? undefined : pathOf(url),
    status: statusCode,
    code: isServed ? undefined : errorCode,
    durationMs: duration === undefined ? undefined : Math.round(duration * 100) / 100,
    clientIp,
    org: tenant?.org.subdomain,
    aborted: isFinished ? undefined : true,
    err,
  };
  if (isServed) log[statusCode >= 500 ? "error" : "info"](line, "request");
  else log.info(line, "request refused");
}

/** The client by the proxies of the service alone: the zones of an org are the word of its administrators. */
export function findClientIp(
  { context, peer }: Pick<RequestFacts, "context" | "peer">,
  isProxy: IpRangeSet,
): string | undefined {
  let client = peer;
  for (const { ip } of context?.chain ?? []) {
    if (ip === null) break;
    client = ip;
    if (!isProxy(ip)) break;
  }
  return client;
}

/**
 * The path without the query, also when its `?` was encoded. The authority of an absolute form (RFC 9112 section 3.2.2)
 * is left out, because it may contain a password.
 */
function pathOf(target: string): string {
  return target
    .replace(/(?:[?#]|%3f|%23)[^]*$/i, "")
    .replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*/, "")
    .slice(0, MAX_PATH_LENGTH);
}
