import { Router, type Request, type RequestHandler } from "express";
import { operationCors } from "etiquette/operation-cors";
import { getTenant } from "../tenancy/tenant.js";
import type { ApiSettings } from "../model/api-settings.js";
import { isList, type Resource } from "./resource.js";

/** What a page may set beside what the method has preconditions for: the fields that every operation reads. */
const COMMON_HEADERS = ["Accept", "Authorization", "Content-Type", "DPoP", "X-Device-Fingerprint"];

/**
 * CORS for the open operations of all versions (rule O1). Mount it before whatever may refuse a request, so that pages of
 * trusted origins can read refusals too (rule O3).
 */
export function resourceCors(
  versions: Readonly<Iterable<readonly [version: string, resources: readonly Resource[]]>>,
  { namespace }: Pick<ApiSettings, "namespace">,
): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [version, resources] of versions) {
    for (const { path, operations } of resources) {
      router.route(toRegExp(`/${version}${path}`)).all(
        operationCors({
          namespace,
          origin: (req: Request) => getTenant(req).trust.trustedOrigins,
          operations: Object.fromEntries(
            Object.entries(operations).flatMap(([method, operation]) => {
              const methods = method === "GET" && isList(operation) ? ["GET", "QUERY"] : [method];
              return operation.cors ? methods.map((name) => [name, { allowedHeaders: headersOf(name) }]) : [];
            }),
          ),
        }),
      );
    }
  }

  return function resourceCorsMiddleware(req, res, next) {
    res.setHeader("Vary", "Origin");
    if (req.headers.origin === undefined) next();
    else router(req, res, next);
  };
}

function headersOf(method: string): string[] {
  if (method === "GET" || method === "QUERY") return [...COMMON_HEADERS, "If-None-Match"];
  return [...COMMON_HEADERS, "If-Match", ...(method === "POST" ? ["Idempotency-Key"] : [])];
}

/** Matches what `path` matches. Without parameters to decode, malformed ones are no error here. */
function toRegExp(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`);
}
