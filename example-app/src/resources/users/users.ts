import { getOperation, listOperation } from "../../rest/reading.js";
import type { ApiDependencies, Resource } from "../../rest/resource.js";
import { createUserKind } from "./kind.js";
import { segmentOf, USER_OPERATIONS } from "./lifecycle.js";
import { USERS_V1, USERS_V2, type UserView } from "./views.js";
import { createUserWriters } from "./writing.js";

/** The users of an org and their lifecycle. */
export function userResources(dependencies: ApiDependencies): Resource[] {
  const { create, update, replace, patch, operate, remove } = createUserWriters(dependencies.store);
  const { list, get } = createReaders(USERS_V1, dependencies);
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
  const { list, get } = createReaders(USERS_V2, dependencies);
  return [
    { path: "/users", operations: { GET: list } },
    { path: "/users/:id", operations: { GET: get } },
  ];
}

function createReaders(view: UserView, dependencies: ApiDependencies) {
  const kind = createUserKind(view);
  return { list: listOperation(kind, dependencies), get: getOperation(kind, dependencies) };
}
