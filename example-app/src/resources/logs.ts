import type { RequestHandler } from "express";
import { tryGetFilter } from "etiquette/filter";
import { compareKeys, type SortTerm } from "etiquette/keyset";
import { getPage, type CursorKey, type Page } from "etiquette/pagination";
import { z } from "zod";
import { departureOf } from "../pace/departure.js";
import { listPages } from "../rest/list.js";
import { expression, plainParameters } from "../rest/query.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { boundSearchCost } from "../rest/search-cost.js";
import { readLogHead } from "../store/log/events.js";
import { toLogEvent } from "../store/log/stored-facts.js";
import { LOG_FILTER } from "../store/log/filter.js";
import { LOG_INDEXES, searchLog } from "../store/log/event-queries.js";
import type { LogPlace } from "../store/contract/log-schema.js";
import { nextTurn } from "../store/lists/search.js";
import { getTenant } from "../tenancy/tenant.js";
import { createEventLinks, LINKED_LOG_EVENT } from "./log-links.js";
import { describeLogQuery, getLogQuery, isBrief, LOG_PARAMETERS, type LogQuery } from "./logs-query.js";

/**
 * A poll without matches leaves the URL of the next poll unchanged while at most this many events were searched. The next
 * poll searches them again.
 */
const MAX_SEARCHED_AGAIN = 1_000;

/** The System Log of the org. */
export function logResources({ store, settings }: ApiDependencies): Resource[] {
  const link = createEventLinks(settings.namespace);
  const list: RequestHandler = async (req, res) => {
    const data = store.forOrg(getTenant(req).org.id, departureOf(res));
    const query = getLogQuery(req);
    const page = getPage(req);
    const since = sinceOf(page, query);
    // read before the events, so that the page includes every event up to there
    const head = query.isPolled ? await data.query((db) => readLogHead(db, getTenant(req).org.id)) : undefined;

    const selection = { ...query, since, expression: tryGetFilter(req) };
    const after = page.after?.slice(0, ORDER.length);
    const found = await data.search((dialect, orgId) => searchLog(dialect, orgId, selection), { ...page, after });
    await nextTurn(found);
    const { rows, end } = found;

    const toKeys = (place: readonly CursorKey[]) => (query.isDescending ? [...place, since] : place);
    const keysOf = ({ published, sequence }: LogPlace) => toKeys([published, sequence]);
    const stop = end ? toKeys(end) : query.isPolled ? findEnd(head, { page, since, rows }) : undefined;
    const events = page.take(rows, keysOf, stop).map(toLogEvent);
    await nextTurn(found);
    const linked = events.map((event) => link(req, event));
    await nextTurn(found);
    res.json(linked);
  };

  return [
    {
      path: "/logs",
      operations: {
        GET: {
          id: "listLogEvents",
          summary: "List events of the System Log",
          scope: "logs.read",
          cors: true,
          query: [
            plainParameters(LOG_PARAMETERS),
            expression("filter", LOG_FILTER),
            boundSearchCost({
              indexes: LOG_INDEXES,
              isNarrow: isBrief,
              narrowing: "give since and until that are an hour or less apart",
            }),
            listPages(settings, {
              resource: "logs",
              limit: { default: 100, max: 1_000, min: 0 },
              context: describeLogQuery,
              polling: (req) => getLogQuery(req).isPolled,
              firstPageOnly: ["since"],
              prev: false,
            }),
          ],
          sent: { content: { name: "LogEventList", shape: z.array(LINKED_LOG_EVENT.meta({ id: "LogEvent" })) } },
          handlers: [list],
        },
      },
    },
  ];
}

/** The start of the list. In descending order it is in the cursor, because the URLs of later pages don't contain it. */
function sinceOf({ after }: Page, { since, isDescending }: LogQuery): string {
  if (after === undefined) return since;
  return String(isDescending ? after[2] : after[0]);
}

/**
 * The end of a polled list when it was read: the head of the log, even if the last events don't match. Never before the
 * beginning of the page.
 */
function findEnd(
  head: LogPlace | undefined,
  { page: { after }, since, rows }: Readonly<{ page: Page; since: string; rows: readonly LogPlace[] }>,
): CursorKey[] | undefined {
  const begin = after?.slice() ?? [since, 0];
  const isFarther = head !== undefined && head.sequence - Number(begin[1]) > MAX_SEARCHED_AGAIN;
  if (after !== undefined && rows.length === 0 && !isFarther) return undefined;
  const places = [begin, ...[head, rows.at(-1)].flatMap((place) => (place ? [[place.published, place.sequence]] : []))];
  return places.reduce((a, b) => (compareKeys(a, b, ORDER) < 0 ? b : a));
}

const ORDER: readonly SortTerm[] = [{ column: "published" }, { column: "sequence" }];
