import { isIP } from "node:net";
import type { Request } from "express";
import { getRequestContext, parseUserAgent } from "etiquette/request-context";
import { toClientPlatform } from "../discovery/platform.js";

/** The longest user agent; the same limit applies to the header of a request. */
export const MAX_USER_AGENT_LENGTH = 1_024;

/** Whether `text` is an address without a zone. */
export function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}

/** The caller, unless its address or its user agent is replaced. */
export function imagineClient(
  req: Request,
  { clientIp, userAgent }: Readonly<{ clientIp?: string | undefined; userAgent?: string | undefined }>,
) {
  const context = getRequestContext(req);
  return {
    ipAddress: clientIp ?? context.ip,
    userAgent: userAgent ?? context.userAgent.raw,
    platform: toClientPlatform(userAgent === undefined ? context.userAgent : parseUserAgent(userAgent)),
  };
}
