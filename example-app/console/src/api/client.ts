import type { Client } from "openapi-fetch";
import { readJson, request, toAnswer, withQuery, type Answer, type Call } from "./http.js";
import type { paths } from "./openapi.js";

interface Options {
  readonly params?: {
    readonly path?: Readonly<Record<string, string | number>>;
    readonly query?: NonNullable<Call["query"]>;
    readonly header?: Readonly<Record<string, string>>;
  };
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A method of openapi-fetch, as much of it as the console uses: the whole is a larger part of the first page. */
const callWith =
  (method: (typeof METHODS)[number]) =>
  async (template: string, { params = {}, body, signal, ...others }: Options = {}) => {
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new TypeError(`The console's client has no option ${unknown}`);
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params.path?.[name] ?? ""));
    const response = await request(withQuery(path, params.query ?? {}), { method, body, signal, header: params.header });
    return { data: await readJson(response), response };
  };

/** The API, typed by its description. Whatever is no success is thrown as an `ApiProblem`. */
export const api = Object.fromEntries(METHODS.map((method) => [method, callWith(method)])) as unknown as Pick<
  Client<paths>,
  (typeof METHODS)[number]
>;

/** A response of {@link api} with what the console reads of its header. */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<Answer<Exclude<T, undefined>>> {
  const { data, response } = await call;
  return toAnswer(data as Exclude<T, undefined>, response);
}

/** The header of a write that happens only if the record still has this entity tag. */
export function ifMatch(etag: string | undefined): { "If-Match"?: string } {
  return etag === undefined ? {} : { "If-Match": etag };
}
