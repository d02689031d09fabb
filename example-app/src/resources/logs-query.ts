import { formatDate, parseDate } from "etiquette/dates";
import { tryGetFilter } from "etiquette/filter";
import type { PaginationContext } from "etiquette/pagination";
import { getQuery, type Query } from "etiquette/query-parameters";
import { createRequestSlot } from "etiquette/request-slot";
import { z } from "zod";
import { apiError } from "../model/api-error.js";
import { assertText, invalid } from "../rest/body.js";
import type { QueryParameter } from "../rest/query.js";
import type { LogSelection } from "../store/log/event-queries.js";

const DEFAULT_DAYS = 7;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The most words in `q`. */
const MAX_WORDS = 10;
const MAX_WORD_LENGTH = 40;

const FIRST_DATE = "0000-01-01T00:00:00.000Z";

const SORT_ORDERS = ["ASCENDING", "DESCENDING"] as const;

const date = z.string().meta({ format: "date-time" });

/** The parameters that {@link getLogQuery} reads. */
export const LOG_PARAMETERS: Readonly<Record<string, QueryParameter>> = {
  since: { shape: date, description: `The earliest time, inclusive; by default ${DEFAULT_DAYS} days before the end.` },
  until: { shape: date, description: "The latest time, exclusive; without it the list goes on as events happen." },
  sortOrder: { shape: z.enum(SORT_ORDERS).meta({ default: SORT_ORDERS[0] }), description: "By time." },
  q: {
    shape: z.string(),
    description: `Words that an event must contain: at most ${MAX_WORDS}, each of at most ${MAX_WORD_LENGTH} characters.`,
    isText: true,
  },
};

/** Which events are wanted, apart from `filter` and the page. `since` belongs to the first page only. */
export interface LogQuery extends Omit<LogSelection, "expression"> {
  /** Whether the list never ends: ascending order without an end (rule P4). */
  readonly isPolled: boolean;
}

const slot = createRequestSlot<LogQuery>("logQuery");

/**
 * The parameters `since`, `until`, `sortOrder` and `q`. Read once per request.
 *
 * @throws {ApiError} `E0000030` for an invalid date, `E0000001` for other faults
 */
export function getLogQuery(req: object): LogQuery {
  if (!slot.has(req)) slot.set(req, parseLogQuery(getQuery(req), new Date()));
  return slot.get(req);
}

/** The selection that a cursor is bound to, however the query was encoded. */
export function describeLogQuery(req: object): PaginationContext {
  const { until, words, isDescending } = getLogQuery(req);
  return { filter: JSON.stringify([tryGetFilter(req)?.text, words, until]), sort: isDescending ? "desc" : "asc" };
}

/** Whether the list has the events of an hour at most. A later page has, because its cursor is bound to filter and end. */
export function isBrief(req: object): boolean {
  const { since, until } = getLogQuery(req);
  return (
    until !== undefined &&
    (getQuery(req).get("after") !== undefined || Date.parse(until) - Date.parse(since) <= HOUR_MS)
  );
}

function parseLogQuery(query: Query, now: Date): LogQuery {
  const until = readDate(query, "until");
  const since = readDate(query, "since") ?? beforeDefaultDays(until === undefined ? now : new Date(until));
  if (until !== undefined && since > until) throw invalid([["since", `is later than until, which is ${until}`]]);
  const isDescending = readOrder(query) === "DESCENDING";
  return { since, until, isDescending, isPolled: until === undefined && !isDescending, words: readWords(query) };
}

export function readDate(query: Query, name: string): string | undefined {
  const text = textOf(query, name);
  if (text === "") return undefined;
  const date = parseDate(text);
  if (date) return formatDate(date);
  throw apiError("E0000030", { type: "logs.date", causes: [`${name}: is no date such as 2026-01-31T08:00:00.000Z.`] });
}

function beforeDefaultDays(end: Date): string {
  const start = end.getTime() - DEFAULT_DAYS * DAY_MS;
  return start < Date.parse(FIRST_DATE) ? FIRST_DATE : formatDate(start);
}

function readOrder(query: Query): string {
  const order = textOf(query, "sortOrder");
  if (order !== "" && !(SORT_ORDERS as readonly string[]).includes(order)) {
    throw invalid([["sortOrder", `must be ${SORT_ORDERS.join(" or ")}`]]);
  }
  return order;
}

function readWords(query: Query): string[] {
  const text = textOf(query, "q");
  assertText("q", text, Infinity); // the words have limits
  const words = text.split(/\s+/u).filter((word) => word !== "");
  if (words.length > MAX_WORDS) {
    throw invalid([["q", `has ${words.length} words; at most ${MAX_WORDS} are allowed`]]);
  }
  const longest = Math.max(0, ...words.map(({ length }) => length));
  if (longest > MAX_WORD_LENGTH) {
    throw invalid([["q", `has a word of ${longest} characters; at most ${MAX_WORD_LENGTH} are allowed`]]);
  }
  return words.map((word) => word.toLowerCase());
}

/** An empty value counts as absent. */
function textOf(query: Query, name: string): string {
  return query.get(name) ?? "";
}
