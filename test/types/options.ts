import express, { type Request } from "express";
import {
  bodyLength,
  compareKeys,
  compileFilterSchema,
  compileFilterSql,
  compileOperations,
  contentType,
  createBodyVerifier,
  createServer,
  errorFormatter,
  filter,
  findForbiddenText,
  followPages,
  httpsOnly,
  jsonBody,
  jwtVerifier,
  operationCors,
  pagination,
  parseFilter,
  patch,
  queryParameters,
  pgErrors,
  type RefusalReport,
  requestContext,
  requestId,
  responseCheck,
  utf8Guard,
  weakEtag,
  webfinger,
  zodErrors,
} from "etiquette";

/** Every option that is a union: what it takes, and something that looks like it and is refused. */

bodyLength({ status: 411 });
bodyLength({ status: 400 });
// @ts-expect-error -- no other status
bodyLength({ status: 412 });

createBodyVerifier({ format: "json" });
createBodyVerifier({ format: "form" });
createBodyVerifier({ format: "text" });
// @ts-expect-error -- no such format
createBodyVerifier({ format: "xml" });

httpsOnly({ maxAge: 0 });
httpsOnly({ maxAge: false });
// @ts-expect-error -- true is no number of seconds
httpsOnly({ maxAge: true });

httpsOnly({ trust: "loopback" });
httpsOnly({ trust: ["loopback", "10.0.0.0/8"] });
httpsOnly({ trust: (req) => (req.hostname === "a" ? ["loopback"] : undefined) });
httpsOnly({ trust: () => (address) => address === "10.0.0.1" });
// @ts-expect-error -- a number of hops is not offered
httpsOnly({ trust: 1 });

requestContext({ forwarded: "forwarded" });
requestContext({ forwarded: "x-forwarded-for" });
// @ts-expect-error -- no such field
requestContext({ forwarded: "via" });

queryParameters({ plus: "literal" });
queryParameters({ plus: "space" });
queryParameters({ plus: "reject" });
// @ts-expect-error -- no such policy
queryParameters({ plus: "plus" });

weakEtag({ fields: ["id"], version: 1, strength: "weak" });
weakEtag({ revision: "version", strength: "strong" });
// @ts-expect-error -- no such strength
weakEtag({ revision: "version", strength: "none" });

const list = { secret: "s".repeat(32), resource: "users", baseUrl: "https://a.example" };
pagination(list);
pagination({ ...list, secret: new Uint8Array(32) });
pagination({ ...list, secret: [list.secret, new Uint8Array(32)] });
// @ts-expect-error -- a number is no secret
pagination({ ...list, secret: 1 });
pagination({ ...list, baseUrl: (req) => `https://${req.hostname}` });
// @ts-expect-error -- a URL object is no text
pagination({ ...list, baseUrl: new URL("https://a.example") });
pagination({ ...list, polling: true });
pagination({ ...list, polling: (req) => req.query["until"] === undefined });
// @ts-expect-error -- neither a boolean nor a function that returns one
pagination({ ...list, polling: () => "yes" });

const origin = { operations: { GET: {} } };
operationCors({ origin: "*" });
operationCors({ ...origin, origin: "*" });
operationCors({ ...origin, origin: ["https://app.example.com"] });
operationCors({ ...origin, origin: () => Promise.resolve(["https://app.example.com"]) });
// @ts-expect-error -- one origin is a list of one
operationCors({ ...origin, origin: "https://app.example.com" });

const jwt = { issuer: "https://a.example", audience: "api", keys: "https://a.example/keys" };
jwtVerifier(jwt);
jwtVerifier({ ...jwt, issuer: (req) => `https://${req.hostname}` });
// @ts-expect-error -- several issuers need a function
jwtVerifier({ ...jwt, issuer: ["https://a.example"] });
jwtVerifier({ ...jwt, audience: ["api", "admin"] });
jwtVerifier({ ...jwt, audience: () => Promise.resolve("api") });
// @ts-expect-error -- a pattern is no audience
jwtVerifier({ ...jwt, audience: /api/ });
jwtVerifier({ ...jwt, keys: { keys: [] } });
jwtVerifier({ ...jwt, keys: () => ({ keys: [] }) });
// @ts-expect-error -- a list of keys is no set
jwtVerifier({ ...jwt, keys: [] });

