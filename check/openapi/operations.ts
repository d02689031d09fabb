import { parseMediaType } from "../../lib/http/index.js";
import { type Document, listOf } from "./document.js";
import { exampleOf, isExample } from "./examples.js";

/** Of a description: more paths and parameters are left out. */
export const MAX_PATHS = 10_000;
const MAX_PARAMETERS = 100;
const MAX_TYPES = 8;

/** What a list is asked for by the page. */
const PAGING = /^(?:limit|after|before|cursor|page|offset|page_?size|per_?page|page_?token|starting_after)$/i;

type JsonObject = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly example: string | undefined;
}

/** A path of the description. */
export interface PathItem {
  /** With the path of the server. */
  readonly template: string;
  readonly segments: readonly string[];
  readonly item: JsonObject;
}

/** A path that GET reads. */
export interface Reading extends PathItem {
  readonly parameters: readonly Parameter[];
  readonly isList: boolean;
  readonly hasPages: boolean;
  /** The media types of a successful response. */
  readonly produces: readonly string[];
  /** An example of the response in JSON. */
  readonly example: unknown;
}

/** All paths, in the order of the description. */
export function listPaths(document: Document, base: string): PathItem[] {
  const paths = document.member(document.root, "paths") ?? {};
  return Object.entries(paths)
    .slice(0, MAX_PATHS)
    .flatMap(([path, value]) => {
      const item = document.resolve(value);
      const template = base + path;
      return item && path.startsWith("/") ? [{ template, segments: template.split("/"), item }] : [];
    });
}

/** What the description says of GET of a path; `undefined` if there is none. */
export function describeReading(document: Document, path: PathItem): Reading | undefined {
  const operation = document.member(path.item, "get");
  if (!operation) return undefined;
  const responses = document.member(operation, "responses") ?? {};
  const success = document.member(responses, "200") ?? document.member(responses, "2XX");
  const content = document.member(success, "content") ?? {};
  const produces = Object.keys(content).filter(isPlainType).slice(0, MAX_TYPES);
  const json = Object.keys(content).find((type) => /[/+]json(?:;|$)/i.test(type));
  const media = json === undefined ? undefined : document.resolve(content[json]);
  const parameters = listParameters(document, path.item, operation);
  return {
    ...path,
    parameters,
    isList: isArray(document.member(media, "schema")),
    hasPages: parameters.some(({ name, place }) => place === "query" && PAGING.test(name)),
    produces,
    example: media && exampleOf(document, media),
  };
}

/** The example of the body of `method`; `undefined` without one. */
export function findBodyExample(document: Document, { item }: PathItem, method: string): unknown {
  const body = document.member(document.member(item, method.toLowerCase()), "requestBody");
  const media = document.member(document.member(body, "content"), "application/json");
  return media && exampleOf(document, media);
}

/** Those of an operation replace those of its path. */
function listParameters(document: Document, item: JsonObject, operation: JsonObject): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const value of [item, operation].flatMap((owner) => listOf(owner["parameters"], MAX_PARAMETERS))) {
    const parameter = document.resolve(value);
    const { name, in: place } = parameter ?? {};
    if (!parameter || typeof name !== "string" || !isExample(name) || typeof place !== "string") continue;
    const example = exampleOf(document, parameter);
    parameters.set(`${place} ${name}`, {
      ...{ name, place },
      isRequired: parameter["required"] === true,
      example: isExample(example) ? String(example) : undefined,
    });
  }
  return [...parameters.values()];
}

function isArray(schema: JsonObject | undefined): boolean {
  return schema?.["type"] === "array" || listOf(schema?.["type"], 8).includes("array");
}

/** A media type that can stand in a field as it is. */
function isPlainType(text: string): boolean {
  return text.length <= 100 && parseMediaType(text)?.type === text;
}
