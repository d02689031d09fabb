/** An error that the API sent, or a failure of the connection. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** 0 when there was no response. */
  readonly status: number;
  readonly code: string;
  /** The id of the request, by which the log has it. */
  readonly id: string;
  readonly causes: readonly string[];

  constructor({ status, code, id, summary, causes }: Readonly<Omit<ApiProblem, keyof Error> & { summary: string }>) {
    super(summary);
    this.status = status;
    this.code = code;
    this.id = id;
    this.causes = causes;
  }
}

/** Whether the server could not be reached, or could not answer now: the same request may succeed later. */
export function isOutage(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && [0, 502, 503, 504].includes(error.status);
}

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  /** Write only if the record still has this entity tag. */
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  data: T;
  etag: string | undefined;
  /** The path of the next page, with its query. */
  next: string | undefined;
  requestId: string | undefined;
}

const NEXT_REGEXP = /<([^>]+)>; *rel="next"/;

/** As `fetch`, but whatever is no success is an {@link ApiProblem}. */
export async function exchange(request: Request): Promise<Response> {
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    throw new ApiProblem({
      status: 0,
      code: "",
      id: "",
      summary: "The server can't be reached: check the connection.",
      causes: [],
    });
  });
  if (!response.ok) throw toProblem(response.status, await readJson(response));
  return response;
}

/**
 * Send a request that the description of the API does not have: to `/console/session`, or to the `next` of a page. For all
 * others there is `api` of client.ts. The browser adds the session's cookie, which scripts can't read.
 */
export async function send<T>(
  path: string,
  { method = "GET", query = {}, body, ifMatch, signal }: Call = {},
): Promise<Answer<T>> {
  const response = await exchange(
    new Request(withQuery(path, query), {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(ifMatch !== undefined && { "If-Match": ifMatch }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    }),
  );
  return toAnswer((await readJson(response)) as T, response);
}

export function toAnswer<T>(data: T, { headers }: Response): Answer<T> {
  const next = NEXT_REGEXP.exec(headers.get("Link") ?? "")?.[1];
  return {
    data,
    etag: headers.get("ETag") ?? undefined,
    next: next === undefined ? undefined : pathOf(next),
    requestId: headers.get("X-Svc-Request-Id") ?? undefined,
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") === true;
  return isJson ? JSON.parse(text) : undefined; // a proxy sends pages
}

/** The path and the query of an absolute URL of the API, which may name the org by another host. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}

export function withQuery(path: string, query: NonNullable<Call["query"]>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  if (parameters.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${parameters.join("&")}`;
}

function toProblem(status: number, data: unknown): ApiProblem {
  const {
    errorCode = "",
    errorSummary = `The server responded with ${status}.`,
    errorId = "",
    errorCauses = [],
  } = (data ?? {}) as Partial<{
    errorCode: string;
    errorSummary: string;
    errorId: string;
    errorCauses: { errorSummary: string }[];
  }>;
  const causes = errorCauses.map((cause) => cause.errorSummary);
  return new ApiProblem({ status, code: errorCode, id: errorId, summary: errorSummary, causes });
}
