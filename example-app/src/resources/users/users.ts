import { getOperation, listOperation, readResources } from "../../rest/reading.js";
import type { ApiDependencies, Resource } from "../../rest/resource.js";
import { createUserKind } from "./kind.js";
import { segmentOf, USER_OPERATIONS } from "./lifecycle.js";
import { USERS_V1, USERS_V2 } from "./views.js";
import { createUserWriters } from "./writing.js";

/** The users of an org and their lifecycle. */
export function userResources(dependencies: ApiDependencies): Resource[] {
  const kind = createUserKind(USERS_V1);
  const list = listOperation(kind, dependencies);
  const get = getOperation(kind, dependencies);
  const { create, update, replace, patch, operate, remove } = createUserWriters(kind, dependencies.store);
  return [
    { path: "/users", operations: { GET: list, POST: create } },
    { path: "/users/:id", operations: { GET: get, POST: update, PUT: replace, PATCH: patch, DELETE: remove } },
    ...USER_OPERATIONS.map((operation) => ({
      path: `/users/:id/lifecycle/${segmentOf(operation)}`,
      operations: { POST: operate(operation) },
    })),
  ];
}

/** The same users in the shape of the second version, read-only. */
export function userResourcesV2(dependencies: ApiDependencies): Resource[] {
  return readResources(createUserKind(USERS_V2), dependencies);
}
