import { Router, type RequestHandler } from "express";
import { consolePages } from "./pages.js";
import { sessionEndpoints, type SessionEndpointOptions } from "./session.js";

export interface ConsoleOptions extends SessionEndpointOptions {
  /** Of the built pages. */
  folder: string;
}

/** The console: its pages, and the sessions of those who use it. */
export function createConsole({ folder, ...options }: Readonly<ConsoleOptions>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use("/session", forbidCaching);
  router.use(sessionEndpoints(options));
  router.use(consolePages(folder));
  return router;
}

const forbidCaching: RequestHandler = function forbidCachingMiddleware(_req, res, next) {
  res.setHeader("Cache-Control", "private, no-store");
  next();
};
