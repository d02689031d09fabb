import type { Request, RequestHandler } from "express";
import { filter, type FilterSchema } from "etiquette/filter";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { z } from "zod";
import { apiError, type ApiError } from "../model/api-error.js";

/** One parameter of a query, for the description of the API. */
export interface QueryParameter {
  readonly shape: z.ZodType;
  readonly description: string;
  /** @default false */
  readonly isRequired?: boolean;
  /**
   * Whether it is text of a person, in which `+` stands for a space.
   *
   * @default false
   */
  readonly isText?: boolean;
}

/** Reads a part of the query, and says which parameters that are. */
export interface QueryReader {
  /** Absent when the handlers of the operation read them. */
  readonly handler?: RequestHandler;
  readonly parameters: Readonly<Record<string, QueryParameter>>;
}

/** Reads parameters that have one value each, see `getQuery`. */
export function plainParameters(parameters: QueryReader["parameters"]): QueryReader {
  const single = Object.keys(parameters);
  const text = single.filter((name) => parameters[name]?.isText === true);
  return { handler: queryParameters({ single, text }), parameters };
}

/** Reads an expression, see `getFilter`. */
export function expression(name: "filter" | "search", schema: FilterSchema): QueryReader {
  const attributes = [...schema.attributes].map(([attribute, { operators }]) => {
    return `- \`${attribute}\`: ${[...operators].join(", ")}`;
  });
  const description = `An expression such as \`${exampleOf(schema)}\`. Its attributes and their operators:\n\n${attributes.join("\n")}`;
  return { handler: filter({ schema, parameter: name }), parameters: { [name]: { shape: z.string(), description } } };
}

/** Parameters that select. A client that sends one would take what comes without it for the selection. */
const SELECTING = ["filter", "search", "q"];

const readAll = queryParameters();

/** Refuses parameters that select, where the operation has none of that name. */
export function refuseUnsupported(query: readonly QueryReader[]): RequestHandler {
  const supported = new Set(query.flatMap(({ parameters }) => Object.keys(parameters)));
  const unsupported = SELECTING.filter((name) => !supported.has(name));

  return function refuseUnsupportedParameters(req, res, next) {
    if (req.method !== "QUERY" && !req.url.includes("?")) next();
    else {
      readAll(req, res, (error?: unknown) => {
        next(error ?? findUnsupported(req));
      });
    }
  };

  function findUnsupported(req: Request): ApiError | undefined {
    const { parameters } = getQuery(req);
    const name = unsupported.find((each) => Object.hasOwn(parameters, each));
    return name === undefined
      ? undefined
      : apiError("E0000094", { type: "filter.unsupported", causes: [`${name} is not supported here.`] });
  }
}

function exampleOf({ attributes }: FilterSchema): string {
  const [name = ""] = [...attributes].find(([, { operators }]) => operators.has("eq")) ?? [];
  return `${name} eq "…"`;
}
