import { findLink, parseLinkHeader } from "../http/index.js";
import { parseUrl } from "../net/index.js";
import { isPause, wait, waitAfter } from "./page-wait.js";

/** A guard against a list that never ends. */
const DEFAULT_MAX_PAGES = 10_000;

/** In milliseconds: as long as most windows of rate limits. */
const DEFAULT_MAX_WAIT = 60_000;

/** The longest time of a timer, in milliseconds. */
const LONGEST_WAIT = 2_147_483_647;

/** How often a page is asked for again after a pause. Other clients may take what is left. */
const MAX_PAUSES = 5;

/** The members of a `Response` of `fetch` that are used. */
export interface PageResponse {
  readonly ok: boolean;
  readonly status: number;
  /** The URL after redirects. */
  readonly url?: string;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/** `fetch`, or a function that calls it and adds what each request needs, such as credentials. */
export type FetchPage<R extends PageResponse> = (url: string, init: { signal?: AbortSignal }) => Promise<R>;

/** Options of {@link followPages}. */
export interface FollowPagesOptions<T> {
  /**
   * Returns the rows in the body of a page.
   *
   * @default (body) => body, which must be an array
   */
  rowsOf?: (body: unknown) => T[];

  /**
   * Ends the iteration: the iterator throws its reason. It is passed to `fetch` with each request.
   *
   * @default undefined
   */
  signal?: AbortSignal;

  /**
   * Whether the list always has a next page, so that an empty page is the end for now. Continue later at its `next`. With a
   * function, the iteration awaits it after an empty page and then continues, until `signal` ends it.
   *
   * @default false
   */
  polling?: boolean | (() => Promise<unknown>);

  /**
   * The most pages to read; one more is an error. If `polling` is a function, the most pages between two empty ones.
   *
   * @default 10000
   */
  maxPages?: number;

  /**
   * Further origins that `next` may lead to, such as `"https://eu.example.com"`. The origin of the first URL is always
   * allowed. All of them receive what `fetch` adds, such as credentials.
   *
   * @default []
   */
  origins?: readonly string[];

  /**
   * The longest pause that the server may ask for, in milliseconds, 0–2,147,483,647. The next request waits until a limit
   * has something left (`RateLimit`, or `X-Rate-Limit-Remaining` and `X-Rate-Limit-Reset`). A page that is 429 or 503 with
   * `Retry-After` or such a limit is asked for again, five times at most. A longer pause is not waited for: then 429 and
   * 503 are errors, as with 0.
   *
   * @default 60000
   */
  maxWait?: number;

