import type { Request, RequestHandler } from "express";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import { describeShadow } from "../discovery/analysis/analyse.js";
import { applyChange, findNewlyShadowed } from "../discovery/analysis/change.js";
import type { Shadows } from "../discovery/analysis/unreachable.js";
import type { RuleChange } from "../discovery/changed-routing.js";
import { apiError, type ApiError } from "../model/api-error.js";
import { assertOneOf } from "../rest/body.js";
import { plainParameters } from "../rest/query.js";
import type { ApiDependencies } from "../rest/resource.js";
import { readRoutingData } from "../store/records/routing-data.js";
import { findLastPriority } from "../store/records/rule-order.js";
import type { Db } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import type { AnalysedOrg } from "../tenancy/analysis-cache.js";
import { getTenant } from "../tenancy/tenant.js";

/** The rules that an error names. */
const MAX_NAMED = 20;

const FLAG = z.enum(["true", "false"]);
const PARAMETER = "allowShadowing";

/** Refuses changes of rules after which another rule can't be reached any more. */
export function createShadowGuard({ analyses }: Pick<ApiDependencies, "analyses">) {
  const prepare: RequestHandler = async (req, _res, next) => {
    isAllowed(req); // a wrong value is told before anything is read
    await analyses.get(getTenant(req).org.id); // so that the transaction has nothing to read
    next();
  };

  return {
    writes: {
      handlers: [prepare],
      query: [
        plainParameters({
          [PARAMETER]: {
            shape: FLAG,
            description: "Whether the change may make other rules unreachable. By default it may not.",
          },
        }),
      ],
    },

    isAllowed,

    /**
     * Call it in the transaction that makes the change, before the change.
     *
     * @throws {ApiError} E0009101 with the rules that could be reached before, unless that `isAllowed`
     */
    async follow(transaction: WriteTransaction, orgId: string, change: RuleChange, isAllowed: boolean): Promise<void> {
      const { analysed, revision } = await analyseNow(transaction, orgId);
      const placed = await placeChange(transaction.db, orgId, change);
      const policy = await analysed.run(applyChange(analysed.policy, placed));
      if (!isAllowed && placed.after) {
        const shadows = await analysed.run(findNewlyShadowed(analysed.policy, policy, placed.after.id));
        if (shadows.size > 0) throw shadowing(shadows);
      }
      transaction.onCommit(() => {
        analyses.advance(orgId, analysed.at(revision, policy));
      });
    },
  };

  /** The policy before the change, and the revision that the transaction makes. */
  async function analyseNow(
    { db, touch }: WriteTransaction,
    orgId: string,
  ): Promise<{ analysed: AnalysedOrg; revision: number }> {
    const revision = await touch(orgId);
    const known = await analyses.get(orgId);
    if (known?.revision === revision - 1) return { analysed: known, revision };
    const data = await readRoutingData(db, orgId);
    if (!data) throw new Error(`The org ${orgId} does not exist`);
    return { analysed: await analyses.analyse(orgId, data), revision: data.revision };
  }
}

/** The change with the priorities that it results in. */
export async function placeChange(db: Db, orgId: string, { before, after }: RuleChange): Promise<RuleChange> {
  if (!after || after.system) return { before, after };
  const last = await findLastPriority(db, orgId);
  return { before, after: { ...after, priority: Math.min(after.priority, before ? last - 1 : last) } };
}

function isAllowed(req: Request): boolean {
  const text = getQuery(req).get(PARAMETER) ?? "false";
  assertOneOf(PARAMETER, text, FLAG.options);
  return text === "true";
}

function shadowing(shadows: Shadows): ApiError {
  const all = [...shadows].flatMap(([rule, [by, ...others]]) => (by ? [describeShadow(rule, by, others.length)] : []));
  const causes = all.slice(0, MAX_NAMED);
  if (all.length > MAX_NAMED) causes.push(`${all.length - MAX_NAMED} more rules can't be reached any more.`);
  causes.push(`To make the change nevertheless, send ${PARAMETER}=true.`);
  return apiError("E0009101", { type: "rule.shadowing", causes });
}
