import { createHash } from "node:crypto";
import type { Request } from "express";
import { getPrincipal, type Principal } from "etiquette/authenticate";
import type { IpRangeSet } from "etiquette/ip-ranges";
import { getRequestContext } from "etiquette/request-context";
import { findClientIp } from "../audit/program-log.js";
import { ORG_FACTOR, type RateClass, type RateLimits } from "../model/rate-limits.js";
import { getTenant } from "../tenancy/tenant.js";
import type { RateKey } from "./rate-counters.js";
import { readSessionCookie } from "../access/session-cookie.js";

/** Keys have at most this many characters of a subject. */
const MAX_SUBJECT_LENGTH = 64;

/** All IPv6 addresses of a /48 together may send this many times what one /64 may. */
const NETWORK_FACTOR = 4;

/** A count of requests, and how far it may go. */
export interface RateBudget extends RateKey {
  /** Who shares it. */
  readonly owner: "address" | "network" | "token" | "org";
}

/** The budgets that a request of a class takes from. */
export type FindBudgets = (kind: RateClass, req: Request) => readonly RateBudget[];

/**
 * An address that the proxies of the service report counts for all orgs together, unless the org has a limit of its own. An
 * address that only the org's own proxies report counts in that org, because its administrators could invent addresses; so
 * all of these together have a limit too.
 *
 * @param isProxy whether an address is a proxy of the service
 */
export function findAddressBudgets(limits: RateLimits, isProxy: IpRangeSet): FindBudgets {
  return (kind, req) => {
    const { org } = getTenant(req);
    const context = getRequestContext(req);
    const own = org.rateLimits[kind];
    const limit = own ?? limits[kind];
    const isClaimed =
      req.headers["x-forwarded-for"] !== undefined &&
      findClientIp({ context, peer: req.socket.remoteAddress }, isProxy) !== (context.ip ?? undefined);
    const [address, ...networks] = budgetsOfAddress(context.ip, {
      kind: isClaimed ? `${kind} claimed` : kind,
      scope: own !== undefined || isClaimed ? org.id : "",
      limit,
    });
    return isClaimed
      ? [address, { kind: `${kind} org`, key: `${org.id} claimed`, limit: limit * ORG_FACTOR, owner: "org" }]
      : [address, ...networks];
  };
}

/** The budgets that count before the org is known. */
export function findHostBudgets({ failures: limit }: RateLimits, req: Request): readonly RateBudget[] {
  return budgetsOfAddress(getRequestContext(req).ip, { kind: "hosts", scope: "", limit });
}

function budgetsOfAddress(
  ip: string | null,
  { kind, scope, limit }: Readonly<{ kind: string; scope: string; limit: number }>,
): [RateBudget, ...RateBudget[]] {
  const address: RateBudget = { kind, key: `${scope} ${networkOf(ip ?? "")}`, limit, owner: "address" };
  if (!ip?.includes(":")) return [address];
  const key = `${scope} ${networkOf(ip, 48)}`;
  return [address, { kind: `${kind} network`, key, limit: limit * NETWORK_FACTOR, owner: "network" }];
}

/** The token, and all tokens of the org together. */
export function findTokenBudgets(
  limits: RateLimits,
): (kind: RateClass, req: Request, principal?: Principal) => readonly RateBudget[] {
  return (kind, req, { subject, claims } = getPrincipal(req)) => {
    const { org } = getTenant(req);
    const limit = org.rateLimits[kind] ?? limits[kind];
    // an authorization server must not take the budget of an API token by a subject with its id
    const type = claims?.["tokenName"] === undefined ? "access" : "api";
    return [
      { kind: `${kind} token`, key: `${org.id} ${type} ${shorten(subject)}`, limit, owner: "token" },
      { kind: `${kind} org`, key: `${org.id} tokens`, limit: limit * ORG_FACTOR, owner: "org" },
    ];
  };
}

/** Identifies the credentials of a request, without the secret. */
export function credentialsKey(kind: RateClass, req: Request): string {
  const credentials = readSessionCookie(req) ?? req.headers.authorization ?? "";
  return `${kind} ${getTenant(req).org.id} ${digest(credentials)}`;
}

/**
 * The network that is one client: an IPv4 address, or 64 bits of an IPv6 address, because one client has them all.
 *
 * @param ip in the form of RFC 5952
 * @param bits of an IPv6 address that count, a multiple of 16
 */
export function networkOf(ip: string, bits = 64): string {
  if (!ip.includes(":")) return ip;
  const [start = "", end = ""] = ip.split("::");
  const first = start === "" ? [] : start.split(":");
  const last = end === "" ? [] : end.split(":");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, bits / 16).join(":")}::/${bits}`;
}

function shorten(subject: string): string {
  return subject.length <= MAX_SUBJECT_LENGTH ? subject : digest(subject);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
