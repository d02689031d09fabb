import type { NextFunction, Request } from "express";
import { type ApiError } from "../errors/index.js";
import type { Middleware } from "../factory/index.js";
import { copyBody } from "./body-copy.js";
import type { TellReport } from "./report-option.js";

/** Parses `bytes` into `req.body`, or calls `next` with the reason why not. */
type Take<Decode> = (req: Request, bytes: Buffer, next: NextFunction, decode: Decode) => void;

/**
 * Make a function that parses a copy of the body. What is valid becomes `req.body`. The body stays in the stream, and is not
 * marked as read, so a parser that comes later reads it too.
 */
export function parseCopy<Decode>(
  limit: number,
  take: Take<Decode>,
): (req: Request, next: NextFunction, decode: Decode) => void {
  return function takeCopy(req, next, decode) {
    copyBody(req, limit, (bytes) => {
      if (bytes === undefined) {
        next();
        return;
      }
      const copy = Object.create(req) as Request; // what is set on it doesn't show on the request
      const proceed: NextFunction = (error?: unknown) => {
        if (copy.body !== undefined) req.body = copy.body as unknown;
        next(error);
      };
      take(copy, bytes, proceed, decode);
    });
  };
}

/** Make a middleware that reports the errors that `middleware` would refuse with, and lets those requests pass. */
export function reportErrors(middleware: Middleware, report: TellReport | undefined): Middleware {
  if (report === undefined) return middleware;
  const reporting: Middleware = (req, res, next) => {
    middleware(req, res, (error?: unknown) => {
      if (error !== undefined) report(error as ApiError, req, res);
      next();
    });
  };
  return Object.defineProperty(reporting, "name", { value: middleware.name });
}
