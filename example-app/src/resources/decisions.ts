import type { Request, RequestHandler } from "express";
import { formatDate } from "etiquette/dates";
import { compileNamespace } from "etiquette/namespace";
import { getPage, type CursorKey } from "etiquette/pagination";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import { ID_REGEXP } from "../model/ids.js";
import { DATE, ID } from "../model/sent-shapes.js";
import { departureOf } from "../pace/departure.js";
import { invalid } from "../rest/body.js";
import { listPages } from "../rest/list.js";
import { plainParameters, type QueryParameter } from "../rest/query.js";
import { accessOf, findRecord } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import {
  findCounted,
  readCounts,
  type CountedNames,
  type CountedPair,
  type HourRange,
} from "../store/log/decision-counts.js";
import { getTenant } from "../tenancy/tenant.js";
import { readDate } from "./logs-query.js";
import { POLICY } from "./policies.js";

type Place = Pick<CountedPair, "rule_id" | "provider_id">;

const HOUR_MS = 3_600_000;

const PARAMETERS: Readonly<Record<string, QueryParameter>> = {
  since: { shape: DATE, description: "The beginning, cut to the hour; by default a day before the end." },
  until: { shape: DATE, description: "The end, exclusive, rounded up to the hour; by default now." },
  ruleId: { shape: ID, description: "Only those of this rule." },
};

const ABSENT = "None if it was removed.";

const COUNT = z
  .object({
    rule: z.object({ id: ID, name: z.string().exactOptional().describe(ABSENT) }),
    provider: z
      .object({
        type: z.string().exactOptional().describe(ABSENT),
        id: ID.exactOptional(),
        name: z.string().exactOptional().describe(ABSENT),
      })
      .describe("The first that the rule selected; the one without id is the org itself."),
    count: z.int().min(1),
    last: DATE.describe("The last decision, at most until the end of the last day."),
  })
  .meta({ id: "DecisionCount" });

/** Counts what the rules of a policy decided, see docs/reference/api/policies.md. */
export function decisionResources({ store, settings }: ApiDependencies): Resource[] {
  const { value: orgType } = compileNamespace("decisions", settings.namespace);

  const list: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const range = readRange(req, Date.now());
    const ruleId = readRuleId(req);
    const page = getPage(req);
    const { after, fetchLimit: limit } = page;
    const { found, names } = await store.forOrg(org.id, departureOf(res)).read(async (db) => {
      await findRecord(POLICY, db, req);
      const found = await readCounts(db, org.id, { ...range, ruleId, after: placeOf(after), limit });
      return { found, names: await findCounted(db, org.id, found.rows) };
    });
    const rows = page.take(found.rows, keysOf, found.end && keysOf(found.end));
    res.json(rows.map((row) => present(row, names, orgType)));
  };

  return [
    {
      path: `${POLICY.path}/decisions`,
      operations: {
        GET: {
          ...accessOf(POLICY, "read"),
          id: "listDecisionCounts",
          summary: "Count the decisions of rules",
          query: [
            plainParameters(PARAMETERS),
            listPages(settings, {
              resource: "decisions",
              context: (req) => ({
                filter: JSON.stringify(Object.keys(PARAMETERS).map((name) => getQuery(req).get(name))),
              }),
              prev: false,
            }),
          ],
          sent: { content: { name: "DecisionCountList", shape: z.array(COUNT) } },
          handlers: [list],
        },
      },
    },
  ];
}

/** One key, because the last key of a row must be unique. */
const keysOf = ({ rule_id: ruleId, provider_id: providerId }: Place) => [`${ruleId} ${providerId}`];

function placeOf(keys: readonly CursorKey[] | undefined): Place | undefined {
  const [ruleId = "", providerId = ""] = String(keys?.[0]).split(" ");
  return keys && { rule_id: ruleId, provider_id: providerId };
}

function present({ rule_id: ruleId, provider_id: id, count, last }: CountedPair, names: CountedNames, orgType: string) {
  const provider = id === "" ? { type: orgType } : { id, ...names.providers.get(id) };
  return { rule: { id: ruleId, ...names.rules.get(ruleId) }, provider, count, last };
}

/** Whole hours. There are no decisions later than now, and no counts of long ago. */
function readRange(req: Request, now: number): HourRange {
  const query = getQuery(req);
  const until = Math.min(now, Date.parse(readDate(query, "until") ?? formatDate(now)));
  const since = Date.parse(readDate(query, "since") ?? formatDate(Math.max(until - 24 * HOUR_MS, 0)));
  if (since > until) throw invalid([["since", `is later than until, which is ${formatDate(until)}`]]);
  return {
    since: formatDate(Math.floor(since / HOUR_MS) * HOUR_MS),
    until: formatDate(Math.ceil(until / HOUR_MS) * HOUR_MS),
  };
}

function readRuleId(req: Request): string | undefined {
  const ruleId = getQuery(req).get("ruleId");
  if (ruleId === undefined || ruleId === "") return undefined;
  if (!ID_REGEXP.test(ruleId)) throw invalid([["ruleId", "must be the id of a rule"]]);
  return ruleId;
}
