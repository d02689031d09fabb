import { excerpt, isCanonicalDate } from "../text/index.js";
import type { CompiledCatalogue } from "../errors/index.js";
import { isLinkRelation, isLinkTarget } from "../http/index.js";
import { formatPointer, isObject, parseJson } from "../json/index.js";

/** What is checked: dates, characters, the error object, `_links`, `Link`, and the order of the app. */
export const RESPONSE_RULES = ["S4", "S5", "E1", "L1", "L2", "L3", "P2", "order"] as const;

export type ResponseRule = (typeof RESPONSE_RULES)[number];

/** A fault of a response, or of the order in which the app mounts its middlewares, for their author. */
export interface ResponseFault {
  /** The rule that is broken. */
  readonly rule: ResponseRule;
  /** A JSON Pointer (RFC 6901), or the name of a header field; for `order`, the middleware in the wrong place. */
  readonly place: string;
  /** What was found and what to do. */
  readonly message: string;
}

/** A response that was sent. */
export interface CheckedResponse {
  readonly status: number;
  /** The lines of `Link`. */
  readonly links: readonly string[];
  /** The request id in the response header. */
  readonly requestId: string | undefined;
  readonly contentType: string | undefined;
  /** `undefined` when the response has no body, or its body was not copied. */
  readonly body: string | undefined;
  /** How many bytes of UTF-8 a character may take. */
  readonly maxBytesPerCharacter: 3 | 4;
  /** The codes that an error object may have. */
  readonly catalogue: CompiledCatalogue;
  /** The rules that are not checked. */
  readonly skip?: readonly ResponseRule[];
}

/** A response rarely has more kinds of faults, but every object of a list may have the same one. */
const MAX_FAULTS = 20;

/** Text that looks like a date: an ISO 8601 date with or without a time, an HTTP date, `String(new Date())`. */
const DATE_LIKE_REGEXP =
  /^(?:[+-]?\d{4,6}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{2} )?[A-Z][a-z]{2} .*\d{2}:\d{2}:\d{2}.*)$/i;

/** The forbidden characters, by the number of bytes that a character may take. */
const UNSUPPORTED = {
  3: { regexp: /[\ud800-\udfff\ufeff]/, name: "a character of four bytes, a lone surrogate or a byte order mark" },
  4: { regexp: /[\p{Surrogate}\ufeff]/u, name: "a lone surrogate or a byte order mark" },
} as const;

