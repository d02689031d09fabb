import type { Request, RequestHandler } from "express";
import { getPrincipal } from "etiquette/authenticate";
import { isDate } from "etiquette/dates";
import { formatLink, formatPath, withLinks } from "etiquette/links";
import { getPage } from "etiquette/pagination";
import { z } from "zod";
import { recordEvents, type AuditEvent } from "../audit/change-events.js";
import { apiError } from "../model/api-error.js";
import type { ApiToken } from "../model/records.js";
import { impliedScope, scopePrefix, SCOPES } from "../model/scopes.js";
import { NAME_SHAPE } from "../model/shapes.js";
import { invalid, parseBody } from "../rest/body.js";
import { listPages } from "../rest/list.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { insertToken, isNameTaken, type NewToken } from "../store/api-tokens.js";
import { selectPage } from "../store/pages.js";
import { toApiToken } from "../store/rows.js";
import { getTenant } from "../tenancy/tenant.js";

const LABEL = "ApiToken";

/** The API tokens of the org: made, listed, revoked. Their secrets are told once and can't be read again. */
export function apiTokenResources({ store, settings }: ApiDependencies): Resource[] {
  const prefix = scopePrefix(settings.namespace);
  const shape = createShape(prefix);

  const list: RequestHandler = async (req, res) => {
    const { org, baseUrl } = getTenant(req);
    const page = getPage(req);
    const query = store.reader.selectFrom("api_tokens").selectAll().where("org_id", "=", org.id);
    const rows = await selectPage(query, page, [{ column: "name" }]).execute();
    res.json(page.take(rows, (row) => [row.name]).map((row) => present(toApiToken(row), baseUrl)));
  };

  const create: RequestHandler = async (req, res) => {
    const { name, scopes, expiresAt = null } = parseBody(shape, req.body);
    const granted = grantScopes(req, scopes);
    const { org, baseUrl } = getTenant(req);
    const { record, secret } = await insert(req, org.id, { name, scopes: granted, expiresAt });
    res.setHeader("Cache-Control", "no-store");
    res.json({ ...present(record, baseUrl), token: secret });
  };

  const get: RequestHandler = async (req, res) => {
    const id = String(req.params["id"]);
    const { org, baseUrl } = getTenant(req);
    const row = await store.reader
      .selectFrom("api_tokens")
      .selectAll()
      .where("org_id", "=", org.id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) throw resourceNotFound(id, LABEL);
    res.json(present(toApiToken(row), baseUrl));
  };

  const revoke: RequestHandler = async (req, res) => {
    const id = String(req.params["id"]);
    await store.write(async (transaction) => {
      const row = await transaction.db
        .deleteFrom("api_tokens")
        .where("org_id", "=", getTenant(req).org.id)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw resourceNotFound(id, LABEL);
      await recordEvents(req, transaction, [describe("revoke", toApiToken(row))]);
    });
    res.status(204).end();
  };

  return [
    {
      path: "/apiTokens",
      operations: {
        GET: { scope: "apiTokens.read", handlers: [listPages(settings, { resource: "apiTokens" }), list] },
        POST: { scope: "apiTokens.manage", handlers: [create] },
      },
    },
    {
      path: "/apiTokens/:id",
      operations: {
        GET: { scope: "apiTokens.read", handlers: [get] },
        DELETE: { scope: "apiTokens.manage", handlers: [revoke] },
      },
    },
  ];

  async function insert(req: Request, orgId: string, values: NewToken) {
    try {
      return await store.write(async (transaction) => {
        const { expiresAt } = values;
        if (expiresAt !== null && expiresAt <= transaction.now) throw invalid([["expiresAt", "must be in the future"]]);
        const issued = await insertToken(transaction, orgId, values);
        await recordEvents(req, transaction, [describe("create", issued.record)]);
        return issued;
      });
    } catch (error) {
      if (isNameTaken(error)) throw invalid([["name", `another ${LABEL} has it already`]]);
      throw error;
    }
  }

  /** What was asked for, when the caller has it; all that the caller has when nothing was. */
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

  function present({ scopes, ...token }: ApiToken, baseUrl: string) {
    const url = formatPath(`${baseUrl}/api/v1/apiTokens`, token.id);
    return withLinks({ ...token, scopes: scopes.map((scope) => prefix + scope) }, { self: formatLink(url) });
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

function describe(operation: "create" | "revoke", { id, name }: ApiToken): AuditEvent {
  return {
    eventType: `system.api_token.${operation}`,
    displayMessage: operation === "create" ? "Create API token" : "Revoke API token",
    target: [{ id, type: LABEL, alternateId: name, displayName: name, detailEntry: null }],
  };
}
