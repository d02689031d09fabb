import type { IncomingMessage } from "node:http";
import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import { parseMediaType } from "./lib/media-type.js";
import { memoize } from "./lib/memoize.js";
import { assertKnownOptions, optionError } from "./lib/options.js";
import type { TrustOption } from "./lib/trusted-proxies.js";
import { bodyLength, type BodyLengthOptions } from "./middleware/body-length.js";
import { contentType, type ContentTypeOptions } from "./middleware/content-type.js";
import { errorFormatter, type ErrorFormatterOptions } from "./middleware/error-formatter.js";
import { httpsOnly, type HttpsOnlyOptions } from "./middleware/https-only.js";
import { notFound } from "./middleware/not-found.js";
import { queryParameters, type QueryParametersOptions } from "./middleware/query-parameters.js";
import { requestContext, type RequestContextOptions } from "./middleware/request-context.js";
import { requestId, type RequestIdOptions } from "./middleware/request-id.js";
import { responseCheck, type ResponseCheckOptions } from "./middleware/response-check.js";
import { createBodyVerifier, utf8Guard, type BodyVerifier, type Utf8GuardOptions } from "./middleware/utf8-guard.js";

/** The options of a part, without those that all parts share. */
type Part<Options> = Readonly<Omit<Options, "namespace" | "trust">>;

/** `express.json`, or a function that takes the same options. */
export type JsonParser = (options: { type: (req: IncomingMessage) => boolean; verify: BodyVerifier }) => RequestHandler;

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
   * Parses bodies of the types that `contentType` consumes, and refuses what is not UTF-8 of at most three bytes a
   * character, or nested deeper than 1,000 levels. With other options of its own: `(options) => express.json({ ...options, limit: "1mb" })`.
   *
   * @default undefined: bodies are not parsed
   */
  json?: JsonParser;

  responseCheck?: Part<ResponseCheckOptions> | false;
  requestId?: Part<RequestIdOptions>;
  requestContext?: Part<RequestContextOptions> | false;
  httpsOnly?: Part<HttpsOnlyOptions> | false;
  bodyLength?: Part<BodyLengthOptions> | false;
  utf8Guard?: Part<Utf8GuardOptions> | false;
  queryParameters?: Part<QueryParametersOptions> | false;
  contentType?: Part<ContentTypeOptions> | false;
  errorFormatter?: Part<ErrorFormatterOptions>;
}

const OPTIONS: Record<keyof SuiteOptions, true> = {
  namespace: true,
  trust: true,
  json: true,
  responseCheck: true,
  requestId: true,
  requestContext: true,
  httpsOnly: true,
  bodyLength: true,
  utf8Guard: true,
  queryParameters: true,
  contentType: true,
  errorFormatter: true,
};

/** What to mount before and behind the routes. */
export interface Suite {
  readonly guards: RequestHandler[];
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
  const trust = { trust: options.trust };
  const guards = [
    part(responseCheck, options.responseCheck, shared), // sees every answer
    part(requestId, options.requestId, shared), // before the first refusal
    part(requestContext, options.requestContext, trust),
    part(httpsOnly, options.httpsOnly, trust),
    part(bodyLength, options.bodyLength), // before the body is read
    part(utf8Guard, options.utf8Guard),
    part(queryParameters, options.queryParameters),
    part(contentType, options.contentType),
    parser(options),
  ];
  return {
    guards: guards.filter((handler) => handler !== undefined),
    fallbacks: [notFound(), errorFormatter({ ...options.errorFormatter, ...shared } as ErrorFormatterOptions)],
  };
}

function part<Options extends object>(
  factory: (options: Readonly<Options>) => RequestHandler,
  own: Part<Options> | false | undefined,
  shared: object = {},
): RequestHandler | undefined {
  return own === false ? undefined : factory({ ...own, ...shared } as unknown as Options);
}

function parser({ json, contentType }: Readonly<SuiteOptions>): RequestHandler | undefined {
  if (json === undefined) return undefined;
  if (typeof json !== "function") throw optionError("suite", "json", "a function such as `express.json`");
  const { consumes = ["application/json"] } = contentType === false ? {} : (contentType ?? {});
  const types = new Set<string | undefined>(consumes);
  const isConsumed = memoize((value) => types.has(parseMediaType(value)?.type));
  // `req.is()`, which the parser uses for names of types, leaves a body out whose parameters have a comma
  return json({
    type: (req) => isConsumed(req.headers["content-type"] ?? ""),
    verify: createBodyVerifier(),
  });
}
