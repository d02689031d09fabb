import type { RequestHandler } from "express";
import { getRequestContext } from "etiquette/request-context";
import { getServerTiming, serverTiming } from "etiquette/server-timing";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import { statementTimes } from "../pace/statement-times.js";

/** Shows these clients how long their requests took, and how long they waited for the database. */
export function requestTiming(clients: readonly string[]): RequestHandler[] {
  const isTrusted = compileTrustedProxies(clients);
  return [
    serverTiming({
      isTrusted: (req) => isTrusted(getRequestContext(req).ip ?? undefined),
      metrics: { db: "Database" },
    }),
    function timeStatementsMiddleware(req, _res, next) {
      const timing = getServerTiming(req);
      if (timing.isSent) statementTimes.run(timing.add.bind(timing, "db"), next);
      else next();
    },
  ];
}
