import type { Request, RequestHandler } from "express";
import { getPrincipal } from "etiquette/authenticate";
import { isDate } from "etiquette/dates";
import { getEntityTag } from "etiquette/weak-etag";
import { z } from "zod";
import { describeApiToken } from "../audit/describe-change.js";
import { apiError } from "../model/api-error.js";
import type { ApiToken } from "../model/records.js";
import { impliedScope, scopePrefix, SCOPES } from "../model/scopes.js";
import { NAME_SHAPE } from "../model/shapes.js";
import { invalid, parseBody } from "../rest/body.js";
import { listPathOf, type Kind } from "../rest/kind.js";
import { accessOf, entityTag, getOperation, listOperation, send } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { createWriter, noContent } from "../rest/writing.js";
import { API_TOKENS, insertToken } from "../store/api-tokens.js";
import type { ApiTokenRow } from "../store/schema.js";

/** The API tokens of the org: create, list, revoke. A secret is shown once and can't be read again. */
// eslint-disable-next-line max-lines-per-function -- its handlers share what they are built over
export function apiTokenResources(dependencies: ApiDependencies): Resource[] {
  const prefix = scopePrefix(dependencies.settings.namespace);
  const shape = createShape(prefix);

  const kind: Kind<ApiTokenRow, ApiToken, "create" | "revoke"> = {
    label: "ApiToken",
    path: "/apiTokens/:id",
    table: API_TOKENS,
    isRouted: false,
    select: () => ({ order: [{ column: "name" }] }),
    format: ({ id, name, scopes, expiresAt, created, lastUpdated }) => ({
      id,
      name,
      expiresAt,
      created,
      lastUpdated,
      scopes: scopes.map((scope) => prefix + scope),
    }),
    describe: describeApiToken,
  };
  const writer = createWriter(kind, dependencies.store);

  const create: RequestHandler = async (req, res) => {
    const { name, scopes: wanted, expiresAt = null } = parseBody(shape, req.body);
    const scopes = grantScopes(req, wanted);
    const { record, secret } = await writer.write(req, async (transaction, orgId) => {
      getEntityTag(req).assert(undefined);
      if (expiresAt !== null && expiresAt <= transaction.now) throw invalid([["expiresAt", "must be in the future"]]);
      return { ...(await insertToken(transaction, orgId, { name, scopes, expiresAt })), events: ["create"] };
    });
    res.setHeader("Cache-Control", "no-store");
    send(kind, req, record, { token: secret });
  };

  return [
    {
      path: listPathOf(kind),
      operations: {
        GET: listOperation(kind, dependencies),
        POST: { ...accessOf(kind, "manage"), handlers: [entityTag(kind), create] },
      },
    },
    {
      path: kind.path,
      operations: {
        GET: getOperation(kind, dependencies),
        DELETE: writer.change(() => () => ({ after: undefined, event: "revoke" }), { respond: noContent }),
      },
    },
  ];

  /** The requested scopes, all of which the caller must have. Without a request, all scopes of the caller. */
  function grantScopes(req: Request, wanted: readonly string[] | undefined): string[] {
    const held = new Set(getPrincipal(req).scopes);
    if (wanted === undefined) {
      const own = SCOPES.filter((scope) => held.has(prefix + scope));
      const implied = new Set(own.map(impliedScope));
      return own.filter((scope) => !implied.has(scope));
    }
    const foreign = wanted.find((scope) => !held.has(scope));
    if (foreign !== undefined) {
      const cause = `scopes: the credentials of this request don't have ${foreign}, so they can't give it.`;
      throw apiError("E0000006", { type: "scope.exceeded", causes: [cause] });
    }
    return wanted.map((scope) => scope.slice(prefix.length));
  }
}

function createShape(prefix: string) {
  const accepted = SCOPES.map((scope) => prefix + scope);
  return z.strictObject({
    name: NAME_SHAPE,
    scopes: z
      .array(z.enum(accepted))
      .min(1)
      .max(accepted.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, "must have each scope once")
      .exactOptional(),
    expiresAt: z.string().refine(isDate, "must be a date of the form YYYY-MM-DDTHH:mm:ss.SSSZ").exactOptional(),
  });
}
