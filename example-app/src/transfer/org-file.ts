import { z } from "zod";
import type { Org } from "../model/records.js";
import { createFileRuleShapes } from "../model/rule-shapes.js";
import { ORG_SHAPE } from "../model/shapes.js";
import { invalid, isObject } from "../rest/body.js";
import { isManaged, KIND_NAMES, KINDS, MANAGED_KINDS, type ManagedKind } from "./kinds.js";
import { ORG_FILE_LIMITS } from "./org-file-limits.js";
import { makeOnce } from "../model/make-once.js";

/** Members of an org that only the operator of the server imports. */
export const OPERATOR_KEYS = ["name", "status", "domains", "policyId", "rateLimits", "issuers"] as const;

/** For the description of the API; an import says more about what is wrong. */
export const createOrgFileShape = makeOnce((orgType: string) => {
  const shapes = createFileRuleShapes(orgType);
  const lists = KIND_NAMES.filter(isManaged).map((kind) => [kind, z.array(KINDS[kind].shape(shapes)).exactOptional()]);
  const org = z.object({
    subdomain: ORG_SHAPE.shape.subdomain.describe("Of the org itself."),
    name: ORG_SHAPE.shape.name.exactOptional(),
    policyId: ORG_SHAPE.shape.policyId,
    signInUrl: ORG_SHAPE.shape.signInUrl.describe("Where the org itself signs people in; null if nowhere."),
    whenProfileUnavailable: ORG_SHAPE.shape.whenProfileUnavailable.describe("As the policy has it."),
    ...(Object.fromEntries(lists) as Record<ManagedKind, z.ZodType>),
    defaultRule: shapes.defaultRule.exactOptional(),
  });
  return z.object({ orgs: z.array(org).min(1).max(1) });
});

/**
 * The file, with the name of the org if it has none.
 *
 * @throws {ApiError} E0000001 when the file has more records than {@link ORG_FILE_LIMITS} allow, or is not one of this org
 */
export function completeOrgFile(document: unknown, { subdomain, name }: Pick<Org, "subdomain" | "name">): unknown {
  const orgs = isObject(document) ? document["orgs"] : undefined;
  if (!isObject(document) || !Array.isArray(orgs)) return document; // the fault is reported with the others
  const [org] = orgs as readonly unknown[];
  if (orgs.length !== 1) throw invalid([["orgs", `must have one org, ${subdomain}; this has ${orgs.length}`]]);
  if (!isObject(org)) return document;
  if (org["subdomain"] !== subdomain)
    throw invalid([["orgs[0].subdomain", `must be ${subdomain}, the org of this host`]]);
  const count = MANAGED_KINDS.reduce((sum, kind) => sum + lengthOf(org[kind]), 0);
  if (count > ORG_FILE_LIMITS.records) {
    const more = "the operator of the server can import more, with the command import";
    throw invalid([["orgs[0]", `has ${count} records; at most ${ORG_FILE_LIMITS.records} are allowed here: ${more}`]]);
  }
  return { ...document, orgs: [{ name, ...org }] };
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
