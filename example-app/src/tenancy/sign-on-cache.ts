import type { Idp } from "../model/records.js";
import type { Store } from "../store/store.js";
import { createRevalidatingCache, type RevalidatingCache } from "./revalidating-cache.js";
import { MAX_AGE_MS, type OrgCacheOptions } from "./routing-cache.js";

/** The number of identity providers that are cached, if they fit into the memory. */
const MAX_IDPS = 10_000;

/** The active identity providers that people were sent to last, by {@link signOnKey}. */
export type SignOnCache = RevalidatingCache<string, Idp>;

export interface SignOnCacheOptions extends Pick<OrgCacheOptions, "maxBytes" | "outage"> {
  store: Pick<Store, "findActiveIdp" | "hears">;
}

/** @param id of the identity provider */
export function signOnKey(orgId: string, id: string): string {
  return `${orgId}/${id}`;
}

/** Read an identity provider when somebody is sent to it, and again only after a change of its org. */
export function createSignOnCache({ store, maxBytes, outage }: Readonly<SignOnCacheOptions>): SignOnCache {
  return createRevalidatingCache<string, Idp>({
    maxEntries: MAX_IDPS,
    maxBytes,
    maxAge: MAX_AGE_MS,
    hears: () => store.hears(),
    outage,
    orgOf: (key) => key.slice(0, key.indexOf("/")),
    sizeOf: (key, idp) => 2 * (key.length + (idp ? JSON.stringify(idp).length : 0)),
    load: (key) => {
      const [orgId = "", id = ""] = key.split("/");
      return store.findActiveIdp(orgId, id);
    },
  });
}
