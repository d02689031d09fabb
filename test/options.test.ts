import { runInNewContext } from "node:vm";
import { createApiToken, createBodyVerifier, createServer } from "etiquette";
import { FACTORIES, type Factory } from "./support/factories.js";

/** Everything that checks options. */
const ALL_FACTORIES: readonly Factory[] = [
  ...Object.values(FACTORIES),
  { name: "createApiToken", factory: createApiToken },
  { name: "createBodyVerifier", factory: createBodyVerifier },
  { name: "createServer", factory: (options: object) => createServer(() => undefined, options) },
];

describe.each(ALL_FACTORIES)("$name()", ({ name }) => {
  const [, list = ""] = /the options are (.*)$/.exec(messageOf(name, { misspelled: 1 })) ?? [];
  const options = [...list.matchAll(/`(\w+)`/g)].map(([, option = ""]) => option);

  it("refuses a symbol as the value of each option, and says what it must be", () => {
    const messages = options.map((option) => messageOf(name, { [option]: Symbol("wrong") }));
    for (const [index, option] of options.entries()) {
      expect(messages[index]).toMatch(new RegExp(`^${name}: option \`${option}\` must be .+`));
    }
    expect(messages).toMatchSnapshot();
  });
});

/** A value of the right type can still be wrong. */
it.each([
  [
    "apiVersion",
    '{ versions: { v1: { deprecated: "2026-01-01" } } }',
    "apiVersion: option `versions.v1.deprecated` must be a valid Date",
  ],
  [
    "apiVersion",
    "{ versions: { v1: { deprecated: new Date(1), sunset: new Date(0) } } }",
    "apiVersion: option `versions.v1.sunset` must be no earlier than `deprecated`",
  ],
  [
    "apiVersion",
    '{ versions: { v1: { successor: "v2" } } }',
    "apiVersion: option `versions.v1.successor` must be an absolute http(s) URL or path, or a function that returns one",
  ],
  ["authenticate", '{ realm: "café" }', "authenticate: option `realm` must be printable ASCII"],
  [
    "authenticate",
    '{ scopes: ["users read"] }',
    'authenticate: option `scopes` must be an array of scopes: printable ASCII without space, " and \\',
  ],
  [
    "authenticate",
    '{ scopes: ["users.read"], optional: true }',
    "authenticate: option `scopes` must be empty when `optional` is true: an anonymous request has none",
  ],
  [
    "bodyLength",
    '{ methods: ["post"] }',
    "bodyLength: option `methods` must be an array of HTTP methods in upper case",
  ],
  [
    "contentType",
    '{ consumes: ["json"] }',
    'contentType: option `consumes` must be a non-empty array of media types in lower case, such as "application/json"',
  ],
  [
    "contentType",
    "{ produces: [] }",
    'contentType: option `produces` must be a non-empty array of media types in lower case, such as "application/json"',
  ],
  [
    "createServer",
    "{ requestTimeout: 1000, headersTimeout: 2000 }",
    "createServer: option `headersTimeout` must be an integer from 1 to 1000",
  ],
  [
    "errorFormatter",
    '{ catalogue: { E0000001: { status: 400, summary: "Bad." } } }',
    "errorFormatter: option `catalogue.E0000001` must be another code; this one is built in",
  ],
  [
    "errorFormatter",
    '{ catalogue: { ORDER0001: "Bad." } }',
    "errorFormatter: option `catalogue.ORDER0001` must be an object { status, summary }",
  ],
  [
    "errorFormatter",
    '{ catalogue: { ORDER0001: { status: 200, summary: "Bad." } } }',
    "errorFormatter: option `catalogue.ORDER0001.status` must be an integer from 400 to 599",
  ],
  [
    "errorFormatter",
    "{ catalogue: { ORDER0001: { status: 409 } } }",
    "errorFormatter: option `catalogue.ORDER0001.summary` must be a non-empty string",
  ],
  [
    "httpsOnly",
    "{ includeSubDomains: true, maxAge: false }",
    "httpsOnly: option `includeSubDomains` must be false when `maxAge` is false",
  ],
  [
    "httpsOnly",
    "{ preload: true }",
    "httpsOnly: option `preload` must be false unless `includeSubDomains` is true and `maxAge` 31536000 or more",
  ],
  [
    "httpsOnly",
    "{ trust: 1 }",
    "httpsOnly: option `trust`: a number of hops is not offered, because a client that connects directly would be believed as well; list the proxies",
  ],
  [
    "jsonBody",
    '{ consumes: ["json"] }',
    'jsonBody: option `consumes` must be a non-empty array of media types in lower case, such as "application/json"',
  ],
  [
    "jsonBody",
    '{ consumes: ["multipart/form-data"] }',
    "jsonBody: option `consumes` must be without multipart/form-data: those bodies are not JSON and pass to another parser",
  ],
  [
    "jwtVerifier",
    '{ algorithms: ["HS256"] }',
    "jwtVerifier: option `algorithms` must be a non-empty array of ES256, ES384, ES512, Ed25519, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512",
  ],
  [
    "operationCors",
    '{ credentials: true, origin: "*" }',
    'operationCors: option `credentials` must be false when `origin` is "*": browsers refuse the two together',
  ],
  [
    "operationCors",
    '{ exposedHeaders: ["*"] }',
    "operationCors: option `exposedHeaders` must be an array of header field names; `*` is not one",
  ],
  [
    "operationCors",
    '{ origin: ["https://app.example.com/"] }',
    'operationCors: option `origin` must be an array of origins as browsers send them, such as "https://app.example.com"; write "https://app.example.com" for "https://app.example.com/"',
  ],
  [
    "operationCors",
    '{ operations: { GET: { allowedHeaders: ["X Y"] } } }',
    "operationCors, operation GET: option `allowedHeaders` must be a header field name",
  ],
  [
    "pagination",
    "{ limit: { max: 0 } }",
    "pagination: option `limit.max` must be an integer from 1 to 9007199254740990",
  ],
  [
    "pagination",
    "{ limit: { maximum: 100 } }",
    "pagination.limit: option `maximum` is unknown; the options are `default`, `max`, `min`",
  ],
  [
    "patch",
    '{ consumes: ["application/json"] }',
    "patch: option `consumes` must be a non-empty array of application/json-patch+json and application/merge-patch+json",
  ],
  [
    "patch",
    '{ readOnly: ["id"] }',
    "patch: option `readOnly` must be an array of JSON Pointers such as `/profile/login`",
  ],
  [
    "requestContext",
    '{ trust: "10.0.0.1/8" }',
    'requestContext: option `trust`: "10.0.0.1/8" has bits set outside its prefix; the block is "10.0.0.0/8"',
  ],
  [
    "requestContext",
    '{ trust: "0.0.0.0/0" }',
    'requestContext: option `trust`: "0.0.0.0/0" would trust every address: any client could then choose its own; list the proxies',
  ],
  [
    "requestContext",
    '{ trust: "0.0.0.0/1, 128.0.0.0/1" }',
    "requestContext: option `trust`: this list would trust every address: any client could then choose its own; list the proxies",
  ],
  ["requireScopes", "{ scopes: [] }", "requireScopes: option `scopes` must be a non-empty array of scopes"],
  [
    "requireScopes",
    '{ scheme: "API token" }',
    "requireScopes: option `scheme` must be the name of an authentication scheme",
  ],
  ["requireScopes", '{ realm: "café" }', "requireScopes: option `realm` must be printable ASCII"],
  [
    "suite",
    '{ httpsOnly: { trust: "loopback" } }',
    "suite: option `trust` of `httpsOnly` is shared; give it as suite({ trust: … })",
  ],
  [
    "suite",
    '{ trust: "loopback", requestContext: false, httpsOnly: false }',
    "suite: option `trust` has no effect without one of `requestContext`, `httpsOnly`",
  ],
  [
    "suite",
    '{ jsonBody: { consumes: ["text/plain"] } }',
    "suite: option `consumes` of `jsonBody` has text/plain, which `contentType` refuses; add it there",
  ],
  ["utf8Guard", '{ headers: ["User Agent"] }', "utf8Guard: option `headers` must be a header field name"],
  ["weakEtag", '{ fields: ["id"], revision: "version" }', "weakEtag: give either option `fields` or option `revision`"],
  [
    "weakEtag",
    '{ previous: [{ version: 1, fields: ["id"], replacedAt: new Date(0) }] }',
    "weakEtag: option `previous[0].version` must be different from the other versions",
  ],
  [
    "weakEtag",
    '{ previous: [{ version: 2, fields: ["id"], replacedAt: "2026-01-01" }] }',
    "weakEtag: option `previous[0].replacedAt` must be a valid Date",
  ],
  [
    "webfinger",
    '{ resourceAliases: ["acct"] }',
    'webfinger: option `resourceAliases` must be an array of URI prefixes such as "acct:"',
  ],
  ["webfinger", '{ cacheControl: "no-store\\n" }', "webfinger: option `cacheControl` must be a header field value"],
])("%s(%s) is refused with %s", (name, options, message) => {
  expect(messageOf(name, runInNewContext(`(${options})`, { Date }) as object)).toBe(message);
});

function messageOf(name: string, options: object): string {
  const found = ALL_FACTORIES.find((factory) => factory.name === name);
  if (!found) return `there is no factory ${name}`;
  try {
    found.factory({ ...found.required, ...options });
  } catch (error) {
    return (error as Error).message;
  }
  return `${name} accepts it`;
}
