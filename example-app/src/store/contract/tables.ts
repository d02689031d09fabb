import { fromIdp, fromTrustedOrigin, fromZone, toIdp, toTrustedOrigin, toZone } from "./rows.js";
import { createTable } from "../records/table.js";

export const IDPS = createTable("idps", toIdp, fromIdp);
export const TRUSTED_ORIGINS = createTable("trusted_origins", toTrustedOrigin, fromTrustedOrigin);
export const ZONES = createTable("zones", toZone, fromZone);
