import type { Server } from "node:http";
import { isIP, isIPv4 } from "node:net";
import { createServer } from "etiquette/create-server";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { suite } from "etiquette/suite";
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { listen } from "./listen.js";
import { apiError } from "./model/api-error.js";
import { METRICS_TYPE } from "./monitoring/metrics.js";
import { probes } from "./monitoring/probes.js";
import type { Readiness } from "./monitoring/readiness.js";
import { hostName } from "./tenancy/tenants.js";

/** Only probes and scrapers connect, so few are enough. */
const MAX_CONNECTIONS = 100;

/** Listens on every address of the machine. */
const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/** What the admin port shows. */
export interface AdminSources {
  readonly readiness: Pick<Readiness, "findObstacle">;
  /** The metrics in the text format of Prometheus. */
  readonly formatMetrics: () => Promise<string>;
}

export interface AdminOptions extends AdminSources {
  readonly host: string;
  readonly port: number;
  /** Names and addresses in `Host` besides those of the loopback and {@link host}, in lower case. */
  readonly names?: readonly string[];
  readonly namespace: string;
  /** Gets what fails; requests have no lines. */
  readonly log: Pick<Logger, "error">;
}

export interface AdminServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Serve the probes and the metrics to whoever can reach the admin port, over plain HTTP.
 *
 * @throws {ListenError} when the port can't be listened on
 */
export async function startAdminServer(options: AdminOptions): Promise<AdminServer> {
  const server: Server = createServer(createAdminApp(options), {
    namespace: options.namespace,
    maxConnections: MAX_CONNECTIONS,
  });
  const port = await listen(server, { ...options, hostFlag: "--admin-host", portFlag: "--admin-port" });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function createAdminApp({ namespace, readiness, formatMetrics, log, ...place }: AdminOptions): Express {
  const { parts } = suite({
    namespace,
    sharedShapes: false,
    responseCheck: false,
    errorFormatter: {
      log(err, { status }) {
        if (status >= 500) log.error({ err }, "the admin port has no answer");
      },
    },
  });
  const formatOnce = shareRuns(formatMetrics);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");

  app.use(parts.requestId);
  app.use(refuseForeignHosts(compileHosts(place)));
  app.use(probes({ readiness: { findObstacle: shareRuns(readiness.findObstacle) } }));
  app
    .route("/metrics")
    .get(async (_req, res) => {
      const text = await formatOnce();
      res.setHeader("Content-Type", METRICS_TYPE);
      res.setHeader("Cache-Control", "no-store");
      res.send(text);
    })
    .all(methodNotAllowed());
  app.use(parts.notFound);
  app.use(parts.errorFormatter);
  return app;
}

/**
 * Refuse requests for other names. Whoever owns a name can let it lead to this port, and then a page of theirs reads in a
 * browser on this network what the port says (DNS rebinding).
 */
function refuseForeignHosts(isOwn: (host: string) => boolean): RequestHandler {
  return function refuseForeignHostsMiddleware(req, _res, next) {
    const host = hostName(req.headers.host ?? "");
    if (isOwn(host)) next();
    else
      next(
        apiError("E0000006", {
          type: "host.unknown",
          causes: [`Host: ${host} is no name of this port; --admin-names adds one`],
        }),
      );
  };
}

/** Whether a host in the form of `hostName()` is one of this port. No page in a browser can leave `Host` out. */
function compileHosts({ host, names = [] }: Pick<AdminOptions, "host" | "names">): (host: string) => boolean {
  const own = new Set([host.toLowerCase(), ...names, "localhost", "::1", ""]);
  const isEverywhere = WILDCARDS.has(host);
  return (field) => {
    const name = field.replace(/^\[(.*)\]$/, "$1");
    if (own.has(name) || name.endsWith(".localhost")) return true;
    return isEverywhere ? isIP(name) !== 0 : isIPv4(name) && name.startsWith("127.");
  };
}

/** Callers that come while `work` runs share its result. */
function shareRuns<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
