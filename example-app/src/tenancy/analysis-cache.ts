import { analyseInSteps, type Finding } from "../discovery/analysis/analyse.js";
import { compilePolicyInSteps, type AnalysedPolicy } from "../discovery/analysis/policy.js";
import type { StepsRunner } from "../pace/steps.js";
import { createStepsRunner, createTurns, type Turns } from "../pace/slices.js";
import type { RoutingData } from "../store/records/routing-data.js";
import type { Store } from "../store/store.js";
import { createRevalidatingCache, type RevalidatingCache } from "./revalidating-cache.js";
import { MAX_AGE_MS, MAX_ORGS } from "./routing-cache.js";

/** The policy of an org in the form in which its rules are compared, at one revision. */
export interface AnalysedOrg {
  readonly revision: number;
  readonly policy: AnalysedPolicy;
  /** The approximate memory that it takes. */
  readonly bytes: number;
  /** Does work in turn with that of other orgs. */
  readonly run: StepsRunner;
  /** By priority. Found when first asked for. */
  findings(): Promise<readonly Finding[]>;
  /** Another version, with the same turns. */
  at(revision: number, policy: AnalysedPolicy): AnalysedOrg;
}

export interface AnalysisCache extends Pick<RevalidatingCache<string, AnalysedOrg>, "get" | "expire"> {
  /** Analyse data that was just read. */
  analyse(orgId: string, data: RoutingData): Promise<AnalysedOrg>;
  /** Keep what a change of one rule made of a policy, so that the other rules need not be read again. */
  advance(orgId: string, analysed: AnalysedOrg): void;
}

export interface AnalysisCacheOptions {
  readonly store: Pick<Store, "currentRevision" | "hears" | "loadRoutingData">;
  readonly maxBytes: number;
  /** @default createTurns() */
  readonly turns?: Turns;
}

/** What the findings about a rule take, in bytes. */
const FINDING_BYTES = 600;

/** The policies that changed since they were asked for last, at most. They take no memory of their own but for one rule each. */
const MAX_ADVANCED = 100;

export function createAnalysisCache({ store, maxBytes, turns = createTurns() }: AnalysisCacheOptions): AnalysisCache {
  const advanced = new Map<string, AnalysedOrg>();
  const cache = createRevalidatingCache<string, AnalysedOrg>({
    maxEntries: MAX_ORGS,
    maxBytes,
    maxAge: MAX_AGE_MS,
    hears: () => store.hears(),
    orgOf: (orgId) => orgId,
    sizeOf: (_, analysed) => analysed?.bytes ?? 0,
    async load(orgId, known) {
      const revision = await store.currentRevision(orgId);
      const changed = advanced.get(orgId);
      advanced.delete(orgId);
      const current = [changed, known].find((each) => each?.revision === revision);
      if (current) return current;
      const data = await store.loadRoutingData(orgId);
      return data && analyse(orgId, data);
    },
  });

  return {
    get: (orgId) => cache.get(orgId),
    expire(orgId) {
      cache.expire(orgId);
    },
    analyse,
    advance(orgId, analysed) {
      if (advanced.size >= MAX_ADVANCED) advanced.clear();
      advanced.set(orgId, analysed);
    },
  };

  async function analyse(orgId: string, data: RoutingData): Promise<AnalysedOrg> {
    const run = createStepsRunner(turns(orgId));
    const policy = await run(compilePolicyInSteps(data));
    const bytes = data.bytes + FINDING_BYTES * policy.rules.length;
    return createAnalysedOrg({ revision: data.revision, policy, bytes, run });
  }
}

function createAnalysedOrg(facts: Pick<AnalysedOrg, "revision" | "policy" | "bytes" | "run">): AnalysedOrg {
  let found: Promise<readonly Finding[]> | undefined;
  return {
    ...facts,
    findings: () => (found ??= facts.run(analyseInSteps(facts.policy))),
    at: (revision, policy) => createAnalysedOrg({ ...facts, revision, policy }),
  };
}
