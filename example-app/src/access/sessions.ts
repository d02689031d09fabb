import type { Request } from "express";
import type { AuthenticateOptions, Principal } from "etiquette/authenticate";
import { createRequestSlot } from "etiquette/request-slot";
import { noteConsole } from "../audit/request-facts.js";
import type { ConsoleSession } from "../model/records.js";
import { scopePrefix } from "../model/scopes.js";
import type { Store } from "../store/store.js";
import { getTenant } from "../tenancy/tenant.js";
import { endOf } from "./caller.js";
import { principalOf, type AddressCheck } from "./credentials.js";
import type { ApiSettings } from "../model/api-settings.js";
import { readSessionCookie } from "./session-cookie.js";
import type { TokenUses } from "./token-uses.js";

const slot = createRequestSlot<ConsoleSession>("session", "the request has no session");

export interface SessionOptions {
  store: Pick<Store, "findSession">;
  settings: Pick<ApiSettings, "namespace" | "consoleIdle">;
  /** Notes when tokens and sessions were used. */
  uses: Pick<TokenUses, "note">;
  sessionUses: Pick<TokenUses, "note">;
  isAllowedFrom: AddressCheck;
}

/**
 * Finds the principal of a session: that of its token. A session ends with the secret of the token that began it, and
 * when nobody used it for `consoleIdle`.
 */
export function createSessionVerifier({
  store,
  settings: { namespace, consoleIdle },
  uses,
  sessionUses,
  isAllowedFrom,
}: Readonly<SessionOptions>): NonNullable<AuthenticateOptions["session"]> {
  const prefix = scopePrefix(namespace);

  return async function verifySession(req): Promise<Principal | null | undefined> {
    const secret = readSessionCookie(req);
    if (secret === undefined) return undefined;
    const { org } = getTenant(req);
    const session = await store.findSession(org.id, secret);
    if (!session || !isAlive(session)) return null;
    const { id, token, tokenHash, lastUsed } = session;
    if (!isAllowedFrom(token, req)) return null;
    uses.note(org.id, token.id, token.lastUsed);
    sessionUses.note(org.id, id, lastUsed);
    slot.set(req, session);
    noteConsole(req);
    return principalOf(token, tokenHash, prefix);
  };

  function isAlive({ token, tokenHash, lastUsed }: ConsoleSession): boolean {
    const now = Date.now();
    const end = endOf(token, tokenHash);
    return now - Date.parse(lastUsed) < consoleIdle && (end === null || now < end.getTime());
  }
}

/**
 * The session of a request.
 *
 * @throws {Error} when it has none
 */
export function getSession(req: Request): ConsoleSession {
  return slot.get(req);
}

export function tryGetSession(req: Request): ConsoleSession | undefined {
  return slot.tryGet(req);
}
