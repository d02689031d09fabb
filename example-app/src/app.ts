import { setImmediate } from "node:timers/promises";
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { contentType } from "etiquette/content-type";
import { resourceMetadata } from "etiquette/resource-metadata";
import { securityTxt } from "etiquette/security-txt";
import { suite } from "etiquette/suite";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import { webfinger } from "etiquette/webfinger";
import { compileFingerprintHash } from "./audit/fingerprints.js";
import { createRequestId } from "./audit/request-ids.js";
import { noteError, observeRequests, type RequestSinks } from "./audit/request-observer.js";
import { probedHosts, probes } from "./monitoring/probes.js";
import type { Readiness } from "./monitoring/readiness.js";
import { requestTiming } from "./monitoring/request-timing.js";
import { resumeAfter, type TurnWatch } from "./pace/turn-watch.js";
import { createApi } from "./resources/index.js";
import { createAddressCheck, createSchemes } from "./access/credentials.js";
import { holdRefusals } from "./admission/held-refusals.js";
import type { RateLimiter } from "./admission/rate-limits.js";
import { SERVER_CATALOGUE } from "./model/api-error.js";
import type { ApiSettings } from "./model/api-settings.js";
import { scopePrefix, SCOPES } from "./model/scopes.js";
import type { ApiDependencies } from "./rest/resource.js";
import { createFileRoom } from "./admission/response-room.js";
import { PROOF_ALGORITHMS } from "./access/proofs.js";
import { createSessionVerifier } from "./access/sessions.js";
import { suspendedTokens } from "./access/suspended.js";
import type { TokenUses } from "./access/token-uses.js";
import { unavailable } from "./admission/unavailable.js";
import type { Outage } from "./tenancy/outage.js";
import type { SignOnCache } from "./tenancy/sign-on-cache.js";
import { getTenant, resourceOf, tenant, tryGetTenant } from "./tenancy/tenant.js";
import type { Tenants } from "./tenancy/tenants.js";
import type { TrustCache } from "./tenancy/trust-cache.js";
import { createConsole } from "./web/console/console.js";
import { createResolver, createWebfingerResolver } from "./web/resolver.js";
import { docs } from "./web/docs.js";
import { sso } from "./web/sso.js";

const WEBFINGER_PATH = "/.well-known/webfinger";
const JRD_TYPES = ["application/jrd+json", "application/json"];

/** How the app is set up. */
export interface AppSettings extends ApiSettings {
  readonly baseDomain: string;
  readonly trustedProxies: readonly string[];
  /** The clients that see how long their requests took. */
  readonly serverTiming: readonly string[];
  /** Where to report a vulnerability, as URIs; empty for no `security.txt`. */
  readonly securityContact: readonly string[];
  /** The folder with the pages of the console; `undefined` for no console. */
  readonly consoleFolder: string | undefined;
}

/** What the app is built over. */
export interface AppDependencies extends ApiDependencies {
  settings: AppSettings;
  tenants: Tenants;
  trusts: TrustCache;
  signOns: SignOnCache;
  /** Whether the database answers. */
  outage: Outage;
  limiter: RateLimiter | null;
  /** Who is told of the end of a request. */
  sinks: RequestSinks;
  /** The uses of API tokens, and of sessions of the console. */
  uses: TokenUses;
  sessionUses: TokenUses;
  /** Refuses requests while the server is overloaded. */
  refuseOverload: RequestHandler;
  /** For the probes of load balancers. */
  readiness: Pick<Readiness, "findObstacle">;
  watch: TurnWatch;
}

