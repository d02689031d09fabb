import { readFileSync } from "node:fs";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { COPIES } from "./description-copies.js";

/** Holds what the tests see of the API against its description, so that neither changes without the other. */

type Json = Record<string, unknown>;

interface DescribedResponse {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface DescribedOperation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>;
}

/** A request and its response, as far as they are described. */
export interface Exchange {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly requestType: string | undefined;
  readonly requestText: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const DATE_REGEXP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Makes a function that throws unless a response is one that `docs/openapi.json` or that of v2 describes. The body of a
 * request that succeeds must be described too.
 */
export function createDescriptionCheck(): (exchange: Exchange) => void {
  const descriptions = new Map<string, Description>();

  return function checkDescription(exchange) {
    const [pathname = ""] = exchange.path.split("?", 1);
    const [, version = "v1"] = /^\/api\/(v\d+)\//.exec(pathname) ?? [];
    if (!/^\/(?:api\/(?!docs)|\.well-known\/)/.test(pathname) || !(version in COPIES)) return;
    const known = descriptions.get(version) ?? new Description(String(COPIES[version]));
    descriptions.set(version, known);
    const fault = known.findFault(pathname, exchange);
    if (fault === undefined) return;
    const { method, path, status, text } = exchange;
    throw new Error(`${method} ${path} → ${status} is not as described: ${fault}\n${text.slice(0, 2_000)}`);
  };
}

/** The description of one version. Its schemas are compiled when they are needed. */
class Description {
  readonly #document: Json;
  readonly #operations: {
    regExp: RegExp;
    parameters: number;
    place: string;
    methods: Record<string, DescribedOperation>;
  }[];
  readonly #sent = new Ajv2020({ strict: false, formats: { "date-time": DATE_REGEXP, uri: (text: string) => URL.canParse(text) } });
  readonly #taken = new Ajv2020({ strict: false, formats: { "date-time": true, uri: true } });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(file: string) {
    this.#document = JSON.parse(readFileSync(file, "utf8")) as Json;
    const paths = this.#document["paths"] as Record<string, Record<string, DescribedOperation>>;
    this.#operations = Object.entries(paths)
      .map(([path, methods]) => ({
        regExp: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
        parameters: path.split("{").length,
        place: `#/paths/${escapePointer(path)}`,
        methods,
      }))
      .toSorted((a, b) => a.parameters - b.parameters);
    this.#taken.addSchema({ ...this.#document, $id: "api" });
    this.#sent.addSchema({ ...(withoutOthers(this.#document) as Json), $id: "api" });
  }

  findFault(pathname: string, exchange: Exchange): string | undefined {
    const { place, methods } = this.#operations.find(({ regExp }) => regExp.test(pathname)) ?? {};
    const name = exchange.method === "HEAD" ? "get" : exchange.method.toLowerCase();
    const operation = methods?.[name];
    if (!operation) return this.#findErrorFault(exchange);
    return (
      this.#findResponseFault(operation, `${place}/${name}`, exchange) ??
      this.#findBodyFault(operation, `${place}/${name}`, exchange)
    );
  }

  /** No operation has this path and method. */
  #findErrorFault({ status, text }: Exchange): string | undefined {
    if (status < 400) return status === 204 ? undefined : "no operation has this path and method"; // 204 of a preflight
    return text === "" ? undefined : this.#validate("sent", "#/components/schemas/Error", JSON.parse(text));
  }

  #findResponseFault({ responses }: DescribedOperation, place: string, exchange: Exchange): string | undefined {
    const { status, headers, text, method } = exchange;
    const key = String(status) in responses ? String(status) : "default";
    if (key === "default" && status < 400) return `it has no ${status}`;
    const described = responses[key];
    if (!described) return `it has no ${status}`;
    const at = "$ref" in described ? described.$ref : `${place}/responses/${key}`;
    const { headers: fields = {}, content } = this.#get(at) as DescribedResponse;
    for (const [field, { $ref }] of Object.entries(fields)) {
      if ((this.#get($ref) as Json)["required"] === true && headers[field.toLowerCase()] === undefined) {
        return `it has no field ${field}`;
      }
    }
    if (method === "HEAD") return undefined;
    if (!content) return text === "" ? undefined : "it has a body";
    const type = typeOf(headers["content-type"]);
    if (!(type in content)) return `its type is ${type}, none of ${Object.keys(content).join(", ")}`;
    if (!type.endsWith("json")) return undefined;
    return this.#validate("sent", `${at}/content/${escapePointer(type)}/schema`, JSON.parse(text));
  }

  #findBodyFault({ requestBody }: DescribedOperation, place: string, exchange: Exchange): string | undefined {
    const { status, requestType, requestText } = exchange;
    if (status >= 300 || requestText === "" || !requestBody) return undefined;
    const type = typeOf(requestType ?? "application/json");
    if (!(type in requestBody.content)) return `the request has the type ${type}`;
    const at = `${place}/requestBody/content/${escapePointer(type)}/schema`;
    const fault = this.#validate("taken", at, JSON.parse(requestText, withoutPrototype));
    return fault === undefined ? undefined : `the request ${requestText.slice(0, 500)}: ${fault}`;
  }

  #validate(use: "sent" | "taken", place: string, value: unknown): string | undefined {
    const ajv = use === "sent" ? this.#sent : this.#taken;
    const key = `${use} ${place}`;
    const validate = this.#validators.get(key) ?? ajv.compile({ $ref: `api${encodeURI(place)}` });
    this.#validators.set(key, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "body" });
  }

  #get(pointer: string): unknown {
    const steps = pointer.slice(2).split("/");
    return steps.reduce<unknown>((value, step) => (value as Json)[unescapePointer(step)], this.#document);
  }
}

/** A copy of a schema in which objects have no other members than those described. */
function withoutOthers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOthers);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withoutOthers(value)]));
  const isClosed = copy["type"] === "object" && "properties" in copy && !("additionalProperties" in copy);
  return isClosed ? { ...copy, additionalProperties: false } : copy;
}

/** The server takes no such member. */
function withoutPrototype(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

function typeOf(field: unknown): string {
  return String(field).replace(/;.*$/, "").trim().toLowerCase();
}

function escapePointer(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
