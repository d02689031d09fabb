import { readTexts } from "../../parts/search-texts.js";
import { nameOfDevice, NO_QUESTION, userAgentOf, type Question } from "../../parts/tried.js";

/** What an address of the page asks: `/?login=joe@example.com&device=iPhone&revision=12`. */
export interface TrySearch {
  readonly login?: string;
  readonly ip?: string;
  /** The name of a device that is offered, or a user agent. */
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
  const revision = Number(search["revision"]);
  return {
    ...readTexts(search, ["login", "ip", "device", "at"]),
    ...(Number.isSafeInteger(revision) && revision > 0 && { revision }),
  };
}

/** `undefined` when the address asks nothing. */
export function questionOf({ login, ip = "", device = "" }: TrySearch): Question | undefined {
  return login === undefined ? undefined : { ...NO_QUESTION, login, clientIp: ip, userAgent: userAgentOf(device) };
}

/** What the address says that asks this. */
export function toSearch({ login, clientIp, userAgent }: Question, { at, revision }: Moment): TrySearch {
  return {
    ...(login !== "" && { login }),
    ...(clientIp !== "" && { ip: clientIp }),
    ...(userAgent !== "" && { device: nameOfDevice(userAgent) }),
    ...(at !== undefined && { at }),
    ...(revision !== undefined && { revision }),
  };
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
