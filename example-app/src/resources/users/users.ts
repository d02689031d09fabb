import { getOperation, listOperation } from "../../rest/reading.js";
import type { ApiDependencies, Resource } from "../../rest/resource.js";
import { createUserType } from "./user-type.js";
import { segmentOf, USER_OPERATIONS } from "./lifecycle.js";
import type { UserView } from "./views.js";
import { createUserWriters } from "./writing.js";

/** The users of an org and their lifecycle, in the shape of a version. */
export function userResources(view: UserView, dependencies: ApiDependencies): Resource[] {
  const type = createUserType(view);
  const list = listOperation(type, dependencies);
  const get = getOperation(type, dependencies);
  const { create, update, replace, patch, operate, remove } = createUserWriters(type, view, dependencies.store);
  return [
    { path: "/users", operations: { GET: list, POST: create } },
    { path: "/users/:id", operations: { GET: get, POST: update, PUT: replace, PATCH: patch, DELETE: remove } },
    ...USER_OPERATIONS.map((operation) => ({
      path: `/users/:id/lifecycle/${segmentOf(operation)}`,
      operations: { POST: operate(operation) },
    })),
  ];
}
