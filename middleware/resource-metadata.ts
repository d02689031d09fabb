import type { Request, Response } from "express";
import { METADATA_PATH, resourceOption, scopesOption } from "../lib/auth/index.js";
import { admitReader, sendDocument } from "../lib/express/index.js";
import {
  assertKnownOptions,
  fieldValueOption,
  type Middleware,
  type NothingElse,
  optionError,
  stringOption,
} from "../lib/factory/index.js";
import { isLocalHost, parseUrl } from "../lib/net/index.js";

const FACTORY = "resourceMetadata";

const ORIGIN_REGEXP = /^https?:\/\/[^/]+/;

const JSON_TYPE = "application/json";

/** The members of the document that options are for. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  "resource",
  "authorization_servers",
  "scopes_supported",
  "bearer_methods_supported",
  "resource_name",
  "resource_documentation",
]);

/** One list for all requests, or a function that returns or promises one for a request, such as that of its org. */
type Servers = readonly string[] | ((req: Request) => readonly string[] | Promise<readonly string[]>);

export interface ResourceMetadataOptions {
  /**
   * The identifier of the API: an absolute https URL without query, fragment and trailing slash, the one that clients use.
   * `http:` is for `localhost`, `127.0.0.0/8` and `[::1]`. Use a function when it depends on the org, and read it from the
   * org's record, not from `Host`.
   */
  resource: string | ((req: Request) => string);

  /**
   * The issuers whose access tokens the API accepts, as https URLs; a function when they depend on the org. With an empty
   * list the document has no `authorization_servers`.
   *
   * @default []
   */
  authorizationServers?: Servers;

  /**
   * The scopes that clients may ask for.
   *
   * @default none are named
   */
  scopes?: readonly string[];

  /**
   * A name for people.
   *
   * @default none
   */
  name?: string;

  /**
   * The URL of a page for developers.
   *
   * @default none
   */
  documentation?: string;

  /**
   * Other members of the document, such as `{ dpop_bound_access_tokens_required: true }`.
   *
   * @default {}
   */
  members?: Readonly<Record<string, unknown>>;

  /**
   * The `Cache-Control` of the response.
   *
   * @default "max-age=3600"
   */
  cacheControl?: string;
}

const OPTIONS: Record<keyof ResourceMetadataOptions, true> = {
  resource: true,
  authorizationServers: true,
  scopes: true,
  name: true,
  documentation: true,
  members: true,
  cacheControl: true,
};

/**
 * Serve the metadata of a protected resource (RFC 9728) at `/.well-known/oauth-protected-resource`, followed by the path
 * of `resource`: which authorization servers issue tokens for this API, and which scopes there are. Every client and every
 * origin may read it. Requests for other paths pass. The option `resource` of `authenticate` leads clients there.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 * @example
 * const resource = "https://api.example.com";
 * app.use(resourceMetadata({ resource, authorizationServers: ["https://id.example.com"] }));
 * app.use(authenticate({ schemes, resource }));
 */
export function resourceMetadata(options: Readonly<ResourceMetadataOptions>, ..._: NothingElse): Middleware {
  const { resourceOf, serversOf, described, cacheControl } = parseOptions(options);

  return function resourceMetadataMiddleware(req, res, next) {
    const path = pathOf(req);
    const resource = path.startsWith(METADATA_PATH) ? resourceOf(req) : undefined;
    if (resource === undefined || path !== METADATA_PATH + resource.replace(ORIGIN_REGEXP, "")) {
      next();
      return;
    }
    const admitted = admitReader(req, res);
    if (admitted === true) void respond(resource, req, res).catch(next);
    else if (admitted !== false) next(admitted);
  };

  async function respond(resource: string, req: Request, res: Response): Promise<void> {
    const servers = await serversOf(req);
    if (res.headersSent) return; // a time-out responded meanwhile
    const document = {
      resource,
      ...(servers.length > 0 && { authorization_servers: servers }),
      bearer_methods_supported: ["header"],
      ...described,
    };
    sendDocument(req, res, JSON.stringify(document), { type: JSON_TYPE, cacheControl });
  }
}

/** The path as sent, also where the middleware is mounted on it. */
function pathOf({ baseUrl, path }: Request): string {
  return baseUrl + (path === "/" ? "" : path);
}

/** RFC 8414 section 2: an https URL without query and fragment; some end in a slash. */
function isIssuer(value: unknown): value is string {
  if (typeof value !== "string" || /[?#\s]/.test(value)) return false;
  const { protocol, hostname = "" } = parseUrl(value) ?? {};
  return protocol === "https:" || (protocol === "http:" && isLocalHost(hostname));
}

function serversOption(value: Servers = []): (req: Request) => Promise<readonly string[]> {
  const check = (servers: unknown): readonly string[] => {
    if (Array.isArray(servers) && servers.every(isIssuer)) return servers;
    throw optionError(FACTORY, "authorizationServers", "an array of https URLs, or a function that returns one");
  };
  if (typeof value === "function") return async (req) => check(await value(req));
  const constant = [...check(value)];
  return () => Promise.resolve(constant);
}

function membersOption(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  const names = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : undefined;
  if (!names || names.some((name) => OWN_MEMBERS.has(name))) {
    throw optionError(FACTORY, "members", "an object of members that no other option has");
  }
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

function parseOptions(options: Readonly<ResourceMetadataOptions>) {
  assertKnownOptions(FACTORY, options, OPTIONS, `app.use(${FACTORY}({ … }))`);
  const { scopes, name, documentation } = options;
  return {
    resourceOf: resourceOption(FACTORY, options.resource),
    serversOf: serversOption(options.authorizationServers),
    described: {
      ...(scopes !== undefined && { scopes_supported: scopesOption(FACTORY, "scopes", scopes) }),
      ...(name !== undefined && { resource_name: stringOption(FACTORY, "name", name, "") }),
      ...(documentation !== undefined && {
        resource_documentation: stringOption(FACTORY, "documentation", documentation, ""),
      }),
      ...membersOption(options.members),
    },
    cacheControl: fieldValueOption(FACTORY, "cacheControl", options.cacheControl, "max-age=3600"),
  };
}
