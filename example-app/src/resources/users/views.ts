import { compileFilterSchema, type FilterAttribute, type FilterOperator, type FilterSchema } from "etiquette/filter";
import { z } from "zod";
import type { User } from "../../model/records.js";
import type { ListedColumn } from "../../store/contract/schema.js";
import { V1, V2 } from "./shapes.js";

/** The shape of users in a version of the API, and its names for their attributes. */
export interface UserView {
  readonly version: "v1" | "v2";
  /** Its names for the members that every profile has. */
  readonly names: ProfileNames;
  readonly filterSchema: FilterSchema;
  readonly searchSchema: FilterSchema;
  /** Values of `sortBy` and their columns. */
  readonly sortColumns: Readonly<Record<string, ListedColumn>>;
  readonly format: (user: User) => Readonly<{ id: string }>;
  /** The shape of what {@link format} returns. */
  readonly shape: z.ZodObject;
  /** The members that a body can set, read as a profile. */
  readonly body: z.ZodType<User["profile"]>;
  /** The member of a body in which a profile may be too long. */
  readonly place: string;
  /** A body that changes some members. */
  readonly changes: z.ZodType;
  /** The JSON of a list, from the JSON of its elements. */
  readonly formatList: (users: string) => string;
  readonly listShape: (user: z.ZodType) => z.ZodType;
}

/** Members that every profile has, and their columns. */
const COLUMNS = { login: "profile_login", email: "email", firstName: "first_name", lastName: "last_name" } as const;

type ProfileNames = Readonly<Record<keyof typeof COLUMNS, string>>;

const SEARCH: readonly FilterOperator[] = ["eq", "gt", "ge", "lt", "le", "sw", "co", "pr"];
const FILTER_DATES: readonly FilterOperator[] = ["eq", "gt", "ge", "lt", "le"];
const SEARCH_DATES: readonly FilterOperator[] = [...FILTER_DATES, "pr"];

/** Shortest operand of `co` in `search`, in characters (rule F6). */
const MIN_CONTAINED = 3;

/** `/api/v1/users` */
export const USERS_V1: UserView = {
  version: "v1",
  ...compileAttributes(
    {
      login: "profile.login",
      email: "profile.email",
      firstName: "profile.firstName",
      lastName: "profile.lastName",
    },
    "profile.*",
  ),
  format: ({ id, status, created, activated, statusChanged, lastLogin, lastUpdated, profile }) => ({
    id,
    status,
    created,
    activated,
    statusChanged,
    lastLogin,
    lastUpdated,
    profile,
  }),
  shape: V1.shape,
  place: "profile",
  body: V1.body.transform(({ profile }) => profile),
  changes: V1.changes,
  formatList: (users) => users,
  listShape: (user) => z.array(user),
};

/** `/api/v2/users`: members that every user has are at the top level, the org's own attributes in a separate object. */
export const USERS_V2: UserView = {
  version: "v2",
  ...compileAttributes(
    { login: "login", email: "email", firstName: "name.given", lastName: "name.family" },
    "attributes.*",
    Object.keys(COLUMNS),
  ),
  format({ id, status, created, activated, statusChanged, lastLogin, lastUpdated, profile }) {
    const dates = { created, activated, statusChanged, lastLogin, lastUpdated };
    const { login, email, firstName, lastName, ...attributes } = profile;
    return { id, status, login, email, name: { given: firstName, family: lastName }, attributes, ...dates };
  },
  shape: V2.shape,
  place: "attributes",
  body: V2.body.transform(({ login, email, name: { given: firstName, family: lastName }, attributes }) => ({
    login,
    email,
    firstName,
    lastName,
    ...attributes,
  })),
  changes: V2.changes,
  formatList: (users) => `{"items":${users}}`,
  listShape: (user) => z.object({ items: z.array(user) }),
};

/** @param except members of the profile that are none of the org's own attributes */
function compileAttributes(names: ProfileNames, customNames: string, except: readonly string[] = []) {
  const profile = Object.entries(COLUMNS).map(([member, column]) => ({
    name: names[member as keyof ProfileNames],
    column,
    path: ["profile", member],
  }));
  const listAttributes = (
    texts: readonly FilterOperator[],
    dates: readonly FilterOperator[],
  ): Record<string, FilterAttribute> => {
    const text = { type: "string", operators: texts } as const;
    const date = { type: "date", operators: dates } as const;
    return {
      id: { ...text, column: "id" },
      status: { ...text, column: "status" },
      created: { ...date, column: "created" },
      activated: { ...date, column: "activated" },
      statusChanged: { ...date, column: "status_changed" },
      lastUpdated: { ...date, column: "last_updated" },
      ...Object.fromEntries(profile.map(({ name, ...place }) => [name, { ...text, ...place }])),
      [customNames]: { type: "any", multiValued: true, operators: texts, path: ["profile"], except, column: "profile" },
    };
  };

  return {
    names,
    filterSchema: compileFilterSchema({
      attributes: listAttributes(["eq"], FILTER_DATES),
      not: false,
    }),
    searchSchema: compileFilterSchema({
      attributes: listAttributes(SEARCH, SEARCH_DATES),
      minimumOperandLength: { co: MIN_CONTAINED },
    }),
    sortColumns: {
      id: "id",
      status: "status",
      created: "created",
      lastUpdated: "last_updated",
      ...Object.fromEntries(profile.map(({ name, column }) => [name, column])),
    } satisfies UserView["sortColumns"],
  };
}
