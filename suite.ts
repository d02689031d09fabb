import type { Request } from "express";
import {
  assertKnownOptions,
  compileNamespace,
  type ErrorMiddleware,
  fieldNameOption,
  inTurn,
  maxBytesPerCharacterOption,
  type Middleware,
  type NothingElse,
  optionError,
  passOn,
} from "./lib/factory/index.js";
import { compileCatalogue, type ErrorCatalogue } from "./lib/errors/index.js";
import { isJsonType } from "./lib/http/index.js";
import { compileTrust, compileTrustProxy, type ExpressTrust, type TrustOption } from "./lib/net/index.js";
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
import { sharedShapes, type SharedShapesOptions } from "./middleware/shared-shapes.js";
import { utf8Guard, type Utf8GuardOptions } from "./middleware/utf8-guard.js";

type NoOptions = Readonly<Record<string, never>>;

/** The options that several middlewares have, given once. */
type SharedName = "namespace" | "headerName" | "trust" | "catalogue" | "maxBytesPerCharacter";

/** `false` leaves the middleware out, `true` uses its defaults. Its own options exclude the shared ones. */
type Part<Options> =
  | boolean
  | Readonly<Omit<Options, SharedName> & Partial<Record<Extract<keyof Options, SharedName>, never>>>;

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
  readonly notFound?: boolean | NoOptions;
  readonly errorFormatter?: Part<ErrorFormatterOptions>;
}

const OPTIONS: Record<keyof SuiteOptions, true> = {
  namespace: true,
  headerName: true,
  trust: true,
  catalogue: true,
  maxBytesPerCharacter: true,
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

type Name = Exclude<keyof SuiteOptions, SharedName>;
type Handler = Middleware | ErrorMiddleware;

interface Entry {
  readonly factory: (options: never) => Handler;
  /** The shared options that are among its own. */
  readonly takes: readonly SharedName[];
}

/** Every middleware, in the recommended order. */
const MIDDLEWARES: Readonly<Record<Name, Entry>> = {
  sharedShapes: { factory: sharedShapes, takes: [] }, // all that follows is faster
  responseCheck: {
    factory: responseCheck, // sees every response
    takes: ["namespace", "headerName", "catalogue", "maxBytesPerCharacter"],
  },
  requestId: { factory: requestId, takes: ["namespace", "headerName"] }, // before the first refusal
  requestContext: { factory: requestContext, takes: ["trust"] },
  httpsOnly: { factory: httpsOnly, takes: ["trust"] },
  bodyLength: { factory: bodyLength, takes: [] }, // before the body is read
  utf8Guard: { factory: utf8Guard, takes: ["maxBytesPerCharacter"] },
  queryParameters: { factory: queryParameters, takes: ["maxBytesPerCharacter"] },
  contentType: { factory: contentType, takes: [] },
  jsonBody: { factory: jsonBody, takes: ["maxBytesPerCharacter"] },
  notFound: { factory: notFound, takes: [] },
  errorFormatter: { factory: errorFormatter, takes: ["namespace", "headerName", "catalogue"] },
};

const NAMES = Object.keys(MIDDLEWARES) as Name[];
const SHARED = [...new Set(Object.values(MIDDLEWARES).flatMap(({ takes }) => takes))];
const FALLBACKS: readonly Name[] = ["notFound", "errorFormatter"];
const GUARDS = NAMES.filter((name) => !FALLBACKS.includes(name));

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
type Checked<Options> = {
  readonly [Key in keyof Options]: Key extends keyof SuiteOptions
    ? Options[Key] extends object
      ? Options[Key] & CheckedPart<Options[Key], Key>
      : Options[Key]
    : never;
};

type CheckedPart<Given, Key extends keyof SuiteOptions> = Key extends Name
  ? Readonly<Partial<Record<Exclude<keyof Given, keyof Exclude<SuiteOptions[Key], boolean | undefined>>, never>>>
  : unknown;

/**
 * The middlewares that every route of an API needs, in the recommended order: `app.use(guards)`, the routes,
 * `app.use(fallbacks)`. It does nothing that the middlewares can't do alone. What belongs to single routes (CORS,
 * authentication, entity tags, cursors, filters) is mounted there.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type, in the wrong place or without effect
 * @example
 * const { guards, fallbacks, trustProxy } = suite({ trust: "loopback", jsonBody: { limit: 1_048_576 } });
 * app.set("trust proxy", trustProxy);
 * @example
 * const { parts, fallbacks } = suite({ bodyLength: false });
 * app.use(parts.requestId, myLog, parts.requestContext, parts.httpsOnly);
 */
export function suite<const Options extends SuiteOptions = Record<Name, true>>(
  options?: Options & Checked<Options>,
  ..._: NothingElse
): Suite<Options>;
export function suite(options: SuiteOptions = {}): Suite {
  assertKnownOptions("suite", options, OPTIONS, "const { guards, fallbacks } = suite(); app.use(guards)");
  assertShared(options);
  const parts: Partial<Record<Name, Handler>> = {};
  for (const name of NAMES) {
    const own = readOwn(name, options[name]);
    if (own !== false) parts[name] = create(name, own, options);
  }
  assertConsumed(options);
  const pick = (names: readonly Name[]): Handler[] => names.flatMap((name) => parts[name] ?? []);
  const fallbacks = pick(FALLBACKS);
  return {
    guards: inTurn(pick(GUARDS) as Middleware[]),
    fallbacks: fallbacks.length > 0 ? fallbacks : [passOn], // app.use([]) throws
    parts: parts as SuiteParts,
    get trustProxy() {
      assertForwardedFor(options.requestContext);
      return compileTrustProxy("suite", options.trust);
    },
  };
}

function create(name: Name, own: object, options: SuiteOptions): Handler {
  const { factory, takes } = MIDDLEWARES[name];
  const shared = Object.fromEntries(takes.map((option) => [option, options[option]]));
  const consumes = name === "jsonBody" && { consumes: consumesOf(own) ?? jsonAmong(consumesOf(options.contentType)) };
  const skip = name === "responseCheck" && { skip: skippedRules(own, options.errorFormatter) };
  return (factory as (options: object) => Handler)({ ...own, ...shared, ...consumes, ...skip });
}

/** Errors that `errorFormatter` does not send, or sends in a form of the app's own, need not be the error object. */
function skippedRules({ skip = [] }: { skip?: unknown }, given: SuiteOptions["errorFormatter"]): unknown {
  const formatter: ErrorFormatterOptions | false = readOwn("errorFormatter", given);
  const isOwn = formatter === false || (formatter.format ?? "svc") !== "svc";
  return isOwn && Array.isArray(skip) ? [...(skip as unknown[]), "E1"] : skip;
}

/** The options of one middleware, which has none of the shared ones; `false` when it is left out. */
function readOwn(name: Name, given: unknown): object | false {
  if (given === false) return false;
  if (given === undefined || given === true) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw optionError("suite", name, "false, true or an object with its options");
  }
  for (const option of MIDDLEWARES[name].takes) {
    if ((given as Partial<Record<SharedName, unknown>>)[option] === undefined) continue;
    throw new TypeError(`suite: option \`${option}\` of \`${name}\` is shared; give it as suite({ ${option}: … })`);
  }
  return given;
}

