import { maxBytesPerCharacterOption, type Namespace } from "../factory/index.js";
import { excerpt } from "../text/index.js";
import { formatQueryFault, type ParsedQuery, parseQuery } from "../http/index.js";

/** The issuer relation of OpenID Connect Discovery 1.0 section 2, in the two forms that are in use. */
export const ISSUER_RELATIONS: readonly [https: string, http: string] = [
  "https://openid.net/specs/connect/1.0/issuer",
  "http://openid.net/specs/connect/1.0/issuer",
];

/** A longer resource, decoded, is malformed. The longest e-mail address has 254 characters (RFC 5321). */
export const MAX_RESOURCE_LENGTH = 512;

/** `scheme ":"`, RFC 3986 section 3.1. */
const SCHEME_REGEXP = /^[a-z][a-z0-9+.-]*:/i;

/** Control characters are never part of a login, and some stores fail on them. */
const CONTROL_REGEXP = /[\0-\x1f\x7f-\x9f]/;

/** How other frameworks repeat a parameter. Ignored, it would give links that were not asked for. */
const BRACKETS_REGEXP = /^(?:rel|resource)\[/;

/** The relations that the parameter `rel` asks for. */
export interface AskedRelations {
  /** Whether it asks for configured identity providers. */
  readonly idp: boolean;
  /** The forms of the issuer relation, the org itself, that it asks for; empty when it does not. */
  readonly issuers: readonly string[];
}

/** What a WebFinger request asks for. */
export interface WebfingerQuery {
  /** The parameter `resource`, decoded. */
  readonly resource: string;
  /** `resource` without its prefix. */
  readonly login: string;
  /** `undefined` when there is no `rel`. */
  readonly relations: AskedRelations | undefined;
}

/**
 * Why a WebFinger request is refused; `message` is for the client.
 *
 * - `missing`: there is no `resource`
 * - `malformed`: `resource` is not a URI, comes twice, or has nothing after its prefix; or a parameter is `rel[]`
 * - `encoding`: `parameter` can't be decoded
 * - `unknown`: `resource` has a prefix that is not served
 */
export type WebfingerFault =
  | { readonly reason: "missing" | "malformed"; readonly message: string }
  | { readonly reason: "encoding"; readonly message: string; readonly parameter: string }
  | { readonly reason: "unknown"; readonly message: string; readonly resource: string };

/** A query, or the reason why it is refused. */
export type ParsedWebfingerQuery =
  | { readonly query: WebfingerQuery; readonly fault?: undefined }
  | { readonly query?: undefined; readonly fault: WebfingerFault };

/** Whether `value` can be a prefix of `resource`: a scheme with its colon, and any further characters. */
export function isResourcePrefix(value: string): boolean {
  return SCHEME_REGEXP.test(value) && !CONTROL_REGEXP.test(value);
}

/**
 * Create a parser of WebFinger queries, RFC 7033 section 4.1. The parser never throws. Schemes are case-insensitive (RFC
 * 3986 section 3.1); relations and the rest of a prefix must match exactly.
 *
 * @param aliases prefixes of `resource` that are served in addition to that of the namespace
 * @param maxBytesPerCharacter how many bytes of UTF-8 a character may take, 3 by default
 * @throws {TypeError} when `maxBytesPerCharacter` is neither 3 nor 4
 * @example
 * const parse = compileWebfingerParser(compileNamespace("app"), ["acct:"]);
 * parse("resource=acct:ann@example.com").query?.login; // "ann@example.com"
 */
export function compileWebfingerParser(
  namespace: Namespace,
  aliases: readonly string[],
  maxBytesPerCharacter?: 3 | 4,
): (query: string) => ParsedWebfingerQuery {
  const read = compileWebfingerReader(namespace, aliases);
  const queryOptions = {
    maxBytesPerCharacter: maxBytesPerCharacterOption("compileWebfingerParser", maxBytesPerCharacter),
  };
  return (query) => read(parseQuery(query, queryOptions));
}

/** {@link compileWebfingerParser} for a query that has been parsed before. */
export function compileWebfingerReader(
  { accountPrefix, idpRelation }: Namespace,
  aliases: readonly string[],
): (query: ParsedQuery) => ParsedWebfingerQuery {
  const prefixes = [accountPrefix, ...aliases].map(lowerScheme);
  const accepted = prefixes.map((prefix) => JSON.stringify(prefix)).join(" or ");
  const longestFirst = prefixes.toSorted((a, b) => b.length - a.length);
  const known: ReadonlySet<string> = new Set([idpRelation, ...ISSUER_RELATIONS]);

  return function readWebfingerQuery({ parameters, fault }) {
    if (fault) return refuse({ reason: "encoding", message: formatQueryFault(fault), parameter: fault.parameter });

    const resources: string[] = [];
    const relations: string[] = [];
    for (const [name, value] of parameters) {
      if (name === "resource") resources.push(value);
      else if (name === "rel") relations.push(value);
      else if (BRACKETS_REGEXP.test(name)) {
        const message = `${excerpt(name)} is no parameter; repeat "rel" for several relations.`;
        return refuse({ reason: "malformed", message });
      }
    }
    const [resource] = resources;
    if (resource === undefined) {
      return refuse({ reason: "missing", message: 'The query parameter "resource" is required.' });
    }
    const problem = resources.length > 1 ? "is given more than once" : findProblem(resource);
    if (problem !== undefined) return refuse({ reason: "malformed", message: `resource ${problem}` });

    const uri = lowerScheme(resource);
    const prefix = longestFirst.find((candidate) => uri.startsWith(candidate));
    if (prefix === undefined) {
      return refuse({ reason: "unknown", message: `The resource must begin with ${accepted}.`, resource });
    }
    const login = resource.slice(prefix.length);
    if (login === "") return refuse({ reason: "malformed", message: `resource ends after ${JSON.stringify(prefix)}` });
    return { query: { resource, login, relations: parseRelations(relations) } };
  };

  function findProblem(resource: string): string | undefined {
    if (resource.length > MAX_RESOURCE_LENGTH) return `is longer than ${MAX_RESOURCE_LENGTH} characters`;
    if (CONTROL_REGEXP.test(resource)) return "holds a control character";
    if (!SCHEME_REGEXP.test(resource)) return `does not begin with ${accepted}`;
    return undefined;
  }

  function parseRelations(values: readonly string[]): AskedRelations | undefined {
    if (values.length === 0) return undefined;
    const asked = new Set(values.flatMap(splitKnown));
    return { idp: asked.has(idpRelation), issuers: ISSUER_RELATIONS.filter((relation) => asked.has(relation)) };
  }

  /** A relation may contain a comma, so a value is a list only when each of its elements is known. */
  function splitKnown(value: string): string[] {
    const elements = value.split(",");
    return elements.every((element) => known.has(element)) ? elements : [];
  }
}

function refuse(fault: WebfingerFault): ParsedWebfingerQuery {
  return { fault };
}

function lowerScheme(uri: string): string {
  return uri.replace(SCHEME_REGEXP, (scheme) => scheme.toLowerCase());
}
