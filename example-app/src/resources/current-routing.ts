import { apiError } from "../model/api-error.js";
import { readRevision } from "../store/records/queries.js";
import type { Db } from "../store/contract/schema.js";
import type { OrgStore } from "../store/store.js";
import type { CompiledRouting, RoutingCache } from "../tenancy/routing-cache.js";

/** Run reads on one snapshot, on which the routing is that of the org. */
export type ReadWithRouting = <T>(reads: (db: Db) => Promise<T>) => Promise<T>;

interface Current {
  readonly routings: RoutingCache;
  readonly orgId: string;
  readonly data: Pick<OrgStore, "read">;
}

/** The rules changed while they were used. */
class ChangedError extends Error {
  override readonly name = "ChangedError";
}

/** How often work begins again, because the rules changed meanwhile. */
const MAX_TRIES = 5;

/**
 * Do work with the compiled rules of an org and with records that belong to them. It begins again when the rules have
 * changed between two reads. So rules are compiled without a snapshot, which others may wait for.
 *
 * @throws {ApiError} E0009011 when the rules change again and again
 */
export async function atOneRevision<T>(
  { routings, orgId, data }: Current,
  work: (routing: CompiledRouting, read: ReadWithRouting) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const routing = await routings.get(orgId);
    try {
      if (!routing) throw new ChangedError(`The org ${orgId} was removed`);
      return await work(routing, (reads) =>
        data.read(async (db) => {
          if ((await readRevision(db, orgId)) !== routing.revision) throw new ChangedError("The rules changed");
          return reads(db);
        }),
      );
    } catch (error) {
      if (!(error instanceof ChangedError)) throw error;
      const headers = { "Retry-After": "1" };
      if (tries === MAX_TRIES) throw apiError("E0009011", { type: "database.unavailable", headers, cause: error });
      routings.expire(orgId);
    }
  }
}
