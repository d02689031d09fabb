import type { Request, RequestHandler } from "express";
import { formatLink } from "etiquette/links";
import { getQuery } from "etiquette/query-parameters";
import { getEntityTag } from "etiquette/weak-etag";
import { z } from "zod";
import { recordEvents } from "../audit/change-events.js";
import { describePolicy } from "../audit/describe-change.js";
import { apiError } from "../model/api-error.js";
import type { Policy } from "../model/records.js";
import { PROFILE_POLICY_SHAPE } from "../model/shapes.js";
import { SENT_POLICY } from "../model/sent-shapes.js";
import { assertOneOf, parseBody } from "../rest/body.js";
import { shapeOf, type ReadableResourceType } from "../rest/resource-type.js";
import { plainParameters } from "../rest/query.js";
import { accessOf, entityTag, findRecord, readResources, send, tagged } from "../rest/reading.js";
import { json, type ApiDependencies, type Operation, type Resource } from "../rest/resource.js";
import { lockOrg, POLICIES, updatePolicy } from "../store/records/orgs.js";
import { getTenant } from "../tenancy/tenant.js";
import type { OrgRow } from "../store/contract/schema.js";

const BODY_SHAPE = z.object({ whenProfileUnavailable: PROFILE_POLICY_SHAPE.exactOptional() });

export const POLICY_TYPE = "IDP_DISCOVERY";

export const POLICY: ReadableResourceType<OrgRow, Policy> = {
  label: "Policy",
  path: "/policies/:policyId",
  cors: ["read"],
  table: POLICIES,
  shape: SENT_POLICY,
  query: [
    plainParameters({
      type: { shape: z.literal(POLICY_TYPE), description: "The only type that there is.", isRequired: true },
    }),
  ],
  select(req) {
    assertType(req);
    return { order: [{ column: "policy_id" }] };
  },
  links: (_policy, url) => ({
    rules: formatLink(`${url}/rules`),
    revisions: formatLink(`${url}/revisions`),
    findings: formatLink(`${url}/findings`),
    trace: formatLink(`${url}/trace`),
    preview: formatLink(`${url}/preview`, { method: "post" }),
    decisions: formatLink(`${url}/decisions`),
    routingTests: formatLink(`${url}/routingTests`),
  }),
  relations: ["rules", "revisions", "findings", "trace", "preview", "decisions", "routingTests"],
};

/** The discovery policy. Every org has exactly one. */
export function policyResources(dependencies: ApiDependencies): Resource[] {
  const resources = readResources(POLICY, dependencies);
  const replace: Operation = {
    ...accessOf(POLICY, "manage"),
    id: "replacePolicy",
    summary: "Replace a policy",
    bodies: json("PolicyInput", BODY_SHAPE),
    sent: { content: shapeOf(POLICY), isTagged: true },
    handlers: [entityTag(POLICY), createReplace(dependencies)],
  };
  return resources.map((resource) =>
    resource.path === POLICY.path ? { ...resource, operations: { ...resource.operations, PUT: replace } } : resource,
  );
}

function createReplace({ store }: Pick<ApiDependencies, "store">): RequestHandler {
  return async function replacePolicy(req) {
    const { whenProfileUnavailable = "UNAVAILABLE" } = parseBody(BODY_SHAPE, req.body);
    const { org } = getTenant(req);
    const policy = await store.forOrg(org.id).write(async (transaction) => {
      await lockOrg(transaction, org.id);
      const before = await findRecord(POLICY, transaction.db, req);
      getEntityTag(req).assert(tagged(POLICY, before));
      const after = { ...before, whenProfileUnavailable, lastUpdated: transaction.now };
      await updatePolicy(transaction, org.id, after);
      await recordEvents(req, transaction, [describePolicy("update", after)]);
      return after;
    });
    send(POLICY, req, policy);
  };
}

function assertType(req: Request): void {
  const type = getQuery(req).get("type");
  if (type === undefined) {
    const causes = [`The query parameter "type" is required: ${POLICY_TYPE}.`];
    throw apiError("E0000028", { type: "query.missing", causes });
  }
  assertOneOf("type", type, [POLICY_TYPE]);
}
