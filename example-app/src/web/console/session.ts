import { Router, type Request, type RequestHandler } from "express";
import { hashApiToken } from "etiquette/api-token-verifier";
import { authenticate, type AuthenticateOptions, type Principal } from "etiquette/authenticate";
import { contentType } from "etiquette/content-type";
import { jsonBody } from "etiquette/json-body";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { createRequestSlot } from "etiquette/request-slot";
import { z } from "zod";
import { recordEvents } from "../../audit/change-events.js";
import { noteConsole } from "../../audit/request-facts.js";
import { describeApiToken } from "../../audit/describe-change.js";
import { apiError, type ApiError } from "../../model/api-error.js";
import { dateAfter } from "../../model/dates.js";
import { createId } from "../../model/ids.js";
import { CONSOLE_CREATOR, isConsoleToken } from "../../model/console-tokens.js";
import type { ApiToken } from "../../model/records.js";
import { ALL_SCOPES, scopePrefix } from "../../model/scopes.js";
import { invalid, parseBody } from "../../rest/body.js";
import { endOf } from "../../access/caller.js";
import type { RateLimiter } from "../../admission/rate-limits.js";
import type { ApiSettings } from "../../model/api-settings.js";
import { requireOwnPage, requireSameOrigin, writeSessionCookie } from "../../access/session-cookie.js";
import { getSession, tryGetSession } from "../../access/sessions.js";
import { API_TOKENS, findTokenByHash, insertToken } from "../../store/records/api-tokens.js";
import {
  findExcessConsoleTokens,
  hasLink,
  insertSession,
  removeExpiredConsoleTokens,
  removeSession,
  takeLink,
} from "../../store/records/console.js";
import type { Store } from "../../store/store.js";
import { lockTokens } from "../../store/records/token-family.js";
import type { WriteTransaction } from "../../store/contract/transaction.js";
import { getTenant } from "../../tenancy/tenant.js";

/** How long a session that a link begins lasts at most, in milliseconds: a working day. */
const TOKEN_LIFETIME = 43_200_000;

/** The largest body, in bytes. */
const BODY_LIMIT = 16_384;

const UNUSABLE_LINK =
  "The link is not valid here: it works once, for ten minutes. The command console prints a new one.";

const UNUSABLE_TOKEN =
  "The API token is not valid here: it may be unknown, expired, revoked, or not allowed from this address.";

const text = z.string().min(1, "must not be empty").max(8_192, "must have at most 8192 characters");
const SIGN_IN_SHAPE = z.strictObject({ code: text.exactOptional(), token: text.exactOptional() });
type Credentials = z.infer<typeof SIGN_IN_SHAPE>;

/** What a request signs in with, and the principal of a token. */
const slot = createRequestSlot<Credentials & { principal: Principal | undefined }>("signIn");

export interface SessionEndpointOptions {
  settings: Pick<
    ApiSettings,
    "namespace" | "apiTokenScheme" | "consoleIdle" | "strictHeaders" | "tokenMaxLifetime" | "secrets"
  >;
  store: Pick<Store, "forOrg">;
  /** As for the API. */
  schemes: AuthenticateOptions["schemes"];
  session: NonNullable<AuthenticateOptions["session"]>;
  /** `null` when requests are not limited. */
  limiter: Pick<RateLimiter, "ofPublic" | "beforeAuthentication" | "byToken" | "byPrincipal"> | null;
}

/** A session as {@link SessionEndpointOptions} begins it: of this token, with this secret of the token. */
interface Begun {
  readonly token: ApiToken;
  readonly tokenHash: string;
}

