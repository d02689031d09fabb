import type { Request } from "express";
import { getRequestContext, parseUserAgent } from "etiquette/request-context";
import { toClientPlatform } from "../discovery/platform.js";

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
