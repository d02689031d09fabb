import type { Request } from "express";
import { formatDate } from "etiquette/dates";
import type { RuleChange } from "../../discovery/changed-routing.js";
import type { ApiDependencies } from "../../rest/resource.js";
import { readUserProfiles } from "../../store/records/queries.js";
import { getTenant } from "../../tenancy/tenant.js";
import { createProfileGuard } from "../profile-guard.js";
import { createReplay, type ReplayOptions } from "./replay.js";
import { presentReplay } from "./shapes.js";

/** A change, and the rules before and after it. */
export interface ReplayedChange extends Pick<ReplayOptions, "current" | "changed" | "run"> {
  readonly change: RuleChange;
  /** From when the log is replayed. */
  readonly since: string;
}

/**
 * A function that replays the log of a request's org until now, for a response.
 *
 * @param orgType the type of the org itself among providers
 */
export function createLogReplay({ store, settings }: Pick<ApiDependencies, "store" | "settings">, orgType: string) {
  const guardProfile = createProfileGuard(settings);
  const replay = createReplay(settings);

  return async (req: Request, { change, since, ...rules }: ReplayedChange, signal: AbortSignal) => {
    const { org } = getTenant(req);
    const data = store.forOrg(org.id, signal);
    const found = await replay({
      ...rules,
      data,
      span: { since, until: formatDate(new Date()) },
      readProfiles: (logins, names) =>
        data.query((db) => readUserProfiles({ db, dialect: store.dialect }, org.id, logins, names)),
      guard: (question) => guardProfile(req, question, "replay"),
      signal,
    });
    return presentReplay(found, change, orgType);
  };
}
