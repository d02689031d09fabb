import { Router, type RequestHandler } from "express";
import { apiVersion, type VersionLifecycle } from "etiquette/api-version";
import { resourceCors } from "../rest/cors.js";
import { createSchemes } from "../rest/credentials.js";
import { mountResources, type ApiDependencies, type Resource } from "../rest/resource.js";
import { getTenant } from "../tenancy/tenant.js";
import { apiTokenResources } from "./api-tokens.js";
import { idpResources } from "./idps.js";
import { logResources } from "./logs.js";
import { policyResources } from "./policies.js";
import { ruleResources } from "./rules.js";
import { traceResources } from "./trace.js";
import { trustedOriginResources } from "./trusted-origins.js";
import { userResources } from "./users/users.js";
import { USERS_V1, USERS_V2 } from "./users/views.js";
import { zoneResources } from "./zones.js";

/** The resources of each version. */
const VERSIONS: Readonly<Record<string, readonly ((dependencies: ApiDependencies) => Resource[])[]>> = {
  v1: [
    apiTokenResources,
    idpResources,
    logResources,
    policyResources,
    ruleResources,
    traceResources,
    trustedOriginResources,
    (dependencies) => userResources(USERS_V1, dependencies),
    zoneResources,
  ],
  v2: [(dependencies) => userResources(USERS_V2, dependencies)],
};

/** The announcements on every response of a version. From the time of `sunset` on, the version responds with 410. */
const LIFECYCLES: Readonly<Record<string, VersionLifecycle>> = {
  v1: {
    deprecated: new Date("2027-01-01T00:00:00.000Z"),
    sunset: new Date("2037-01-01T00:00:00.000Z"),
    successor: (req) => `${getTenant(req).baseUrl}/api/v2`,
  },
  v2: {},
};

/** The management API, below `/api`. `cors` comes before whatever may refuse a request. */
export function createApi(dependencies: ApiDependencies): { cors: RequestHandler; router: Router } {
  const schemes = createSchemes(dependencies.store, dependencies.settings);
  const versions = createResources(dependencies);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(apiVersion({ versions: LIFECYCLES }));
  for (const [version, resources] of versions) {
    const versionRouter = Router({ caseSensitive: true, strict: true });
    mountResources(versionRouter, resources, { settings: dependencies.settings, schemes });
    router.use(`/${version}`, versionRouter);
  }
  return { cors: resourceCors(versions, dependencies.settings), router };
}

/** All resources, by version. */
export function createResources(dependencies: ApiDependencies): [version: string, resources: Resource[]][] {
  return Object.entries(VERSIONS).map(([version, parts]) => [version, parts.flatMap((part) => part(dependencies))]);
}
