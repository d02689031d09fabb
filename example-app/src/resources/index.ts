import { Router, type Request, type RequestHandler } from "express";
import { apiVersion } from "etiquette/api-version";
import { encodeUri } from "etiquette/link-header";
import { runAtOnce } from "../pace/steps.js";
import { resourceCors } from "../rest/cors.js";
import { createIdempotency } from "../rest/idempotency.js";
import type { DescribedApi, Description } from "../rest/openapi/document.js";
import type { ApiSettings } from "../model/api-settings.js";
import { mountResources, type ApiDependencies, type MountOptions, type Resource } from "../rest/resource.js";
import { createResponseRoom } from "../admission/response-room.js";
import { getTenant } from "../tenancy/tenant.js";
import { apiTokenResources } from "./api-tokens.js";
import { decisionResources } from "./decisions.js";
import { describeVersion, DESCRIPTION_PATH, descriptionResource } from "./description.js";
import { findingResources } from "./findings.js";
import { idpResources } from "./idps.js";
import { logResources } from "./logs.js";
import { orgTransferResources } from "./org-transfer.js";
import { policyResources } from "./policies.js";
import { previewResources } from "./preview.js";
import { revisionResources } from "./revisions/revisions.js";
import { routingTestResources } from "./routing-tests.js";
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
    decisionResources,
    findingResources,
    idpResources,
    logResources,
    orgTransferResources,
    policyResources,
    previewResources,
    revisionResources,
    routingTestResources,
    ruleResources,
    traceResources,
    trustedOriginResources,
    (dependencies) => userResources(USERS_V1, dependencies),
    zoneResources,
  ],
  v2: [(dependencies) => userResources(USERS_V2, dependencies)],
};

/** The management API, below `/api`. `cors` comes before whatever may refuse a request. */
export function createApi(
  dependencies: ApiDependencies,
  identification: Pick<MountOptions, "schemes" | "session">,
): { cors: RequestHandler; router: Router } {
  const { settings, limiter } = dependencies;
  const versions = createResources(dependencies);
  const room = createResponseRoom(settings.unreadBytes);
  const carryOutOnce = createIdempotency(dependencies.store, settings);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(apiVersion({ versions: Object.fromEntries(versions.map(([version]) => [version, {}])) }));
  announceSuccessors(router, new Map(versions), settings);
  for (const [version, resources] of versions) {
    const versionRouter = Router({ caseSensitive: true, strict: true });
    mountResources(versionRouter, resources, { settings, ...identification, limiter, room, carryOutOnce });
    router.use(`/${version}`, versionRouter);
  }
  return { cors: resourceCors(versions, settings), router };
}

/** Let the operations of v1 that v2 has too announce those of v2, and their own end, after which they are 410 (rule N2). */
function announceSuccessors(
  router: Router,
  versions: ReadonlyMap<string, readonly Resource[]>,
  { v1Deprecation: deprecated, v1Sunset: sunset }: ApiSettings,
): void {
  const successor = (req: Request) => encodeUri(`${getTenant(req).baseUrl}/api${req.path.replace("v1", "v2")}`);
  const v1 = { successor, ...(deprecated && { deprecated }), ...(sunset && { sunset }) };
  const announce = apiVersion({ versions: { v1 } });
  for (const operation of findSucceeded(versions)) {
    const [method = "", path = ""] = operation.split(" ");
    router[method.toLowerCase() as "get"](`/v1${path}`, announce);
  }
}

/** The operations of v1 that v2 has too, without the description of v1, whose other operations go on. */
function findSucceeded(versions: ReadonlyMap<string, readonly Resource[]>): Set<string> {
  const [earlier, later] = ["v1", "v2"].map((version) => listOperations(versions.get(version) ?? []));
  return new Set(later?.filter((name) => earlier?.includes(name) === true && !name.endsWith(DESCRIPTION_PATH)));
}

/** `GET /users/:id` and so on. */
export function listOperations(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ path, operations }) => Object.keys(operations).map((method) => `${method} ${path}`));
}

/** All resources, by version. */
export function createResources(dependencies: ApiDependencies): [version: string, resources: Resource[]][] {
  return createApis(dependencies).map((api) => [api.version, [...api.resources, descriptionResource(api)]]);
}

/** The descriptions of all versions. */
export function describeVersions(dependencies: ApiDependencies): Record<string, Description> {
  const described = createApis(dependencies).map((api) => [
    api.version,
    runAtOnce(describeVersion({ ...api, resources: [...api.resources, descriptionResource(api)] })),
  ]);
  return Object.fromEntries(described) as Record<string, Description>;
}

/** All versions, without their descriptions. */
function createApis(dependencies: ApiDependencies): DescribedApi[] {
  const { settings } = dependencies;
  const versions = new Map(
    Object.entries(VERSIONS).map(([version, parts]) => [version, parts.flatMap((part) => part(dependencies))]),
  );
  const succeeded = settings.v1Deprecation || settings.v1Sunset ? findSucceeded(versions) : new Set<string>();
  return Array.from(versions, ([version, resources]) => {
    return { version, resources, settings, deprecated: version === "v1" ? succeeded : new Set() };
  });
}
