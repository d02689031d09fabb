import { answerOf, api, ifMatch } from "../../api/client.js";
import type { Answer } from "../../api/http.js";
import type { User } from "../../api/types.js";

export type Profile = User["profile"];

const USER = "/api/v1/users/{id}";

export function readUser(id: string, signal?: AbortSignal): Promise<Answer<User>> {
  return answerOf(api.GET(USER, { params: { path: { id } }, ...(signal && { signal }) }));
}

export async function createUser(profile: Profile, isActive: boolean): Promise<User> {
  const params = { query: { activate: isActive ? ("true" as const) : ("false" as const) } };
  return (await answerOf(api.POST("/api/v1/users", { params, body: { profile } }))).data;
}

/** @param etag of the version that is replaced; a later one stays */
export async function replaceProfile(id: string, profile: Profile, etag: string | undefined): Promise<void> {
  await api.PUT(USER, { params: { path: { id }, header: ifMatch(etag) }, body: { profile } });
}

/** Deletes a user who is deactivated, and deactivates any other. */
export async function deleteUser(id: string, etag: string | undefined): Promise<void> {
  await api.DELETE(USER, { params: { path: { id }, header: ifMatch(etag) } });
}
