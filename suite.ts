import {
  assertKnownOptions,
  compileNamespace,
  fieldNameOption,
  functionOption,
  inTurn,
  maxBytesPerCharacterOption,
  type Middleware,
  type NothingElse,
  optionError,
  passErrorOn,
  passOn,
} from "./lib/factory/index.js";
import { compileCatalogue } from "./lib/errors/index.js";
import { isJsonType } from "./lib/http/index.js";
import { compileTrust, compileTrustProxy } from "./lib/net/index.js";
import { bodyLength } from "./middleware/body-length.js";
import { contentType } from "./middleware/content-type.js";
import { errorFormatter, type ErrorFormatterOptions } from "./middleware/error-formatter.js";
import { httpsOnly } from "./middleware/https-only.js";
import { jsonBody, type JsonBodyOptions } from "./middleware/json-body.js";
import { notFound } from "./middleware/not-found.js";
import { queryParameters } from "./middleware/query-parameters.js";
import { requestContext } from "./middleware/request-context.js";
import { requestId } from "./middleware/request-id.js";
import { responseCheck, type ResponseCheckOptions } from "./middleware/response-check.js";
import { sharedShapes } from "./middleware/shared-shapes.js";
import { utf8Guard } from "./middleware/utf8-guard.js";
import {
  type Checked,
  type Handler,
  type Name,
  type OwnOptions,
  type SharedName,
  type Suite,
  SUITE_OPTIONS,
  type SuiteMode,
  type SuiteOptions,
  type SuiteParts,
} from "./suite-options.js";

export type { Suite, SuiteMode, SuiteOptions, SuiteParts } from "./suite-options.js";

interface Entry {
  readonly factory: (options: never) => Handler;
  /** The shared options that are among its own. */
  readonly takes: readonly SharedName[];
  /** What stands in its place with `mode: "report"`. Those that take `onReport` report instead. */
  readonly aside?: Handler;
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
  httpsOnly: { factory: httpsOnly, takes: ["trust", "onReport"] },
  bodyLength: { factory: bodyLength, takes: ["onReport"] }, // before the body is read
  utf8Guard: { factory: utf8Guard, takes: ["maxBytesPerCharacter", "onReport"] },
  queryParameters: { factory: queryParameters, takes: ["maxBytesPerCharacter", "onReport"] },
  contentType: { factory: contentType, takes: ["onReport"] },
  jsonBody: { factory: jsonBody, takes: ["maxBytesPerCharacter", "onReport"] },
  notFound: { factory: notFound, takes: [], aside: passOn },
  errorFormatter: {
    factory: errorFormatter,
    takes: ["namespace", "headerName", "catalogue"],
    aside: passErrorOn,
  },
};

const NAMES = Object.keys(MIDDLEWARES) as Name[];
const SHARED = [...new Set(Object.values(MIDDLEWARES).flatMap(({ takes }) => takes))];
const FALLBACKS: readonly Name[] = ["notFound", "errorFormatter"];
const GUARDS = NAMES.filter((name) => !FALLBACKS.includes(name));

/** What `contentType` and `jsonBody` consume by default. */
const JSON_ONLY = ["application/json"];

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
  assertKnownOptions("suite", options, SUITE_OPTIONS, "const { guards, fallbacks } = suite(); app.use(guards)");
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

function create(name: Name, given: OwnOptions, options: SuiteOptions): Handler {
  const { factory, takes, aside } = MIDDLEWARES[name];
  const { mode, ...own } = given;
  const reports = modeOption(`${name}.mode`, mode ?? options.mode) === "report";
  if (reports && aside) return aside;
  const shared = Object.fromEntries(takes.map((option) => [option, options[option]]));
  const consumes = name === "jsonBody" && {
    consumes: consumesOf(own as JsonBodyOptions) ?? jsonAmong(consumesOf(options.contentType)),
  };
  return (factory as (options: object) => Handler)({
    ...own,
    ...shared,
    ...consumes,
    ...(takes.includes("onReport") && { report: reports }),
    ...(name === "responseCheck" && {
      skip: skippedRules(own as ResponseCheckOptions, options),
      ...(reports && options[name] === undefined && { enabled: false }),
    }),
  });
}

/** Errors that `errorFormatter` does not send, or sends in a form of the app's own, need not be the error object. */
function skippedRules({ skip = [] }: ResponseCheckOptions, { errorFormatter: given, mode }: SuiteOptions): unknown {
  const formatter: OwnOptions | false = readOwn("errorFormatter", given);
  const isOwn =
    formatter === false ||
    (formatter.mode ?? mode) === "report" ||
    ((formatter as ErrorFormatterOptions).format ?? "svc") !== "svc";
  return isOwn && Array.isArray(skip) ? [...(skip as unknown[]), "E1"] : skip;
}

/** The options of one middleware, which has none of the shared ones; `false` when it is left out. */
function readOwn(name: Name, given: unknown): OwnOptions | false {
  if (given === false) return false;
  if (given === undefined || given === true) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw optionError("suite", name, "false, true or an object with its options");
  }
  const { takes, aside } = MIDDLEWARES[name];
  const own = given as OwnOptions;
  if (own.report !== undefined)
    throw new TypeError(`suite: option \`report\` of \`${name}\` is given as mode: "report"`);
  if (own.mode !== undefined && !aside && !takes.includes("onReport")) {
    throw new TypeError(`suite: option \`mode\` of \`${name}\` has no effect: it refuses nothing`);
  }
  for (const option of takes) {
    if ((given as Partial<Record<SharedName, unknown>>)[option] === undefined) continue;
    throw new TypeError(`suite: option \`${option}\` of \`${name}\` is shared; give it as suite({ ${option}: … })`);
  }
  return own;
}

function modeOption(option: string, value: unknown = "enforce"): SuiteMode {
  if (value === "enforce" || value === "report") return value;
  throw optionError("suite", option, '"enforce" or "report"');
}

/** What is given to the suite is refused in its name, and also when no middleware is left that takes it. */
function assertShared(options: SuiteOptions): void {
  compileNamespace("suite", options.namespace);
  fieldNameOption("suite", "headerName", options.headerName, "");
  compileTrust("suite", options.trust);
  compileCatalogue("suite", options.catalogue);
  maxBytesPerCharacterOption("suite", options.maxBytesPerCharacter);
  modeOption("mode", options.mode);
  functionOption("suite", "onReport", options.onReport, undefined);

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
  const passed = consumesOf(passing) ?? JSON_ONLY;
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
