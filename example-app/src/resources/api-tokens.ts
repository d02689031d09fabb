import { hash } from "node:crypto";
import type { RequestHandler } from "express";
import { compileOperations } from "etiquette/links";
import { getEntityTag } from "etiquette/weak-etag";
import { z } from "zod";
import { describeApiToken } from "../audit/describe-change.js";
import { isConsoleToken } from "../model/console-tokens.js";
import type { ApiToken } from "../model/records.js";
import { makeOnce } from "../model/make-once.js";
import { scopePrefix, SCOPES } from "../model/scopes.js";
import { sentApiToken } from "../model/sent-shapes.js";
import { list, NAME_SHAPE } from "../model/shapes.js";
import { ADDRESSES_SHAPE } from "../model/token-shapes.js";
import { parseBody } from "../rest/body.js";
import { getCaller } from "../access/caller.js";
import { DATE_SHAPE } from "../rest/date-shape.js";
import { listPathOf } from "../rest/resource-type.js";
import { accessOf, entityTag, getOperation, listOperation, send } from "../rest/reading.js";
import { json, type ApiDependencies, type Resource } from "../rest/resource.js";
import { createWriter } from "../rest/writing.js";
import { API_TOKENS, insertToken } from "../store/records/api-tokens.js";
import { lockTokens } from "../store/records/token-family.js";
import { revokeResources } from "./token-revocation.js";
import { withSecret, type TokenType } from "./token-type.js";
import { createTokenRights, findLiveCaller } from "./token-rights.js";
import { rotateResource } from "./token-rotation.js";

const lifecycle = compileOperations<"rotate", "ROTATABLE" | "FIXED">({ rotate: { states: ["ROTATABLE"] } });

/** The API tokens of the org: create, list, rotate, revoke. A secret is shown once and can't be read again. */
// eslint-disable-next-line max-lines-per-function -- its handlers share what they are built over
export function apiTokenResources(dependencies: ApiDependencies): Resource[] {
  const { settings, store } = dependencies;
  const prefix = scopePrefix(settings.namespace);
  const rights = createTokenRights(settings);
  const shape = createShape(prefix);

  const type: TokenType = {
    label: "ApiToken",
    shape: sentApiToken(z.enum(SCOPES.map((scope) => prefix + scope))),
    relations: ["rotate"],
    path: "/apiTokens/:id",
    table: API_TOKENS,
    isRouted: false,
    select: (req) => ({
      order: [{ column: "name" }],
      without: { column: "scopes", texts: rights.missingScopes(getCaller(req)) },
    }),
    isVisible: (req, token) => rights.covers(getCaller(req), token),
    format: ({ id, name, scopes, expiresAt, previous, addresses, createdBy, lastUsed, created, lastUpdated }) => ({
      id,
      name,
      expiresAt,
      previousSecretExpiresAt: previous?.expiresAt ?? null,
      addresses,
      createdBy,
      lastUsed,
      created,
      lastUpdated,
      scopes: scopes.map((scope) => prefix + scope),
    }),
    tag: stateOf,
    links: (token, url) => lifecycle.format(isRotatable(token) ? "ROTATABLE" : "FIXED", `${url}/lifecycle`),
    describe: describeApiToken,
  };
  const writer = createWriter(type, store);

  const create: RequestHandler = async (req) => {
    const { name, scopes: wanted, expiresAt, addresses } = parseBody(shape, req.body);
    const caller = getCaller(req);
    const granted = { scopes: rights.grantScopes(caller, wanted), addresses: rights.grantAddresses(caller, addresses) };
    const { record, secret } = await writer.write(req, async (transaction, orgId) => {
      getEntityTag(req).assert(undefined);
      await lockTokens(transaction, orgId);
      const maker = await findLiveCaller(transaction, orgId, caller);
      const end = rights.grantExpiry(maker, expiresAt, transaction.now);
      const { type, id } = caller;
      const values = { name, ...granted, expiresAt: end, createdBy: { type, id } };
      return { ...(await insertToken(transaction, orgId, values)), events: ["create"] };
    });
    send(type, req, record, { token: secret });
  };

  const { bulk, revoke } = revokeResources({ type, store, rights });
  return [
    {
      path: listPathOf(type),
      operations: {
        GET: listOperation(type, dependencies),
        POST: {
          ...accessOf(type, "manage"),
          id: "createApiToken",
          summary: "Create an API token",
          bodies: json("ApiTokenInput", shape),
          sent: { content: withSecret(type), isTagged: true },
          handlers: [entityTag(type), create],
        },
      },
    },
    { path: type.path, operations: { GET: getOperation(type, dependencies), DELETE: revoke } },
    bulk,
    rotateResource({ type, writer, rights, maxOverlap: settings.tokenOverlap }),
  ];
}

function isRotatable(token: ApiToken): boolean {
  const { expiresAt } = token;
  return !isConsoleToken(token) && (expiresAt === null || expiresAt > new Date().toISOString());
}

/** Only a rotation changes a token, and gives it another hash. The hash itself stays here. */
function stateOf({ id, hash: secret }: ApiToken): string {
  return hash("sha256", `${id} ${secret}`, "base64url").slice(0, 22);
}

const createShape = makeOnce((prefix: string) => {
  const accepted = SCOPES.map((scope) => prefix + scope);
  return z
    .strictObject({
      name: NAME_SHAPE,
      scopes: list(z.enum(accepted), { min: 1, max: accepted.length })
        .refine((scopes) => new Set(scopes).size === scopes.length, "must have each scope once")
        .exactOptional(),
      expiresAt: DATE_SHAPE.exactOptional(),
      addresses: ADDRESSES_SHAPE.exactOptional(),
    })
    .meta({ examples: [{ name: "Nightly sync", scopes: [`${prefix}users.manage`], addresses: ["192.0.2.0/24"] }] });
});
