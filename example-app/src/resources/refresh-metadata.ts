import type { Request, RequestHandler } from "express";
import { getEntityTag } from "etiquette/weak-etag";
import { recordEvents } from "../audit/change-events.js";
import type { MetadataRefresher, Refresh } from "../metadata/refresher.js";
import { apiError, type ApiError } from "../model/api-error.js";
import type { Idp } from "../model/records.js";
import { departureOf } from "../pace/departure.js";
import type { Turns } from "../pace/turns.js";
import { invalid } from "../rest/body.js";
import type { CrudEvent } from "../rest/crud.js";
import { accessOf, entityTag, findRecord, resourceNotFound, send, tagged } from "../rest/reading.js";
import { shapeOf, type ResourceType } from "../rest/resource-type.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { quotaExceeded } from "../rest/writing.js";
import type { IdpRow } from "../store/contract/schema.js";
import { QuotaError } from "../store/records/usage.js";
import { getTenant } from "../tenancy/tenant.js";

/** The last segment of the path. */
export const REFRESH = "refresh_metadata";

type IdpType = ResourceType<IdpRow, Idp, CrudEvent>;

interface RefreshOptions {
  store: ApiDependencies["store"];
  metadata: MetadataRefresher;
  /** Shared with everything that asks hosts because of a request. */
  turns: Turns;
}

/** Refreshes the metadata of one provider now. */
export function refreshMetadataResource(type: IdpType, { store, metadata, turns }: Readonly<RefreshOptions>): Resource {
  const write = createWrite(type, store, metadata);

  const refresh: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const signal = departureOf(res);
    const idp = await store.forOrg(org.id, signal).query((db) => findRecord(type, db, req));
    getEntityTag(req).assert(tagged(type, idp));
    if (!idp.metadata) throw invalid([["protocol.metadata", "is not given, so there is nothing to refresh"]]);
    const found = await turns.run(org.id, () => metadata.fetch(idp, signal), signal);
    const stored = await write(req, found);
    if (found.failure !== undefined) throw unusable(found.failure);
    send(type, req, stored);
  };

  return {
    path: `${type.path}/lifecycle/${REFRESH}`,
    operations: {
      POST: {
        ...accessOf(type, "manage"),
        id: "refreshIdentityProviderMetadata",
        summary: "Fetch the metadata of an identity provider now",
        sent: { content: shapeOf(type), isTagged: true },
        handlers: [entityTag(type), refresh],
      },
    },
  };
}

/** Stores what was found, unless somebody has changed the provider meanwhile. */
function createWrite(type: IdpType, store: ApiDependencies["store"], metadata: MetadataRefresher) {
  return async (req: Request, refresh: Refresh): Promise<Idp> => {
    const { org } = getTenant(req);
    const check = (stored: Idp | undefined) => {
      if (!stored) throw resourceNotFound(refresh.asked.id, type.label);
      getEntityTag(req).assert(tagged(type, stored));
    };
    try {
      return await store.forOrg(org.id).write(async (transaction) => {
        const { idp, events } = await metadata.store(transaction, org.id, refresh, check);
        if (!idp) throw changedMeanwhile();
        if (events.length > 0) await recordEvents(req, transaction, events, { source: "metadata" });
        return idp;
      });
    } catch (error) {
      throw error instanceof QuotaError ? quotaExceeded(error) : error;
    }
  };
}

function changedMeanwhile(): ApiError {
  const causes = ["protocol: was changed while its metadata was fetched. Try again."];
  return apiError("E0000195", { type: "record.changed", detail: "the identity provider was changed", causes });
}

function unusable(reason: string): ApiError {
  return apiError("E0009006", { type: "metadata.unusable", causes: [`protocol.metadata.url: ${reason}`] });
}
