import { Router, type RequestHandler } from "express";
import type { ResponseRoom } from "../../admission/response-room.js";
import { consolePages } from "./pages.js";
import { sessionEndpoints, type SessionEndpointOptions } from "./session.js";

export interface ConsoleOptions extends SessionEndpointOptions {
  /** The folder with the built pages. */
  folder: string;
  /** The room for responses with pages. */
  room: ResponseRoom;
}

/** The console: its pages, and the sessions of those who use it. */
export function createConsole({ folder, room, ...options }: Readonly<ConsoleOptions>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use("/session", forbidCaching);
  router.use(sessionEndpoints(options));
  if (options.limiter) router.use(options.limiter.ofPublic("discovery"));
  router.use(consolePages(folder, room));
  return router;
}

const forbidCaching: RequestHandler = function forbidCachingMiddleware(_req, res, next) {
  res.setHeader("Cache-Control", "private, no-store");
  next();
};