/** The Express app: what every request passes, then the endpoints, then what is said when nothing answered. */
export function createApp(dependencies: Readonly<AppDependencies>): Express {
  const { settings, store, tenants, trusts, limiter, uses, sinks, refuseOverload, readiness, watch } = dependencies;
  const { namespace, trustedProxies, strictHeaders, consoleFolder } = settings;
  const { parts } = suite({
    namespace,
    catalogue: SERVER_CATALOGUE,
    trust: (req) => tryGetTenant(req)?.trust.trustedProxies ?? trustedProxies, // an org adds proxies of its own
    sharedShapes: false, // createServer does the same
    responseCheck: false,
    requestId: { generator: createRequestId },
    httpsOnly: { localhost: false },
    queryParameters: false, // each operation reads its own
    contentType: { strict: strictHeaders },
    jsonBody: false,
    errorFormatter: { log: noteError },
  });
  const isProxy = compileTrustedProxies(trustedProxies);
  const isAllowedFrom = createAddressCheck(isProxy);
  const schemes = createSchemes({ store, settings, uses, isAllowedFrom });
  const session = createSessionVerifier({ ...dependencies, isAllowedFrom });
  const api = createApi(
    { ...dependencies, nextTurn: resumeAfter(watch, "slice", () => setImmediate()) },
    { schemes, session: consoleFolder === undefined ? undefined : session },
  );
  const hashFingerprint = compileFingerprintHash(settings.secrets);
  const app = createBareApp();

  app.use(parts.requestId);
  app.use(probes({ readiness, isProbed: probedHosts(settings.baseDomain) })); // no event, no line, no limit
  app.use(refuseOverload);
  app.use(observeRequests({ ...sinks, hashFingerprint, trustedProxies: isProxy, watch }));
  app.use(parts.httpsOnly);
  // with the proxies of the service only, as the org is not known yet
  if (settings.serverTiming.length > 0) app.use(parts.requestContext, requestTiming(settings.serverTiming));
  if (limiter) app.use(parts.requestContext, limiter.byHost);
  app.use(tenant(tenants, trusts));
  app.use("/api", suspendedTokens(tenants, store, settings));
  app.use(parts.requestContext);
  app.use("/api", forbidCaching, api.cors);
  if (limiter) app.use(limiter.byAddress); // behind the preflights, before all work
  app.use(parts.bodyLength);
  app.use(parts.utf8Guard);

  mountDiscovery(app, dependencies);
  const files = createFileRoom();
  app.use("/api", docs(limiter, files), api.router);
  if (consoleFolder !== undefined) {
    app.use(
      "/console",
      createConsole({ folder: consoleFolder, room: files, settings, store, schemes, session, limiter }),
    );
  }
  app.use("/sso", sso(dependencies));
  app.use(parts.contentType);
  app.use(parts.notFound);
  app.use(unavailable());
  if (limiter) app.use(limiter.byFailure, holdRefusals());
  app.use(WEBFINGER_PATH, openErrors);
  app.use(parts.errorFormatter);
  return app;
}

function createBareApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  return app;
}

/** What clients ask for before they know anything else: WebFinger, and the metadata of the API. */
function mountDiscovery(app: Express, { settings, store, routings, outage }: Readonly<AppDependencies>): void {
  const { namespace, issuerHref, issuerRel, resourceAliases, strictHeaders, securityContact: contact } = settings;
  app.use(WEBFINGER_PATH, contentType({ produces: JRD_TYPES, strict: strictHeaders, negotiate: false }));
  app.use(
    webfinger({
      resolve: createWebfingerResolver(createResolver({ store, routings, outage }), issuerHref),
      baseUrl: (req) => getTenant(req).baseUrl,
      title: (req) => getTenant(req).org.name,
      namespace,
      issuerRel,
      resourceAliases,
    }),
  );
  if (contact.length > 0) app.use(securityTxt({ contact }));
  app.use(
    resourceMetadata({
      resource: resourceOf,
      authorizationServers: (req) =>
        [...getTenant(req).trust.accessTokenVerifiers.keys()].flatMap((issuer) => issuer ?? []),
      scopes: SCOPES.map((scope) => scopePrefix(namespace) + scope),
      members: { dpop_signing_alg_values_supported: PROOF_ALGORITHMS },
      cacheControl: "no-store",
    }),
  );
}

/** Data of an org stays out of all caches, those of browsers included. */
const forbidCaching: RequestHandler = function forbidCachingMiddleware(_req, res, next) {
  res.setHeader("Cache-Control", "private, no-store");
  next();
};

/** A page must be able to read also the errors that come before `webfinger()` (rule O4). */
const openErrors: ErrorRequestHandler = function openErrorsMiddleware(error, _req, res, next) {
  if (!res.hasHeader("Access-Control-Allow-Origin")) res.setHeader("Access-Control-Allow-Origin", "*");
  next(error);
};
