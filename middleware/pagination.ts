import type { Request, Response } from "express";
import {
  assertKnownOptions,
  booleanOption,
  createRequestSlot,
  functionOption,
  integerOption,
  maxBytesPerCharacterOption,
  type Middleware,
  optionError,
  stringsOption,
  type NothingElse,
} from "../lib/factory/index.js";
import { memoize } from "../lib/text/index.js";
import {
  bindContext,
  compileCursorCodec,
  type Cursor,
  compilePageQueryReader,
  type CursorContext,
  type CursorDirection,
  CursorError,
  type CursorKey,
  cutPage,
  formatPageLinks,
  type PageLimit,
  type PagePlaces,
  type PageQuery,
  type PageQueryFault,
  type PaginationContext,
  parsePageLimit,
  parsePolling,
  pathOf,
  secretsOption,
} from "../lib/list/index.js";
import { baseUrlOption } from "../lib/net/index.js";
import { apiError, type ErrorCode } from "../lib/errors/index.js";
import { encodeUri, queryOf } from "../lib/http/index.js";

export type { CursorKey, PageLimit, PaginationContext } from "../lib/list/index.js";

/** In characters. Clients usually read 16 KB of header (`--max-http-header-size` of Node); the rest is for other fields. */
const DEFAULT_MAX_LINK_LENGTH = 12_288;

/** A cursor of usual length: two dates and a number. */
const CURSOR_LENGTH = 128;

const CODES: Readonly<Record<PageQueryFault["reason"], ErrorCode>> = {
  malformed: "E0009000",
  limit: "E0000001",
  cursor: "E0000029",
  combination: "E0000063",
};

const slot = createRequestSlot<Page>("pagination");

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

export interface PaginationOptions {
  /**
   * The secret that encrypts cursors: a random string or bytes, 32 bytes or more, the same on every node. Of several, the
   * first encrypts and all decrypt. Required.
   */
  secret: string | Uint8Array | readonly (string | Uint8Array)[];

  /** The name of the list, such as `"users"`. A cursor of another list is refused. Required. */
  resource: string;

  /**
   * The start of the URLs in `Link`, such as `"https://acme.example.com"`; the path of the request follows. `http:` is for
   * `localhost`, `127.0.0.0/8` and `[::1]`. Use a function when it depends on the org, and read it from the org's record,
   * not from `Host`. Required.
   */
  baseUrl: string | ((req: Request) => string);

  /**
   * The bounds of the parameter `limit`, inclusive, and its default.
   *
   * @default { default: 20, max: 200, min: 1 }; the default is moved into the bounds
   */
  limit?: Readonly<Partial<PageLimit>>;

  /**
   * Returns the further facts that a cursor is bound to.
   *
   * @default () => ({})
   */
  context?: (req: Request) => Readonly<PaginationContext>;

  /**
   * Whether there is always a next page, for a list that grows at its end, such as a log in ascending order.
   *
   * @default false
   */
  polling?: boolean | ((req: Request) => boolean);

  /**
   * Parameters that say where the list begins, such as `since`. They are refused with a cursor, and `next` omits them.
   *
   * @default []
   */
  firstPageOnly?: readonly string[];

  /**
   * Whether all pages except the first have a link `prev`, which has a cursor for `before`.
   *
   * @default false
   */
  prev?: boolean;

