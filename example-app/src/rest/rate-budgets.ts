import { createHash } from "node:crypto";
import type { Request } from "express";
import { getPrincipal } from "etiquette/authenticate";
import type { IpRangeSet } from "etiquette/ip-ranges";
import { getRequestContext } from "etiquette/request-context";
import { findClientIp } from "../audit/program-log.js";
import { ORG_FACTOR, type RateClass, type RateLimits } from "../model/rate-limits.js";
import { getTenant } from "../tenancy/tenant.js";
import { readSessionCookie } from "./session-cookie.js";

/** Keys have at most this many characters of a subject. */
const MAX_SUBJECT_LENGTH = 64;

/** A count of requests, and how far it may go. */
export interface RateBudget {
  readonly key: string;
  readonly limit: number;
  /** Who shares it. */
  readonly owner: "address" | "token" | "org";
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
    const scope = own !== undefined || isClaimed ? org.id : "";
    const budget: RateBudget = { key: `${kind} ${scope} ${networkOf(context.ip ?? "")}`, limit, owner: "address" };
    return isClaimed
      ? [budget, { key: `${kind} ${org.id} claimed`, limit: limit * ORG_FACTOR, owner: "org" }]
      : [budget];
  };
}

/** The token, and all tokens of the org together. */
export function findTokenBudgets(limits: RateLimits): FindBudgets {
  return (kind, req) => {
    const { org } = getTenant(req);
    const { subject, claims } = getPrincipal(req);
    const limit = org.rateLimits[kind] ?? limits[kind];
    // an authorization server must not take the budget of an API token by a subject with its id
    const type = claims?.["tokenName"] === undefined ? "access" : "api";
    return [
      { key: `${kind} ${org.id} ${type} ${shorten(subject)}`, limit, owner: "token" },
      { key: `${kind} ${org.id} tokens`, limit: limit * ORG_FACTOR, owner: "org" },
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
 */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [start = "", end = ""] = ip.split("::");
  const first = start === "" ? [] : start.split(":");
  const last = end === "" ? [] : end.split(":");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, 4).join(":")}::/64`;
}

function shorten(subject: string): string {
  return subject.length <= MAX_SUBJECT_LENGTH ? subject : digest(subject);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
