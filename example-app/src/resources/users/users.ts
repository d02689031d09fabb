import { patch, PATCH_TYPES } from "etiquette/patch";
import { queryParameters } from "etiquette/query-parameters";
import type { ApiDependencies, Resource } from "../../rest/resource.js";
import { segmentOf, USER_OPERATIONS } from "./lifecycle.js";
import { createGetHandlers, createListHandlers, userEtag } from "./reading.js";
import { USERS_V1, USERS_V2 } from "./views.js";
import { createWriters } from "./writing.js";

const READ = "users.read";
const MANAGE = "users.manage";

/** What only the server sets. */
const READ_ONLY = ["/id", "/status", "/created", "/activated", "/statusChanged", "/lastLogin", "/lastUpdated"];

/** The users of an org and their lifecycle. */
export function userResources(dependencies: ApiDependencies): Resource[] {
  const { create, update, replace, patch: patchProfile, operate, remove } = createWriters(dependencies.store);
  return [
    {
      path: "/users",
      operations: {
        GET: { scope: READ, handlers: createListHandlers(USERS_V1, dependencies) },
        POST: { scope: MANAGE, handlers: [queryParameters({ single: ["activate"] }), userEtag, create] },
      },
    },
    {
      path: "/users/:id",
      operations: {
        GET: { scope: READ, handlers: createGetHandlers(USERS_V1, dependencies) },
        POST: { scope: MANAGE, handlers: [userEtag, update] },
        PUT: { scope: MANAGE, handlers: [userEtag, replace] },
        PATCH: {
          scope: MANAGE,
          consumes: PATCH_TYPES,
          handlers: [patch({ readOnly: READ_ONLY }), userEtag, patchProfile],
        },
        DELETE: { scope: MANAGE, handlers: [userEtag, remove] },
      },
    },
    ...USER_OPERATIONS.map((operation) => ({
      path: `/users/:id/lifecycle/${segmentOf(operation)}`,
      operations: { POST: { scope: MANAGE, handlers: [userEtag, operate(operation)] } },
    })),
  ];
}

/** The same users in the shape of the second version, to read. */
export function userResourcesV2(dependencies: ApiDependencies): Resource[] {
  return [
    {
      path: "/users",
      operations: { GET: { scope: READ, handlers: createListHandlers(USERS_V2, dependencies) } },
    },
    {
      path: "/users/:id",
      operations: { GET: { scope: READ, handlers: createGetHandlers(USERS_V2, dependencies) } },
    },
  ];
}
