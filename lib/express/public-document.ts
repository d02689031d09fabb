import type { Request, Response } from "express";
import { apiError, type ApiError } from "../errors/index.js";

const ALLOW = "GET, HEAD, OPTIONS";

/** In seconds: one day, the longest time that any browser caches a preflight. */
const PREFLIGHT_SECONDS = "86400";

/** What a document is sent with. */
export interface DocumentFields {
  readonly type: string;
  readonly cacheControl: string;
}

/**
 * Open the response to every origin, for a document that everybody may read. Responds to `OPTIONS`.
 *
 * @returns whether the document is to be sent, or the error that refuses the method
 */
export function admitReader(req: Request, res: Response): boolean | ApiError {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.removeHeader("Access-Control-Allow-Credentials"); // set by a policy for the whole app; not allowed with `*`
  switch (req.method) {
    case "GET":
    case "HEAD":
      return true;
    case "OPTIONS":
      respondToOptions(res);
      return false;
    default: {
      const causes = [`${req.method} is not one of ${ALLOW}.`];
      return apiError("E0000022", { type: "method.not-allowed", causes, headers: { Allow: ALLOW } });
    }
  }
}

/** Send the document, without its body to `HEAD`. */
export function sendDocument(req: Request, res: Response, text: string, { type, cacheControl }: DocumentFields): void {
  const bytes = Buffer.from(text);
  res.setHeader("Cache-Control", cacheControl);
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", bytes.length);
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.end(req.method === "HEAD" ? undefined : bytes);
}

/**
 * For every `OPTIONS`, preflight or not. `*` never means `Authorization` (Fetch, "CORS-preflight fetch"), which clients send
 * although nobody asks; `Content-Type` is for browsers that don't know `*`.
 */
function respondToOptions(res: Response): void {
  res.setHeader("Allow", ALLOW);
  res.setHeader("Access-Control-Allow-Methods", "GET, HEAD");
  res.setHeader("Access-Control-Allow-Headers", "Authorization, Content-Type, *");
  res.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  res.statusCode = 204;
  res.end();
}
