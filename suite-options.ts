import type { Request } from "express";
import type { ErrorMiddleware, Middleware } from "./lib/factory/index.js";
import type { ErrorCatalogue } from "./lib/errors/index.js";
import type { ExpressTrust, TrustOption } from "./lib/net/index.js";
import type { ReportOptions } from "./lib/report/index.js";
import type { BodyLengthOptions } from "./middleware/body-length.js";
import type { ContentTypeOptions } from "./middleware/content-type.js";
import type { ErrorFormatterOptions } from "./middleware/error-formatter.js";
import type { HttpsOnlyOptions } from "./middleware/https-only.js";
import type { JsonBodyOptions } from "./middleware/json-body.js";
import type { QueryParametersOptions } from "./middleware/query-parameters.js";
import type { RequestContextOptions } from "./middleware/request-context.js";
import type { RequestIdOptions } from "./middleware/request-id.js";
import type { ResponseCheckOptions } from "./middleware/response-check.js";
import type { SharedShapesOptions } from "./middleware/shared-shapes.js";
import type { Utf8GuardOptions } from "./middleware/utf8-guard.js";

/** What is done with a request that is refused: it is refused, or it is reported and passes. */
export type SuiteMode = "enforce" | "report";

/** The option of each guard, and of the fallbacks. */
interface ModeOption {
  /** @default the `mode` of the suite */
  readonly mode?: SuiteMode;
}

/** The options that several middlewares have, given once. */
export type SharedName = "namespace" | "headerName" | "trust" | "catalogue" | "maxBytesPerCharacter" | "onReport";

/** `false` leaves the middleware out, `true` uses its defaults. Its own options exclude the shared ones. */
type Part<Options> =
  | boolean
  | Readonly<Omit<Options, NotOwn> & Partial<Record<Extract<keyof Options, NotOwn>, never>> & ModeOf<Options>>;

type NotOwn = SharedName | "report";
type ModeOf<Options> = "report" extends keyof Options ? ModeOption : unknown;

/** What the suite's middlewares share, and for each by its name `false`, `true` or its own options. */
export interface SuiteOptions {
  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  readonly namespace?: string;

  /**
   * Header that carries the request id on every response.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  readonly headerName?: string;

  /**
   * The proxies whose `X-Forwarded-*` fields count for the client's address and for HTTPS: addresses, CIDR blocks, `loopback`, `linklocal`,
   * `uniquelocal`, or a function of the request that returns such a list.
   *
   * @default nobody
   */
  readonly trust?: TrustOption<Request>;

  /**
   * Codes of your own, for `errorFormatter` and `responseCheck`; `compileApiError()` makes errors of them.
   *
   * @default {}
   */
  readonly catalogue?: ErrorCatalogue;

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  readonly maxBytesPerCharacter?: 3 | 4;

  /**
   * `"report"`: no guard refuses a request; what it would refuse passes unchanged, and `onReport` is called. `notFound` and
   * `errorFormatter` leave everything to the app, and `responseCheck` is off unless its options are given. Each of them has
   * an option `mode` of its own.
   *
   * @default "enforce"
   */
  readonly mode?: SuiteMode;

  /**
   * Called for each request that a guard with `mode: "report"` would refuse, before it passes. Its result and its errors are
   * ignored.
   *
   * @default counts for `formatReport()`, and writes the first of each kind to `console.warn`
   */
  readonly onReport?: NonNullable<ReportOptions["onReport"]>;

  readonly sharedShapes?: Part<SharedShapesOptions>;
  readonly responseCheck?: Part<ResponseCheckOptions>;
  readonly requestId?: Part<RequestIdOptions>;
  readonly requestContext?: Part<RequestContextOptions>;
  readonly httpsOnly?: Part<HttpsOnlyOptions>;
  readonly bodyLength?: Part<BodyLengthOptions>;
  readonly utf8Guard?: Part<Utf8GuardOptions>;
  readonly queryParameters?: Part<QueryParametersOptions>;
  readonly contentType?: Part<ContentTypeOptions>;
  /** It parses the JSON types that `contentType` consumes, `json` and `+json`, unless its own `consumes` names others of them. */
  readonly jsonBody?: Part<JsonBodyOptions>;
  readonly notFound?: boolean | ModeOption;
  readonly errorFormatter?: Part<ErrorFormatterOptions & Pick<ReportOptions, "report">>;
}

export const SUITE_OPTIONS: Record<keyof SuiteOptions, true> = {
  namespace: true,
  headerName: true,
  trust: true,
  catalogue: true,
  maxBytesPerCharacter: true,
  mode: true,
  onReport: true,
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
  notFound: true,
  errorFormatter: true,
};

export type Name = Exclude<keyof SuiteOptions, SharedName | "mode">;
export type Handler = Middleware | ErrorMiddleware;
/** The options of one middleware. */
export type OwnOptions = Readonly<{ mode?: unknown; report?: unknown }>;

/** The middlewares that are certainly (`On`), or possibly (`Perhaps`), not `false` in `Options`. */
type On<Options> = { [N in Name]: N extends keyof Options ? (false extends Options[N] ? never : N) : N }[Name];
type Perhaps<Options> = { [N in Name]: N extends keyof Options ? ([Options[N]] extends [false] ? never : N) : N }[Name];

type PartsOf<Sure extends Name, Maybe extends Name> = {
  readonly [N in Sure]: N extends "errorFormatter" ? ErrorMiddleware : Middleware;
} & { readonly [N in Maybe]?: N extends "errorFormatter" ? ErrorMiddleware : Middleware };

/** The middlewares by name, without those that are `false` in the options. */
export type SuiteParts<Options extends SuiteOptions = SuiteOptions> = PartsOf<On<Options>, Perhaps<Options>>;

/** What to mount before and after the routes. */
export interface Suite<Options extends SuiteOptions = SuiteOptions> {
  /** All that comes before the routes, as one middleware. */
  readonly guards: Middleware;
  /** All that comes after them: `notFound` and `errorFormatter`. */
  readonly fallbacks: Handler[];
  /** Each middleware by its name, in the recommended order, to mount something of your own in between. */
  readonly parts: SuiteParts<Options>;
  /**
   * For `app.set("trust proxy", trustProxy)`, so that `req.ip` and `req.protocol` follow the proxies in `trust`.
   *
   * @throws {TypeError} when it is read although `trust` is a function, or `requestContext` reads `Forwarded`
   */
  readonly trustProxy: ExpressTrust;
}

/** `Options` with a compile error at each key that the suite, or the middleware, doesn't know. */
export type Checked<Options> = {
  readonly [Key in keyof Options]: Key extends keyof SuiteOptions
    ? Options[Key] extends object
      ? Options[Key] & CheckedPart<Options[Key], Key>
      : Options[Key]
    : never;
};

type CheckedPart<Given, Key extends keyof SuiteOptions> = Key extends Name
  ? Readonly<Partial<Record<Exclude<keyof Given, keyof Exclude<SuiteOptions[Key], boolean | undefined>>, never>>>
  : unknown;
