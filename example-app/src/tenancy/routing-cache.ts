import { compileRoutingInSteps, type Answer, type Routing } from "../discovery/compile-routing.js";
import { compileRecordsInSteps, type CompiledRecords } from "../discovery/records.js";
import type { ProfilePolicy } from "../model/profile-policies.js";
import type { Steps, StepsRunner } from "../pace/steps.js";
import type { RoutingData } from "../store/records/routing-data.js";
import type { Store } from "../store/store.js";
import type { Outage } from "./outage.js";
import { createRevalidatingCache, type RevalidatingCache } from "./revalidating-cache.js";
import { createStepsRunner, createTurns, runInSlices, type Sliced, type Turns } from "../pace/slices.js";

/** Number of orgs that each cache keeps, if they fit into its memory. */
export const MAX_ORGS = 10_000;

/** Limits the effect of a lost change notice: what is cached is revalidated after this time. */
export const MAX_AGE_MS = 5_000;

/** Compiled rules of one org at one revision. */
export interface CompiledRouting {
  readonly policyId: string;
  readonly revision: number;
  readonly whenProfileUnavailable: ProfilePolicy;
  readonly route: Routing;
  /** What its rules refer to. */
  readonly records: CompiledRecords;
  /** Does work that it makes in turn with that of other orgs. */
  readonly run: StepsRunner;
  /** The approximate memory that it takes. */
  readonly bytes: number;
}

/** What the rules of an org decided for a request. */
export interface RoutingDecision extends Pick<CompiledRouting, "policyId" | "revision"> {
  readonly answer: Answer;
}

/** The compiled routing by org id. */
export type RoutingCache = RevalidatingCache<string, CompiledRouting>;

export interface OrgCacheOptions {
  maxBytes: number;
  outage?: Outage | undefined;
  /** @default createTurns() */
  turns?: Turns;
  /** Called when rules were compiled. */
  report?: (facts: Readonly<{ orgId: string; revision: number } & Omit<Sliced<Routing>, "value">>) => void;
}

export interface RoutingCacheOptions extends OrgCacheOptions {
  /**
   * The current time, in milliseconds.
   *
   * @default performance.now
   */
  now?: () => number;
  store: Pick<Store, "currentRevision" | "hears" | "loadRoutingData">;
}

/**
 * Compile the rules of an org when WebFinger first asks for them, and again only when it asks after the revision has
 * changed: several changes in a row cost nothing more than the last one. Other requests go on between the slices.
 */
export function createRoutingCache(options: Readonly<RoutingCacheOptions>): RoutingCache {
  const { store, maxBytes, outage, turns = createTurns(), report, now } = options;
  return createRevalidatingCache({
    maxEntries: MAX_ORGS,
    maxBytes,
    maxAge: MAX_AGE_MS,
    hears: () => store.hears(),
    outage,
    ...(now && { now }),
    orgOf: (orgId) => orgId,
    sizeOf: (_, routing) => routing?.bytes ?? 0,
    async load(orgId, known: CompiledRouting | undefined) {
      if (known && (await store.currentRevision(orgId)) === known.revision) return known;
      const data = await store.loadRoutingData(orgId);
      if (!data) return undefined;
      const { policyId, revision, whenProfileUnavailable, bytes } = data;
      const run = createStepsRunner(turns(orgId));
      const { value: compiled, slices, longest } = await runInSlices(compileInSteps(data, run), turns(orgId));
      report?.({ orgId, revision, slices, longest });
      return { policyId, revision, whenProfileUnavailable, ...compiled, run, bytes };
    },
  });
}

/** Compile the rules of an org, and what they refer to. */
export function* compileInSteps(
  data: Pick<RoutingData, "rules" | "idps" | "zones">,
  run: StepsRunner,
): Steps<Pick<CompiledRouting, "route" | "records">> {
  const records = yield* compileRecordsInSteps(data);
  return { records, route: yield* compileRoutingInSteps({ rules: data.rules, records }, run) };
}
