import type { Probe } from "../probe.js";
import { isObject } from "../../lib/json/index.js";
import type { Response } from "../response.js";

/** Parts of the names of fields that carry the id of a request: `X-Svc-Request-Id`, `Request-Id`, `X-Correlation-Id`. */
const ID_NAME_REGEXP = /(?:^|-)(?:request|correlation|trace)-?id$/;

const MEMBERS = ["errorCode", "errorSummary", "errorLink", "errorId", "errorCauses"];

/** The name of the field with the id of the request; `undefined` when a response has none. */
export function requestIdName(response: Response): string | undefined {
  return response.names.find((name) => ID_NAME_REGEXP.test(name));
}

/** What a failure lacks of the error object (rule E1). */
export function findErrorFault(response: Response, sent: string): string | undefined {
  const { status } = response;
  if (status < 400) return `${sent}: the status is ${status}, expected 4xx or 5xx.`;
  const fault = findJsonFault(response) ?? findMemberFault(response);
  return fault === undefined ? undefined : `${sent}: ${status}, and ${fault}`;
}

/** What keeps a failure from being read as JSON. */
export function findJsonFault(response: Response): string | undefined {
  const type = response.field("Content-Type") ?? "missing";
  if (!/^application\/(?:[\w.+-]+\+)?json(?:;|$)/i.test(type)) {
    return response.isEmpty ? "the body is empty." : `Content-Type is ${type}.`;
  }
  return isObject(response.json()) ? undefined : "the body is no JSON object.";
}

function findMemberFault(response: Response): string | undefined {
  const value = response.json();
  if (!isObject(value)) return "the body is no JSON object.";
  const missing = MEMBERS.filter((name) => !Object.hasOwn(value, name));
  if (missing.length > 0) return `the error object has no ${missing.join(", ")}.`;
  if (value["errorLink"] !== value["errorCode"]) return "errorLink differs from errorCode.";
  if (!Array.isArray(value["errorCauses"])) return "errorCauses is no array.";
  const name = requestIdName(response);
  if (name === undefined) return "no field has the id of the request.";
  return value["errorId"] === response.field(name) ? undefined : `errorId differs from ${name}.`;
}

/** A path beside that of the probe which no API has. */
export function unknownPath(probe: Probe): string {
  const [path = ""] = probe.path.split("?");
  return `${path.slice(0, path.lastIndexOf("/"))}/etiquette-check-unknown`;
}
