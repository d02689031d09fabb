import type { RequestHandler, Router } from "express";
import { authenticate, getPrincipal, type AuthenticateOptions } from "etiquette/authenticate";
import { contentType } from "etiquette/content-type";
import { jsonBody } from "etiquette/json-body";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { queryBody, type QueryBodyType } from "etiquette/query-body";
import { requireScopes } from "etiquette/require-scopes";
import type { z } from "zod";
import type { MetadataRefresher } from "../metadata/refresher.js";
import type { RateClass } from "../model/rate-limits.js";
import type { Store } from "../store/store.js";
import type { AnalysisCache } from "../tenancy/analysis-cache.js";
import type { RoutingCache } from "../tenancy/routing-cache.js";
import { resourceOf } from "../tenancy/tenant.js";
import type { NextTurn } from "../pace/slices.js";
import { limitObjects } from "./body.js";
import type { ApiSettings } from "../model/api-settings.js";
import { refuseUnsupported, type QueryReader } from "./query.js";
import type { RateLimiter } from "../admission/rate-limits.js";
import type { ResponseLength, ResponseRoom } from "../admission/response-room.js";
import { requireSameOrigin } from "../access/session-cookie.js";

/** The dependencies of the resources. */
export interface ApiDependencies {
  settings: ApiSettings;
  store: Store;
  routings: RoutingCache;
  analyses: AnalysisCache;
  /** `null` when requests are not limited. */
  limiter?: Pick<RateLimiter, "ofPublic" | "beforeAuthentication" | "byToken"> | null;
  /** @default one that asks public hosts only */
  metadata?: MetadataRefresher;
  /** Between the slices of long work; see `runInSlices`. */
  nextTurn?: NextTurn;
}

/** The largest body, in bytes. A user with all attributes is much smaller. */
const BODY_LIMIT = 1_048_576;

/** The most members of objects and elements of arrays in a body. A user with all attributes has fewer. */
const BODY_MEMBERS = 10_000;

const JSON_ONLY: readonly string[] = ["application/json"];

/** The bodies of a QUERY. */
const QUERY_TYPES: readonly QueryBodyType[] = ["application/x-www-form-urlencoded", "application/json"];

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

/** The shape of a body, and its name in the description of the API. */
export interface NamedShape {
  readonly name: string;
  readonly shape: z.ZodType;
}

/** What an operation sends when it succeeds. */
export interface Sent {
  /** @default nothing: 204 */
  readonly content?: NamedShape;
  /**
   * Whether it has an entity tag.
   *
   * @default false
   */
  readonly isTagged?: boolean;
}

/** One method of one path. */
export interface Operation {
  /** Its name in the description of the API, unique in a version: `listUsers`. */
  readonly id: string;
  /** One line. */
  readonly summary: string;
  /**
   * The scope that the caller needs, without the namespace: `users.manage`; `null` for public operations without
   * credentials.
   */
  readonly scope: string | null;
  /** The scopes that it needs besides. */
  readonly furtherScopes?: readonly string[];
  /**
   * The largest body, in bytes.
   *
   * @default BODY_LIMIT
   */
  readonly bodyLimit?: number;
  /**
   * The most members of objects and elements of arrays in a body.
   *
   * @default BODY_MEMBERS
   */
  readonly bodyMembers?: number;
  /** What reads the query, before the handlers. */
  readonly query?: readonly QueryReader[];
  /**
   * The bodies that it takes, by media type.
   *
   * @default none that counts; its type is application/json
   */
  readonly bodies?: Readonly<Record<string, NamedShape>>;
  readonly sent: Sent;
  /**
   * Media types of the response, the preferred one first.
   *
   * @default ["application/json"]
   */
  readonly produces?: readonly string[];
  /**
   * Whether `Accept` decides. `false` leaves it to the handlers, and nothing is 406.
   *
   * @default true
   */
  readonly isNegotiated?: boolean;
  /**
   * Whether it changes nothing, although its method is not GET (RFC 9110 section 9.2.1). Then it has no preconditions.
   *
   * @default false
   */
  readonly isSafe?: boolean;
  /**
   * Whether pages of trusted origins may use it (rule O1).
   *
   * @default false
   */
  readonly cors?: boolean;
  readonly handlers: readonly RequestHandler[];
}

