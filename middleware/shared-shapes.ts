import type { Application, Request } from "express";
import {
  accelerateResponses,
  accelerateRoutes,
  adoptMessages,
  appPrototypeServers,
  HAS_LONE_SHAPES,
  shareShape,
} from "../lib/express/index.js";
import { serverOf } from "../lib/server/index.js";
import {
  assertKnownOptions,
  booleanOption,
  fromStep,
  type Middleware,
  type NothingElse,
} from "../lib/factory/index.js";

export interface SharedShapesOptions {
  /**
   * Use the faster functions of `createServer` for the routes and responses of the app, on every version of Node, and have its
   * server make requests with the prototypes of the app. The bytes are the same.
   *
   * @default false
   */
  accelerate?: boolean;
}

/**
 * Make requests and responses faster on Node 20 and 22, where Express slows down every use of them. Mount it first.
 * Changes nothing except speed. Without `accelerate` it does nothing on Node 24, and on a server of `createServer`, which
 * don't need it.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(sharedShapes());
 */
export function sharedShapes(options: Readonly<SharedShapesOptions> = {}, ..._: NothingElse): Middleware {
  assertKnownOptions("sharedShapes", options, { accelerate: true });
  const accelerates = booleanOption("sharedShapes", "accelerate", options.accelerate, false);
  let accelerated: Application | undefined;
  const servers = new WeakSet();

  return fromStep("sharedShapesMiddleware", (req, res) => {
    if (accelerates && req.app !== accelerated) {
      accelerated = req.app;
      accelerateResponses(req.app);
      accelerateRoutes(req.app);
    }
    const server = accelerates ? serverOf(req.socket) : undefined;
    if (server !== undefined && !servers.has(server)) {
      servers.add(server);
      adoptMessages(server);
    }
    if (HAS_LONE_SHAPES && !keepsPrototype(req)) {
      shareShape(req);
      shareShape(res);
    }
    return undefined;
  });
}

/** Whether the server created `req` with the prototype of the app, so that Express did not change it. */
function keepsPrototype(req: Request): boolean {
  const server = serverOf(req.socket);
  return server !== undefined && appPrototypeServers.tryGet(server) === true;
}