  /**
   * The most characters of all `Link` lines together, 1–9,007,199,254,740,991.
   *
   * @default 12288
   */
  maxLinkLength?: number;

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const OPTIONS: Record<keyof PaginationOptions, true> = {
  secret: true,
  resource: true,
  baseUrl: true,
  limit: true,
  context: true,
  polling: true,
  firstPageOnly: true,
  prev: true,
  maxLinkLength: true,
  maxBytesPerCharacter: true,
};

const encodeBaseUrl = memoize(encodeUri);

/**
 * Parse `limit`, `after` and `before` of a list, for {@link getPage}. The page gets the rows and sets `Link`. Does not
 * query, sort or count.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * const page = pagination({ secret, resource: "users", baseUrl: "https://acme.example.com" });
 * app.get("/users", page, async (req, res) => {
 *   const rows = await findUsers(getPage(req)); // up to fetchLimit rows, ordered by id
 *   res.json(getPage(req).take(rows, ({ id }) => [id]));
 * });
 */
export function pagination(options: Readonly<PaginationOptions>, ..._: NothingElse): Middleware {
  const { codec, resource, baseUrlOf, readQuery, contextOf, isPolling, prev, maxLinkLength } = parseOptions(options);

  return function paginationMiddleware(req, res, next) {
    const { query, fault } = readQuery(queryOf(req, req.originalUrl));
    if (fault) {
      next(refusal(fault));
      return;
    }
    const context = bindContext(resource, contextOf(req), query);
    try {
      slot.set(req, createPage(query, context, req, res));
    } catch (error) {
      next(error instanceof CursorError && query.cursor ? cursorRefusal(query.cursor.direction, error) : error);
      return;
    }
    next();
  };

  function createPage(query: PageQuery, context: CursorContext, req: Request, res: Response): Page {
    const { limit, cursor } = query;
    const direction = cursor?.direction ?? "after";
    const position = cursor && codec.decode(cursor.text, direction, context).keys;
    const polling = isPolling(req);
    const baseUrl = baseUrlOf(req);
    const { originalUrl } = req;
    assertFits();

    return {
      limit,
      fetchLimit: limit === 0 ? 0 : limit + 1,
      after: direction === "after" ? position : undefined,
      before: direction === "before" ? position : undefined,
      take(found, keysOf, end) {
        const { rows, next, previous } = cutPage(found, { limit, direction, position, polling, end }, keysOf);
        const own = formatLines({ next, previous: prev ? previous : undefined });
        const lines = [...own, ...[res.getHeader("Link") ?? []].flat().map(String)];
        const [self = "", ...others] = lines;
        // Node checks the lines of an array as one long text, which takes more time
        res.setHeader("Link", others.length > 0 ? lines : self);
        return rows;
      },
    };

    /** Refuse URLs that don't fit before the store is asked. A longer cursor is refused when it is known. */
    function assertFits(): void {
      if (9 * (baseUrl.length + originalUrl.length + CURSOR_LENGTH) < maxLinkLength) return; // the usual case
      const places = { next: [], previous: prev && cursor ? [] : undefined };
      formatLines(places, () => cursor?.text ?? "x".repeat(CURSOR_LENGTH));
    }

    function formatLines(places: PagePlaces, encode = (next: Cursor) => codec.encode(next, context)): string[] {
      try {
        const lines = formatPageLinks(encodeBaseUrl(baseUrl) + pathOf(originalUrl), query, places, encode);
        if (lines.reduce((sum, line) => sum + line.length, 0) > maxLinkLength) throw new CursorError("length");
        return lines;
      } catch (error) {
        throw error instanceof CursorError ? tooLong() : error;
      }
    }
  }
}

/**
 * The page that `req` asks for, from {@link pagination}.
 *
 * @throws {Error} when `pagination()` did not run for this request
 * @example
 * const { fetchLimit, after, before } = getPage(req);
 */
export function getPage(req: object): Page {
  return slot.get(req);
}

/**
 * The page that `req` asks for, or `undefined` when {@link pagination} did not run.
 *
 * @example
 * const limit = tryGetPage(req)?.limit ?? 20;
 */
export function tryGetPage(req: object): Page | undefined {
  return slot.tryGet(req);
}

function refusal({ reason, message }: PageQueryFault): Error {
  const type = reason === "malformed" ? "query.malformed" : (`pagination.${reason}` as const);
  return apiError(CODES[reason], { type, causes: [message], ...(reason === "limit" && { detail: "limit" }) });
}

function cursorRefusal(direction: CursorDirection, { message }: CursorError): Error {
  const causes = [`${direction}: ${message}. Follow the URLs in Link.`];
  return apiError("E0000029", { type: "pagination.cursor", causes });
}

function tooLong(): Error {
  const causes = ["The URLs of this page and the next do not fit into the header; shorten the query."];
  return apiError("E0000256", { type: "pagination.too-long", causes });
}

function parseOptions(options: Readonly<PaginationOptions>) {
  assertKnownOptions("pagination", options, OPTIONS, "app.use(pagination({ … }))");
  const { secret, resource, baseUrl, limit, context, polling, firstPageOnly, prev, maxLinkLength } = options;
  if (typeof resource !== "string" || resource === "")
    throw optionError("pagination", "resource", "a non-empty string");
  return {
    codec: compileCursorCodec(secretsOption("pagination", secret)),
    resource,
    baseUrlOf: baseUrlOption("pagination", baseUrl),
    readQuery: compilePageQueryReader(
      parsePageLimit("pagination", limit),
      stringsOption("pagination", "firstPageOnly", firstPageOnly, []),
      maxBytesPerCharacterOption("pagination", options.maxBytesPerCharacter),
    ),
    contextOf: functionOption("pagination", "context", context, () => ({})),
    isPolling: parsePolling("pagination", polling),
    prev: booleanOption("pagination", "prev", prev, false),
    maxLinkLength: integerOption("pagination", "maxLinkLength", maxLinkLength, {
      fallback: DEFAULT_MAX_LINK_LENGTH,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
  };
}
