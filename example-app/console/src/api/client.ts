import createClient from "openapi-fetch";
import { exchange, toAnswer, type Answer } from "./http.js";
import type { paths } from "./openapi.js";

/** The API, typed by its description. Whatever is no success is thrown as an `ApiProblem`. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: exchange });

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
