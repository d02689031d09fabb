import { faults } from "../texts/en/faults.js";

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

/** Whether a record was not switched because somebody else has done it. */
export function isAlready(error: unknown, status: "ACTIVE" | "INACTIVE"): boolean {
  return error instanceof ApiProblem && error.causes.includes(`status: is ${status} already`);
}

export interface Call {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: unknown;
  /** Beside the types of the bodies. */
  header?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal | undefined;
  /** The same request, when it was sent before. */
  begun?: Promise<Response> | undefined;
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
export async function exchange(sent: Request, begun?: Promise<Response>): Promise<Response> {
  const response = await (begun ?? fetch(sent)).catch((error: unknown) => {
    if (sent.signal.aborted) throw error;
    throw new ApiProblem({
      status: 0,
      code: "",
      id: "",
      summary: faults.unreachable,
      causes: [],
    });
  });
  if (!response.ok) throw toProblem(response.status, await readJson(response));
  return response;
}

/** Sends a request with JSON. The browser adds the session's cookie, which scripts can't read. */
export function request(
  path: string,
  { method = "GET", body, header = {}, signal, begun }: Omit<Call, "query"> = {},
): Promise<Response> {
  return exchange(
    new Request(path, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...header,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    }),
    begun,
  );
}

/**
 * Send a request that the description of the API does not have: to `/console/session`, or to the `next` of a page. For all
 * others there is `api` of client.ts.
 */
export async function send<T>(path: string, { query = {}, ...call }: Call = {}): Promise<Answer<T>> {
  const response = await request(withQuery(path, query), call);
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

export async function readJson(response: Response): Promise<unknown> {
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
    errorSummary = faults.responded({ status: String(status) }),
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
