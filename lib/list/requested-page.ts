import type { Response } from "express";
import { apiError } from "../errors/index.js";
import { encodeUri, targetPath } from "../http/index.js";
import { type Cursor, type CursorCodec, type CursorContext, CursorError, type CursorKey } from "./cursor.js";
import { cutPage, type PagePlaces } from "./page.js";
import { formatPageLinks, isTidyTarget } from "./page-links.js";
import type { PageQuery } from "./page-query.js";

/** A cursor of usual length: two dates and a number. */
const CURSOR_LENGTH = 128;

/** The page that a request asks for. */
export interface Page {
  /** The most rows of the page. */
  readonly limit: number;
  /** How many rows to read from the store: one more than `limit`, which tells whether there is a next page. */
  readonly fetchLimit: number;
  /** Keys of a row: the page has the rows after it, in the order of the list. */
  readonly after: readonly CursorKey[] | undefined;
  /** Keys of a row: the page has the rows before it. Read them in the opposite order, the nearest first. */
  readonly before: readonly CursorKey[] | undefined;
  /**
   * Make the page from the rows that the store found, at most `fetchLimit`, and set `Link`. Call it once.
   *
   * @param keysOf returns the 1 to 8 values that the list is sorted by, in that order; no other row has the last value.
   *   They come back as `after` or `before`. Use dates as the text that the store compares, with all digits
   * @param end where reading stopped: keys at or beyond the last of `rows`, even if no row of the page has them. If `rows`
   *   are no more than `limit`, the next page continues there, so that rows that did not match are not searched again. For
   *   a polled list, where it ended when it was read; for any list, where the search for rows was given up. Default: the
   *   last of `rows`, or the start of the page
   * @returns at most `limit` rows, in the order of the list
   * @throws {Error} `E0000256` when the URLs are too long for a header
   * @throws {TypeError} when `rows` is not an array, or keys are missing, invalid or not unique
   */
  take<T>(rows: readonly T[], keysOf: (row: T) => readonly CursorKey[], end?: readonly CursorKey[]): T[];
}

/** What is the same for all pages of a list. */
export interface PagedList {
  readonly codec: CursorCodec;
  readonly resource: string;
  readonly prev: boolean;
  readonly maxLinkLength: number;
  /** The `Link` that a response has. */
  readonly linkOf: (res: Response) => unknown;
  /** Puts one line, which is valid in a field, on a response that has none. */
  readonly setLink: (res: Response, line: string) => void;
}

/** Where a page is: in its list, and in the API. */
export interface PagePlace {
  readonly context: CursorContext;
  readonly position: readonly CursorKey[] | undefined;
  readonly polling: boolean;
  readonly baseUrl: string;
  /** The request target. */
  readonly target: string;
}

/**
 * Create the page that `query` asks for.
 *
 * @throws {Error} `E0000256` when its URLs are too long for a header
 */
export function createPage(list: PagedList, query: PageQuery, place: PagePlace, res: Response): Page {
  const page = new RequestedPage(list, query, place, res);
  page.assertFits();
  return page;
}

class RequestedPage implements Page {
  readonly limit: number;
  readonly fetchLimit: number;
  readonly after: readonly CursorKey[] | undefined;
  readonly before: readonly CursorKey[] | undefined;
  readonly #list: PagedList;
  readonly #query: PageQuery;
  readonly #place: PagePlace;
  readonly #res: Response;

  constructor(list: PagedList, query: PageQuery, place: PagePlace, res: Response) {
    const { limit, cursor } = query;
    this.limit = limit;
    this.fetchLimit = limit === 0 ? 0 : limit + 1;
    this.after = cursor?.direction === "after" ? place.position : undefined;
    this.before = cursor?.direction === "before" ? place.position : undefined;
    this.#list = list;
    this.#query = query;
    this.#place = place;
    this.#res = res;
  }

  /** Made when it is read, so that it can be called without the page. */
  get take(): Page["take"] {
    return (found, keysOf, end) => {
      const { position, polling } = this.#place;
      const { rows, next, previous } = cutPage(
        found,
        { limit: this.limit, direction: this.#query.cursor?.direction ?? "after", position, polling, end },
        keysOf,
      );
      this.#setLinks(this.#format({ next, previous: this.#list.prev ? previous : undefined }));
      return rows;
    };
  }

  /** Refuse URLs that don't fit before the store is asked. A longer cursor is refused when it is known. */
  assertFits(): void {
    const { baseUrl, target } = this.#place;
    if (9 * (baseUrl.length + target.length + CURSOR_LENGTH) < this.#list.maxLinkLength) return; // the usual case
    const { cursor } = this.#query;
    const places = { next: [], previous: this.#list.prev && cursor ? [] : undefined };
    this.#format(places, () => cursor?.text ?? "x".repeat(CURSOR_LENGTH));
  }

  #setLinks(own: readonly string[]): void {
    const earlier = this.#list.linkOf(this.#res);
    const [self = ""] = own;
    if (earlier === undefined && own.length === 1) this.#list.setLink(this.#res, self);
    else this.#res.setHeader("Link", [...own, ...[earlier ?? []].flat().map(String)]);
  }

  /** Without `encode`, cursors are those of the list. */
  #format(places: PagePlaces, encode?: (cursor: Cursor) => string): string[] {
    try {
      const lines = this.#formatLines(places, encode);
      let length = 0;
      for (const line of lines) length += line.length;
      if (length > this.#list.maxLinkLength) throw new CursorError("length");
      return lines;
    } catch (error) {
      throw error instanceof CursorError ? tooLong() : error;
    }
  }

  #formatLines(places: PagePlaces, encode: ((cursor: Cursor) => string) | undefined): string[] {
    const { target } = this.#place;
    const base = encodeUri(this.#place.baseUrl);
    const isAlone = places.next === undefined && places.previous === undefined;
    if (isAlone && isTidyTarget(target)) return [`<${base}${target}>; rel="self"`];
    return formatPageLinks(base + targetPath(target), this.#query, places, encode ?? this.#encoder());
  }

  #encoder(): (cursor: Cursor) => string {
    const { codec } = this.#list;
    const { context } = this.#place;
    return (cursor) => codec.encode(cursor, context);
  }
}

function tooLong(): Error {
  const causes = ["The URLs of this page and the next do not fit into the header; shorten the query."];
  return apiError("E0000256", { type: "pagination.too-long", causes });
}