/** One relation in one line, its target absolute. */
const LINK_LINE_REGEXP = /^<https?:\/\/[^\s<>"]+>; rel="([^\s",]+)"(?:; .*)?$/;

const JSON_TYPE_REGEXP = /^application\/(?:[a-z0-9.+-]+\+)?json(?:;|$)/i;

const ERROR_FIELDS = ["errorCode", "errorSummary", "errorLink", "errorId", "errorCauses"];

type Report = (rule: ResponseRule, place: string, message: string) => void;

/**
 * Find at most 20 faults of a response against the rules S4 (dates), S5 (characters), E1 (error object), L1 to L3
 * (`_links`) and P2 (`Link`). A body that is not JSON is checked only when it should be an error object.
 */
export function findResponseFaults(response: CheckedResponse): readonly ResponseFault[] {
  const faults: ResponseFault[] = [];
  const report: Report = (rule, place, message) => {
    if (faults.length < MAX_FAULTS && !response.skip?.includes(rule)) faults.push({ rule, place, message });
  };

  checkLinkLines(response.links, report);
  const { status, body, contentType = "", maxBytesPerCharacter } = response;
  if (body === undefined) return faults;

  const value = JSON_TYPE_REGEXP.test(contentType) ? readJson(body) : undefined;
  if (status >= 400) checkErrorObject(value, response, report);
  if (value !== undefined) checkValues(value, maxBytesPerCharacter, report, () => faults.length === MAX_FAULTS);
  return faults;
}

function checkLinkLines(lines: readonly string[], report: Report): void {
  const relations = new Set<string>();
  for (const line of lines) {
    const relation = LINK_LINE_REGEXP.exec(line)?.[1]?.toLowerCase();
    if (relation === undefined) {
      report("P2", "Link", `${excerpt(line)} is not of the form <absolute URL>; rel="relation", one relation a line.`);
    } else if (relations.has(relation)) {
      report("P2", "Link", `The relation ${excerpt(relation)} comes twice.`);
    } else {
      relations.add(relation);
    }
  }
  if (relations.has("next") && !relations.has("self")) {
    report("P2", "Link", 'There is a line with rel="next" and none with rel="self".');
  }
}

function checkErrorObject(
  value: unknown,
  { requestId, contentType, catalogue }: CheckedResponse,
  report: Report,
): void {
  if (!isObject(value)) {
    report(
      "E1",
      "",
      `A failure has the error object; this is ${excerpt(contentType ?? "no type")}. Use errorFormatter().`,
    );
    return;
  }
  const missing = ERROR_FIELDS.filter((field) => !Object.hasOwn(value, field));
  if (missing.length > 0) {
    report("E1", "", `The error object has no ${missing.join(", ")}. Use errorFormatter().`);
    return;
  }
  const { errorCode, errorLink, errorId, errorCauses } = value;
  if (typeof errorCode !== "string" || !catalogue.has(errorCode)) {
    report("E1", "/errorCode", `${excerpt(String(errorCode))} is not in the catalogue.`);
  }
  if (errorLink !== errorCode) report("E1", "/errorLink", "It is not the same as errorCode.");
  if (errorId !== requestId) report("E1", "/errorId", "It is not the id of the request.");
  if (!Array.isArray(errorCauses) || !errorCauses.every((cause) => isObject(cause) && "errorSummary" in cause)) {
    report("E1", "/errorCauses", "It is not an array of objects with errorSummary.");
  }
}

/** Check every string, key and `_links`, without recursion: a body may be nested deeper than the stack allows. */
function checkValues(root: unknown, maxBytes: 3 | 4, report: Report, isFull: () => boolean): void {
  const { regexp, name } = UNSUPPORTED[maxBytes];
  const pending: [value: unknown, pointer: string][] = [[root, ""]];
  for (let next = pending.pop(); next && !isFull(); next = pending.pop()) {
    const [value, pointer] = next;
    if (typeof value === "string") {
      checkDate(value, pointer, report);
      if (regexp.test(value)) report("S5", pointer, `${excerpt(value)} has ${name}.`);
    } else if (isObject(value) || Array.isArray(value)) {
      for (const [key, member] of Object.entries(value as Record<string, unknown>).reverse()) {
        const place = pointer + formatPointer([key]);
        if (regexp.test(key)) report("S5", place, `The key has ${name}.`);
        if (key === "_links" && !Array.isArray(value)) checkLinks(member, place, report);
        pending.push([member, place]);
      }
    }
  }
}

function checkDate(text: string, pointer: string, report: Report): void {
  if (DATE_LIKE_REGEXP.test(text) && !isCanonicalDate(text)) {
    report(
      "S4",
      pointer,
      `${excerpt(text)} is a date of another form than YYYY-MM-DDTHH:mm:ss.SSSZ. Use formatDate().`,
    );
  }
}

function checkLinks(links: unknown, pointer: string, report: Report): void {
  if (!isObject(links)) {
    report("L1", pointer, "It is not an object with a member for each relation.");
    return;
  }
  for (const [relation, value] of Object.entries(links)) {
    const place = pointer + formatPointer([relation]);
    if (!isLinkRelation(relation)) report("L1", place, `${excerpt(relation)} is not a link relation.`);
    for (const link of Array.isArray(value) ? (value as unknown[]) : [value]) checkLink(link, place, report);
  }
}

function checkLink(link: unknown, place: string, report: Report): void {
  if (!isObject(link)) {
    report("L1", place, "It is neither a Link object nor an array of them.");
    return;
  }
  const { href, name, type } = link;
  if (typeof href !== "string" || !isLinkTarget(href)) {
    report("L2", place, `href is ${excerpt(String(href))}; it must be an absolute URL or path.`);
  }
  if (name !== undefined && typeof name !== "string") report("L2", place, "name is not a string.");
  if (type === "application/json") report("L3", place, "type is the default; leave it out.");
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
