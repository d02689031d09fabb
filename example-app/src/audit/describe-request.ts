import type { Principal } from "etiquette/authenticate";
import type { RequestContextRecord } from "etiquette/request-context";
import type { LogEntity, LogEvent } from "../model/records.js";
import type { NewLogEvent } from "../store/log-events.js";
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

/** The members that all events of a request share. */
export type RequestDescription = Omit<NewLogEvent, "eventType" | "severity" | "displayMessage" | "outcome" | "target">;

export function describeRequest(facts: RequestFacts): RequestDescription {
  const { id, method, context, tenant } = facts;
  const ipAddress = context ? context.ip : addressOf(facts.peer);
  const { raw, os, browser, device } = context?.userAgent ?? {
    raw: facts.rawUserAgent?.slice(0, MAX_USER_AGENT_LENGTH),
    os: "Unknown",
    browser: "Unknown",
    device: "Unknown",
  };
  const url = formatUrl(facts.url ?? "");
  const debugData: LogEvent["debugContext"]["debugData"] = {
    requestId: id,
    requestUri: url.replace(/[?#][^]*$/, ""),
    url,
  };
  if (method !== undefined) debugData["method"] = method;
  return {
    version: "0",
    actor: describeActor(facts.principal),
    client: {
      userAgent: { rawUserAgent: raw ?? "", os, browser },
      zone: tenant?.routing.findZone(ipAddress ?? undefined) ?? null,
      device,
      id: null,
      ipAddress,
      geographicalContext: null,
    },
    transaction: { type: "WEB", id, detail: {} },
    debugContext: { debugData },
    authenticationContext: {},
    securityContext: {},
    request: { ipChain: context ? describeChain(context.chain) : describePeer(ipAddress) },
  };
}

/** The URL without credentials. The rest of the query stays, because readers of the log administer the org's users. */
function formatUrl(target: string): string {
  const url = target.replace(AUTHORITY_REGEXP, "").slice(0, MAX_URL_LENGTH);
  return url.includes("?") ? url.replace(CREDENTIALS_REGEXP, "$1***") : url;
}

const NOBODY: LogEntity = {
  id: "unknown",
  type: "User",
  alternateId: "unknown",
  displayName: "Unknown",
  detailEntry: null,
};

function describeActor(principal: Principal | null | undefined): LogEntity {
  if (!principal) return NOBODY;
  const { subject, claims = {} } = principal;
  const { tokenName } = claims;
  return typeof tokenName === "string"
    ? { id: subject, type: "ApiToken", alternateId: subject, displayName: tokenName, detailEntry: null }
    : { id: subject, type: "AccessToken", alternateId: subject, displayName: subject, detailEntry: null };
}

type IpChain = LogEvent["request"]["ipChain"];

/**
 * The addresses from the client to the peer. Entries before the client are left out, because anybody can forge them.
 */
function describeChain(chain: RequestContextRecord["chain"]): IpChain {
  return chain
    .filter(({ reason }) => reason === "trusted" || reason === "untrusted")
    .flatMap(({ ip, source }) => (ip === null ? [] : [describeHop(ip, source)]))
    .reverse();
}

function describePeer(ip: string | null): IpChain {
  return ip === null ? [] : [describeHop(ip, "socket")];
}

function describeHop(ip: string, source: string): IpChain[number] {
  return { ip, geographicalContext: null, version: ip.includes(":") ? "V6" : "V4", source };
}

/** The address of a peer; IPv4-mapped addresses become IPv4. */
function addressOf(peer: string | undefined): string | null {
  return peer?.replace(/^::ffff:(?=[0-9.]+$)/i, "") ?? null;
}
