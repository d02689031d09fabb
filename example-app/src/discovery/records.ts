import type { Zone } from "../model/records.js";
import { findActiveProviders, type ActiveProviders, type RoutedIdp } from "./providers.js";
import type { Steps } from "../pace/steps.js";
import { compileZonesInSteps, type ZoneFinder } from "./zones.js";

/** What the rules of an org refer to. */
export interface RoutedRecords {
  readonly idps: readonly RoutedIdp[];
  /** Each is taken only when the one before is compiled. */
  readonly zones: Iterable<Zone>;
}

/** The same in the form in which rules and explanations use it. */
export interface CompiledRecords {
  readonly providers: ActiveProviders;
  readonly findZones: ZoneFinder;
}

export function* compileRecordsInSteps({ idps, zones }: RoutedRecords): Steps<CompiledRecords> {
  const providers = findActiveProviders(idps);
  yield idps.length;
  return { providers, findZones: yield* compileZonesInSteps(zones) };
}
