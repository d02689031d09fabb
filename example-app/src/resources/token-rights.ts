import { parseIpRange } from "etiquette/ip-ranges";
import { apiError, type ApiError } from "../model/api-error.js";
import { dateAfter, earliest } from "../model/dates.js";
import { isConsoleToken } from "../model/console-tokens.js";
import type { ApiToken } from "../model/records.js";
import { impliedScope, scopePrefix, SCOPES } from "../model/scopes.js";
import { invalid } from "../rest/body.js";
import { boundsOf, endOf, type Caller } from "../access/caller.js";
import type { ApiSettings } from "../model/api-settings.js";
import { API_TOKENS } from "../store/records/api-tokens.js";
import type { WriteTransaction } from "../store/contract/transaction.js";

/** What the credentials of a request may do with tokens (rule A4). */
export type TokenRights = ReturnType<typeof createTokenRights>;

// eslint-disable-next-line max-lines-per-function -- one right after the other, all over the same settings
export function createTokenRights({
  namespace,
  tokenLifetime,
  tokenMaxLifetime,
}: Pick<ApiSettings, "namespace" | "tokenLifetime" | "tokenMaxLifetime">) {
  const prefix = scopePrefix(namespace);

  return {
    missingScopes,
    covers,

    /** The requested scopes, all of which the caller must have. Without a request, all scopes of the caller. */
    grantScopes({ scopes: held }: Caller, wanted: readonly string[] | undefined): string[] {
      if (wanted === undefined) {
        const own = SCOPES.filter((scope) => held.has(prefix + scope));
        const implied = new Set(own.map(impliedScope));
        return own.filter((scope) => !implied.has(scope));
      }
      const foreign = wanted.find((scope) => !held.has(scope));
      if (foreign !== undefined) {
        throw exceeded(`scopes: the credentials of this request don't have ${foreign}, so they can't give it.`);
      }
      return wanted.map((scope) => scope.slice(prefix.length));
    },

    /** The requested addresses, all of which the caller may use. Without a request, those of the caller. */
    grantAddresses({ addresses: own }: Caller, wanted: readonly string[] = own): string[] {
      const foreign = wanted.find((range) => !isWithin(range, own));
      if (foreign !== undefined) {
        throw exceeded(
          `addresses: the token of this request is not allowed from all of ${foreign}, so it can't allow that.`,
        );
      }
      return [...wanted];
    },

    /** The requested end, at most that of the caller. Without a request, the default or that of the caller. */
    grantExpiry({ expiresAt: own }: Caller, wanted: string | undefined, now: string): string | null {
      const longest = dateAfter(now, tokenMaxLifetime);
      if (wanted === undefined) return earliest(own, dateAfter(now, tokenLifetime));
      if (wanted <= now) throw invalid([["expiresAt", "must be in the future"]]);
      if (own !== null && wanted > own) {
        throw invalid([["expiresAt", `must not be after ${own}, when the token of this request expires`]]);
      }
      if (longest !== null && wanted > longest) {
        throw invalid([["expiresAt", `must not be after ${longest}: tokens of this server don't live longer`]]);
      }
      return wanted;
    },

    /** Whoever gets a new secret of a token can do what the token can. Nobody gets that of a session of the console. */
    assertRotatable(caller: Caller, token: ApiToken): void {
      if (isConsoleToken(token)) {
        throw exceeded("The token is for a session of the console alone, so nobody can get a secret of it.");
      }
      const { expiresAt, addresses } = token;
      if (caller.expiresAt !== null && (expiresAt === null || expiresAt > caller.expiresAt)) {
        throw exceeded("The token lives longer than the credentials of this request, so they can't rotate it.");
      }
      const isFree = addresses.length === 0 && caller.addresses.length > 0;
      if (isFree || !addresses.every((range) => isWithin(range, caller.addresses))) {
        throw exceeded(
          "The token is allowed from addresses that the one of this request is not, so it can't rotate it.",
        );
      }
    },
  };

  /** The scopes that the caller lacks, without the namespace. */
  function missingScopes({ scopes }: Caller): string[] {
    return SCOPES.filter((scope) => !scopes.has(prefix + scope));
  }

  /** Whether the caller has all scopes of the token. */
  function covers({ scopes: held }: Caller, { scopes }: ApiToken): boolean {
    return scopes.every((scope) => held.has(prefix + scope));
  }
}

/**
 * The caller as it is now. Call it after `lockTokens`: a token that was revoked or rotated since it was checked must not make
 * another one, nor one that lives longer than its own secret.
 *
 * @throws {ApiError} 403 `E0000006` when its secret has ended
 */
export async function findLiveCaller(transaction: WriteTransaction, orgId: string, caller: Caller): Promise<Caller> {
  const { type, id, secretHash } = caller;
  if (type !== "ApiToken" || secretHash === undefined) return caller;
  const token = await API_TOKENS.find(transaction.db, orgId, id);
  const isSecret = token && [token.hash, token.previous?.hash].includes(secretHash);
  const end = isSecret ? endOf(token, secretHash) : undefined;
  if (isSecret && (!end || end.getTime() > Date.parse(transaction.now))) {
    return { ...caller, ...boundsOf(token, secretHash) };
  }
  const cause = "The token of this request was revoked while the request ran.";
  throw apiError("E0000006", { type: "token.revoked", causes: [cause] });
}

/** Whether one of `ranges` contains all of `range`, or there is none, which means everywhere. */
function isWithin(range: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  const { first, last, version } = parseIpRange(range);
  return ranges.map(parseIpRange).some((own) => own.version === version && own.first <= first && last <= own.last);
}

function exceeded(cause: string): ApiError {
  return apiError("E0000006", { type: "scope.exceeded", causes: [cause] });
}
