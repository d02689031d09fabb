import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import { assertKnownOptions } from "./lib/options/index.js";
import type { ErrorCatalogue } from "./lib/errors/index.js";
import type { TrustOption } from "./lib/net/index.js";
import { bodyLength, type BodyLengthOptions } from "./middleware/body-length.js";
import { contentType, type ContentTypeOptions } from "./middleware/content-type.js";
import { errorFormatter, type ErrorFormatterOptions } from "./middleware/error-formatter.js";
import { httpsOnly, type HttpsOnlyOptions } from "./middleware/https-only.js";
import { jsonBody, type JsonBodyOptions } from "./middleware/json-body.js";
import { notFound } from "./middleware/not-found.js";
import { queryParameters, type QueryParametersOptions } from "./middleware/query-parameters.js";
import { requestContext, type RequestContextOptions } from "./middleware/request-context.js";
import { requestId, type RequestIdOptions } from "./middleware/request-id.js";
import { responseCheck, type ResponseCheckOptions } from "./middleware/response-check.js";
import { sharedShapes } from "./middleware/shared-shapes.js";
import { utf8Guard, type Utf8GuardOptions } from "./middleware/utf8-guard.js";

/** The options of a part, without those that all parts share. */
type Part<Options> = Readonly<Omit<Options, "namespace" | "trust" | "catalogue">>;

/** The options of each part, by its name; `false` leaves the part out. */
export interface SuiteOptions {
  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * The proxies that are believed about the client and about HTTPS: addresses, CIDR blocks, `loopback`, `linklocal`,
   * `uniquelocal`, or a function of the request that returns such a list.
   *
   * @default nobody
   */
  trust?: TrustOption<Request>;

  /**
   * Codes of your own, for `errorFormatter` and `responseCheck`; `compileApiError()` makes errors of them.
   *
   * @default {}
   */
  catalogue?: ErrorCatalogue;

  sharedShapes?: false;
  responseCheck?: Part<ResponseCheckOptions> | false;
  requestId?: Part<RequestIdOptions>;
  requestContext?: Part<RequestContextOptions> | false;
  httpsOnly?: Part<HttpsOnlyOptions> | false;
  bodyLength?: Part<BodyLengthOptions> | false;
  utf8Guard?: Part<Utf8GuardOptions> | false;
  queryParameters?: Part<QueryParametersOptions> | false;
  contentType?: Part<ContentTypeOptions> | false;
  /** Its `consumes` are those that `contentType` consumes, unless it says otherwise. */
  jsonBody?: Part<JsonBodyOptions> | false;
  errorFormatter?: Part<ErrorFormatterOptions>;
}

const OPTIONS: Record<keyof SuiteOptions, true> = {
  namespace: true,
  trust: true,
  catalogue: true,
  sharedShapes: true,
  responseCheck: true,
  requestId: true,
  requestContext: true,
  httpsOnly: true,
  bodyLength: true,
  utf8Guard: true,
  queryParameters: true,
  contentType: true,
  jsonBody: true,
  errorFormatter: true,
};

/** What to mount before and behind the routes. */
export interface Suite {
  /** The parts before the routes as one middleware. */
  readonly guards: RequestHandler;
  /** The same one by one, in order. */
  readonly parts: readonly RequestHandler[];
  readonly fallbacks: (RequestHandler | ErrorRequestHandler)[];
}

/**
 * The parts that every route of an API needs, in the order that is recommended: `app.use(guards)`, the routes,
 * `app.use(fallbacks)`. Nothing that the parts can't do alone; what belongs to single routes (CORS, authentication, entity
 * tags, cursors, filters) is mounted there.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 */
export function suite(options: Readonly<SuiteOptions> = {}): Suite {
  assertKnownOptions("suite", options, OPTIONS);
  const shared = { namespace: options.namespace, headerName: options.requestId?.headerName };
  const reporting = { ...shared, catalogue: options.catalogue };
  const trust = { trust: options.trust };
  const chosen = [
    part(sharedShapes, options.sharedShapes), // all that follows is faster
    part(responseCheck, options.responseCheck, reporting), // sees every answer
    part(requestId, options.requestId, shared), // before the first refusal
    part(requestContext, options.requestContext, trust),
    part(httpsOnly, options.httpsOnly, trust),
    part(bodyLength, options.bodyLength), // before the body is read
    part(utf8Guard, options.utf8Guard),
    part(queryParameters, options.queryParameters),
    part(contentType, options.contentType),
    part(jsonBody, parsing(options)),
  ];
  const parts = chosen.filter((handler) => handler !== undefined);
  return {
    guards: inTurn(parts),
    parts,
    fallbacks: [notFound(), errorFormatter({ ...options.errorFormatter, ...reporting } as ErrorFormatterOptions)],
  };
}

/** Between two middlewares Express looks for the next one by path and parameters, which takes longer than most parts do. */
function inTurn(parts: readonly RequestHandler[]): RequestHandler {
  return function suiteGuards(req, res, next) {
    let index = 0;
    proceed();

    function proceed(error?: unknown): void {
      const part = error === undefined ? parts[index++] : undefined;
      if (part) void part(req, res, proceed);
      else next(error);
    }
  };
}

function part<Options extends object>(
  factory: (options: Readonly<Options>) => RequestHandler,
  own: Part<Options> | false | undefined,
  shared: object = {},
): RequestHandler | undefined {
  return own === false ? undefined : factory({ ...own, ...shared } as unknown as Options);
}

/** The options of `jsonBody`, which parses what `contentType` lets pass. */
function parsing({ jsonBody: own, contentType: passing }: Readonly<SuiteOptions>): SuiteOptions["jsonBody"] {
  if (own === false) return false;
  const consumes = passing === false ? undefined : passing?.consumes;
  const types = own?.consumes ?? consumes;
  return { ...own, ...(types !== undefined && { consumes: types }) };
}
