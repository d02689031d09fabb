import { answerOf, api, ifMatch } from "../../api/client.js";
import type { Answer } from "../../api/http.js";
import type { components } from "../../api/openapi.js";
import type { ApiToken } from "../../api/types.js";

type Schemas = components["schemas"];

export type NewToken = Schemas["ApiTokenInput"];

/** A token with its secret, which no response has again. */
export type TokenWithSecret = Schemas["ApiTokenWithSecret"];

/** Which tokens to revoke: those for which all of these hold. */
export type Criteria = Schemas["RevocationInput"];

const TOKEN = "/api/v1/apiTokens/{id}";

export function readToken(id: string, signal: AbortSignal): Promise<Answer<ApiToken>> {
  return answerOf(api.GET(TOKEN, { params: { path: { id } }, signal }));
}

export async function createToken(body: NewToken): Promise<TokenWithSecret> {
  return (await answerOf(api.POST("/api/v1/apiTokens", { body }))).data;
}

/**
 * @param overlapSeconds how long the old secret stays valid; as long as the server allows if absent
 * @param etag of the version that is rotated; a later one stays
 */
export async function rotateToken(
  id: string,
  overlapSeconds: number | undefined,
  etag: string | undefined,
): Promise<TokenWithSecret> {
  const params = { path: { id }, header: ifMatch(etag) };
  const body = overlapSeconds === undefined ? {} : { overlapSeconds };
  return (await answerOf(api.POST(`${TOKEN}/lifecycle/rotate`, { params, body }))).data;
}

export async function revokeToken(id: string): Promise<void> {
  await api.DELETE(TOKEN, { params: { path: { id } } });
}

/** @returns the number of tokens */
export async function revokeTokens(body: Criteria): Promise<number> {
  return (await answerOf(api.POST("/api/v1/apiTokens/lifecycle/revoke", { body }))).data.revoked;
}
