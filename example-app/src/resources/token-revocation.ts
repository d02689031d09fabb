import type { Request, RequestHandler } from "express";
import { getEntityTag } from "etiquette/weak-etag";
import { z } from "zod";
import { recordEvents } from "../audit/change-events.js";
import { ID_REGEXP } from "../model/ids.js";
import type { ApiToken } from "../model/records.js";
import { LIMITS } from "../model/shapes.js";
import { invalid, parseBody } from "../rest/body.js";
import { getCaller } from "../access/caller.js";
import { DATE_SHAPE } from "../rest/date-shape.js";
import { listPathOf } from "../rest/resource-type.js";
import { accessOf, entityTag, findRecord, tagged } from "../rest/reading.js";
import { json, type Operation, type Resource } from "../rest/resource.js";
import { removeTokens } from "../store/records/api-tokens.js";
import { batchesOf } from "../store/records/batches.js";
import type { Store } from "../store/store.js";
import { findTokenIds, lockTokens, withAncestors } from "../store/records/token-family.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import type { TokenType } from "./token-type.js";
import type { TokenRights } from "./token-rights.js";

export interface RevocationOptions {
  type: TokenType;
  store: Pick<Store, "forOrg">;
  rights: TokenRights;
}

const CRITERIA_SHAPE = z
  .strictObject({
    below: z.string().regex(ID_REGEXP, "must be the id of a token").exactOptional(),
    createdBy: z
      .string()
      .min(1)
      .max(LIMITS.text)
      .regex(/^\P{Cc}*$/u, "must not have control characters")
      .exactOptional(),
    createdBefore: DATE_SHAPE.exactOptional(),
    unusedSince: DATE_SHAPE.exactOptional(),
  })
  .meta({ examples: [{ unusedSince: "2026-01-01T00:00:00.000Z" }] });

const REVOKED_SHAPE = z.object({ revoked: z.int().min(0).describe("The number of tokens.") });

const CRITERIA = Object.keys(CRITERIA_SHAPE.shape);

/** Revokes one token, or all that meet criteria. The tokens below a revoked one are revoked too. */
// eslint-disable-next-line max-lines-per-function -- its handlers share what they are built over
export function revokeResources({ type, store, rights }: Readonly<RevocationOptions>): {
  revoke: Operation;
  bulk: Resource;
} {
  const revoke: RequestHandler = async (req, res) => {
    await write(req, async (transaction) => {
      const token = await findRecord(type, transaction.db, req, transaction.dialect.lockRows);
      getEntityTag(req).assert(tagged(type, token));
      return [token.id];
    });
    res.status(204).end();
  };

  const revokeMany: RequestHandler = async (req, res) => {
    const criteria = parseBody(CRITERIA_SHAPE, req.body);
    if (Object.keys(criteria).length === 0) {
      throw invalid([["", `Say which tokens, with at least one of ${CRITERIA.join(", ")}.`]]);
    }
    const caller = getCaller(req);
    const revoked = await write(req, async (transaction, orgId) => {
      getEntityTag(req).assert(undefined);
      const ids = await findTokenIds(transaction, orgId, { ...criteria, withoutScopes: rights.missingScopes(caller) });
      const kept = await withAncestors(transaction.db, orgId, caller.type === "ApiToken" ? caller.id : "");
      return ids.filter((id) => !kept.has(id));
    });
    res.json({ revoked: revoked.length });
  };

  const access = accessOf(type, "manage");
  return {
    revoke: {
      ...access,
      id: "revokeApiToken",
      summary: "Revoke an API token, and those that it made",
      sent: {},
      handlers: [entityTag(type), revoke],
    },
    bulk: {
      path: `${listPathOf(type)}/lifecycle/revoke`,
      operations: {
        POST: {
          ...access,
          id: "revokeApiTokens",
          summary: "Revoke all API tokens that meet criteria",
          bodies: json("RevocationInput", CRITERIA_SHAPE),
          sent: { content: { name: "Revocation", shape: REVOKED_SHAPE } },
          handlers: [entityTag(type), revokeMany],
        },
      },
    },
  };

  /** Revoke the tokens that `select` finds, and those below them, and record the events, in one transaction. */
  function write(
    req: Request,
    select: (transaction: WriteTransaction, orgId: string) => Promise<readonly string[]>,
  ): Promise<ApiToken[]> {
    const { org } = getTenant(req);
    return store.forOrg(org.id).write(async (transaction) => {
      await lockTokens(transaction, org.id);
      const revoked = await removeTokens(transaction, org.id, await select(transaction, org.id));
      for (const batch of batchesOf(revoked)) {
        const events = batch.map((token) => type.describe("revoke", token));
        await recordEvents(req, transaction, events);
      }
      return revoked;
    });
  }
}
