import { BUILT_IN, type CompiledCatalogue } from "./compile-catalogue.js";
import { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.js";
import type { ErrorCause } from "./error-cause.js";
import { formatSummary } from "./summary.js";

/** What the client learns about a value that was thrown. */
export interface ClassifiedError {
  /** 400–599 */
  readonly status: number;
  readonly code: string;
  /** The summary of the code, without the detail of this error. */
  readonly title: string;
  readonly summary: string;
  readonly detail: string | undefined;
  readonly causes: readonly ErrorCause[];
  /** Which check refused the request. */
  readonly type: string | undefined;
  /** Whether the client learns the message and the causes. */
  readonly expose: boolean;
  /** Header fields for the response; the caller must check them for invalid characters. */
  readonly headers: Readonly<Record<string, FieldValue>>;
}

/** One field line; an array has one field line for each element. */
export type FieldValue = string | number | string[];

type Properties = Readonly<Record<string, unknown>>;

/** The code for an error that names none. Any other 4xx has `E0009000`, any other 5xx `E0000009`. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "E0000011",
  403: "E0000006",
  404: "E0000007",
  405: "E0000022",
  406: "E0000122",
  408: "E0009001",
  409: "E0000195",
  410: "E0000215",
  411: "E0009002",
  412: "E0000231",
  413: "E0009003",
  414: "E0009004",
  415: "E0000021",
  417: "E0009005",
  422: "E0009006",
  426: "E0009007",
  428: "E0009008",
  429: "E0000047",
  431: "E0009009",
  501: "E0009010",
  503: "E0009011",
  505: "E0009012",
};

/** The `type` of the errors of body-parser and raw-body that mean `E0000003`; the status decides the code of the others. */
const MALFORMED_BODY_TYPES: ReadonlySet<unknown> = new Set([
  "entity.parse.failed",
  "request.aborted",
  "request.size.invalid",
]);

/** The `code` of the errors of `node:zlib` (gzip and deflate, brotli, zstd), which body-parser passes on. */
const DECOMPRESSION_CODE_REGEXP = /^(?:Z_|ERR__ERROR_|ZSTD_)/;

const UNDECODABLE_BODY = "The body is not what its Content-Encoding says.";
const MALFORMED_ESCAPE = 'The URL has a "%" that does not begin a valid escape such as "%20".';

/** The only fields that a 5xx may set: others could reveal what failed, such as those of an error from an upstream. */
const SERVER_ERROR_FIELDS: ReadonlySet<string> = new Set(["connection", "retry-after"]);

const INTERNAL: ClassifiedError = {
  status: 500,
  code: "E0000009",
  title: ERROR_CATALOGUE.E0000009.summary,
  summary: ERROR_CATALOGUE.E0000009.summary,
  detail: undefined,
  causes: [],
  type: undefined,
  expose: false,
  headers: {},
};

/**
 * Decide what the client learns about `thrown`, which may be anything: an error of http-errors or of a body parser, a
 * `URIError` of a router, or any other value. A value without a status is a 500. The client learns the message and the
 * causes of a 4xx when `expose` is true, or when it is absent and the error has a code of the catalogue. Of a 5xx it
 * learns only the code (rule E4). Never throws.
 *
 * @param catalogue the codes that an error may name
 */
export function classifyError(thrown: unknown, catalogue: CompiledCatalogue = BUILT_IN): ClassifiedError {
  try {
    return classify(thrown, catalogue);
  } catch {
    return INTERNAL; // a getter or a trap of the thrown value threw
  }
}

function classify(thrown: unknown, catalogue: CompiledCatalogue): ClassifiedError {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) return INTERNAL;
  const error = thrown as Properties;

  const named = namedBy(error, catalogue);
  const status = statusOf(error) ?? named?.status ?? (isUriError(error) ? 400 : 500);
  const known = named && isServerError(named.status) === isServerError(status) ? named : undefined;
  return isServerError(status) ? serverError(status, known, error) : clientError(status, known, error);
}

/** A code with its entry in the catalogue. */
interface Known {
  readonly code: string;
  readonly status: number;
  readonly summary: string;
}

