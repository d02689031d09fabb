import type { ErrorType } from "../errors/index.js";

/** What a refusal is about. */
export interface Remedy {
  /** The id of the rule in docs/reference/rules.md. */
  readonly rule: string;
  /** The option of `suite()`, or of `createServer`, that would allow the request. */
  readonly option: string;
}

const PROTOCOL = "none: mend the client, or serve it with node:http";

/** For each type of refusal that a guard or a server can report. docs/reference/suite.md shows it. */
export const REMEDIES: Readonly<Partial<Record<ErrorType, Remedy>>> = {
  "https.required": { rule: "S1", option: 'httpsOnly: false; behind a proxy that ends TLS, trust: "loopback"' },
  "media-type.missing": { rule: "S3", option: "contentType: false" },
  "media-type.ambiguous": { rule: "S3", option: "contentType: false" },
  "media-type.unsupported": { rule: "S3", option: 'contentType: { consumes: ["application/json", "…"] }' },
  "media-type.not-acceptable": {
    rule: "S3",
    option: 'contentType: { produces: ["application/json", "…"] }, or { negotiate: false }',
  },
  "charset.unsupported": { rule: "S3", option: "jsonBody: false, and a body parser of your own" },
  "encoding.unsupported": { rule: "S3", option: "jsonBody: { inflate: true }, for gzip, deflate and br" },
  "encoding.malformed": { rule: "S3", option: "jsonBody: false, and a body parser of your own" },
  "entity.parse.failed": { rule: "S3", option: "jsonBody: false, and a body parser of your own" },
  "body.scalar": { rule: "S3", option: "jsonBody: { strict: false }" },
  "request.invalid": { rule: "E2", option: "validate: a schema that takes it" },
  "number.unsupported": { rule: "E2", option: 'jsonBody: { bigint: "string" }, for at most 1000 digits' },
  "text.malformed": { rule: "S5", option: "utf8Guard: false for the URL and the header; jsonBody: false for the body" },
  "text.unsupported": { rule: "S5", option: "maxBytesPerCharacter: 4" },
  "body.too-deep": { rule: "S9", option: "jsonBody: { maxDepth: 2000 }" },
  "body.too-many": { rule: "S9", option: "jsonBody: { maxMembers: 1_000_000 }" },
  "entity.too.large": { rule: "S9", option: "jsonBody: { limit: 1_048_576 }" },
  "query.too-long": { rule: "S9", option: "queryParameters: { maxLength: 65_536 }" },
  "query.too-many": { rule: "S9", option: "queryParameters: { maxParameters: 1000 }" },
  "content-length.missing": { rule: "V2", option: "bodyLength: { methods: [] }" },
  "content-length.invalid": { rule: "V3", option: "bodyLength: false" },
  "request.size.invalid": { rule: "V3", option: "jsonBody: false, and a body parser of your own" },
  "transfer-encoding.invalid": { rule: "V3", option: "bodyLength: false; for createServer, none" },
  "query.malformed": { rule: "Q1", option: "queryParameters: false" },
  "query.repeated": { rule: "Q4", option: "queryParameters: { single: [] }" },
  "host.duplicate": { rule: "E5", option: PROTOCOL },
  "host.invalid": { rule: "E5", option: PROTOCOL },
  "target.invalid": { rule: "E5", option: PROTOCOL },
  "target.misdirected": { rule: "E5", option: PROTOCOL },
  "version.unsupported": { rule: "E5", option: PROTOCOL },
  "header.too-large": { rule: "S9", option: "createServer(app, { maxHeadersCount: 1000 })" },
  "upgrade.unsupported": { rule: "E5", option: "createServer(app, { refuseUpgrade: false })" },
  "requests.pipelined": { rule: "S9", option: "createServer(app, { maxPendingResponses: false })" },
  "requests.exhausted": { rule: "S9", option: "createServer(app, { maxRequestsPerSocket: false })" },
};

/** A type without a line is one that was added without it. */
const UNKNOWN: Remedy = { rule: "E1", option: "leave the middleware out" };

export function remedyOf(type: ErrorType | undefined): Remedy {
  return (type && REMEDIES[type]) ?? UNKNOWN;
}
