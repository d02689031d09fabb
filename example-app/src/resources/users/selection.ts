import type { Request } from "express";
import { tryGetFilter, type Filter, type FilterOperator, type FilterSchema } from "etiquette/filter";
import type { PaginationContext } from "etiquette/pagination";
import { getQuery } from "etiquette/query-parameters";
import { createRequestSlot } from "etiquette/request-slot";
import { z } from "zod";
import { apiError } from "../../model/api-error.js";
import { findQueryFault, MAX_QUERY_WORDS } from "../../model/words.js";
import { assertOneOf, invalid } from "../../rest/body.js";
import { NAME_PARAMETER, readName } from "../../rest/named.js";
import type { QueryParameter } from "../../rest/query.js";
import type { ListedUserRow } from "../../store/contract/schema.js";
import type { UserSelection } from "../../store/records/users.js";
import type { UserView } from "./views.js";

type Column = keyof ListedUserRow;

/** Few users share a value of these columns, so it is cheap to find equal values first and to sort them afterwards. */
const SELECTIVE: ReadonlySet<string> = new Set<Column>(["id", "profile_login", "email", "first_name", "last_name"]);

/** Operators whose matches are adjacent in an index. */
const RANGES: ReadonlySet<string> = new Set<FilterOperator>(["gt", "ge", "lt", "le", "sw"]);

const SORT_ORDERS = ["asc", "desc"] as const;

const Q_DESCRIPTION = `Only those of whom each word of this text begins a word: of the login, the e-mail address, or the first, last or display name. Upper case and accents don't count. At most ${MAX_QUERY_WORDS} words.`;

/** The parameters that {@link getSelection} reads, in addition to the expressions. */
export function selectionParameters({ sortColumns }: UserView): Record<string, QueryParameter> {
  return {
    q: { ...NAME_PARAMETER, description: Q_DESCRIPTION },
    sortBy: { shape: z.enum(Object.keys(sortColumns)), description: "The attribute that gives the order." },
    sortOrder: { shape: z.enum(SORT_ORDERS).meta({ default: SORT_ORDERS[0] }), description: "The direction." },
  };
}

const slot = createRequestSlot<UserSelection>("userSelection");

/**
 * The parameters `filter`, `search` or `q`, `sortBy` and `sortOrder`. Read once per request.
 *
 * @throws {ApiError} E0000001 when `q`, `sortBy` or `sortOrder` is invalid; E0000033 when `q` comes with an expression
 */
export function getSelection(req: Request, view: UserView): UserSelection {
  if (!slot.has(req)) slot.set(req, readSelection(req, view));
  return slot.get(req);
}

function readSelection(req: Request, view: UserView): UserSelection {
  const query = getQuery(req);
  const expression = tryGetFilter(req);
  const name = readWords(req);
  if (name !== undefined && expression) {
    const causes = [`${expression.parameter}, q: give one of them.`];
    throw apiError("E0000033", { type: "filter.combined", causes });
  }
  const sortBy = query.get("sortBy");
  const sortOrder = query.get("sortOrder") ?? "asc";

  const { sortColumns } = view;
  if (sortBy !== undefined) assertOneOf("sortBy", sortBy, Object.keys(sortColumns));
  assertOneOf("sortOrder", sortOrder, SORT_ORDERS);
  const ownOrder = () => (name === undefined ? chooseColumn(expression?.filter, view) : "matched");
  const column = sortBy === undefined ? ownOrder() : (sortColumns[sortBy] ?? "id");
  const columns: Column[] = column === "id" ? ["id"] : [column, "id"];
  return { expression, name, order: columns.map((each) => ({ column: each, direction: sortOrder })) };
}

function readWords(req: Request): string | undefined {
  const text = readName(req);
  const fault = text === undefined ? undefined : findQueryFault(text);
  if (fault !== undefined) throw invalid([["q", fault]]);
  return text;
}

/** The selection that a cursor is bound to. */
export function describeSelection(req: Request, view: UserView): PaginationContext {
  const { name, order } = getSelection(req, view);
  const expression = tryGetFilter(req);
  const text = expression ? `${expression.parameter} ${expression.text}` : name && `q ${name}`;
  return {
    filter: text ?? null,
    sort: order.map(({ column, direction }) => `${column} ${direction ?? "asc"}`).join(", "),
  };
}

/**
 * The default order: one in which an index returns the matching users without sorting them. Of several terms that must
 * all hold, a term that few users match decides first, then a term that selects a range.
 */
export function chooseColumn(filter: Filter | undefined, view: UserView): Column {
  const sortable: ReadonlySet<string> = new Set(Object.values(view.sortColumns));
  const terms = filter?.kind === "and" ? filter.operands : [filter];
  let range: Column | undefined;
  for (const term of terms) {
    if (term?.kind !== "comparison") continue;
    const column = columnOf(term.attribute, view);
    if (column === undefined || !sortable.has(column)) continue;
    if (term.operator === "eq" && SELECTIVE.has(column)) return "id";
    if (RANGES.has(term.operator)) range ??= column;
  }
  return range ?? "id";
}

/** The column of an attribute in `filter` or `search`; `undefined` for the org's own attributes. */
function columnOf(attribute: string, { searchSchema }: { readonly searchSchema: FilterSchema }): Column | undefined {
  return searchSchema.attributes.get(attribute)?.column?.name as Column | undefined;
}
