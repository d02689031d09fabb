import type { NextFunction, Request, RequestHandler, Response } from "express";
import { compileAccept, queryOf } from "../lib/http/index.js";
import {
  assertKnownOptions,
  baseUrlOption,
  compileNamespace,
  maxBytesPerCharacterOption,
  optionError,
  stringOption,
  stringsOption,
  textPerRequestOption,
} from "../lib/options/index.js";
import { apiError, type ApiError } from "../lib/errors/index.js";
import { excerpt } from "../lib/text/index.js";
import {
  compileWebfingerReader,
  formatJrd,
  isResourcePrefix,
  type IssuerRel,
  type Jrd,
  parseSelection,
  type ProviderSelection,
  type WebfingerFault,
  type WebfingerQuery,
} from "../lib/webfinger/index.js";

export {
  type AskedRelations,
  compileWebfingerParser,
  formatJrd,
  type IdentityProvider,
  type IssuerRel,
  type Jrd,
  type JrdLink,
  type ParsedWebfingerQuery,
  type ProviderSelection,
  type SelectedProvider,
  type WebfingerFault,
  type WebfingerOrg,
  type WebfingerQuery,
} from "../lib/webfinger/index.js";

const PATH = "/.well-known/webfinger";
const ALLOW = "GET, HEAD, OPTIONS";
const MALFORMED = "The requested resource is malformed.";
const ISSUER_RELS: readonly unknown[] = ["https", "echo", "both"] satisfies IssuerRel[];

/** JRD comes without `charset` (RFC 7033 section 10.2). */
const JRD_TYPE = "application/jrd+json";
const JSON_TYPE = "application/json; charset=utf-8";

/** A day, the longest that a browser keeps a preflight. */
const PREFLIGHT_SECONDS = "86400";

const FIELD_VALUE_REGEXP = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

export interface WebfingerOptions {
  /**
   * Who signs in the person with this login: a configured identity provider `{ id, type, name }`, `"org"` for the org
   * itself, an array in order of preference, or nothing, which is the org too. The login is empty when the resource
   * ends at its prefix. Anything else that it returns or throws goes to `next(err)`. To give away nothing about
   * accounts, decide by rules, never by whether the login exists.
   */
  resolve: (login: string, req: Request) => ProviderSelection | Promise<ProviderSelection>;

  /**
   * What the links begin with, such as `"https://acme.example.com"`: an absolute https URL without a trailing slash,
   * query or fragment. A function when it depends on the org; take it from the org's record, never from `Host`.
   */
  baseUrl: string | ((req: Request) => string);

  /** Title of the org's own link: the subdomain. A function when it depends on the org. */
  title: string | ((req: Request) => string);

  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * The form of the OpenID Connect issuer relation on the org's own link: `"https"`, `"echo"` for the form that was
   * asked for, or `"both"` for two links.
   *
   * @default "https"
   */
  issuerRel?: IssuerRel;

  /**
   * Prefixes of `resource` that are answered beside `svc:acct:`, such as `"acct:"`.
   *
   * @default []
   */
  resourceAliases?: readonly string[];

