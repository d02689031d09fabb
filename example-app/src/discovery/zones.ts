import { compileIpRanges } from "etiquette/ip-ranges";
import type { Zone } from "../model/records.js";
import { ALL_ZONES } from "../model/shapes.js";

/** Whether an address is in the gateways of one of the zones. False for an unknown address. */
export type ZonePredicate = (address: string | undefined) => boolean;

/**
 * A function that compiles a list of zone ids, or `ALL_ZONES`, to a predicate over their gateways. Rules with the same
 * zones share one. Inactive and unknown zones contain no address.
 */
export function createZoneCompiler(zones: readonly Zone[]): (ids: readonly string[]) => ZonePredicate {
  const active = zones.filter(({ status }) => status === "ACTIVE");
  const compiled = new Map<string, ZonePredicate>();

  return function compileZoneList(ids) {
    const key = JSON.stringify(ids);
    let predicate = compiled.get(key);
    if (!predicate) {
      const named = ids.includes(ALL_ZONES) ? active : active.filter(({ id }) => ids.includes(id));
      predicate = compileIpRanges(named.flatMap(({ gateways }) => gateways.map(({ value }) => value)));
      compiled.set(key, predicate);
    }
    return predicate;
  };
}
