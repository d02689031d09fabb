import type { NextFunction, Request, Response } from "express";
import { admitReader, sendDocument } from "../lib/express/index.js";
import { compileAccept, queryOf } from "../lib/http/index.js";
import { baseUrlOption } from "../lib/net/index.js";
import {
  assertKnownOptions,
  compileNamespace,
  maxBytesPerCharacterOption,
  type Middleware,
  optionError,
  fieldValueOption,
  stringsOption,
  textPerRequestOption,
  type NothingElse,
} from "../lib/factory/index.js";
import { apiError } from "../lib/errors/index.js";
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
  isIssuer,
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
const MALFORMED = "The requested resource is malformed.";
const ISSUER_RELS: readonly unknown[] = ["https", "echo", "both"] satisfies IssuerRel[];

/** Without `charset`: the type has no parameters (RFC 7033 section 10.2). */
const JRD_TYPE = "application/jrd+json";
const JSON_TYPE = "application/json; charset=utf-8";

export interface WebfingerOptions {
  /**
   * Selects the provider that signs in the person with this login: a configured identity provider `{ id, type, name }`,
   * which may have an `issuer`, `"org"` for the org itself, an array in order of preference, or nothing, which also means
   * the org. The login is never empty. Any other result, and what it throws, goes to `next(err)`. To keep accounts
   * secret, decide by rules, not by whether the login exists.
   */
  resolve: (login: string, req: Request) => ProviderSelection | Promise<ProviderSelection>;

  /**
   * The start of each link, such as `"https://acme.example.com"`: an absolute https URL without a trailing slash, query or
   * fragment. `http:` is for `localhost`, `127.0.0.0/8` and `[::1]`. Use a function when it depends on the org, and read it from the org's record, not from `Host`.
   */
  baseUrl: string | ((req: Request) => string);

  /** The title of the org's own link, such as its subdomain. Use a function when it depends on the org. */
  title: string | ((req: Request) => string);

  /**
   * The name that public names such as `svc:acct:` derive from: 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * The form of the OpenID Connect issuer relation on the org's own link: `"https"`, `"echo"` for the form in the
   * request, or `"both"` for two links.
   *
   * @default "https"
   */
  issuerRel?: IssuerRel;

  /**
   * Prefixes of `resource` that are served in addition to `svc:acct:`. `[]` serves no other.
   *
   * @default ["acct:"], which most WebFinger clients send (RFC 7565)
   */
  resourceAliases?: readonly string[];

  /**
   * The `Cache-Control` of the responses. Responses that depend on the client, such as its network, need `private`.
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
 * Serve `/.well-known/webfinger` (RFC 7033): the identity provider that signs a person in, for every client and every
 * origin. Requests for other paths pass. Does not select the provider: `resolve` does.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * const resolve = (login) => (login.endsWith("@acme.com") ? { id: "0oa1", type: "SAML2", name: "Acme" } : "org");
 * app.use(webfinger({ resolve, baseUrl: "https://acme.example.com", title: "acme" }));
 */
export function webfinger(options: Readonly<WebfingerOptions>, ..._: NothingElse): Middleware {
  const { resolve, baseUrlOf, titleOf, namespace, issuerRel, queryOptions, readQuery, explain, cacheControl } =
    parseOptions(options);
  const selectMediaType = compileAccept([JRD_TYPE, "application/json"]);

  return function webfingerMiddleware(req, res, next) {
    if (!isWellKnown(req)) {
      next();
      return;
    }
    res.setHeader("Access-Control-Expose-Headers", namespace.requestIdHeader);
    const admitted = admitReader(req, res);
    if (admitted !== true) {
      if (admitted !== false) next(admitted);
      return;
    }

    const { query, fault } = readQuery(queryOf(req, req.url).parse(queryOptions));
    if (fault) {
      next(webfingerError(explain(fault)));
      return;
    }
    void respond(query, req, res, next);
  };

  async function respond(query: WebfingerQuery, req: Request, res: Response, next: NextFunction): Promise<void> {
    try {
      sendJrd(req, res, await discover(query, req));
    } catch (error) {
      next(toError(error));
    }
  }

  async function discover(query: WebfingerQuery, req: Request): Promise<Jrd> {
    const { relations } = query;
    const isAnswerable = relations === undefined || relations.idp || relations.issuers.length > 0;
    const selected = isAnswerable ? parseSelection(await resolve(query.login, req)) : [];
    return formatJrd(query, selected, { namespace, baseUrl: baseUrlOf(req), title: titleOf(req), issuerRel });
  }

  function sendJrd(req: Request, res: Response, jrd: Jrd): void {
    if (res.headersSent) return; // a time-out responded while `resolve` was busy
    const isJson = selectMediaType(req.headers.accept) === "application/json";
    res.vary("Accept");
    sendDocument(req, res, JSON.stringify(jrd), { type: isJson ? JSON_TYPE : JRD_TYPE, cacheControl });
  }
}

/**
 * Whether the path is exactly the well-known one: below the mount path, or, when the middleware is mounted on the
 * well-known path itself, in the URL as sent.
 */
function isWellKnown({ path, originalUrl }: Request): boolean {
  if (path === PATH) return true;
  return path === "/" && originalUrl.replace(/\?[^]*$/, "").endsWith(PATH);
}

/**
 * Make the error for a fault that a parser of {@link compileWebfingerParser} found in a query.
 *
 * @example
 * const { query, fault } = parse("resource=mailto:ann@example.com");
 * if (fault) next(webfingerError(fault)); // 404 E0000007
 */
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

/** For whoever wonders why a resource is not found, and has not decided on its prefixes. */
function nameOption(fault: WebfingerFault): WebfingerFault {
  if (fault.reason !== "unknown") return fault;
  return { ...fault, message: `${fault.message} The option \`resourceAliases\` of webfinger() allows others.` };
}

/** An object, because `next(undefined)` and `next("route")` would let the request pass. */
function toError(thrown: unknown): unknown {
  if (typeof thrown === "object" && thrown !== null) return thrown;
  return new Error("webfinger: `resolve` threw a value that is not an error", { cause: thrown });
}

function parseOptions(options: Readonly<WebfingerOptions>) {
  assertKnownOptions("webfinger", options, OPTIONS, "app.use(webfinger({ … }))");
  const { resolve, baseUrl, title, issuerRel = "https" } = options;
  if (typeof resolve !== "function") throw optionError("webfinger", "resolve", "a function");
  if (!ISSUER_RELS.includes(issuerRel)) throw optionError("webfinger", "issuerRel", '"https", "echo" or "both"');

  const resourceAliases = stringsOption("webfinger", "resourceAliases", options.resourceAliases, ["acct:"]);
  if (!resourceAliases.every(isResourcePrefix)) {
    throw optionError("webfinger", "resourceAliases", 'an array of URI prefixes such as "acct:"');
  }
  const cacheControl = fieldValueOption("webfinger", "cacheControl", options.cacheControl, "no-store");
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
    explain: options.resourceAliases === undefined ? nameOption : (fault: WebfingerFault) => fault,
    cacheControl,
  };
}