const finger = { resolve: () => "org" as const, baseUrl: "https://a.example", title: "a" };
webfinger(finger);
webfinger({ ...finger, resolve: () => Promise.resolve([{ id: "1", type: "OIDC", name: "A" }, "org"]) });
webfinger({ ...finger, resolve: () => ({ id: "1", type: "OIDC", name: "A", issuer: "https://op.example" }) });
webfinger({ ...finger, resolve: () => ({ id: "1", type: "SAML2", name: "A", issuer: null }) });
// @ts-expect-error -- an issuer is a text
webfinger({ ...finger, resolve: () => ({ id: "1", type: "OIDC", name: "A", issuer: new URL("https://op.example") }) });
// @ts-expect-error -- no provider is a text other than "org"
webfinger({ ...finger, resolve: () => "idp" });
webfinger({ ...finger, baseUrl: () => "https://a.example", title: (req) => req.hostname });
// @ts-expect-error -- a title is a text
webfinger({ ...finger, title: () => 1 });
webfinger({ ...finger, issuerRel: "https" });
webfinger({ ...finger, issuerRel: "echo" });
webfinger({ ...finger, issuerRel: "both" });
// @ts-expect-error -- no such form
webfinger({ ...finger, issuerRel: "http" });

const schema = compileFilterSchema({
  attributes: {
    login: { type: "string", column: "login", operators: ["eq", "sw"] },
    age: { type: "number", column: { column: "profile", path: ["age"] } },
  },
});
compileFilterSchema({ attributes: { a: { type: "boolean" }, b: { type: "date" }, c: { type: "complex" } } });
// @ts-expect-error -- no such type
compileFilterSchema({ attributes: { a: { type: "text" } } });
// @ts-expect-error -- no such operator
compileFilterSchema({ attributes: { a: { type: "string", operators: ["like"] } } });
// @ts-expect-error -- a path needs its column
compileFilterSchema({ attributes: { a: { type: "string", column: { path: ["a"] } } } });
compileFilterSql(parseFilter("login pr"), schema, "postgresql");
compileFilterSql(parseFilter("login pr"), schema, "sqlite");
// @ts-expect-error -- no such dialect
compileFilterSql(parseFilter("login pr"), schema, "mysql");

compareKeys(
  ["a", null],
  ["b", 1],
  [
    { column: "name", direction: "desc" },
    { column: "id", nulls: "first" },
  ],
);
// @ts-expect-error -- no such direction
compareKeys(["a"], ["b"], [{ column: "name", direction: "down" }]);
// @ts-expect-error -- no such place
compareKeys(["a"], ["b"], [{ column: "name", nulls: "none" }]);

const suspend = { suspend: { states: ["ACTIVE"] } } as const;
compileOperations(suspend).isAllowed("suspend", process.argv[0] ?? "");
// @ts-expect-error -- no such operation
compileOperations(suspend).isAllowed("remove", "ACTIVE");
const typed = compileOperations<"suspend", "ACTIVE" | "STAGED">(suspend);
typed.isAllowed("suspend", "STAGED");
// @ts-expect-error -- no such state
typed.isAllowed("suspend", "LOCKED");
// @ts-expect-error -- nor here
compileOperations<"suspend", "STAGED">(suspend);

followPages(fetch, "https://a.example/logs", { polling: true });
followPages(fetch, "https://a.example/logs", { polling: () => Promise.resolve() });
// @ts-expect-error -- a number of milliseconds is no wait
followPages(fetch, "https://a.example/logs", { polling: 1000 });

