import type { Request } from "express";
import { formatLink } from "etiquette/links";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import { apiError } from "../model/api-error.js";
import type { Policy } from "../model/records.js";
import { SENT_POLICY } from "../model/sent-shapes.js";
import { assertOneOf } from "../rest/body.js";
import type { ReadableResourceType } from "../rest/resource-type.js";
import { plainParameters } from "../rest/query.js";
import { readResources } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { POLICIES } from "../store/records/orgs.js";
import type { OrgRow } from "../store/contract/schema.js";

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
  return readResources(POLICY, dependencies);
}

function assertType(req: Request): void {
  const type = getQuery(req).get("type");
  if (type === undefined) {
    const causes = [`The query parameter "type" is required: ${POLICY_TYPE}.`];
    throw apiError("E0000028", { type: "query.missing", causes });
  }
  assertOneOf("type", type, [POLICY_TYPE]);
}
