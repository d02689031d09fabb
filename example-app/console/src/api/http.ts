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

/** Send a request to this server. The browser adds the session's cookie, which scripts can't read. */
export async function send<T>(
  path: string,
  { method = "GET", query = {}, body, ifMatch, signal }: Call = {},
): Promise<Answer<T>> {
  const response = await fetch(withQuery(path, query), {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(ifMatch !== undefined && { "If-Match": ifMatch }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiProblem({
      status: 0,
      code: "",
      id: "",
      summary: "The server can't be reached.",
      causes: ["Check the connection. This page tries again when you do."],
    });
  });
  const text = await response.text();
  const data: unknown = text === "" ? undefined : JSON.parse(text);
  if (!response.ok) throw toProblem(response.status, data);
  const next = NEXT_REGEXP.exec(response.headers.get("Link") ?? "")?.[1];
  return {
    data: data as T,
    etag: response.headers.get("ETag") ?? undefined,
    next: next === undefined ? undefined : pathOf(next),
    requestId: response.headers.get("X-Svc-Request-Id") ?? undefined,
  };
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
