import { isIP } from "node:net";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import type { RequestHandler, Response } from "express";
import { hostName } from "../tenancy/tenants.js";
import { isReady, type Obstacle, type Readiness } from "./readiness.js";

const LIVE_PATH = "/livez";
const READY_PATH = "/readyz";

export interface ProbesOptions {
  readiness: Pick<Readiness, "findObstacle">;
  /**
   * Whether a host has the probes, in the form of `hostName()`.
   *
   * @default every host
   */
  isProbed?: (host: string) => boolean;
}

/**
 * Answer `/livez`, whether the process runs, and `/readyz`, whether it should get requests. Mount it before all that
 * records or refuses requests.
 */
export function probes({ readiness, isProbed = () => true }: Readonly<ProbesOptions>): RequestHandler {
  const refuseMethod = methodNotAllowed({ methods: ["GET"] });

  return function probesMiddleware(req, res, next) {
    const { path, method } = req;
    if ((path !== LIVE_PATH && path !== READY_PATH) || !isProbed(hostName(req.headers.host ?? ""))) {
      next();
      return;
    }
    if (method !== "GET" && method !== "HEAD") refuseMethod(req, res, next);
    else if (path === LIVE_PATH) send(res, undefined);
    else readiness.findObstacle().then(send.bind(undefined, res), next);
  };
}

function send(res: Response, obstacle: Obstacle | undefined): void {
  res.statusCode = isReady(obstacle) ? 200 : 503;
  res.setHeader("Content-Type", "text/plain; charset=utf-8");
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.send(`${obstacle ?? "ok"}\n`);
}

/**
 * The hosts of the public port that have the probes: the base domain, and what can't be the host of an org, because load
 * balancers and containers send an address, `localhost` or, in HTTP/1.0, nothing.
 */
export function probedHosts(baseDomain: string): (host: string) => boolean {
  const names = new Set([baseDomain, "localhost", ""]);
  return (host) => names.has(host) || isIP(host.replace(/^\[(.*)\]$/, "$1")) !== 0;
}
