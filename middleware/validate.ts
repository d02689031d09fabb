import type { NextFunction, Request, Response } from "express";
import {
  apiError,
  type ApiError,
  causeInBody,
  causeInParameters,
  fieldsOf,
  type Issue,
  MAX_ISSUES,
  type PlacedCause,
  type SchemaResult,
  type StandardSchema,
} from "../lib/errors/index.js";
import { assertKnownOptions, functionOption, isPromise, type NothingElse, optionError } from "../lib/factory/index.js";
import { REPORT_OPTIONS, reportOption, type ReportOptions } from "../lib/report/index.js";

export type { StandardSchema } from "../lib/errors/index.js";

const FACTORY = "validate";

/** What the middleware `queryParameters` gives. */
export interface DecodedQuery {
  readonly parameters: Readonly<Record<string, readonly string[] | undefined>>;
}

export interface ValidateOptions<Body, Query, Params> extends ReportOptions {
  /** The schema of `req.body`, which a parser such as `jsonBody()` has read. */
  body?: StandardSchema<Body>;

  /** The schema of the query: an object with a string for each parameter, an array for one that was sent several times. */
  query?: StandardSchema<Query>;

  /** The schema of `req.params`: an object with a string for each parameter of the path. */
  params?: StandardSchema<Params>;

  /**
   * Where the query comes from: `tryGetQuery` of `queryParameters`.
   *
   * @default (req) => req.query
   */
  getQuery?: (req: Request) => DecodedQuery | undefined;
}

/** Like a property that was assigned. */
const REPLACED: PropertyDescriptor = { writable: true, configurable: true, enumerable: true };

const OPTIONS: Record<keyof ValidateOptions<unknown, unknown, unknown>, true> = {
  body: true,
  query: true,
  params: true,
  getQuery: true,
  ...REPORT_OPTIONS,
};

/** `{ body: Body }`, and so on for the parts that have a schema. */
type Checked<Body, Query, Params> = (unknown extends Body ? unknown : { body: Body }) &
  (unknown extends Query ? unknown : { query: Query }) &
  (unknown extends Params ? unknown : { params: Params });

/** The middleware. Express takes the types of the parts from it, for the handlers after it on the same route. */
export type ValidateMiddleware<Body, Query, Params> = (
  req: Checked<Body, Query, Params>,
  res: Response,
  next: NextFunction,
) => void;

/** A part of the request that a schema checks. */
interface Part {
  readonly schema: StandardSchema;
  readonly read: (req: Request) => unknown;
  readonly name: "body" | "query" | "params";
  readonly toCause: (issue: Issue) => PlacedCause;
}

/**
 * Check a request with schemas of zod, valibot, arktype or any other that implements Standard Schema. Their outputs replace
 * `req.body`, `req.query` and `req.params`, and type them for the handlers of the route. A request that fails is 400
 * `E0000001` with a cause for each of the first 20 issues, in the order params, query, body; nothing is replaced then. What a
 * schema throws goes to the error handler.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type, or there is no schema
 * @example
 * app.post("/users/:id", validate({ body: z.object({ email: z.email() }) }), (req, res) => res.json(req.body.email));
 */
export function validate<Body, Query, Params>(
  options: Readonly<ValidateOptions<Body, Query, Params>>,
  ..._: NothingElse
): ValidateMiddleware<Body, Query, Params> {
  const { parts, report } = parseOptions(options);
  return validateMiddleware as unknown as ValidateMiddleware<Body, Query, Params>;

  function validateMiddleware(req: Request, res: Response, next: NextFunction): void {
    const finish = (error: ApiError | undefined): void => {
      if (error !== undefined) report?.(error, req, res);
      next(report === undefined ? error : undefined);
    };
    let outcome: ApiError | undefined;
    try {
      const results: unknown[] = parts.map(({ schema, read }) => schema["~standard"].validate(read(req)));
      if (results.some(isPromise)) {
        // without promises where the schemas have none, because each takes time
        void Promise.all(results)
          .then((settled) => apply(settled, req))
          .then(finish, next);
        return;
      }
      outcome = apply(results, req);
    } catch (error) {
      next(error);
      return;
    }
    finish(outcome);
  }

  /** Replace the parts with the outputs of the schemas, or return why not. */
  function apply(results: readonly unknown[], req: Request): ApiError | undefined {
    const outcomes = parts.map((part, index) => ({ ...part, result: results[index] as SchemaResult<unknown> }));
    if (outcomes.some(({ result }) => result.issues !== undefined)) return refusal(outcomes);
    for (const { name, result } of outcomes) {
      // Express 5 has a getter for the query
      Object.defineProperty(req, name, { ...REPLACED, value: (result as { value: unknown }).value });
    }
    return undefined;
  }
}

function refusal(outcomes: readonly (Part & { readonly result: SchemaResult<unknown> })[]): ApiError {
  const causes = outcomes
    .flatMap(({ result, toCause }) => (result.issues ?? []).slice(0, MAX_ISSUES).map(toCause))
    .slice(0, MAX_ISSUES);
  return apiError("E0000001", { type: "request.invalid", detail: fieldsOf(causes), causes });
}

/** Each parameter as the schemas expect it: a string, or an array when it was sent several times. */
function toInput({ parameters }: DecodedQuery): Record<string, unknown> {
  const names = Object.entries(parameters).map(([name, values = []]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return Object.fromEntries(names) as Record<string, unknown>;
}

function parseOptions<Body, Query, Params>(options: Readonly<ValidateOptions<Body, Query, Params>>) {
  assertKnownOptions(FACTORY, options, OPTIONS, `app.post("/users", ${FACTORY}({ body: schema }), …)`);
  const getQuery = functionOption(FACTORY, "getQuery", options.getQuery, undefined);
  const readers: Record<Part["name"], Omit<Part, "schema" | "name">> = {
    params: { read: (req) => req.params, toCause: causeInParameters },
    query: { read: (req) => readQuery(req, getQuery), toCause: causeInParameters },
    body: { read: (req) => req.body as unknown, toCause: causeInBody },
  };
  const names = (["params", "query", "body"] as const).filter((name) => options[name] !== undefined);
  if (names.length === 0) throw new TypeError(`${FACTORY}: give at least one of \`body\`, \`query\` and \`params\``);
  return {
    parts: names.map((name): Part => ({ name, schema: schemaOption(name, options[name]), ...readers[name] })),
    report: reportOption(FACTORY, options),
  };
}

function readQuery(req: Request, getQuery: ((req: Request) => DecodedQuery | undefined) | undefined): unknown {
  const query = getQuery?.(req);
  return query === undefined ? req.query : toInput(query);
}

function schemaOption(name: Part["name"], value: unknown): StandardSchema {
  const standard = (value as { "~standard"?: { version?: unknown; validate?: unknown } } | null)?.["~standard"];
  if (typeof standard?.validate === "function" && standard.version === 1) return value as StandardSchema;
  throw optionError(
    FACTORY,
    name,
    "a schema that implements Standard Schema 1: zod from 3.24, valibot from 1, arktype from 2",
  );
}
