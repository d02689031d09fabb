import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Provider } from "../discovery/providers.js";
import type { LogEntity } from "../model/records.js";
import { POLICY_NAME } from "../store/contract/rows.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { dayOf, keepDecisions, type DecisionDocument, type NewDecision } from "../store/log/decisions.js";
import { toJson } from "../store/log/events.js";
import type { RoutingDecision } from "../tenancy/routing-cache.js";
import { toLogEntity } from "./describe-change.js";

/** How many decisions a process knows to be in the database: those that were used last. */
export const MAX_KNOWN = 10_000;

/** 66 bits: of a million decisions of an org, two have the same id with a probability of 10⁻⁸. */
const ID_LENGTH = 11;

/** Decisions that are in the database when the transaction is committed. */
interface NotedDecisions {
  /** The id of each, in their order. */
  readonly ids: readonly (string | null)[];
  /** The characters that were written. */
  readonly size: number;
  /** Call it after the commit. */
  readonly commit: () => void;
}

/** Writes decisions, each once for all events that refer to it. */
export interface DecisionLog {
  note(
    transaction: WriteTransaction,
    orgId: string,
    decisions: readonly (RoutingDecision | undefined)[],
  ): Promise<NotedDecisions>;
}

interface KnownDecision {
  readonly id: string;
  /** When the database last noted that it is used. */
  readonly day: string;
}

/** @param orgType the type of the org itself among identity providers */
export function createDecisionLog(orgType: string): DecisionLog {
  const known = new LRUCache<string, KnownDecision>({ max: MAX_KNOWN });

  return {
    async note(transaction, orgId, decisions) {
      const day = dayOf(transaction.now);
      const fresh = new Map<string, NewDecision>();
      const ids = decisions.map((decision) => {
        if (!decision) return null;
        const key = keyOf(decision);
        const found = known.get(key);
        if (found?.day === day) return found.id;
        let made = fresh.get(key);
        if (!made) fresh.set(key, (made = { id: found?.id ?? idOf(key), document: describe(decision, orgType) }));
        return made.id;
      });
      await keepDecisions(
        transaction,
        orgId,
        [...fresh.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
      return {
        ids,
        size: [...fresh.values()].reduce((sum, { document }) => sum + document.length, 0),
        commit() {
          for (const [key, { id }] of fresh) known.set(key, { id, day });
        },
      };
    },
  };
}

/** What decides a decision: names don't change within a revision. So the hash tells of no name that was erased. */
function keyOf({ policyId, revision, answer: { reason, rule, providers, passedOver } }: RoutingDecision): string {
  const key = [policyId, revision, reason, rule.id, ...providers.map(providerIdOf)].join(" ");
  return passedOver ? `${key} without ${passedOver.id}` : key;
}

function idOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, ID_LENGTH);
}

/** The rule that decided, if one did. */
export function ruleIdOf({ answer: { reason, rule } }: RoutingDecision): string | undefined {
  return reason === "no rule" ? undefined : rule.id;
}

/** Empty for the org itself. */
export function providerIdOf(provider: Provider): string {
  return provider === "org" ? "" : provider.id;
}

function describe(decision: RoutingDecision, orgType: string): string {
  const { policyId, revision, answer } = decision;
  const { reason, rule, providers, passedOver } = answer;
  const ruleId = ruleIdOf(decision);
  const target: LogEntity[] = [
    toLogEntity({ id: policyId, name: POLICY_NAME }, "Policy"),
    ...(ruleId === undefined ? [] : [toLogEntity(rule, "PolicyRule")]),
    ...providers.map((provider) =>
      toLogEntity(provider === "org" ? { id: orgType, name: orgType } : provider, "IdentityProvider"),
    ),
  ];
  const debugData = {
    ...{ policyId, revision: String(revision) },
    ...(ruleId !== undefined && { ruleId }),
    reason,
    ...(passedOver && { passedOver: passedOver.id }),
  };
  return toJson<DecisionDocument>({ target, debugContext: { debugData } }).text;
}
