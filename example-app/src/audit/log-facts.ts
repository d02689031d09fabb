import { describeHop, type LogFacts, type LogHop } from "../store/log-facts.js";
import type { RequestFacts } from "./request-facts.js";

/** An event keeps this many characters of a URL. */
const MAX_URL_LENGTH = 2_048;

/** An event keeps this many characters of a `User-Agent`. */
const MAX_USER_AGENT_LENGTH = 1_024;

/** The authority of a target in absolute form (RFC 9112 section 3.2.2), which may hold a password. */
const AUTHORITY_REGEXP = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** Query parameters in which clients may send credentials by mistake; the server reads none of them. */
const CREDENTIALS_REGEXP =
  /([?&](?:access_token|api_?key|api_?token|assertion|client_assertion|client_secret|code|id_token|id_token_hint|passw(?:or)?d|refresh_token|saml_?response|secret|token)=)[^&#]*/gi;

const UNKNOWN = { raw: null, os: "Unknown", browser: "Unknown", device: "Unknown" } as const;

/** What the log stores of a request. Contains no credentials. */
export function selectFacts(
  facts: RequestFacts,
  { status = null, reason = null }: Partial<Pick<LogFacts, "status" | "reason">> = {},
): LogFacts {
  const { context, tenant, principal } = facts;
  const ip = context ? context.ip : addressOf(facts.peer);
  const { raw, os, browser, device } = context?.userAgent ?? UNKNOWN;
  const url = formatUrl(facts.url ?? "");
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const tokenName = principal?.claims?.["tokenName"];
  return {
    path,
    query: url.slice(path.length),
    method: facts.method ?? null,
    status,
    ip,
    userAgent: (context ? raw : decodeUserAgent(facts.rawUserAgent)) ?? "",
    os,
    browser,
    device,
    hops: context ? selectHops(context.chain, ip) : null,
    zone: tenant?.routing.findZone(ip ?? undefined) ?? null,
    reason,
    actor: principal?.subject ?? null,
    tokenName: typeof tokenName === "string" ? tokenName : null,
    languages: context?.languages.length ? context.languages : null,
    deviceFingerprint: facts.deviceFingerprint ?? null,
  };
}

/** Node decodes a field value as latin1; clients send UTF-8. */
function decodeUserAgent(value: string | undefined): string | undefined {
  return value && Buffer.from(value.slice(0, MAX_USER_AGENT_LENGTH), "latin1").toString();
}

/** The URL without credentials. The rest of the query stays, because readers of the log administer the org's users. */
function formatUrl(target: string): string {
  const url = target.replace(AUTHORITY_REGEXP, "").slice(0, MAX_URL_LENGTH);
  return url.includes("?") ? url.replace(CREDENTIALS_REGEXP, "$1***") : url;
}

/**
 * The addresses from the client to the peer. Entries before the client are left out, because anybody can forge them.
 *
 * @returns `null` when the client is the peer
 */
function selectHops(chain: NonNullable<RequestFacts["context"]>["chain"], client: string | null): LogFacts["hops"] {
  const hops: LogHop[] = [];
  for (const { ip, source, reason } of chain) {
    if (ip !== null && (reason === "trusted" || reason === "untrusted")) hops.unshift(describeHop(ip, source));
  }
  const isPeer = hops.length === 1 && hops[0]?.ip === client && hops[0].source === "socket";
  return isPeer || (hops.length === 0 && client === null) ? null : hops;
}

/** The address of a peer; IPv4-mapped addresses become IPv4. */
function addressOf(peer: string | undefined): string | null {
  return peer?.replace(/^::ffff:(?=[0-9.]+$)/i, "") ?? null;
}
