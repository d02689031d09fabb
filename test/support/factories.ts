import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import * as etiquette from "etiquette";

const ROOT = path.join(__dirname, "../..");

/** A factory as the conformance suite sees it. */
export interface Factory {
  /** The name it is exported under. */
  name: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each factory has its own options
  factory: (options: any) => unknown;
  /** The options that it can't do without. */
  required?: Record<string, unknown>;
  /** The name of what it returns, when that is not `<name>Middleware`. */
  handler?: string;
  /** The member of what it returns that is mounted, when it isn't the whole. */
  member?: string;
  /** The code that uses what it returns, when that is not `app.use(<name>())`. */
  usage?: string;
}

/** Files of middleware/ whose functions take more than options and return no handler; their own tests cover them. */
export const NO_FACTORIES: readonly string[] = ["create-server"];

/** Files whose factory takes no options yet. */
export const WITHOUT_OPTIONS: readonly string[] = ["not-found"];

/** Every factory, by the name of its file. */
export const FACTORIES: Readonly<Record<string, Factory>> = {
  "api-token-verifier": {
    name: "apiTokenVerifier",
    factory: etiquette.apiTokenVerifier,
    required: { find: () => undefined },
    handler: "verifyApiToken",
    usage: "authenticate({ schemes: { SVC: apiTokenVerifier({ … }) } })",
  },
  "api-version": { name: "apiVersion", factory: etiquette.apiVersion, required: { versions: { v1: {} } } },
  authenticate: {
    name: "authenticate",
    factory: etiquette.authenticate,
    required: { schemes: { Bearer: () => undefined } },
  },
  "body-length": { name: "bodyLength", factory: etiquette.bodyLength },
  "content-type": { name: "contentType", factory: etiquette.contentType },
  "error-formatter": { name: "errorFormatter", factory: etiquette.errorFormatter },
  filter: {
    name: "filter",
    factory: etiquette.filter,
    required: { schema: etiquette.compileFilterSchema({ attributes: {} }) },
  },
  "https-only": { name: "httpsOnly", factory: etiquette.httpsOnly },
  idempotency: { name: "idempotency", factory: etiquette.idempotency, required: { principal: () => "joe" } },
  "json-body": { name: "jsonBody", factory: etiquette.jsonBody },
  "jwt-verifier": {
    name: "jwtVerifier",
    factory: etiquette.jwtVerifier,
    required: { issuer: "https://a.example", audience: "api", keys: { keys: [] } },
    handler: "verifyJwt",
    usage: "authenticate({ schemes: { Bearer: jwtVerifier({ … }) } })",
  },
  "method-not-allowed": {
    name: "methodNotAllowed",
    factory: etiquette.methodNotAllowed,
    usage: "app.route(path).all(methodNotAllowed())",
  },
  "not-found": { name: "notFound", factory: etiquette.notFound },
  "operation-cors": {
    name: "operationCors",
    factory: etiquette.operationCors,
    required: { origin: ["https://app.example.com"] },
    usage: "app.use(operationCors({ … }))",
  },
  pagination: {
    name: "pagination",
    factory: etiquette.pagination,
    required: { secret: "0123456789abcdef0123456789abcdef", resource: "users", baseUrl: "https://acme.example.com" },
  },
  patch: { name: "patch", factory: etiquette.patch },
  "query-body": { name: "queryBody", factory: etiquette.queryBody },
  "query-parameters": { name: "queryParameters", factory: etiquette.queryParameters },
  "rate-limit-headers": {
    name: "rateLimitHeaders",
    factory: etiquette.rateLimitHeaders,
    required: { consume: () => undefined },
  },
  "request-context": { name: "requestContext", factory: etiquette.requestContext },
  "request-id": { name: "requestId", factory: etiquette.requestId },
  "require-scopes": {
    name: "requireScopes",
    factory: etiquette.requireScopes,
    required: { scopes: ["a"], getPrincipal: () => undefined },
  },
  "resource-metadata": {
    name: "resourceMetadata",
    factory: etiquette.resourceMetadata,
    required: { resource: "https://api.example.com" },
  },
  "response-check": { name: "responseCheck", factory: etiquette.responseCheck },
  "security-txt": {
    name: "securityTxt",
    factory: etiquette.securityTxt,
    required: { contact: ["mailto:security@example.com"] },
  },
  "server-timing": { name: "serverTiming", factory: etiquette.serverTiming, required: { isTrusted: () => true } },
  "shared-shapes": { name: "sharedShapes", factory: etiquette.sharedShapes },
  suite: {
    name: "suite",
    factory: etiquette.suite,
    handler: "suiteGuards",
    member: "guards",
    usage: "const { guards, fallbacks } = suite(); app.use(guards)",
  },
  "utf8-guard": { name: "utf8Guard", factory: etiquette.utf8Guard },
  validate: {
    name: "validate",
    factory: etiquette.validate,
    required: { body: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } },
    usage: 'app.post("/users", validate({ body: schema }), …)',
  },
  "weak-etag": { name: "weakEtag", factory: etiquette.weakEtag, required: { fields: ["id"], version: 1 } },
  webfinger: {
    name: "webfinger",
    factory: etiquette.webfinger,
    required: { resolve: () => undefined, baseUrl: "https://acme.example.com", title: "acme" },
  },
};

/** A file of a factory, and its page; both are relative to the root of the package. */
export interface PagedFile {
  readonly name: string;
  readonly folder: string;
  readonly page: string;
}

/** Every file that has a page. It is beside the file, but for that of the suite. */
export const PAGED_FILES: readonly PagedFile[] = [
  { name: "suite", folder: "", page: "docs/reference/suite.md" },
  ...filesOf("middleware"),
  ...readdirSync(path.join(ROOT, "lib"))
    .flatMap((room) => filesOf(`lib/${room}`))
    .filter(({ page }) => existsSync(path.join(ROOT, page))),
];

function filesOf(folder: string): PagedFile[] {
  return readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.basename(file, ".ts"))
    .map((name) => ({ name, folder, page: `${folder}/${name}.md` }));
}
