import { METHODS } from "node:http";
import cors from "cors";
import type { Request } from "express";
import { assertKnownOptions, fieldNamesOption, type Middleware, optionError } from "../factory/index.js";
import { methodsOfPath } from "./path-methods.js";

/** Methods that no page can send (Fetch, "forbidden method"), and OPTIONS, the method of preflights. */
const UNMARKABLE: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "OPTIONS"]);

/** The methods that take If-None-Match. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);

const ALL = Object.fromEntries(METHODS.flatMap((method) => (UNMARKABLE.has(method) ? [] : [[method, {}]])));

/** Fields that an API of this kind reads from every request, and that a page may set only with permission. */
const COMMON_HEADERS = ["Accept", "Authorization", "Content-Type"];

/** An operation that is open to other origins. */
export interface CorsOperation {
  /**
   * The request headers that a page may set, in any letter case, beside those that every page may, as `Accept-Language`.
   *
   * @default Accept, Authorization, Content-Type, and If-None-Match (GET, HEAD, QUERY) or If-Match (other methods)
   */
  allowedHeaders?: readonly string[];
}

const OPERATION_OPTIONS: Record<keyof CorsOperation, true> = { allowedHeaders: true };

/** What every preflight is told. The types of cors are not public: users of the package don't have them. */
export interface PreflightPolicy {
  readonly origin: "*" | true;
  readonly credentials: boolean;
  /** In seconds. */
  readonly maxAge: number;
}

export interface OpenOperation {
  readonly allowedHeaders: readonly string[];
  /** The same names in lower case. */
  readonly allowedNames: ReadonlySet<string>;
  /** Responds to the preflight. */
  readonly grant: Middleware;
}

export interface CorsOperations {
  /** Whether the method may be open, on some path. */
  readonly has: (method: string) => boolean;
  /** Those that are open on the path of the request, by method. `undefined` when no route has the path. */
  readonly of: (req: Request) => ReadonlyMap<string, OpenOperation> | undefined;
}

/**
 * Compile the open operations. Where the middleware is mounted on a route, those that are listed are open. Elsewhere, and
 * when none is listed, they are those of the routes that have the path.
 */
export function compileCorsOperations(factory: string, listed: unknown, policy: PreflightPolicy): CorsOperations {
  const operations = parseOperations(factory, listed, policy);
  return {
    has: (method) => operations.has(method),
    of(req) {
      if (listed !== undefined && req.route !== undefined) return operations;
      const methods = new Set(methodsOfPath(req));
      methods.delete("OPTIONS"); // it is often on paths that have no route
      if (methods.size === 0) return undefined;
      if (methods.has("GET")) methods.add("HEAD");
      return new Map([...operations].filter(([method]) => methods.has(method)));
    },
  };
}

function parseOperations(
  factory: string,
  value: unknown = ALL,
  policy: PreflightPolicy,
): ReadonlyMap<string, OpenOperation> {
  if (typeof value !== "object" || value === null) throw methodsError(factory);
  const marked = { ...(value as Record<string, CorsOperation | undefined>) };
  marked["HEAD"] ??= marked["GET"];
  const operations = new Map<string, OpenOperation>();
  for (const [method, operation] of Object.entries(marked)) {
    if (!METHODS.includes(method) || UNMARKABLE.has(method)) throw methodsError(factory);
    if (operation !== undefined) operations.set(method, parseOperation(factory, method, operation, policy));
  }
  return operations;
}

function methodsError(factory: string): TypeError {
  const expected = "an object with methods in upper case, other than CONNECT, OPTIONS and TRACE: { GET: {} }";
  return optionError(factory, "operations", expected);
}

function parseOperation(
  factory: string,
  method: string,
  operation: CorsOperation,
  policy: PreflightPolicy,
): OpenOperation {
  const owner = `${factory}, operation ${method}`;
  assertKnownOptions(owner, operation, OPERATION_OPTIONS);
  const conditional = READING.has(method) ? "If-None-Match" : "If-Match";
  const fallback = [...COMMON_HEADERS, conditional];
  const allowedHeaders = fieldNamesOption(owner, "allowedHeaders", operation.allowedHeaders, fallback);
  return {
    allowedHeaders,
    allowedNames: new Set(allowedHeaders.map((name) => name.toLowerCase())),
    grant: cors({ ...policy, methods: [method], allowedHeaders }),
  };
}
