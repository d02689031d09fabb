import type { Request } from "express";
import { formatLink, withLinks, type Links } from "etiquette/links";
import { compileNamespace } from "etiquette/namespace";
import { CUT } from "../audit/log-text.js";
import { MAX_USER_AGENT_LENGTH } from "../model/client-shapes.js";
import type { LogEvent } from "../model/records.js";
import { SENT_LOG_EVENT } from "../model/sent-shapes.js";
import { isSignOnPath } from "../model/sign-on-path.js";
import { linksShape, urlOf } from "../rest/resource-type.js";
import { ERASED } from "../store/log/erased-text.js";
import { POLICY } from "./policies.js";

/** An event as it is sent. */
export const LINKED_LOG_EVENT = SENT_LOG_EVENT.extend({
  _links: linksShape(["trace"], [])
    .exactOptional()
    .describe("The trace of the decision, if the event tells of one and of a login."),
});

/** Adds to an event what explains it. */
export type LinkEvent = (req: Request, event: LogEvent) => LogEvent & { _links?: Links };

/** An event with a decision and a login gets the link `trace`, which explains that decision. */
export function createEventLinks(namespaceText: string | undefined): LinkEvent {
  const { accountPrefix } = compileNamespace("logs", namespaceText);

  return (req, event) => {
    const { policyId, revision } = event.debugContext.debugData;
    const resource = policyId === undefined ? undefined : findResource(event, accountPrefix);
    if (policyId === undefined || revision === undefined || resource === undefined) return event;
    const { ipAddress, userAgent } = event.client;
    const query = new URLSearchParams({ resource, revision });
    if (ipAddress !== null) query.set("clientIp", ipAddress);
    if (userAgent.rawUserAgent.length <= MAX_USER_AGENT_LENGTH) query.set("userAgent", userAgent.rawUserAgent);
    const url = urlOf(POLICY, req, { id: policyId });
    return withLinks(event, { trace: formatLink(`${url}/trace?${query.toString().replaceAll("+", "%20")}`) });
  };
}

/** The resource of a WebFinger query, or that of the login of a sign-on; `undefined` when the log doesn't have all of it. */
function findResource({ debugContext }: LogEvent, prefix: string): string | undefined {
  const { requestUri, url } = debugContext.debugData;
  if (url.endsWith(CUT)) return undefined;
  const text = url.slice(requestUri.length + 1);
  if (!isSignOnPath(requestUri)) return shown(new URLSearchParams(text.replaceAll("+", "%2B")).get("resource"));
  const query = new URLSearchParams(text);
  const login = shown(query.get("login") ?? query.get("login_hint"))?.trim();
  return login === undefined || login === "" ? undefined : prefix + login;
}

function shown(value: string | null): string | undefined {
  return value === null || value === ERASED ? undefined : value;
}
