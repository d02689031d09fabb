import type { Server } from "node:http";
import { createServer } from "etiquette/create-server";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { suite } from "etiquette/suite";
import express, { type Express } from "express";
import type { Logger } from "pino";
import { listen } from "./listen.js";
import { METRICS_TYPE } from "./monitoring/metrics.js";
import { probes } from "./monitoring/probes.js";
import type { Readiness } from "./monitoring/readiness.js";

/** Those of probes and scrapers. */
const MAX_CONNECTIONS = 100;

/** What the admin port shows. */
export interface AdminSources {
  readonly readiness: Pick<Readiness, "findObstacle">;
  /** The metrics in the text format of Prometheus. */
  readonly formatMetrics: () => Promise<string>;
}

export interface AdminOptions extends AdminSources {
  readonly host: string;
  readonly port: number;
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

function createAdminApp({ namespace, readiness, formatMetrics, log }: AdminOptions): Express {
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
