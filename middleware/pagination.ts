import type { Request } from "express";
import {
  assertKnownOptions,
  booleanOption,
  createRequestSlot,
  fromStep,
  functionOption,
  integerOption,
  maxBytesPerCharacterOption,
  type Middleware,
  optionError,
  stringsOption,
  type NothingElse,
} from "../lib/factory/index.js";
import {
  bindContext,
  compileCursorCodec,
  compilePageQueryReader,
  createPage,
  type CursorDirection,
  CursorError,
  type CursorKey,
  type Page,
  type PagedList,
  type PageLimit,
  type PageQueryFault,
  type PaginationContext,
  parsePageLimit,
  parsePolling,
  secretsOption,
} from "../lib/list/index.js";
import { baseUrlOption } from "../lib/net/index.js";
import { apiError, type ErrorCode } from "../lib/errors/index.js";
import { queryOf } from "../lib/http/index.js";
import { headerWriter, readHeader } from "../lib/express/index.js";

export type { CursorKey, Page, PageLimit, PaginationContext } from "../lib/list/index.js";

/** In characters. Clients usually read 16 KB of header (`--max-http-header-size` of Node); the rest is for other fields. */
const DEFAULT_MAX_LINK_LENGTH = 12_288;

const CODES: Readonly<Record<PageQueryFault["reason"], ErrorCode>> = {
  malformed: "E0009000",
  limit: "E0000001",
  cursor: "E0000029",
  combination: "E0000063",
};

const slot = createRequestSlot<Page>("pagination");

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

const NO_CONTEXT: Readonly<PaginationContext> = Object.freeze({});

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
  const { list, baseUrlOf, readQuery, contextOf, isPolling } = parseOptions(options);

  return fromStep("paginationMiddleware", (req, res) => {
    const { query, fault } = readQuery(queryOf(req, req.originalUrl));
    if (fault) return refusal(fault);
    const context = bindContext(list.resource, contextOf(req), query);
    const { cursor } = query;
    let position: readonly CursorKey[] | undefined;
    if (cursor) {
      try {
        position = list.codec.decode(cursor.text, cursor.direction, context).keys;
      } catch (error) {
        if (error instanceof CursorError) return cursorRefusal(cursor.direction, error);
        throw error;
      }
    }
    const place = { context, position, polling: isPolling(req), baseUrl: baseUrlOf(req), target: req.originalUrl };
    slot.set(req, createPage(list, query, place, res));
    return undefined;
  });
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

function parseOptions(options: Readonly<PaginationOptions>) {
  assertKnownOptions("pagination", options, OPTIONS, "app.use(pagination({ … }))");
  const { secret, resource, baseUrl, limit, context, polling, firstPageOnly, prev, maxLinkLength } = options;
  if (typeof resource !== "string" || resource === "")
    throw optionError("pagination", "resource", "a non-empty string");
  const list: PagedList = {
    codec: compileCursorCodec(secretsOption("pagination", secret)),
    resource,
    prev: booleanOption("pagination", "prev", prev, false),
    linkOf: (res) => readHeader(res, "link"),
    setLink: headerWriter("Link"),
    maxLinkLength: integerOption("pagination", "maxLinkLength", maxLinkLength, {
      fallback: DEFAULT_MAX_LINK_LENGTH,
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
  };
  return {
    list,
    baseUrlOf: baseUrlOption("pagination", baseUrl),
    readQuery: compilePageQueryReader(
      parsePageLimit("pagination", limit),
      stringsOption("pagination", "firstPageOnly", firstPageOnly, []),
      maxBytesPerCharacterOption("pagination", options.maxBytesPerCharacter),
    ),
    contextOf: functionOption("pagination", "context", context, () => NO_CONTEXT),
    isPolling: parsePolling("pagination", polling),
  };
}
