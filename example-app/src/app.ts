import express, { type Express, type Request, type RequestHandler } from "express";
import { bodyLength } from "etiquette/body-length";
import { contentType } from "etiquette/content-type";
import { errorFormatter } from "etiquette/error-formatter";
import { httpsOnly } from "etiquette/https-only";
import { notFound } from "etiquette/not-found";
import { requestContext } from "etiquette/request-context";
import { requestId } from "etiquette/request-id";
import { utf8Guard } from "etiquette/utf8-guard";
import { webfinger } from "etiquette/webfinger";
import type { Logger } from "pino";
import type { EventQueue } from "./audit/event-queue.js";
import { createRequestId } from "./audit/request-ids.js";
import { noteError, observeRequests } from "./audit/request-observer.js";
import { createApi } from "./resources/index.js";
import type { ApiDependencies, ApiSettings } from "./rest/resource.js";
import { unavailable } from "./rest/unavailable.js";
import type { RoutingCache } from "./tenancy/routing-cache.js";
import { getTenant, tenant } from "./tenancy/tenant.js";
import type { Tenants } from "./tenancy/tenants.js";
import { createResolver } from "./web/resolver.js";
import { sso } from "./web/sso.js";

const WEBFINGER_PATH = "/.well-known/webfinger";
const JRD_TYPES = ["application/jrd+json", "application/json"];

/** How the app is set up. */
export interface AppSettings extends ApiSettings {
  readonly trustedProxies: readonly string[];
}

/** What the app is built over. */
export interface AppDependencies extends ApiDependencies {
  settings: AppSettings;
  tenants: Tenants;
  routings: RoutingCache;
  events: EventQueue;
  log: Logger;
}

/** The Express app: what every request passes, then the endpoints, then what is said when nothing answered. */
export function createApp({ settings, store, tenants, routings, events, log }: Readonly<AppDependencies>): Express {
  const { namespace, trustedProxies, issuerRel, resourceAliases, strictHeaders } = settings;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");

  app.use(requestId({ namespace, generator: createRequestId }));
  app.use(observeRequests({ log, events }));
  app.use(WEBFINGER_PATH, openToAllOrigins);
  app.use(httpsOnly({ trust: trustedProxies, localhost: false }));
  app.use(tenant({ tenants, routings }));
  app.use(requestContext({ trust: (req: Request) => getTenant(req).routing.trustedProxies }));
  app.use(bodyLength());

  app.use(WEBFINGER_PATH, acceptAnything(contentType({ produces: JRD_TYPES, strict: strictHeaders })));
  app.use(
    webfinger({
      resolve: createResolver(store),
      baseUrl: (req) => getTenant(req).baseUrl,
      title: (req) => getTenant(req).org.subdomain,
      namespace,
      issuerRel,
      resourceAliases,
    }),
  );

  app.use(utf8Guard());
  app.use("/api", createApi({ settings, store }));
  app.use("/sso", sso({ settings, store }));
  app.use(contentType({ strict: strictHeaders }));
  app.use(notFound());
  app.use(unavailable());
  app.use(errorFormatter({ namespace, log: noteError }));
  return app;
}

/** A page must be able to read the errors too that come before the answer (rule O4). */
const openToAllOrigins: RequestHandler = function openToAllOriginsMiddleware(_req, res, next) {
  res.setHeader("Access-Control-Allow-Origin", "*");
  next();
};

/** WebFinger answers in JSON whatever `Accept` prefers, never 406 (rule W8). */
function acceptAnything(guard: RequestHandler): RequestHandler {
  return function acceptAnythingMiddleware(req, res, next) {
    void guard(req, res, (error?: unknown) => {
      const isRefusal = (error as { type?: unknown } | undefined)?.type === "media-type.not-acceptable";
      next(isRefusal ? undefined : error);
    });
  };
}
