import { ORIGIN } from "../peers/items.js";
import type { Script, ScriptedResponse } from "./scripted-server.js";

const PAGE = '[{"id":"1"}]';
const TAG = 'W/"1.tag"';

const FORM = "application/x-www-form-urlencoded";

const replaying: Script = () => ({ headers: { "Idempotent-Replayed": "true" } });
const tagged: Script = () => ({ headers: { ETag: TAG } });
const echoOrigin: Script = ({ headers: { origin = "" } }) => ({ headers: { "Access-Control-Allow-Origin": origin } });

/** A list whose next page is always `cursor`. */
function listWith(cursor: string): Script {
  const link = [`</v1/items?limit=1>; rel="self"`, `</v1/items?limit=1&after=${cursor}>; rel="next"`];
  return () => ({ headers: { Link: link }, body: PAGE });
}

/** One response for requests that `fits`, 200 for others. */
function only(fits: (request: Parameters<Script>[0]) => boolean, response: ScriptedResponse): Script {
  return (request) => (fits(request) ? response : {});
}

const isUnknown = ({ target }: { target: string }): boolean => target.includes("etiquette-check-unknown");

/** For each check that `200 {}` to everything passes or can't try: a server that breaks the rule in one way. */
export const BROKEN: Readonly<Record<string, Script>> = {
  "server-timing": () => ({ headers: { "Server-Timing": "miss, db;dur=53.2" } }),
  "request-id-unique": () => ({ headers: { "X-Request-Id": "same" } }),
  "request-id-forged": ({ headers }) => ({ headers: { "X-Request-Id": headers["x-request-id"] ?? "own" } }),
  head: only(({ method }) => method === "HEAD", { status: 404 }),
  "rate-limit-fields": () => ({ headers: { "X-Rate-Limit-Limit": ["600", "600"] } }),
  "date-form": () => ({ body: '{"created":"2026-01-02T03:04:05Z"}' }),
  "text-form": () => ({ body: '{"name":"\\ud800"}' }),
  "links-form": () => ({ body: '{"_links":{"self":{"href":"users/1"}}}' }),
  "json-type": () => ({ headers: { "Content-Type": "text/html" } }),
  "accept-ranges": only(({ headers }) => headers["accept"]?.includes("charset") === true, { status: 406 }),
  "header-size-object": only(({ headers }) => "x-etiquette-check" in headers, { status: 431, body: "" }),
  "parameter-unknown": only(({ target }) => target.includes("etiquetteCheck"), { status: 400 }),
  "origin-denied": echoOrigin,
  "origin-null": echoOrigin,
  "preflight-denied": echoOrigin,
  "preflight-unknown": echoOrigin,
  "origin-similar": echoOrigin,
  "tag-weak": () => ({ headers: { ETag: '"strong"' } }),
  "tag-stable": ({ index }) => ({ headers: { ETag: `W/"${index}"` } }),
  "not-modified": tagged,
  "not-modified-list": tagged,
  "not-modified-no-cache": tagged,
  "lost-update": tagged,
  "write-accepted": only(({ method }) => method === "PUT", { status: 403 }),
  "link-parameters": () => ({ headers: { Link: '<https://api.example.com/v1/items>; rel="self"' } }),
  "link-host": ({ headers }) => ({ headers: { Link: `<https://${headers["host"] ?? ""}/v1/items>; rel="self"` } }),
  "cursor-changed": listWith("AAAA"),
  "cursor-readable": listWith(Buffer.from('{"id":1,"name":"readable"}').toString("base64url")),
  "cursor-forged": listWith("AAAA"),
  walk: listWith("AAAA"),
  "idempotency-replayed": ({ index }) => ({ headers: { "Idempotent-Replayed": "true" }, body: `{"id":"${index}"}` }),
  "idempotency-key": replaying,
  "idempotency-payload": replaying,
  "query-named": () => ({ headers: { Allow: "GET, QUERY" } }),
  "query-parameters": only(({ method }) => method === "GET", { headers: { "Accept-Query": FORM }, body: PAGE }),
  "query-type": () => ({ headers: { "Accept-Query": FORM } }),
  "filter-parentheses": only(({ target }) => target.includes("(("), { status: 400 }),
  "error-json": only(isUnknown, { status: 404, headers: { "Content-Type": "text/html" } }),
  "credentials-missing": only(({ headers }) => !("authorization" in headers), { status: 401 }),
  "credentials-bad": only(({ headers }) => headers["authorization"] !== "Bearer the-token", { status: 403 }),
  "credentials-metadata": ({ headers, target }) => {
    const url = `http://${headers["host"] ?? ""}/.well-known/oauth-protected-resource/v1`;
    if (target.startsWith("/.well-known/")) return { body: '{"resource":"https://other.example/v1"}' };
    return { status: 401, headers: { "WWW-Authenticate": `Bearer realm="api", resource_metadata="${url}"` } };
  },
  "credentials-dpop": () => ({ status: 401, headers: { "WWW-Authenticate": 'DPoP realm="api", algs="HS256"' } }),
  "error-cause": only(isUnknown, { status: 500 }),
  "forwarded-proto": only(({ headers }) => headers["x-forwarded-proto"] === "http", { status: 403 }),
};

/** Options with which every check can be tried. */
export const BROKEN_ARGS = [
  ...["--list", "/v1/items", "--resource", "/v1/items/1", "--origin", ORIGIN, "--filter", 'status eq "ACTIVE"'],
  ...["--write", "--writable", "/v1/items/1", "--field", "/name"],
  ...["--header", "Authorization: Bearer the-token", "--timeout", "5"],
];
