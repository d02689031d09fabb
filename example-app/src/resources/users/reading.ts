import type { RequestHandler } from "express";
import { filter } from "etiquette/filter";
import { getPage } from "etiquette/pagination";
import { queryParameters } from "etiquette/query-parameters";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";
import { listPages } from "../../rest/list.js";
import { resourceNotFound } from "../../rest/reading.js";
import type { ApiDependencies } from "../../rest/resource.js";
import { toUser } from "../../store/rows.js";
import type { UserRow } from "../../store/schema.js";
import { findUser, selectUsers } from "../../store/users.js";
import { getTenant } from "../../tenancy/tenant.js";
import { describeSelection, getSelection } from "./selection.js";
import { formatUserInFull, formatUsers, type UserView } from "./views.js";

const LIMIT = { default: 200, max: 200 };

/** The tag of a user counts the changes that have a meaning; a sign-in is none (rule T2). */
export const userEtag = weakEtag({ revision: "tag" });

/** What {@link userEtag} makes the tag of: two users never have the same, least of all those of two orgs. */
export function tagOf({ id, revision }: Pick<UserRow, "id" | "revision">): { tag: string } {
  return { tag: `${id}.${revision}` };
}

/** What answers GET of the list. */
export function createListHandlers(view: UserView, { store, settings }: ApiDependencies): RequestHandler[] {
  const list: RequestHandler = async (req, res) => {
    const { org, baseUrl } = getTenant(req);
    const page = getPage(req);
    const selection = getSelection(req, view);
    const rows = await selectUsers(store, org.id, selection, page).execute();
    const found = page.take(rows, (row) => selection.order.map(({ column }) => row[column]));
    res.type("json").send(formatUsers(view, baseUrl, found.map(toUser)));
  };

  return [
    queryParameters({ single: ["sortBy", "sortOrder"] }),
    filter({ schema: view.filterSchema }),
    filter({ schema: view.searchSchema, parameter: "search" }),
    listPages(settings, {
      resource: view.version === "v1" ? "users" : `users ${view.version}`,
      limit: LIMIT,
      context: (req) => describeSelection(req, view),
    }),
    list,
  ];
}

/** What answers GET of one user. */
export function createGetHandlers(view: UserView, { store }: ApiDependencies): RequestHandler[] {
  const get: RequestHandler = async (req) => {
    const { org, baseUrl } = getTenant(req);
    const id = String(req.params["id"]);
    const row = await findUser(store.reader, org.id, id);
    if (!row) throw resourceNotFound(id, "User");
    getEntityTag(req).send(tagOf(row), formatUserInFull(view, baseUrl, toUser(row)));
  };

  return [userEtag, get];
}
