import { formatPath } from "etiquette/links";
import { describeUser, type UserEvent } from "../../audit/describe-change.js";
import type { ResourceType } from "../../rest/resource-type.js";
import { expression, plainParameters } from "../../rest/query.js";
import { boundSearchCost } from "../../rest/search-cost.js";
import type { ListedUserRow } from "../../store/contract/schema.js";
import { USER_INDEXES, USERS, type StoredUser } from "../../store/records/users.js";
import { USER_OPERATIONS, userLifecycle } from "./lifecycle.js";
import { describeSelection, getSelection, selectionParameters } from "./selection.js";
import type { UserView } from "./views.js";

export type UserType = ResourceType<ListedUserRow, StoredUser, UserEvent>;

/** Users as a version of the API shows them. */
export function createUserType(view: UserView): UserType {
  return {
    label: "User",
    path: "/users/:id",
    version: view.version,
    cors: ["read", "manage"],
    table: USERS,
    isRouted: false,
    query: [
      plainParameters(selectionParameters(view)),
      expression("filter", view.filterSchema),
      expression("search", view.searchSchema),
      boundSearchCost({ indexes: USER_INDEXES }),
    ],
    hasTotal: true,
    pages: { limit: { default: 200, max: 200 }, context: (req) => describeSelection(req, view) },
    select: (req) => getSelection(req, view),
    format: view.format,
    shape: view.shape,
    formatList: view.formatList,
    listShape: view.listShape,
    links: (user, url) => userLifecycle.format(user.status, formatPath(url, "lifecycle")),
    relations: USER_OPERATIONS,
    tag: ({ id, revision }) => `${id}.${revision}`,
    describe: describeUser,
    unique: ["login"],
    taken: "An object with this field already exists in the current organization",
  };
}
