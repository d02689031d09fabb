import { fromIdp, fromTrustedOrigin, fromZone, toIdp, toTrustedOrigin, toZone } from "../contract/rows.js";
import { createTable } from "./table.js";

export const IDPS = createTable("idps", toIdp, fromIdp);
export const TRUSTED_ORIGINS = createTable("trusted_origins", toTrustedOrigin, fromTrustedOrigin);
export const ZONES = createTable("zones", toZone, fromZone);
