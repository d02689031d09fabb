import { z } from "zod";
import { describeZone } from "../audit/describe-change.js";
import type { Zone } from "../model/records.js";
import { ZONE_SHAPE } from "../model/shapes.js";
import { SENT_ZONE } from "../model/sent-shapes.js";
import { namedResources } from "../rest/named.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { ZONES } from "../store/records/resource-tables.js";
import { assertZoneUnused } from "./rule-references.js";
import { createTestGuard } from "./test-guard.js";

const BODY = ZONE_SHAPE.extend({ type: z.literal("IP").exactOptional() }).meta({
  examples: [{ name: "Offices", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }], proxies: [] }],
});

/** Parts of the network. Rules refer to `gateways`; the `X-Forwarded-For` of `proxies` is trusted (rule C3). */
export function zoneResources(dependencies: ApiDependencies): Resource[] {
  return namedResources(
    {
      label: "Zone",
      path: "/zones/:id",
      table: ZONES,
      guard: createTestGuard(dependencies),
      describe: describeZone,
      shape: SENT_ZONE,
      body: BODY,
      build: ({ name, gateways = [], proxies = [] }, base): Zone => ({ type: "IP", name, gateways, proxies, ...base }),
      assertRemovable: assertZoneUnused,
    },
    dependencies,
  );
}
