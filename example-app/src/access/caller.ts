import type { Request } from "express";
import { getPrincipal, type Principal } from "etiquette/authenticate";
import { isConsoleToken } from "../model/console-tokens.js";
import type { ApiToken, TokenCreator } from "../model/records.js";

/** What the credentials of a request allow, beside their scopes. */
interface Bounds extends Pick<ApiToken, "expiresAt" | "addresses"> {
  /** SHA-256 of the secret of an API token. */
  readonly secretHash?: string;
}

/** Who makes a request. */
export interface Caller extends Bounds {
  readonly type: Exclude<TokenCreator["type"], "Command">;
  /** The id of the API token, or the subject of the access token. */
  readonly id: string;
  /** With the namespace; `read` is among them if `manage` is. */
  readonly scopes: ReadonlySet<string>;
}

/** The latest date in the form of the API. */
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * The claims of an API token that is used with the secret of this hash. The log shows `tokenName`. The token of a link to
 * the console may make tokens that live longer than itself: who makes links on the command line can make any token.
 */
export function claimsOfToken(token: ApiToken, secretHash: string) {
  const { name, addresses, lastUsed } = token;
  return { tokenName: name, ...boundsOf(token, secretHash), addresses, lastUsed };
}

/** What a token allows now with the secret of this hash. */
export function boundsOf(token: ApiToken, secretHash: string): Bounds {
  const expiresAt = isConsoleToken(token) ? null : (endOf(token, secretHash)?.toISOString() ?? null);
  return { expiresAt, addresses: token.addresses, secretHash };
}

/** The end of the secret with this hash: that of the token, and after a rotation also that of the old secret. */
export function endOf({ hash, previous, expiresAt }: ApiToken, used: string): Date | null {
  const ends = [expiresAt, used === hash ? null : previous?.expiresAt].flatMap((end) => (end ? [Date.parse(end)] : []));
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** The claims of an access token that ends at `exp`, in seconds. */
export function claimsOfAccess(exp: unknown): Bounds {
  const end = Math.min(Number(exp) * 1_000, LATEST);
  return { expiresAt: new Date(end).toISOString(), addresses: [] };
}

export function getCaller(req: Request): Caller {
  const { subject, scopes, claims } = getPrincipal(req);
  const { tokenName, expiresAt, addresses, secretHash } = claims as unknown as ReturnType<typeof claimsOfToken>;
  return {
    type: (tokenName as string | undefined) === undefined ? "AccessToken" : "ApiToken",
    id: subject,
    scopes: new Set(scopes),
    expiresAt,
    addresses,
    ...(secretHash !== undefined && { secretHash }),
  };
}

/** When the API token of a principal was last used, as recorded. */
export function lastUseOf({ claims }: Principal): string | null {
  return (claims as unknown as ReturnType<typeof claimsOfToken>).lastUsed;
}