/** A path below `/api/<version>`, in Express syntax, and its operations. */
export interface Resource {
  readonly path: string;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

export interface MountOptions {
  settings: Pick<ApiSettings, "namespace" | "strictHeaders">;
  /** How callers authenticate, see `authenticate`. */
  schemes: AuthenticateOptions["schemes"];
  session: AuthenticateOptions["session"];
  limiter: ApiDependencies["limiter"];
  room: ResponseRoom;
  /** Carries a repeated request out once, see `idempotency`. */
  carryOutOnce: RequestHandler;
}

/**
 * Mount resources on `router`, with credentials, scopes, media types, parsed bodies, and 405 for other methods.
 */
export function mountResources(
  router: Router,
  resources: readonly Resource[],
  {
    settings: { namespace, strictHeaders: strict },
    schemes,
    session,
    limiter,
    room,
    carryOutOnce,
  }: Readonly<MountOptions>,
): void {
  const { name: prefix } = compileNamespace("api", namespace);
  const withPrefix = (scope: string) => `${prefix}.${scope}`;
  const identify = authenticate({ schemes, session, realm: prefix, resource: resourceOf });

  for (const { path, operations } of resources) {
    const route = router.route(path);
    const served = METHODS.flatMap((method) => (operations[method] ? [[method, operations[method]] as const] : []));
    for (const [method, operation] of [...served, ...queriesOf(operations)]) {
      const isQuery = method === "QUERY";
      const { scope, query = [], bodies, produces = JSON_ONLY, handlers } = operation;
      const { bodyLimit: limit = BODY_LIMIT, bodyMembers: maxMembers = BODY_MEMBERS } = operation;
      const consumes = isQuery ? QUERY_TYPES : bodies ? Object.keys(bodies) : JSON_ONLY;
      const kind = classOf(method, scope);
      const admission =
        scope === null
          ? [limiter?.ofPublic(kind)]
          : [
              session && requireSameOrigin,
              limiter?.beforeAuthentication(kind),
              identify,
              limiter?.byToken(kind),
              requireScopes({
                scopes: scopesOf(operation).map(withPrefix),
                getPrincipal,
                realm: prefix,
                resource: resourceOf,
              }),
            ];
      route[method.toLowerCase() as "get"](
        ...(isList(operation) ? [acceptQuery] : []),
        // browsers and SAML software, which send no Content-Type, read what is public
        contentType({
          consumes: [...consumes],
          produces: [...produces],
          strict: strict && scope !== null,
          negotiate: operation.isNegotiated !== false,
        }),
        ...admission.filter((handler) => handler !== undefined),
        isQuery ? readQuery : jsonBody({ limit, maxMembers, consumes }),
        ...(operation.bodyMembers === undefined ? [limitObjects] : []),
        isRead(method) ? refuseUnsupported(query) : defaultBody,
        ...(isOnceOnly(method, operation) ? [carryOutOnce] : []),
        ...query.flatMap(({ handler }) => handler ?? []),
        ...handlers.slice(0, -1),
        ...handlers.slice(-1).map((handler) => room.bound(handler, lengthOf(method, query))),
      );
    }
    route.all(methodNotAllowed());
  }
}

/** The only body of an operation, JSON. */
export function json(name: string, shape: NamedShape["shape"]): NonNullable<Operation["bodies"]> {
  return { "application/json": { name, shape } };
}

/** Every scope that the caller of an operation needs, without the namespace. */
export function scopesOf({ scope, furtherScopes = [] }: Pick<Operation, "scope" | "furtherScopes">): readonly string[] {
  return scope === null ? [] : [scope, ...furtherScopes];
}

/** Whether the operation sends pages. Then it takes QUERY too (rule Q5). */
export function isList({ query = [] }: Pick<Operation, "query">): boolean {
  return query.some(({ parameters }) => "after" in parameters);
}

function queriesOf({ GET: list }: Resource["operations"]): readonly (readonly ["QUERY", Operation])[] {
  return list !== undefined && isList(list) ? [["QUERY", list]] : [];
}

function isRead(method: Method | "QUERY"): boolean {
  return method === "GET" || method === "QUERY";
}

/** Whether the operation takes an `Idempotency-Key`. */
export function isOnceOnly(method: string, { scope, isSafe = false }: Operation): boolean {
  return method === "POST" && scope !== null && !isSafe;
}

/** The class of an operation whose requests are counted together. */
function classOf(method: Method | "QUERY", scope: Operation["scope"]): RateClass {
  if (scope === null) return "discovery";
  if (scope === "logs.read") return "logs";
  return isRead(method) ? "read" : "write";
}

/** What reads parameters of the query may be a list, a trace or an export. */
function lengthOf(method: Method | "QUERY", query: readonly QueryReader[]): ResponseLength {
  return isRead(method) ? (query.length > 0 ? "long" : "short") : undefined;
}

const readQuery = queryBody({ consumes: QUERY_TYPES });

/** Tells clients of a list that it takes QUERY. */
const acceptQuery: RequestHandler = function acceptQueryMiddleware(_req, res, next) {
  res.setHeader("Accept-Query", QUERY_TYPES.join(", "));
  next();
};

/** An absent body becomes `{}`, so that the error names the required members. */
const defaultBody: RequestHandler = function defaultBody(req, _res, next) {
  req.body ??= {};
  next();
};
