import type { LogEntity } from "../model/records.js";
import { escapeHidden } from "../model/visible-text.js";
import { describeFacts, describeHop, NO_CLIENT, type LogFacts, type LogHop } from "../store/log/stored-facts.js";
import { capText, CUT, MAX_LENGTHS } from "./log-text.js";
import { formatUrl } from "./log-url.js";
import type { RequestFacts } from "./request-facts.js";

const UNKNOWN = { raw: null, os: "Unknown", browser: "Unknown", device: "Unknown" } as const;

const NO_REQUEST: LogFacts = {
  path: "",
  query: "",
  method: null,
  status: null,
  ...NO_CLIENT,
  reason: null,
  actor: null,
  tokenName: null,
};

/** What the events of one job, which is no request, have in common. */
export function describeJob(id: string, actor: Omit<LogEntity, "alternateId" | "detailEntry">) {
  return {
    ...describeFacts(id, NO_REQUEST),
    actor: { ...actor, alternateId: actor.id, detailEntry: null },
    transaction: { type: "JOB" as const, id, detail: {} },
  };
}

/** What the log stores of a request: capped, and without credentials. */
export function selectFacts(
  facts: RequestFacts,
  { status = null, reason = null }: Partial<Pick<LogFacts, "status" | "reason">> = {},
): LogFacts {
  const { context, tenant, principal } = facts;
  const ip = context ? context.ip : addressOf(facts.peer);
  const { os, browser, device } = context?.userAgent ?? UNKNOWN;
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
    userAgent: formatUserAgent(facts),
    os,
    browser,
    device,
    hops: context ? selectHops(context.chain, ip) : null,
    zone: tenant?.trust.findZone(ip ?? undefined) ?? null,
    reason: reason && capText(escapeHidden(reason), MAX_LENGTHS.reason),
    actor: principal ? capText(principal.subject, MAX_LENGTHS.name) : null,
    tokenName: typeof tokenName === "string" ? capText(tokenName, MAX_LENGTHS.name) : null,
    languages: context?.languages.length ? context.languages : null,
    deviceFingerprint: facts.deviceFingerprint ?? null,
  };
}

/** The context has as much of the field as is kept, decoded. Node decodes a field as latin1; clients send UTF-8. */
function formatUserAgent({ context, rawUserAgent = "" }: RequestFacts): string {
  const max = MAX_LENGTHS.userAgent;
  const text = context ? (context.userAgent.raw ?? "") : Buffer.from(rawUserAgent.slice(0, max), "latin1").toString();
  return capText(rawUserAgent.length > max ? text + CUT : text, max);
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