/** `POST` begins a session, with the code of a link or an API token; `GET` shows it, `DELETE` ends it. */
// eslint-disable-next-line max-lines-per-function -- the three handlers share what they are built over
export function sessionEndpoints(options: Readonly<SessionEndpointOptions>): Router {
  const { settings, store, schemes, session, limiter } = options;
  const { namespace, apiTokenScheme, consoleIdle, tokenMaxLifetime } = settings;
  const { name: realm, accountPrefix } = compileNamespace("console", namespace);
  const prefix = scopePrefix(namespace);
  const verifyToken = schemes[apiTokenScheme];

  /** Only credentials that are there make other writers of the org wait. */
  const verify: RequestHandler = async (req, _res, next) => {
    const { code, token } = parseBody(SIGN_IN_SHAPE, req.body);
    if ((code === undefined) === (token === undefined)) throw invalid([["", "Send either code or token."]]);
    const { org } = getTenant(req);
    const principal = token === undefined ? undefined : ((await verifyToken?.(token, req)) ?? undefined);
    if (token !== undefined && !principal) throw refused(UNUSABLE_TOKEN);
    const isLink = code === undefined || (await store.forOrg(org.id).query((db) => hasLink(db, org.id, code)));
    if (!isLink) throw refused(UNUSABLE_LINK);
    slot.set(req, { ...(code === undefined ? {} : { code }), ...(token === undefined ? {} : { token }), principal });
    next();
  };

  const signIn: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const { code, token } = slot.get(req);
    const secret = await store.forOrg(org.id).write(async (transaction) => {
      await lockTokens(transaction, org.id);
      const { token: record, tokenHash } =
        token === undefined ? await redeem(req, transaction, String(code)) : await find(transaction, org.id, token);
      const endedBefore = new Date(Date.parse(transaction.now) - consoleIdle).toISOString();
      return insertSession(transaction, org.id, { tokenId: record.id, tokenHash, endedBefore });
    });
    writeSessionCookie(res, secret);
    res.status(204).end();
  };

  const show: RequestHandler = (req, res) => {
    const { org, baseUrl } = getTenant(req);
    const { token, lastUsed } = getSession(req);
    res.json({
      org: { id: org.id, name: org.name, subdomain: org.subdomain },
      token: {
        id: token.id,
        name: token.name,
        scopes: token.scopes.map((scope) => prefix + scope),
        expiresAt: token.expiresAt,
      },
      lastUsed,
      idleSeconds: consoleIdle / 1_000,
      baseUrl,
      namespace: realm,
      accountPrefix,
      apiTokenScheme,
    });
  };

  const signOut: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    const { id, token } = getSession(req);
    await store.forOrg(org.id).write(async (transaction) => {
      await removeSession(transaction, org.id, id);
      if (!isConsoleToken(token)) return;
      await end(transaction, org.id, token);
      await recordEvents(req, transaction, [describeApiToken("revoke", token)]);
    });
    writeSessionCookie(res, undefined);
    res.status(204).end();
  };

  const visit: RequestHandler = (req, _res, next) => {
    noteConsole(req);
    next();
  };

  const identify = authenticate({ schemes, session, realm });
  const identified = (kind: "read" | "write") => [
    requireSameOrigin,
    ...(limiter ? [limiter.beforeAuthentication(kind), identify, limiter.byToken(kind)] : [identify]),
    requireSession,
  ];
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route("/session")
    .all(contentType({ strict: settings.strictHeaders }))
    .get(visit, ...identified("read"), show)
    .post(
      requireOwnPage,
      ...(limiter ? [limiter.ofPublic("signOn")] : []),
      jsonBody({ limit: BODY_LIMIT }),
      verify,
      ...(limiter ? [limiter.byPrincipal("write", (req) => slot.get(req).principal)] : []),
      signIn,
    )
    .delete(...identified("write"), signOut)
    .all(methodNotAllowed());
  return router;

  /** Find a token again, that may have been revoked meanwhile. */
  async function find({ db, now }: WriteTransaction, orgId: string, secret: string): Promise<Begun> {
    const tokenHash = hashApiToken(secret);
    const token = await findTokenByHash(db, orgId, tokenHash);
    const ends = token && endOf(token, tokenHash);
    if (!token || (ends && ends.getTime() <= Date.parse(now))) throw refused(UNUSABLE_TOKEN);
    return { token, tokenHash };
  }

  /** Use up a link, and make the token of its session, whose secret nobody gets. */
  async function redeem(req: Request, transaction: WriteTransaction, code: string): Promise<Begun> {
    const { org } = getTenant(req);
    if (!(await takeLink(transaction, org.id, code))) {
      throw refused(UNUSABLE_LINK);
    }
    const removed = await removeExpiredConsoleTokens(transaction, org.id);
    const { record } = await insertToken(transaction, org.id, {
      name: `Console ${createId()}`,
      scopes: [...ALL_SCOPES],
      expiresAt: dateAfter(transaction.now, Math.min(TOKEN_LIFETIME, tokenMaxLifetime)),
      addresses: [],
      createdBy: CONSOLE_CREATOR,
    });
    const excess = await findExcessConsoleTokens(transaction, org.id);
    for (const token of excess) await end(transaction, org.id, token);
    await recordEvents(req, transaction, [
      ...[...removed, ...excess].map((token) => describeApiToken("revoke", token)),
      describeApiToken("create", record),
    ]);
    return { token: record, tokenHash: record.hash };
  }

  function refused(cause: string): ApiError {
    const headers = { "WWW-Authenticate": `${apiTokenScheme} realm="${realm}"` };
    return apiError("E0000011", { type: "session.code", causes: [cause], headers });
  }
}

/** End the token of a link. It is not removed, because the tokens that it made must live on. */
async function end(transaction: WriteTransaction, orgId: string, token: ApiToken): Promise<void> {
  await API_TOKENS.update(transaction, orgId, token, { ...token, expiresAt: transaction.now });
}

/** `Authorization` wins over a session, but has none to show or to end. */
const requireSession: RequestHandler = function requireSessionMiddleware(req, _res, next) {
  next(tryGetSession(req) ? undefined : invalid([["Authorization", "has no session to show or to end"]]));
};
