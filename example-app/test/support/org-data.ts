import {
  readIdps,
  readIssuers,
  readOriginsByScope,
  readRevision,
  readRules,
  readZones,
} from "../../src/store/records/queries.js";
import type { Store } from "../../src/store/store.js";

/** The records of an org, of the rules the active ones. */
export function readOrgData(store: Store, orgId: string) {
  return store.read(async (db) => ({
    revision: await readRevision(db, orgId),
    rules: await readRules(db, orgId, "ACTIVE"),
    idps: await readIdps(db, orgId),
    zones: await readZones(db, orgId),
    trustedOrigins: (await readOriginsByScope(db, orgId)).CORS,
    issuers: await readIssuers(db, orgId),
  }));
}
