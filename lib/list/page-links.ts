import type { Cursor, CursorDirection } from "./cursor.js";
import type { PageQuery } from "./page-query.js";
import type { PagePlaces } from "./page.js";

/** What a link to a target can't keep: a character to encode, a host, a fragment, an empty parameter, an empty query. */
const UNTIDY_REGEXP = /^(?!\/)|[^!$-;=?-Z[\]_a-z~]|%(?![0-9A-Fa-f]{2})|[?&](?:&|$)/;

/** Whether a link to a request target keeps it as it was sent. */
export function isTidyTarget(target: string): boolean {
  return !UNTIDY_REGEXP.test(target);
}

/**
 * Format the `Link` lines of a page (rule P2): `self`, then `next` and `prev` if there are such pages. They keep each
 * parameter of the query once and in order; the cursor comes last. All parts are encoded already.
 *
 * @param url the URL of the list, without query
 */
export function formatPageLinks(
  url: string,
  query: PageQuery,
  { next, previous }: PagePlaces,
  encode: (cursor: Cursor) => string,
): string[] {
  const lines = [`<${withQuery(url, query.self)}>; rel="self"`];
  if (next === null) lines.push(`<${withQuery(url, query.start)}>; rel="next"`);
  else if (next !== undefined) {
    lines.push(`<${withCursor(url, query.others, "after", encode({ direction: "after", keys: next }))}>; rel="next"`);
  }
  if (previous !== undefined) {
    lines.push(
      `<${withCursor(url, query.others, "before", encode({ direction: "before", keys: previous }))}>; rel="prev"`,
    );
  }
  return lines;
}

function withQuery(url: string, query: string): string {
  return query === "" ? url : `${url}?${query}`;
}

function withCursor(url: string, query: string, direction: CursorDirection, cursor: string): string {
  return query === "" ? `${url}?${direction}=${cursor}` : `${url}?${query}&${direction}=${cursor}`;
}
