import type { NewLogEvent } from "../store/log-events.js";
import { describeRequest, type RequestFacts } from "./describe.js";

/** What kind of request it was, by how its path begins. */
const KINDS: readonly (readonly [path: string, eventType: string, displayMessage: string])[] = [
  ["/.well-known/webfinger", "system.webfinger.query", "WebFinger query"],
  ["/api/", "system.api.request", "API request"],
  ["/sso/", "system.sso.redirect", "Redirect to sign in"],
];

/** Any other request. */
const OTHER = ["", "system.http.request", "HTTP request"] as const;

/** What never was a request to the app. */
const REFUSED = ["", "system.http.refused", "Refused request"] as const;

const GAVE_UP = "The connection was lost before the answer was complete.";

/** A request whose answer has gone out. */
export interface EndedRequest {
  readonly facts: RequestFacts;
  /** `undefined` for one that ended before its org was found. */
  readonly orgId: string | undefined;
  /** The field `Host` of one that reached the app. */
  readonly host: string | undefined;
  /** Whether it reached the app. */
  readonly isServed: boolean;
  /** `undefined` when no answer was begun. */
  readonly status: number | undefined;
  readonly isComplete: boolean;
  /** What the client was told, if that was an error: code and summary. */
  readonly reason: string | undefined;
}

/** The event of a request. */
export function describeEnd({ facts, isServed, status, isComplete, reason }: EndedRequest): NewLogEvent {
  const isSuccess = isComplete && status !== undefined && status < 400;
  const description = describeRequest(facts);
  const { debugData } = description.debugContext;
  if (status !== undefined) debugData["statusCode"] = String(status);
  const [, eventType, displayMessage] = isServed ? kindOf(debugData.requestUri) : REFUSED;
  return {
    ...description,
    eventType,
    severity: severityOf(isSuccess, status),
    displayMessage,
    outcome: isSuccess
      ? { result: "SUCCESS", reason: null }
      : { result: "FAILURE", reason: isComplete ? (reason ?? `HTTP status ${String(status)}`) : GAVE_UP },
    target: null,
  };
}

function severityOf(isSuccess: boolean, status = 0): NewLogEvent["severity"] {
  if (isSuccess) return "DEBUG";
  return status >= 500 ? "ERROR" : "WARN";
}

function kindOf(path: string): (typeof KINDS)[number] {
  return KINDS.find(([beginning]) => path.startsWith(beginning)) ?? OTHER;
}