/** What is given to the suite is refused in its name, and also when no middleware is left that takes it. */
function assertShared(options: SuiteOptions): void {
  compileNamespace("suite", options.namespace);
  fieldNameOption("suite", "headerName", options.headerName, "");
  compileTrust("suite", options.trust);
  compileCatalogue("suite", options.catalogue);
  maxBytesPerCharacterOption("suite", options.maxBytesPerCharacter);

  for (const option of SHARED) {
    if (options[option] === undefined) continue;
    const takers = NAMES.filter((name) => MIDDLEWARES[name].takes.includes(option));
    if (takers.some((name) => options[name] !== false)) continue;
    const names = takers.map((name) => `\`${name}\``).join(", ");
    throw new TypeError(`suite: option \`${option}\` has no effect without one of ${names}`);
  }
}

/** Express reads `X-Forwarded-For`, which anyone may write where the proxies write `Forwarded`. */
function assertForwardedFor(part: SuiteOptions["requestContext"]): void {
  if (typeof part !== "object" || part.forwarded !== "forwarded") return;
  throw new TypeError(
    'suite: `trustProxy` needs `forwarded: "x-forwarded-for"` of `requestContext`, the only field that Express reads',
  );
}

/** `jsonBody` never sees a body of a type that `contentType` refuses. */
function assertConsumed({ contentType: passing, jsonBody: parsing }: SuiteOptions): void {
  if (passing === false) return;
  const passed = consumesOf(passing) ?? ["application/json"];
  const refused = consumesOf(parsing)?.find((type) => !passed.includes(type));
  if (refused === undefined) return;
  throw new TypeError(
    `suite: option \`consumes\` of \`jsonBody\` has ${refused}, which \`contentType\` refuses; add it there`,
  );
}

function consumesOf(
  part: boolean | { readonly consumes?: readonly string[] } | undefined,
): readonly string[] | undefined {
  return typeof part === "object" ? part.consumes : undefined;
}

/** The JSON types among `types`; `undefined` when there are none. Bodies of the other types are for other parsers. */
function jsonAmong(types: readonly string[] | undefined): readonly string[] | undefined {
  const found = types?.filter(isJsonType) ?? [];
  return found.length > 0 ? found : undefined;
}
