import { NO_QUESTION, type Question } from "../../parts/tried.js";

/** What an address of the page asks: `/?login=joe@example.com&revision=12`. */
export interface TrySearch {
  readonly login?: string;
  readonly ip?: string;
  readonly device?: string;
  readonly at?: string;
  readonly revision?: number;
}

/** A state of the past; without members it is that of now. */
export interface Moment {
  /** ISO 8601, UTC. */
  readonly at?: string | undefined;
  readonly revision?: number | undefined;
}

export function readSearch(search: Readonly<Record<string, unknown>>): TrySearch {
  const texts = ["login", "ip", "device", "at"].flatMap((name) =>
    ["string", "number"].includes(typeof search[name]) ? [[name, String(search[name])]] : [],
  );
  const revision = Number(search["revision"]);
  return {
    ...(Object.fromEntries(texts) as TrySearch),
    ...(Number.isSafeInteger(revision) && revision > 0 && { revision }),
  };
}

/** `undefined` when the address asks nothing. */
export function questionOf({ login, ip = "", device = "" }: TrySearch): Question | undefined {
  return login === undefined ? undefined : { ...NO_QUESTION, login, clientIp: ip, userAgent: device };
}

/** The search of the link that explains an event. */
export function searchOfTrace(href: string, accountPrefix: string): TrySearch {
  const query = new URL(href).searchParams;
  const resource = query.get("resource") ?? "";
  return readSearch({
    login: resource.startsWith(accountPrefix) ? resource.slice(accountPrefix.length) : resource,
    ip: query.get("clientIp") ?? undefined,
    device: query.get("userAgent") ?? undefined,
    revision: query.get("revision") ?? undefined,
  });
}
