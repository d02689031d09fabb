import type { Request, RequestHandler, Router } from "express";
import { authenticate, getPrincipal, type AuthenticateOptions } from "etiquette/authenticate";
import { contentType } from "etiquette/content-type";
import { jsonBody } from "etiquette/json-body";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { compileNamespace } from "etiquette/namespace";
import { operationCors, type CorsOperation } from "etiquette/operation-cors";
import { requireScopes } from "etiquette/require-scopes";
import type { Store } from "../store/store.js";
import { getTenant } from "../tenancy/tenant.js";

/** How the API is set up. */
export interface ApiSettings {
  readonly namespace: string;
  readonly apiTokenScheme: string;
  /** What cursors are signed with, the newest first. */
  readonly secrets: readonly string[];
  readonly strictHeaders: boolean;
  readonly issuerRel: "https" | "echo" | "both";
  readonly resourceAliases: readonly string[];
}

/** What the resources are built over. */
export interface ApiDependencies {
  settings: ApiSettings;
  store: Store;
}

/** As large as a body may be; a user with all its attributes is far below. */
const BODY_LIMIT = 1_048_576;

const JSON_ONLY: readonly string[] = ["application/json"];

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

/** What one method does to one path. */
export interface Operation {
  /** What the caller needs, without the namespace: `users.manage`; `null`: everyone may call it, without credentials. */
  readonly scope: string | null;
  /**
   * Media types of the body.
   *
   * @default ["application/json"]
   */
  readonly consumes?: readonly string[];
  /**
   * Media types of the answer, the preferred one first.
   *
   * @default ["application/json"]
   */
  readonly produces?: readonly string[];
  /** Request fields that pages of trusted origins may send beside the usual ones, or `false`: none may call it. */
  readonly cors?: CorsOperation | false;
  readonly handlers: readonly RequestHandler[];
}

/** A path below `/api/<version>`, in the words of Express, and what can be done to it. */
export interface Resource {
  readonly path: string;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

export interface MountOptions {
  settings: Pick<ApiSettings, "namespace" | "strictHeaders">;
  /** Who may call, see `authenticate`. */
  schemes: AuthenticateOptions["schemes"];
}

/** Put resources on `router`: CORS, credentials, scopes, the types and the parsing of bodies, 405 for other methods. */
export function mountResources(
  router: Router,
  resources: readonly Resource[],
  { settings: { namespace, strictHeaders: strict }, schemes }: Readonly<MountOptions>,
): void {
  const { name: prefix } = compileNamespace("api", namespace);
  const identify = authenticate({ schemes, realm: prefix });

  for (const { path, operations } of resources) {
    const route = router.route(path);
    const open = METHODS.flatMap((method) => {
      const { cors = {} } = operations[method] ?? { cors: false };
      return cors === false ? [] : [[method, cors] as const];
    });
    if (open.length > 0) {
      route.all(
        operationCors({
          namespace,
          origin: (req: Request) => getTenant(req).routing.trustedOrigins,
          operations: Object.fromEntries(open),
        }),
      );
    }
    for (const method of METHODS) {
      const operation = operations[method];
      if (!operation) continue;
      const { scope, consumes = JSON_ONLY, produces = JSON_ONLY, handlers } = operation;
      route[method.toLowerCase() as "get"](
        contentType({ consumes: [...consumes], produces: [...produces], strict }),
        ...(scope === null
          ? []
          : [identify, requireScopes({ scopes: [`${prefix}.${scope}`], getPrincipal, realm: prefix })]),
        jsonBody({ limit: BODY_LIMIT, consumes }),
        ...(method === "GET" ? [] : [defaultBody]),
        ...handlers,
      );
    }
    route.all(methodNotAllowed());
  }
}

/** Where no body came it is `{}`, so that the caller is told which members are required. */
const defaultBody: RequestHandler = function defaultBody(req, _res, next) {
  req.body ??= {};
  next();
};
