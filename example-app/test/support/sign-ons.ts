import { parseUserAgent } from "etiquette/request-context";
import { appendRows, toRequestRow } from "../../src/store/log/events.js";
import { NO_CLIENT } from "../../src/store/log/stored-facts.js";
import type { Store } from "../../src/store/store.js";

/** A request that asks the rules for a login. */
export interface SignOn {
  readonly login: string;
  readonly ip?: string;
  readonly userAgent?: string;
  /** By WebFinger, by the page of a sign-on, or otherwise. */
  readonly path?: string;
  readonly query?: string;
  readonly status?: string;
}

const WEBFINGER = "/.well-known/webfinger";

/** Writes the events of sign-ons into the log of an org, as the server does: the last is the newest. */
export async function appendSignOns(store: Store, orgId: string, signOns: readonly SignOn[]): Promise<void> {
  const rows = signOns.map(({ login, ip = null, userAgent = "", path = WEBFINGER, status = "200", query }, i) => {
    const { os, browser, device } = parseUserAgent(userAgent);
    const name = path === WEBFINGER ? "resource=svc:acct:" : "login=";
    return toRequestRow({
      requestId: `sign-on-${i}`,
      eventType: path === WEBFINGER ? "system.webfinger.query" : "system.sso.redirect",
      severity: "DEBUG",
      facts: {
        ...NO_CLIENT,
        ...{ path, query: query ?? `?${name}${encodeURIComponent(login)}`, method: "GET", status },
        ...{ ip, userAgent, os, browser, device, reason: null, actor: null, tokenName: null },
      },
    });
  });
  await store.write((transaction) => appendRows(transaction, orgId, rows));
}