  /**
   * `Cache-Control` of the answers. Answers that depend on the client, its network or platform, need `private`.
   *
   * @default "no-store"
   */
  cacheControl?: string;

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const OPTIONS: Record<keyof WebfingerOptions, true> = {
  resolve: true,
  baseUrl: true,
  title: true,
  namespace: true,
  issuerRel: true,
  resourceAliases: true,
  cacheControl: true,
  maxBytesPerCharacter: true,
};

/**
 * Answer `/.well-known/webfinger` (RFC 7033) with the identity provider that signs a person in, to everyone and to
 * every origin. Other paths go to the next handler. Does not decide who signs whom in: `resolve` does.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 */
export function webfinger(options: Readonly<WebfingerOptions>): RequestHandler {
  const { resolve, baseUrlOf, titleOf, namespace, issuerRel, queryOptions, readQuery, cacheControl } =
    parseOptions(options);
  const selectMediaType = compileAccept([JRD_TYPE, "application/json"]);

  return function webfingerMiddleware(req, res, next) {
    if (!isWellKnown(req)) {
      next();
      return;
    }
    res.setHeader("Access-Control-Allow-Origin", "*");
    res.setHeader("Access-Control-Expose-Headers", namespace.requestIdHeader);
    res.removeHeader("Access-Control-Allow-Credentials"); // of a policy for the whole app; `*` excludes it
    if (req.method === "OPTIONS") {
      answerOptions(res);
      return;
    }
    if (req.method !== "GET" && req.method !== "HEAD") {
      next(methodError(req.method));
      return;
    }

    const { query, fault } = readQuery(queryOf(req, req.url).parse(queryOptions));
    if (fault) {
      next(webfingerError(fault));
      return;
    }
    void respond(query, req, res, next);
  };

  async function respond(query: WebfingerQuery, req: Request, res: Response, next: NextFunction): Promise<void> {
    try {
      answer(req, res, await discover(query, req));
    } catch (error) {
      next(toError(error));
    }
  }

  async function discover(query: WebfingerQuery, req: Request): Promise<Jrd> {
    const mayBeIdp = query.relations?.idp !== false; // otherwise only the org itself is in question
    const selected = mayBeIdp ? parseSelection(await resolve(query.login, req)) : [];
    return formatJrd(query, selected, { namespace, baseUrl: baseUrlOf(req), title: titleOf(req), issuerRel });
  }

  function answer(req: Request, res: Response, jrd: Jrd): void {
    if (res.headersSent) return; // by a time-out, while the directory was asked
    const isJson = selectMediaType(req.headers.accept) === "application/json";
    const bytes = Buffer.from(JSON.stringify(jrd));
    res.vary("Accept");
    res.setHeader("Cache-Control", cacheControl);
    res.setHeader("Content-Type", isJson ? JSON_TYPE : JRD_TYPE);
    res.setHeader("Content-Length", bytes.length);
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.end(req.method === "HEAD" ? undefined : bytes);
  }
}

/**
 * Whether the path is the well-known one to the letter: where the middleware is mounted, or, when it is mounted on that
 * path itself, as it was sent.
 */
function isWellKnown({ path, originalUrl }: Request): boolean {
  if (path === PATH) return true;
  return path === "/" && originalUrl.replace(/\?[^]*$/, "").endsWith(PATH);
}

/** To a preflight and to any other `OPTIONS`; browsers that don't know `*` for header names are told the usual one. */
function answerOptions(res: Response): void {
  res.setHeader("Allow", ALLOW);
  res.setHeader("Access-Control-Allow-Methods", "GET, HEAD");
  res.setHeader("Access-Control-Allow-Headers", "Content-Type, *");
  res.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  res.statusCode = 204;
  res.end();
}

function methodError(method: string): ApiError {
  const causes = [`${method} is not one of ${ALLOW}.`];
  return apiError("E0000022", { type: "method.not-allowed", causes, headers: { Allow: ALLOW } });
}

/** What a client is told of a fault that `compileWebfingerParser` found in its query. */
export function webfingerError(fault: WebfingerFault): Error {
  const { reason, message } = fault;
  const type = `webfinger.${reason}` as const;
  switch (reason) {
    case "missing":
      return apiError("E0000028", { type, causes: [message] });
    case "malformed":
      return apiError("E0000001", { type, detail: message, causes: [MALFORMED] });
    case "encoding": {
      const causes = fault.parameter === "resource" ? [MALFORMED, message] : [message];
      return apiError("E0000001", { type, detail: excerpt(fault.parameter), causes });
    }
    case "unknown": {
      const detail = `Resource not found: ${fault.resource} (WebFinger)`;
      return apiError("E0000007", { type, detail, causes: [message] });
    }
  }
}

/** What `next` takes for an error: `undefined` and `"route"` would send the request on. */
function toError(thrown: unknown): unknown {
  if (typeof thrown === "object" && thrown !== null) return thrown;
  return new Error("webfinger: `resolve` failed with a value that is no error", { cause: thrown });
}

function parseOptions(options: Readonly<WebfingerOptions>) {
  assertKnownOptions("webfinger", options, OPTIONS);
  const { resolve, baseUrl, title, issuerRel = "https" } = options;
  if (typeof resolve !== "function") throw optionError("webfinger", "resolve", "a function");
  if (!ISSUER_RELS.includes(issuerRel)) throw optionError("webfinger", "issuerRel", '"https", "echo" or "both"');

  const resourceAliases = stringsOption("webfinger", "resourceAliases", options.resourceAliases, []);
  if (!resourceAliases.every(isResourcePrefix)) {
    throw optionError("webfinger", "resourceAliases", 'an array of URI prefixes such as "acct:"');
  }
  const cacheControl = stringOption("webfinger", "cacheControl", options.cacheControl, "no-store");
  if (!FIELD_VALUE_REGEXP.test(cacheControl)) throw optionError("webfinger", "cacheControl", "a header field value");
  const namespace = compileNamespace("webfinger", options.namespace);
  const maxBytesPerCharacter = maxBytesPerCharacterOption("webfinger", options.maxBytesPerCharacter);
  return {
    resolve,
    baseUrlOf: baseUrlOption("webfinger", baseUrl),
    titleOf: textPerRequestOption("webfinger", "title", title, (text) => text !== "", "a non-empty string"),
    namespace,
    issuerRel,
    queryOptions: { maxBytesPerCharacter },
    readQuery: compileWebfingerReader(namespace, resourceAliases),
    cacheControl,
  };
}
