import {
  fromIdp,
  fromRoutingTest,
  fromTrustedOrigin,
  fromZone,
  toIdp,
  toRoutingTest,
  toTrustedOrigin,
  toZone,
} from "../contract/rows.js";
import { createTable } from "./table.js";

export const IDPS = createTable("idps", toIdp, fromIdp);
export const ROUTING_TESTS = createTable("routing_tests", toRoutingTest, fromRoutingTest);
export const TRUSTED_ORIGINS = createTable("trusted_origins", toTrustedOrigin, fromTrustedOrigin);
export const ZONES = createTable("zones", toZone, fromZone);
