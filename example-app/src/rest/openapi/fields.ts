import { compileNamespace } from "etiquette/namespace";
import { TOTAL_FIELD } from "../total.js";

/** The header fields of requests and responses, for the description of the API. */

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** The fields of responses, and where each one is. */
export function describeFields(namespace: string) {
  const { requestIdHeader } = compileNamespace("api", namespace);
  const always = {
    [requestIdHeader]: {
      description: "The id of the request, which the System Log has too.",
      required: true,
      schema: text,
    },
    "Cache-Control": { description: "Whether caches may keep the response.", schema: text },
    "X-Rate-Limit-Limit": { description: "The most requests in a window, if requests are limited.", schema: count },
    "X-Rate-Limit-Remaining": { description: "The requests that are left.", schema: count },
    "X-Rate-Limit-Reset": { description: "When the window ends, in seconds since 1970.", schema: count },
    "RateLimit-Policy": { description: "Each limit, with its quota and window (RFC 9651).", schema: text },
    RateLimit: { description: "What is left of each limit, and for how many seconds (RFC 9651).", schema: text },
  };
  const some = {
    ETag: {
      description: "The entity tag of the object, for If-Match and If-None-Match.",
      required: true,
      schema: text,
    },
    Link: {
      description:
        "`self`, and `next` and `prev` if there is such a page (RFC 8288); `successor-version` if there is one.",
      schema: text,
    },
    "Accept-Query": {
      description:
        "The list also takes QUERY (RFC 10008) with the parameters in a body of these media types, which have no limit of a URL's length.",
      schema: text,
    },
    [TOTAL_FIELD]: {
      description: `With \`total=true\`: how many elements the list has, with a \`+\` when there may be more.`,
      schema: text,
    },
    "Retry-After": { description: "The seconds to wait.", schema: { type: "integer", minimum: 0 } },
    "WWW-Authenticate": { description: "The credentials that are needed (RFC 9110 section 11.6.1).", schema: text },
    Deprecation: { description: "When this operation was deprecated (RFC 9745).", schema: text },
    "Idempotent-Replayed": {
      description: "`true` when the response is the one of an earlier request with the same Idempotency-Key.",
      schema: text,
    },
    Sunset: { description: "When this operation ends (RFC 8594).", schema: text },
  };
  return { always: Object.keys(always), fields: { ...always, ...some } };
}

/** The fields that a request may have. */
export const REQUEST_FIELDS = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A text of 1–255 characters in quotes. A request that is sent again with the same key within a day is not carried out again; the response is the one of the first.",
    schema: text,
  },
  "If-Match": {
    name: "If-Match",
    in: "header",
    description: "Entity tags: if the object has none of them any more, nothing is written, and the response is 412.",
    schema: text,
  },
  "If-None-Match": {
    name: "If-None-Match",
    in: "header",
    description: "Entity tags: if the object still has one of them, the response is 304.",
    schema: text,
  },
};
