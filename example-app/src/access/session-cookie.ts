import type { Request, RequestHandler, Response } from "express";
import { formatOrigin } from "etiquette/origin";
import { apiError } from "../model/api-error.js";

/** Browsers accept this prefix only with `Secure`, `Path=/` and no `Domain`: no other host can set it (RFC 6265bis). */
const NAME = "__Host-etiquette-session";

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** What {@link writeSessionCookie} writes: 32 bytes. A cookie of this name with anything else is no session. */
const COOKIE_REGEXP = new RegExp(`(?:^|;) *${NAME}=([A-Za-z0-9_-]{43})(?=;|$)`);

/** The secret of the session of a request that has no `Authorization`, which wins over cookies. */
export function readSessionCookie(req: Pick<Request, "headers">): string | undefined {
  const { authorization, cookie = "" } = req.headers;
  return authorization === undefined ? COOKIE_REGEXP.exec(cookie)?.[1] : undefined;
}

/** @param secret `undefined` removes the cookie */
export function writeSessionCookie(res: Response, secret: string | undefined): void {
  const value = secret ?? "; Max-Age=0";
  res.setHeader("Set-Cookie", `${NAME}=${value}; ${ATTRIBUTES}`);
}

/** The methods that change nothing. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);

/**
 * Refuse requests with a session that a page of another origin makes, with 403. `SameSite` alone allows those of other
 * subdomains and ports. A request that may change something must prove that a page of this origin made it.
 */
export const requireSameOrigin: RequestHandler = function requireSameOriginMiddleware(req, _res, next) {
  next(readSessionCookie(req) === undefined ? undefined : findOriginFault(req));
};

/** The same for a request that begins a session. */
export const requireOwnPage: RequestHandler = function requireOwnPageMiddleware(req, _res, next) {
  next(findOriginFault(req));
};

function findOriginFault(req: Request): Error | undefined {
  const { origin, host = "", "sec-fetch-site": site } = req.headers;
  const own = formatOrigin(`https://${host}`);
  const isRead = READING.has(req.method);
  const isForeign = (origin !== undefined && origin !== own) || (site !== undefined && !isOwnSite(site));
  const isProven = origin !== undefined || site === "same-origin";
  if (!isForeign && (isRead || isProven)) return undefined;
  const cause = isForeign
    ? "A page of another origin made this request, so its session doesn't count."
    : `A session allows changes only to pages of ${own}: send Origin or Sec-Fetch-Site, as browsers do.`;
  return apiError("E0000006", { type: "session.origin", causes: [cause] });
}

/** `none` is what a person opens directly. */
function isOwnSite(site: string | string[]): boolean {
  return site === "same-origin" || site === "none";
}
