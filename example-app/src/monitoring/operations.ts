import type { EndedRequest, RequestFacts } from "../audit/request-facts.js";

const WEBFINGER_PATH = "/.well-known/webfinger";

/** The methods of operations. `HEAD` is part of `GET`. */
const METHODS: ReadonlySet<string> = new Set(["GET", "QUERY", "POST", "PUT", "PATCH", "DELETE"]);

/** Where routers with operations are mounted: `/api/v1` and `/sso`. */
const MOUNT_REGEXP = /^\/(?:api\/v[12](?=\/)|sso(?=[/?]|$))/;

/** The console's pages, files and sessions. */
const CONSOLE_REGEXP = /^\/console(?=[/?]|$)/;

/** What a request that has no operation counts as. */
const OTHER = "other";

interface RoutedRequest extends Pick<EndedRequest, "route"> {
  facts: Pick<RequestFacts, "method" | "url">;
}

/**
 * The operation of a request, such as `GET /api/v1/users/:id`, for a label. It is made of the routes in the code, so there
 * are only so many; whatever has no route is `other`.
 */
export function operationOf({ facts, route }: Readonly<RoutedRequest>): string {
  const { method = "", url = "" } = facts;
  if (url.startsWith(WEBFINGER_PATH) && !/^[^?]/.test(url.slice(WEBFINGER_PATH.length))) return "webfinger";
  if (method === "OPTIONS") return method;
  if (CONSOLE_REGEXP.test(url)) return "console";
  const [mount] = MOUNT_REGEXP.exec(url) ?? [];
  const verb = method === "HEAD" ? "GET" : method;
  if (mount === undefined || route === undefined || !METHODS.has(verb)) return OTHER;
  return `${verb} ${mount}${route.replace(/^\/(?:v[12](?=\/)|$)/, "")}`;
}
