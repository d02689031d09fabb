import { STATUS_CODES } from "node:http";
import { formatErrorObject, type ErrorObject } from "./error-catalogue.js";
import type { SentError } from "./sent-error.js";

export const PROBLEM_TYPE = "application/problem+json";

/** The error object (rule E1) of an error. */
export function toErrorObject({ code, id, summary, causes }: SentError): ErrorObject {
  return formatErrorObject(code, { id, summary, causes });
}

/** A problem whose members are those of RFC 9457, section 3.1, then those of its example. */
export function toProblem(error: SentError, typeBase: string | undefined): object {
  const { code, id, causes } = error;
  const errors = causes.map(({ errorSummary, detail = errorSummary, pointer, parameter }) => ({
    detail,
    ...(pointer !== undefined && { pointer: toFragment(pointer) }),
    ...(parameter !== undefined && { parameter }),
  }));
  return { ...describe(error, typeBase), code, requestId: id, errors };
}

/** The error object with the members of a problem. */
export function toProblemWithErrorObject(error: SentError, typeBase: string | undefined): object {
  return { ...describe(error, typeBase), ...toErrorObject(error) };
}

/**
 * Without a type of its own a problem is `about:blank`, and its title the status phrase (section 4.2.1). `instance`
 * identifies this occurrence; it is a reference relative to the URL of the request.
 */
function describe({ status, code, title, summary, id }: SentError, typeBase: string | undefined): object {
  return {
    ...(typeBase === undefined
      ? { type: "about:blank", title: STATUS_CODES[status] }
      : { type: typeBase + encodeURIComponent(code), title }),
    status,
    detail: summary,
    instance: `#${id}`,
  };
}

/** A pointer as a URI fragment, RFC 6901 section 6. */
function toFragment(pointer: string): string {
  return `#${encodeURI(pointer.replaceAll(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("#", "%23")
    .replaceAll("?", "%3F")}`;
}
