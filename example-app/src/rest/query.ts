import type { RequestHandler } from "express";
import { filter, type FilterSchema } from "etiquette/filter";
import { queryParameters } from "etiquette/query-parameters";
import { z } from "zod";

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

function exampleOf({ attributes }: FilterSchema): string {
  const [name = ""] = [...attributes].find(([, { operators }]) => operators.has("eq")) ?? [];
  return `${name} eq "…"`;
}