  /**
   * The current time in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

/** A page of a list. */
export interface FollowedPage<T, R extends PageResponse> {
  /** The URL of the page. */
  readonly url: string;
  /** The rows of the page, in the order of the list. */
  readonly rows: T[];
  /** The absolute URL of the next page; `undefined` on the last page. */
  readonly next: string | undefined;
  /** The response. Its body has been read. */
  readonly response: R;
}

/**
 * - `status`: the status of the response is not a success
 * - `body`: the body is not JSON, or not an array
 * - `link`: `next` is not a URL
 * - `origin`: `next` leads to another origin
 * - `loop`: `next` leads to a page that was read before
 * - `maxPages`: there are more than `maxPages` pages
 */
export type FollowPagesErrorReason = "status" | "body" | "link" | "origin" | "loop" | "maxPages";

/**
 * The iteration ended before the list did. Errors that `fetch` throws are not wrapped.
 *
 * @example
 * if (error instanceof FollowPagesError && error.reason === "status") console.log(error.response?.status);
 */
export class FollowPagesError extends Error {
  override readonly name = "FollowPagesError";
  readonly reason: FollowPagesErrorReason;
  /** The URL of the faulty page. */
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
 * Read a list page by page, following `Link: <…>; rel="next"`. The list ends at a page without `next`, with `polling` at an
 * empty page, and always at an empty page whose `next` is its own URL. Waits as rate limits ask. Does not build URLs.
 *
 * @param url the absolute URL of the first page, or the `next` of an earlier iteration, to continue there
 * @throws {FollowPagesError} see {@link FollowPagesErrorReason}
 * @throws {TypeError} when `maxWait` is out of bounds
 * @example
 * const get = (url, init) => fetch(url, { ...init, headers: { Authorization: `Bearer ${token}` } });
 * for await (const { rows } of followPages(get, "https://api.example.com/users?limit=200")) console.log(rows);
 */
export async function* followPages<T = unknown, R extends PageResponse = PageResponse>(
  fetch: FetchPage<R>,
  url: string,
  options: Readonly<FollowPagesOptions<T>> = {},
): AsyncGenerator<FollowedPage<T, R>, void, undefined> {
  const { rowsOf = asArray, signal, polling = false, maxPages = DEFAULT_MAX_PAGES, origins = [] } = options;
  const { maxWait = DEFAULT_MAX_WAIT, now = Date.now } = options;
  if (typeof maxWait !== "number" || !(maxWait >= 0 && maxWait <= LONGEST_WAIT)) {
    throw new TypeError(`followPages: \`maxWait\` must be a number from 0 to ${LONGEST_WAIT}`);
  }
  const allowed = new Set([new URL(url).origin, ...origins]);
  const visited = new Set<string>();
  const init = signal === undefined ? {} : { signal };
  const ask = (asked: string) => askPatiently(fetch, asked, { init, maxWait, now });

  for (let current: string | undefined = new URL(url).href; current !== undefined;) {
    signal?.throwIfAborted();
    if (visited.has(current)) throw new FollowPagesError("loop", "was read before", { url: current });
    if (visited.size >= maxPages) {
      throw new FollowPagesError("maxPages", `there are more than ${maxPages} pages`, { url: current });
    }
    visited.add(current);

    const { response, received }: Answer<R> = await ask(current);
    const page: FollowedPage<T, R> = await readPage(response, current, init, rowsOf);
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
      throw new FollowPagesError("origin", `its next page ${page.next} has another origin`, page);
    }
    current = page.next;
    const pause = current === undefined ? 0 : (waitAfter(response, received) ?? 0) - (now() - received);
    if (pause > 0 && pause <= maxWait) await wait(pause, signal);
  }
}

interface Answer<R> {
  readonly response: R;
  /** When it came, in milliseconds since 1970. */
  readonly received: number;
}

/** Ask for a page, and again when the server asks for a pause that is short enough. */
async function askPatiently<R extends PageResponse>(
  fetch: FetchPage<R>,
  url: string,
  { init, maxWait, now }: { init: { signal?: AbortSignal }; maxWait: number; now: () => number },
): Promise<Answer<R>> {
  for (let pauses = 0; ; pauses++) {
    const response = await fetch(url, init);
    const received = now();
    const pause = isPause(response) && pauses < MAX_PAUSES ? waitAfter(response, received) : undefined;
    if (pause === undefined || pause > maxWait || maxWait === 0) return { response, received };
    await response.json().catch(() => undefined); // so that the connection is free
    await wait(pause, init.signal);
  }
}

async function readPage<T, R extends PageResponse>(
  response: R,
  url: string,
  init: { signal?: AbortSignal },
  rowsOf: (body: unknown) => T[],
): Promise<FollowedPage<T, R>> {
  if (!response.ok)
    throw new FollowPagesError("status", `the response has status ${response.status}`, { url, response });

  let rows: T[];
  try {
    rows = rowsOf(await response.json());
  } catch (cause) {
    init.signal?.throwIfAborted();
    throw new FollowPagesError("body", "the body can't be read", { url, response, cause });
  }
  const target = findLink(parseLinkHeader(response.headers.get("Link") ?? ""), "next");
  if (target === undefined) return { url, rows, next: undefined, response };

  const base = response.url === undefined || response.url === "" ? url : response.url;
  const next = parseUrl(target, base)?.href;
  if (next === undefined) throw new FollowPagesError("link", `its next page ${target} is not a URL`, { url, response });
  return { url, rows, next, response };
}

function asArray<T>(body: unknown): T[] {
  if (!Array.isArray(body)) throw new TypeError("the body is not an array; give `rowsOf`");
  return body as T[];
}
