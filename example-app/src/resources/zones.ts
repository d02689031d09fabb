import { z } from "zod";
import type { Zone } from "../model/records.js";
import { ZONE_SHAPE } from "../model/shapes.js";
import { recordResources } from "../rest/records.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { fromZone, toZone } from "../store/rows.js";
import { assertZoneUnused } from "./rule-references.js";

const SHAPE = ZONE_SHAPE.extend({ type: z.literal("IP").exactOptional() });

/** Parts of the network: `gateways` are what rules ask for, `proxies` whose `X-Forwarded-For` is believed (rule C3). */
export function zoneResources(dependencies: ApiDependencies): Resource[] {
  return recordResources(
    {
      name: "zones",
      table: "zones",
      label: "Zone",
      eventType: "zone",
      shape: SHAPE,
      build: ({ name, gateways = [], proxies = [] }): Pick<Zone, "type" | "name" | "gateways" | "proxies"> => ({
        type: "IP",
        name,
        gateways,
        proxies,
      }),
      toRecord: toZone,
      fromRecord: fromZone,
      async assertChange(transaction, orgId, before, after) {
        if (before && !after) await assertZoneUnused(transaction, orgId, before.id);
      },
    },
    dependencies,
  );
}
