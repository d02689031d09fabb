import type { Request, RequestHandler } from "express";
import { formatLink, withLinks } from "etiquette/links";
import { getPage, type CursorKey, type Page } from "etiquette/pagination";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import { FINDING_TYPES, type Finding } from "../discovery/analysis/analyse.js";
import { excerpt } from "../model/faults.js";
import { ID_REGEXP } from "../model/ids.js";
import { assertOneOf, invalid } from "../rest/body.js";
import { listPages } from "../rest/list.js";
import { plainParameters } from "../rest/query.js";
import { findRecord } from "../rest/reading.js";
import { linksShape, urlOf } from "../rest/resource-type.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { getTenant } from "../tenancy/tenant.js";
import { FINDING_SHAPE, presentFinding } from "./finding-shapes.js";
import { POLICY } from "./policies.js";
import { RULE } from "./rules.js";

const PARAMETERS = plainParameters({
  type: { shape: z.enum(FINDING_TYPES), description: "Only those of this type." },
  ruleId: { shape: z.string(), description: "Only those about this rule." },
});

/** Findings about the rules of a policy, see docs/reference/api/findings.md. */
export function findingResources({ store, settings, analyses }: ApiDependencies): Resource[] {
  const list: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const isWanted = readFilter(req);
    await store.forOrg(org.id).query((db) => findRecord(POLICY, db, req));
    const analysed = await analyses.get(org.id);
    const found = (await analysed?.findings()) ?? [];
    const page = getPage(req);
    const findings = page.take(selectPage(found.filter(isWanted), page), placeOf);
    res.json(
      findings.map((finding) =>
        withLinks(presentFinding(finding), { rule: formatLink(urlOf(RULE, req, finding.rule)) }),
      ),
    );
  };

  return [
    {
      path: `${POLICY.path}/findings`,
      operations: {
        GET: {
          id: "listPolicyFindings",
          summary: "List findings about the rules of a policy",
          scope: "policies.read",
          query: [
            PARAMETERS,
            listPages(settings, {
              resource: "findings",
              context: (req) => ({ filter: JSON.stringify(["type", "ruleId"].map((name) => getQuery(req).get(name))) }),
            }),
          ],
          sent: {
            content: {
              name: "PolicyFindingList",
              shape: z.array(FINDING_SHAPE.extend({ _links: linksShape([], ["rule"]) }).meta({ id: "PolicyFinding" })),
            },
          },
          handlers: [list],
        },
      },
    },
  ];
}

function readFilter(req: Request): (finding: Finding) => boolean {
  const query = getQuery(req);
  const type = query.get("type");
  const ruleId = query.get("ruleId");
  if (type !== undefined) assertOneOf("type", type, FINDING_TYPES);
  if (ruleId !== undefined && !ID_REGEXP.test(ruleId)) {
    throw invalid([["ruleId", `must be the id of a rule, not ${excerpt(ruleId)}`]]);
  }
  return (finding) =>
    (type === undefined || finding.type === type) && (ruleId === undefined || finding.rule.id === ruleId);
}

/** By priority; two findings about a rule differ in their types. */
function placeOf({ type, rule }: Finding): CursorKey[] {
  return [rule.priority, FINDING_TYPES.indexOf(type)];
}

/** The findings after, or before, the place of a page, nearest first, and one more than it has. */
function selectPage(findings: readonly Finding[], { after, before, fetchLimit }: Page): Finding[] {
  if (after) return findings.filter((finding) => compare(finding, after) > 0).slice(0, fetchLimit);
  if (!before) return findings.slice(0, fetchLimit);
  const earlier = findings.filter((finding) => compare(finding, before) < 0);
  return earlier.reverse().slice(0, fetchLimit);
}

function compare(finding: Finding, place: readonly CursorKey[]): number {
  const [priority = 0, type = 0] = placeOf(finding).map(Number);
  return priority - Number(place[0]) || type - Number(place[1]);
}
