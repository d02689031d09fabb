import { compileNamespace } from "etiquette/namespace";
import { compileWebfingerParser } from "etiquette/webfinger";
import { CUT } from "../../audit/log-text.js";
import { toClientPlatform, type ClientPlatform } from "../../discovery/platform.js";
import type { ApiSettings } from "../../model/api-settings.js";
import { ERASED } from "../../store/log/erased-text.js";
import type { SignOnRow } from "../../store/log/sign-ons.js";
import { unpackFacts, type LogFacts, type NewLogEvent } from "../../store/log/stored-facts.js";

/** A login for which the routing rules were asked, and the client that asked. */
export interface AskedLogin {
  readonly login: string;
  readonly clientIp: string | undefined;
  readonly platform: ClientPlatform;
}

/** What of an event says who asked. */
type AskingFacts = Pick<LogFacts, "path" | "query" | "status" | "ip" | "os" | "device">;

/** The login that an event tells of; `unreadable` when it was erased or cut, `undefined` when no rule was asked. */
type LoginReader = (event: SignOnRow) => AskedLogin | "unreadable" | undefined;

export function createLoginReader({
  namespace,
  resourceAliases,
}: Pick<ApiSettings, "namespace" | "resourceAliases">): LoginReader {
  const parseWebfinger = compileWebfingerParser(compileNamespace("replay", namespace), resourceAliases);

  return function readLogin(event) {
    const { path, query, status, ip, os, device } = readFacts(event);
    if (status?.startsWith("4") === true) return undefined; // refused before the rules were asked
    const read = READERS[path];
    if (!read || query === "") return undefined;
    if (query.endsWith(CUT) || query.includes(`=${ERASED}`)) return "unreadable";
    const login = read(query.replace(/^\?|#.*$/g, ""), parseWebfinger);
    if (login === undefined || login === "") return undefined;
    return { login, clientIp: ip ?? undefined, platform: toClientPlatform({ os, device }) };
  };
}

type Reader = (query: string, parseWebfinger: ReturnType<typeof compileWebfingerParser>) => string | undefined;

/** By the paths that ask the rules. */
const READERS: Readonly<Record<string, Reader>> = {
  "/.well-known/webfinger": (query, parseWebfinger) => parseWebfinger(query).query?.login,
  "/sso/login": (query) => new URLSearchParams(query).get("login")?.trim(),
};

/** Versions before the first with facts described each event. */
function readFacts({ event }: SignOnRow): AskingFacts {
  const document = JSON.parse(event) as NewLogEvent | unknown[];
  if (Array.isArray(document)) return unpackFacts(document);
  const { client, debugContext } = document;
  const { requestUri: path, url, statusCode } = debugContext.debugData;
  return {
    path,
    query: url.slice(path.length),
    status: statusCode ?? null,
    ip: client.ipAddress,
    os: client.userAgent.os,
    device: client.device,
  };
}
