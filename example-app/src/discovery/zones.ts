import { compileIpRanges } from "etiquette/ip-ranges";
import type { Zone } from "../model/records.js";
import type { Steps } from "../pace/steps.js";

export type FoundZone = Pick<Zone, "id" | "name">;

/** The active zones whose gateways contain an address, in the given order; none for an unknown address. */
export type ZoneFinder = (address: string | undefined) => readonly FoundZone[];

/** What each range of a zone costs, see {@link Steps}. */
const RANGE_COST = 4;

/** Compile zones, each once, whatever number of rules names it. */
export function* compileZonesInSteps(zones: Iterable<Zone>): Steps<ZoneFinder> {
  const compiled: { zone: FoundZone; holds: (address: string | undefined) => boolean }[] = [];
  for (const { id, name, status, gateways, proxies } of zones) {
    yield 1 + proxies.length;
    if (status !== "ACTIVE") continue;
    compiled.push({ zone: { id, name }, holds: compileIpRanges(gateways.map(({ value }) => value)) });
    yield gateways.length * RANGE_COST;
  }
  return (address) => compiled.filter(({ holds }) => holds(address)).map(({ zone }) => zone);
}