const four = { maxBytesPerCharacter: 4 } as const;
utf8Guard(four);
createBodyVerifier(four);
jsonBody(four);
patch(four);
queryParameters(four);
responseCheck(four);
parseFilter("login pr", four);
findForbiddenText("", four);
filter({ schema, ...four });
pagination({ ...list, ...four });
webfinger({ ...finger, ...four });
utf8Guard({ maxBytesPerCharacter: 3 });
// @ts-expect-error -- no character takes two bytes at most
utf8Guard({ maxBytesPerCharacter: 2 });
// @ts-expect-error -- nor five
createBodyVerifier({ maxBytesPerCharacter: 5 });
// @ts-expect-error -- a text is no number
jsonBody({ maxBytesPerCharacter: "4" });
// @ts-expect-error -- nor a boolean
patch({ maxBytesPerCharacter: true });
// @ts-expect-error -- nor any number
parseFilter("login pr", { maxBytesPerCharacter: Number("4") });

const reporting = { report: true, onReport: ({ req, status }: RefusalReport) => [req.path, status.toFixed()] } as const;
httpsOnly(reporting);
bodyLength(reporting);
utf8Guard(reporting);
queryParameters(reporting);
contentType(reporting);
jsonBody(reporting);
createServer(express(), { report: true, onReport: ({ req, res }) => [req.url, res?.statusCode] });
// @ts-expect-error -- "report" is a mode of suite()
contentType({ report: "report" });
// @ts-expect-error -- a server has no routes
createServer(express(), { report: true, onReport: ({ req }) => req.path });
// @ts-expect-error -- it refuses nothing
requestId({ report: true });

errorFormatter({ format: "svc" });
errorFormatter({ format: "problem", typeBase: "https://a.example/errors/", status: { E0000001: 422 } });
errorFormatter({
  format: ({ code, causes, id }, req) => ({
    mediaType: "application/json",
    body: { code, causes, id, path: req.path },
  }),
  status: (code) => (code === "E0000001" ? 422 : undefined),
});
errorFormatter({ format: () => ({ body: "as it is" }) });
// @ts-expect-error -- no such format
errorFormatter({ format: "jsonapi" });
// @ts-expect-error -- a format returns a body
errorFormatter({ format: () => ({ mediaType: "text/plain" }) });
// @ts-expect-error -- it is sent at once
errorFormatter({ format: () => Promise.resolve({ body: "" }) });
// @ts-expect-error -- the error can't be changed
errorFormatter({ format: (error) => ({ body: (error.status = 400) }) });
// @ts-expect-error -- a status is a number
errorFormatter({ status: { E0000001: "422" } });
// @ts-expect-error -- also of a function
errorFormatter({ status: () => "422" });
// @ts-expect-error -- a URL is a text here
errorFormatter({ format: "problem", typeBase: new URL("https://a.example/errors/") });
createServer(express(), { format: "problem", typeBase: "/errors#", status: { E0009001: 400 } });
// @ts-expect-error -- no such format here either
createServer(express(), { format: "jsonapi" });

const ownErrors = (error: unknown, { method }: Request) =>
  error instanceof RangeError ? { code: "E0000001", detail: method, causes: [error.message] } : undefined;
errorFormatter({ map: ownErrors });
errorFormatter({ map: [] });
errorFormatter({ map: [ownErrors, zodErrors, pgErrors, () => new Error("it"), () => undefined] });
const maps = [ownErrors, zodErrors] as const;
errorFormatter({ map: maps });
// @ts-expect-error -- a map is a function
errorFormatter({ map: [ownErrors, "zod"] });
// @ts-expect-error -- nor is an object of them
errorFormatter({ map: { zodErrors } });
// @ts-expect-error -- what it returns has a code
errorFormatter({ map: [() => ({ detail: "login" })] });
// @ts-expect-error -- or is undefined
errorFormatter({ map: () => false });
