import { scopePrefix } from "../../model/scopes.js";
import type { Steps } from "../../pace/steps.js";
import type { ApiSettings } from "../../model/api-settings.js";
import type { Operation, Resource } from "../resource.js";
import { describeErrors, ERROR_SCHEMA } from "./errors.js";
import { describeFields, REQUEST_FIELDS } from "./fields.js";
import { createOperations, tagOf } from "./operations.js";
import { createSchemas } from "./schemas.js";

/** An API in a version, as it is served. */
export interface DescribedApi {
  readonly version: string;
  readonly resources: readonly Resource[];
  /** `GET /users/:id` and so on. */
  readonly deprecated: ReadonlySet<string>;
  /** Operations outside the API, by their path. */
  readonly others?: Readonly<Record<string, Operation>>;
  readonly settings: Pick<ApiSettings, "namespace" | "apiTokenScheme">;
}

/** An OpenAPI description. */
export interface Description {
  readonly openapi: "3.1.0";
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly [member: string]: unknown;
}

const ABOUT = [
  "Everything that decides which identity provider signs a person in.",
  "Every failure is the error object `Error`. Readers ignore members that they don't know. In a body, a member that is null",
  "counts as absent. Lists come in pages: follow `next` in the field `Link`.",
].join(" ");

/** What it costs to describe an operation, also one whose code runs for the first time. */
const OPERATION_COST = 1_000;

/** The description of `version` in OpenAPI 3.1, made of the definitions that serve the requests, in steps. */
export function* describeApi(api: DescribedApi): Steps<Description> {
  const { version, resources, deprecated, others = {}, settings } = api;
  const { namespace, apiTokenScheme } = settings;
  const schemas = createSchemas();
  const { always, fields } = describeFields(namespace);
  const refer = (...names: string[]) =>
    Object.fromEntries([...always, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const describe = createOperations({ schemas, refer, prefix: scopePrefix(namespace) });

  const paths: Record<string, Record<string, object>> = {};
  for (const { path, operations } of resources) {
    const template = `/api/${version}${path.replace(/:(\w+)/g, "{$1}")}`;
    const described: Record<string, object> = {};
    for (const [method, operation] of Object.entries(operations)) {
      described[method.toLowerCase()] = {
        ...describe(method, template, operation),
        ...(deprecated.has(`${method} ${path}`) && { deprecated: true }),
      };
      yield OPERATION_COST;
    }
    paths[template] = described;
  }
  for (const [path, operation] of Object.entries(others)) paths[path] = { get: describe("GET", path, operation) };

  return {
    openapi: "3.1.0",
    info: { title: "IdP discovery", version: version.slice(1), description: ABOUT },
    servers: [{ url: "/", description: "The org whose host this is." }],
    tags: [...new Set(Object.keys(paths).map((path) => tagOf(path)))].map((name) => ({ name })),
    paths,
    components: {
      schemas: sortKeys({ ...schemas.schemas, Error: ERROR_SCHEMA }),
      responses: describeErrors(refer),
      headers: fields,
      parameters: REQUEST_FIELDS,
      securitySchemes: {
        apiToken: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: `An API token of the org: \`${apiTokenScheme} <token>\`.`,
        },
        accessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "An access token of an authorization server that the org trusts.",
        },
        boundAccessToken: {
          type: "http",
          scheme: "dpop",
          description: "The same, bound to a key, with a proof in the field DPoP (RFC 9449).",
        },
      },
    },
  };
}

function sortKeys<T>(object: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
