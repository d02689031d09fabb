import { COPIES } from "./description-copies.js";
import { findFault, readDescription } from "./description-validator.js";

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

/**
 * Makes a function that throws unless a response is one that `docs/openapi.json` or that of v2 describes. The body of a
 * request that succeeds must be described too.
 */
export function createDescriptionCheck(): (exchange: Exchange) => void {
  const descriptions = new Map<string, Description>();

  return function checkDescription(exchange) {
    const [pathname = ""] = exchange.path.split("?", 1);
    const [, version = "v1"] = /^\/api\/(v\d+)\//.exec(pathname) ?? [];
    if (!/^\/(?:api\/(?!docs)|\.well-known\/webfinger$)/.test(pathname) || !(version in COPIES)) return;
    const known = descriptions.get(version) ?? new Description(String(COPIES[version]));
    descriptions.set(version, known);
    const fault = known.findFault(pathname, exchange);
    if (fault === undefined) return;
    const { method, path, status, text } = exchange;
    throw new Error(`${method} ${path} → ${status} is not as described: ${fault}\n${text.slice(0, 2_000)}`);
  };
}

/** OpenAPI 3.1 has no word for QUERY: it takes and sends what GET does. */
const READS_AS_GET: ReadonlySet<string> = new Set(["HEAD", "QUERY"]);

/** The description of one version. Its schemas are compiled when they are needed. */
class Description {
  readonly #file: string;
  readonly #document: Json;
  readonly #operations: {
    regExp: RegExp;
    parameters: number;
    place: string;
    methods: Record<string, DescribedOperation>;
  }[];

  constructor(file: string) {
    this.#file = file;
    this.#document = readDescription(file);
    const paths = this.#document["paths"] as Record<string, Record<string, DescribedOperation>>;
    this.#operations = Object.entries(paths)
      .map(([path, methods]) => ({
        regExp: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
        parameters: path.split("{").length,
        place: `#/paths/${escapePointer(path)}`,
        methods,
      }))
      .toSorted((a, b) => a.parameters - b.parameters);
  }

  findFault(pathname: string, exchange: Exchange): string | undefined {
    const { place, methods } = this.#operations.find(({ regExp }) => regExp.test(pathname)) ?? {};
    const name = READS_AS_GET.has(exchange.method) ? "get" : exchange.method.toLowerCase();
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
    return text === "" ? undefined : findFault(this.#file, "#/components/schemas/Error", "sent", text);
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
    return findFault(this.#file, `${at}/content/${escapePointer(type)}/schema`, "sent", text);
  }

  #findBodyFault({ requestBody }: DescribedOperation, place: string, exchange: Exchange): string | undefined {
    const { status, requestType, requestText } = exchange;
    if (status >= 300 || requestText === "" || !requestBody) return undefined;
    const type = typeOf(requestType ?? "application/json");
    if (!(type in requestBody.content)) return `the request has the type ${type}`;
    const at = `${place}/requestBody/content/${escapePointer(type)}/schema`;
    const fault = findFault(this.#file, at, "taken", requestText);
    return fault === undefined ? undefined : `the request ${requestText.slice(0, 500)}: ${fault}`;
  }

  #get(pointer: string): unknown {
    const steps = pointer.slice(2).split("/");
    return steps.reduce<unknown>((value, step) => (value as Json)[unescapePointer(step)], this.#document);
  }
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
