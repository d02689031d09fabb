import type { Request, RequestHandler } from "express";
import { bornServers, HAS_LONE_SHAPES, serverOf, shareShape } from "../lib/server/index.js";
import { assertKnownOptions } from "../lib/options/index.js";

/**
 * Make every use of a request and its response fast again on Node 20 and 22, where Express slows both down. Mount it
 * before all else. Changes nothing that can be observed but time; does nothing on Node 24, nor on a server of
 * `createServer`, which need it not.
 *
 * @param options there are none yet
 * @throws {TypeError} when an option is given
 */
export function sharedShapes(options: Readonly<Record<string, never>> = {}): RequestHandler {
  assertKnownOptions("sharedShapes", options, {});

  return function sharedShapesMiddleware(req, res, next) {
    if (HAS_LONE_SHAPES && !isBorn(req)) {
      shareShape(req);
      shareShape(res);
    }
    next();
  };
}

/** Whether its prototype was never changed. */
function isBorn(req: Request): boolean {
  const server = serverOf(req.socket);
  return server !== undefined && bornServers.tryGet(server) === true;
}
