import type { RequestHandler } from "express";
import { getEntityTag } from "etiquette/weak-etag";
import { z } from "zod";
import { dateAfter } from "../model/dates.js";
import { invalid, parseBody } from "../rest/body.js";
import { getCaller } from "../access/caller.js";
import { accessOf, entityTag, findRecord, send, tagged } from "../rest/reading.js";
import { json, type Resource } from "../rest/resource.js";
import { rotateToken } from "../store/records/api-tokens.js";
import { lockTokens } from "../store/records/token-family.js";
import { withSecret, type TokenType, type TokenWriter } from "./token-type.js";
import { findLiveCaller, type TokenRights } from "./token-rights.js";

export interface RotationOptions {
  type: TokenType;
  writer: Pick<TokenWriter, "write">;
  rights: TokenRights;
  /** How long the old secret may stay valid, in milliseconds. */
  maxOverlap: number;
}

/** Gives a token a new secret. The old one stays valid for a while, so that programs can change it one after the other. */
export function rotateResource({ type, writer, rights, maxOverlap }: Readonly<RotationOptions>): Resource {
  const longest = Math.floor(maxOverlap / 1_000);
  const message = `must be an integer from 0 to ${longest}`;
  const shape = z
    .strictObject({
      overlapSeconds: z
        .number(message)
        .refine((seconds) => Number.isInteger(seconds) && seconds >= 0 && seconds <= longest, message)
        .meta({ type: "integer", minimum: 0, maximum: longest })
        .exactOptional(),
    })
    .meta({ examples: [{ overlapSeconds: Math.min(3_600, longest) }] });

  const rotate: RequestHandler = async (req) => {
    const { overlapSeconds: overlap = longest } = parseBody(shape, req.body);
    const caller = getCaller(req);
    const { record, secret } = await writer.write(req, async (transaction, orgId) => {
      await lockTokens(transaction, orgId);
      const token = await findRecord(type, transaction.db, req, transaction.dialect.lockRows);
      getEntityTag(req).assert(tagged(type, token));
      rights.assertRotatable(await findLiveCaller(transaction, orgId, caller), token);
      const { now } = transaction;
      if (token.expiresAt !== null && token.expiresAt <= now) {
        throw invalid([["expiresAt", `was ${token.expiresAt}; create another token instead`]]);
      }
      const end = overlap === 0 ? undefined : String(dateAfter(now, overlap * 1_000));
      return { ...(await rotateToken(transaction, orgId, token, end)), events: ["rotate"] };
    });
    send(type, req, record, { token: secret });
  };

  return {
    path: `${type.path}/lifecycle/rotate`,
    operations: {
      POST: {
        ...accessOf(type, "manage"),
        id: "rotateApiToken",
        summary: "Give an API token a new secret",
        bodies: json("RotationInput", shape),
        sent: { content: withSecret(type), isTagged: true },
        handlers: [entityTag(type), rotate],
      },
    },
  };
}
