import type { QueryReader } from "../query.js";
import { isList, isOnceOnly, scopesOf, type Operation } from "../resource.js";
import { TOTAL, TOTAL_FIELD } from "../total.js";
import { referToError } from "./errors.js";
import type { createSchemas, Schema } from "./schemas.js";

const JSON_TYPE = "application/json";

export interface OperationsOptions {
  schemas: ReturnType<typeof createSchemas>;
  /** References to the fields of every response, and to those with these names. */
  refer: (...fields: string[]) => object;
  /** The beginning of scopes: `svc.` */
  prefix: string;
}

/** Describes operations. */
export function createOperations({ schemas, refer, prefix }: OperationsOptions) {
  return function describeOperation(method: string, path: string, operation: Operation): object {
    const { id, summary, scope, query = [], bodies, sent } = operation;
    const scopes = scopesOf(operation).map((name) => prefix + name);
    const security =
      scope === null ? [] : ["apiToken", "accessToken", "boundAccessToken"].map((name) => ({ [name]: scopes }));
    const parameters = [
      ...describePath(path),
      ...query.flatMap((reader) => describeQuery(reader)),
      ...describePreconditions(method, path, operation),
      ...(isOnceOnly(method, operation) ? [{ $ref: "#/components/parameters/Idempotency-Key" }] : []),
    ];
    return {
      operationId: id,
      summary,
      tags: [tagOf(path)],
      security,
      ...(parameters.length > 0 && { parameters }),
      ...(bodies && { requestBody: describeBodies(bodies) }),
      responses: {
        [sent.content ? 200 : 204]: describeSent(method, operation),
        ...(method === "GET" && sent.isTagged && { 304: { description: "Not modified", headers: refer("ETag") } }),
        ...Object.fromEntries(errorsOf(method, path, operation).map((status) => [status, referToError(status)])),
        default: {
          description: "Another error",
          headers: refer(),
          content: jsonOf({ $ref: "#/components/schemas/Error" }),
        },
      },
    };
  };

  function describeQuery({ parameters }: QueryReader): object[] {
    return Object.entries(parameters).map(([name, { shape, description, isRequired = false }]) => ({
      name,
      in: "query",
      description,
      ...(isRequired && { required: true }),
      schema: schemas.parameter(shape),
    }));
  }

  function describeBodies(bodies: NonNullable<Operation["bodies"]>): object {
    const content = Object.entries(bodies).map(([type, named]) => [type, { schema: schemas.body(named) }]);
    const isRequired = Object.values(bodies).some(({ shape }) => !shape.safeParse({}).success);
    return { required: isRequired, content: Object.fromEntries(content) as object };
  }

  function describeSent(method: string, operation: Operation): object {
    const { produces = [JSON_TYPE], sent } = operation;
    const { content } = sent;
    const replayed = isOnceOnly(method, operation) ? ["Idempotent-Replayed"] : [];
    if (!content) return { description: "Done", headers: refer(...replayed) };
    const schema = schemas.sent(content);
    return {
      description: "Done",
      headers: refer(...fieldsOf(operation), ...replayed),
      content: Object.fromEntries(produces.map((type) => [type, { schema }])),
    };
  }
}

/** The fields of a successful response that depend on the operation. */
function fieldsOf({ sent: { isTagged = false }, query = [] }: Operation): string[] {
  return [
    ...(isTagged ? ["ETag"] : []),
    ...(isList({ query }) ? ["Link", "Accept-Query"] : []),
    ...(query.includes(TOTAL) ? [TOTAL_FIELD] : []),
  ];
}

/** The part of the API that a path belongs to: its first segment behind the version. */
export function tagOf(path: string): string {
  const [, name] = /^\/api\/v\d+\/([^/]+)/.exec(path) ?? [];
  return name === undefined ? "webfinger" : name.replace(/\..*$/, "");
}

function describePath(path: string): object[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** Every write of an object takes `If-Match` (rule T4). */
function describePreconditions(method: string, path: string, { sent, isSafe = false }: Operation): object[] {
  if (isSafe) return [];
  const field = method !== "GET" ? path.includes("{") && "If-Match" : sent.isTagged === true && "If-None-Match";
  return field === false ? [] : [{ $ref: `#/components/parameters/${field}` }];
}

/** The statuses of errors that belong to the operation; all others are the default. */
function errorsOf(method: string, path: string, operation: Operation): number[] {
  const { scope, bodies, isNegotiated = true, isSafe = method === "GET" } = operation;
  return [
    400,
    ...(scope === null ? [] : [401, 403]),
    ...(path.includes("{") ? [404] : []),
    ...(isNegotiated ? [406] : []),
    ...(isSafe ? [] : [409]),
    ...(!isSafe && path.includes("{") ? [412] : []),
    ...(bodies ? [413, 415] : []),
    ...(isOnceOnly(method, operation) ? [422] : []),
    429,
    500,
    503,
  ];
}

function jsonOf(schema: Schema): object {
  return { [JSON_TYPE]: { schema } };
}
