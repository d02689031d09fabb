import type { RoutedIdp, Zone } from "../model/records.js";
import { compileProvidersInSteps, type ActiveProviders, type Issuers } from "./providers.js";
import type { Steps } from "../pace/steps.js";
import { compileZonesInSteps, type ZoneFinder } from "./zones.js";

/** What the rules of an org refer to. */
export interface RoutedRecords {
  /** Each is taken only when the one before is compiled, as are the zones. */
  readonly idps: Iterable<RoutedIdp>;
  readonly zones: Iterable<Zone>;
}

/** The same in the form in which rules and explanations use it. */
export interface CompiledRecords {
  readonly providers: ActiveProviders;
  readonly issuers: Issuers;
  readonly findZones: ZoneFinder;
}

export function* compileRecordsInSteps({ idps, zones }: RoutedRecords): Steps<CompiledRecords> {
  const compiled = yield* compileProvidersInSteps(idps);
  return { ...compiled, findZones: yield* compileZonesInSteps(zones) };
}
