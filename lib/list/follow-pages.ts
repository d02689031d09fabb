import { findLink, parseLinkHeader } from "../http/index.js";

/** More pages than people walk through; the guard against a list that never ends. */
const DEFAULT_MAX_PAGES = 10_000;

/** What is needed of a `Response`. */
export interface PageResponse {
  readonly ok: boolean;
  readonly status: number;
  /** Where redirects led to. */
  readonly url?: string;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/**
 * `fetch`, or a function around it that adds what each request needs:
 * `(url, init) => fetch(url, { ...init, headers: { authorization } })`.
 */
export type FetchPage<R extends PageResponse> = (url: string, init: { signal?: AbortSignal }) => Promise<R>;

export interface FollowPagesOptions<T> {
  /**
   * The rows in the body of a page.
   *
   * @default the body, which must be an array
   */
  rowsOf?: (body: unknown) => T[];

  /** Ends the walk: the iterator throws its reason. Given to `fetch` with each request. */
  signal?: AbortSignal;

  /**
   * Whether the list always has a next page, so that an empty one is the end for now; its `next` is where to go on later.
   * A function is awaited after an empty page, and then the walk goes on, until `signal` ends it.
   *
   * @default false
   */
  polling?: boolean | (() => Promise<unknown>);

  /**
   * How many pages to read at most; one more is an error. With a function for `polling`, how many between two empty ones.
   *
   * @default 10000
   */
  maxPages?: number;

  /**
   * Origins beside that of the first URL that `next` may lead to, such as `"https://eu.example.com"`. They are sent what
   * `fetch` adds, credentials among it.
   *
   * @default []
   */
  origins?: readonly string[];
}

/** A page, as it was read. */
export interface FollowedPage<T, R extends PageResponse> {
  readonly url: string;
  readonly rows: T[];
  /** Absolute; `undefined` on the last page. */
  readonly next: string | undefined;
  /** Its body is read. */
  readonly response: R;
}

/**
 * - `status`: the answer is no success
 * - `body`: the body is not JSON, or not an array
 * - `link`: `next` is no URL
 * - `origin`: `next` leads to another origin
 * - `loop`: `next` leads to a page that was read already
 * - `maxPages`: there are more pages than that
 */
export type FollowPagesErrorReason = "status" | "body" | "link" | "origin" | "loop" | "maxPages";

/** Why a walk ended before the list did. What `fetch` throws comes through as it is. */
export class FollowPagesError extends Error {
  override readonly name = "FollowPagesError";
  readonly reason: FollowPagesErrorReason;
  /** The page at fault. */
  readonly url: string;
  readonly response: PageResponse | undefined;

  constructor(
    reason: FollowPagesErrorReason,
    message: string,
    { url, response, cause }: Readonly<{ url: string; response?: PageResponse; cause?: unknown }>,
  ) {
    super(`${url}: ${message}`, { cause });
    this.reason = reason;
    this.url = url;
    this.response = response;
  }
}

/**
 * Read a list page by page, following `Link: <…>; rel="next"`. The list ends at a page without it, or, when it is polled,
 * at an empty page; an empty page whose `next` is its own URL ends any list. Does not retry, and builds no URL.
 *
 * @param url of the first page, absolute; or the `next` of an earlier walk, to go on from there
 * @throws {FollowPagesError} see its reasons
 */
export async function* followPages<T = unknown, R extends PageResponse = PageResponse>(
  fetch: FetchPage<R>,
  url: string,
  options: Readonly<FollowPagesOptions<T>> = {},
): AsyncGenerator<FollowedPage<T, R>, void, undefined> {
  const { rowsOf = asArray, signal, polling = false, maxPages = DEFAULT_MAX_PAGES, origins = [] } = options;
  const allowed = new Set([new URL(url).origin, ...origins]);
  const visited = new Set<string>();
  const init = signal === undefined ? {} : { signal };

  for (let current: string | undefined = new URL(url).href; current !== undefined;) {
    signal?.throwIfAborted();
    if (visited.has(current)) throw new FollowPagesError("loop", "was read already", { url: current });
    if (visited.size >= maxPages) {
      throw new FollowPagesError("maxPages", `there are more than ${maxPages} pages`, { url: current });
    }
    visited.add(current);

    const page: FollowedPage<T, R> = await readPage(fetch, current, init, rowsOf);
    yield page;

    const isEmpty = page.rows.length === 0;
    if (isEmpty && typeof polling === "function" && page.next !== undefined) {
      signal?.throwIfAborted();
      await polling();
      visited.clear();
    } else if (isEmpty && (polling === true || page.next === current)) {
      return;
    }
    if (page.next !== undefined && !allowed.has(new URL(page.next).origin)) {
      throw new FollowPagesError("origin", `is followed by ${page.next}, of another origin`, page);
    }
    current = page.next;
  }
}

async function readPage<T, R extends PageResponse>(
  fetch: FetchPage<R>,
  url: string,
  init: { signal?: AbortSignal },
  rowsOf: (body: unknown) => T[],
): Promise<FollowedPage<T, R>> {
  const response = await fetch(url, init);
  if (!response.ok) throw new FollowPagesError("status", `was answered ${response.status}`, { url, response });

  let rows: T[];
  try {
    rows = rowsOf(await response.json());
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw new FollowPagesError("body", "has a body that cannot be read", { url, response, cause });
  }
  const target = findLink(parseLinkHeader(response.headers.get("Link") ?? ""), "next");
  if (target === undefined) return { url, rows, next: undefined, response };

  const base = response.url === undefined || response.url === "" ? url : response.url;
  if (!URL.canParse(target, base))
    throw new FollowPagesError("link", `is followed by ${target}, no URL`, { url, response });
  return { url, rows, next: new URL(target, base).href, response };
}

function asArray<T>(body: unknown): T[] {
  if (!Array.isArray(body)) throw new TypeError("the body is not an array; give `rowsOf`");
  return body as T[];
}