function namedBy({ code }: Properties, catalogue: CompiledCatalogue): Known | undefined {
  const entry = typeof code === "string" ? catalogue.get(code) : undefined;
  return entry && { code: code as string, ...entry };
}

function serverError(status: number, known: Known | undefined, error: Properties): ClassifiedError {
  const { code, summary } = known ?? builtIn(CODE_BY_STATUS[status] ?? "E0000009");
  const headers = headersOf(error, (name) => SERVER_ERROR_FIELDS.has(name.toLowerCase()));
  return { ...INTERNAL, status, code, title: formatSummary(summary), summary: formatSummary(summary), headers };
}

function clientError(status: number, known: Known | undefined, error: Properties): ClassifiedError {
  const told = error["expose"] === true || (error["expose"] === undefined && known !== undefined);
  const message = told ? messageOf(error) : "";
  const common = {
    status,
    detail: told ? textOf(error["detail"]) : undefined,
    type: told ? textOf(error["type"]) : undefined,
    expose: told,
    headers: headersOf(error, () => true),
  };
  const causes = told ? causesOf(error) : [];
  if (known) {
    const title = formatSummary(known.summary);
    const summary = (told ? textOf(error["summary"]) : undefined) ?? (message || title);
    return { ...common, code: known.code, title, summary, causes };
  }

  const undecodable = isDecompressionError(error);
  const malformedBody = undecodable || MALFORMED_BODY_TYPES.has(error["type"]);
  const { code, summary } = builtIn(malformedBody ? "E0000003" : (CODE_BY_STATUS[status] ?? "E0009000"));
  const cause = undecodable ? UNDECODABLE_BODY : isUriError(error) ? MALFORMED_ESCAPE : message;
  if (causes.length === 0 && cause !== "") causes.push({ errorSummary: cause });
  return { ...common, code, title: formatSummary(summary), summary: formatSummary(summary), causes };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function builtIn(code: ErrorCode): Known {
  return { code, ...ERROR_CATALOGUE[code] };
}

/** `status`, else `statusCode`, when it is a 4xx or 5xx. */
function statusOf({ status, statusCode }: Properties): number | undefined {
  return [status, statusCode].find(
    (value): value is number => typeof value === "number" && Number.isInteger(value) && value >= 400 && value <= 599,
  );
}

function isServerError(status: number): boolean {
  return status >= 500;
}

/** Compares the name, because a `URIError` from `node:url` may be of another realm. */
function isUriError({ name }: Properties): boolean {
  return name === "URIError";
}

function isDecompressionError({ code }: Properties): boolean {
  return typeof code === "string" && DECOMPRESSION_CODE_REGEXP.test(code);
}

/** The message, unless it is only the status phrase: http-errors derives the name from it ("Not Found", `NotFoundError`). */
function messageOf({ message, name }: Properties): string {
  if (typeof message !== "string") return "";
  const phraseName = `${message.replace(/[^a-z]/gi, "")}Error`;
  return typeof name === "string" && phraseName.toLowerCase() === name.toLowerCase() ? "" : message;
}

function causesOf({ causes }: Properties): ErrorCause[] {
  if (!Array.isArray(causes)) return [];
  return (causes as ({ readonly [Member in keyof ErrorCause]?: unknown } | null | undefined)[]).flatMap((cause) => {
    if (typeof cause?.errorSummary !== "string") return [];
    const { errorSummary, detail, pointer, parameter } = cause;
    return {
      errorSummary,
      ...(typeof detail === "string" && { detail }),
      ...(typeof pointer === "string" && { pointer }),
      ...(typeof parameter === "string" && { parameter }),
    };
  });
}

function headersOf({ headers }: Properties, allowed: (name: string) => boolean): Record<string, FieldValue> {
  if (typeof headers !== "object" || headers === null) return {};
  const fields: [string, FieldValue][] = [];
  for (const [name, given] of Object.entries(headers as Properties)) {
    const value: unknown = Array.isArray(given) ? [...(given as unknown[])] : given;
    if (allowed(name) && isFieldValue(value)) fields.push([name, value]);
  }
  return Object.fromEntries(fields);
}

function isFieldValue(value: unknown): value is FieldValue {
  if (Array.isArray(value)) return value.every((line) => typeof line === "string");
  return typeof value === "string" || Number.isFinite(value);
}
