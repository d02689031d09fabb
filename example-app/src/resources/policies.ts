import type { Request, RequestHandler } from "express";
import { formatLink, formatPath, withLinks } from "etiquette/links";
import { getPage } from "etiquette/pagination";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { apiError } from "../model/api-error.js";
import { excerpt } from "../model/faults.js";
import type { Policy } from "../model/records.js";
import { invalid } from "../rest/body.js";
import { listPages } from "../rest/list.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { toPolicy } from "../store/rows.js";
import type { Db } from "../store/schema.js";
import { getTenant } from "../tenancy/tenant.js";

export const POLICY_TYPE = "IDP_DISCOVERY";

/** The discovery policy, which every org has one of. */
export function policyResources({ store, settings }: ApiDependencies): Resource[] {
  const list: RequestHandler = async (req, res) => {
    const type = getQuery(req).get("type");
    if (type === undefined) {
      const causes = [`The query parameter "type" is required: ${POLICY_TYPE}.`];
      throw apiError("E0000028", { type: "query.missing", causes });
    }
    if (type !== POLICY_TYPE) throw invalid([["type", `must be ${POLICY_TYPE}, not ${excerpt(type)}`]]);
    const page = getPage(req);
    const policy = await readPolicy(store.reader, req);
    res.json(
      page
        .take([policy], ({ id }) => [id])
        .map((found) => withLinks(found, { self: formatLink(policyUrl(req, found.id)) })),
    );
  };

  const get: RequestHandler = async (req, res) => {
    const policy = await findPolicy(store.reader, req);
    const url = policyUrl(req, policy.id);
    res.json(
      withLinks(policy, {
        self: formatLink(url),
        rules: formatLink(`${url}/rules`),
        trace: formatLink(`${url}/trace`),
      }),
    );
  };

  return [
    {
      path: "/policies",
      operations: {
        GET: {
          scope: "policies.read",
          handlers: [queryParameters({ single: ["type"] }), listPages(settings, { resource: "policies" }), list],
        },
      },
    },
    { path: "/policies/:policyId", operations: { GET: { scope: "policies.read", handlers: [get] } } },
  ];
}

/** @throws {ApiError} E0000007 when the policy in the path is not the org's own */
export async function findPolicy(db: Db, req: Request): Promise<Policy> {
  const id = String(req.params["policyId"]);
  const policy = await readPolicy(db, req);
  if (policy.id !== id) throw resourceNotFound(id, "Policy");
  return policy;
}

export function policyUrl(req: Request, policyId: string): string {
  return formatPath(`${getTenant(req).baseUrl}/api/v1/policies`, policyId);
}

async function readPolicy(db: Db, req: Request): Promise<Policy> {
  const { id } = getTenant(req).org;
  return toPolicy(await db.selectFrom("orgs").selectAll().where("id", "=", id).executeTakeFirstOrThrow());
}
