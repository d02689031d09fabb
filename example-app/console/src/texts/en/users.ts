import { defineTexts } from "../define.js";

/** The list of the users. */
export const users = defineTexts("users", {
  about: "The people of this org. Routing rules can ask for attributes of whoever signs in.",
  create: "Create a user",
  how: "How to find users",
  q: "Words",
  filter: "Filter",
  search: "Search",
  byName: "Login, e-mail, first or last name",
  byFilter: "Filter by exact values",
  bySearch: "Search every attribute",
  examples: "Try",
  order: "Order",
  usual: "Usual order",
  newest: "Newest first",
  lastChanged: "Changed last first",
  status: "Status",
  login: "Login",
  email: "E-mail",
  firstName: "First name",
  lastName: "Last name",
  reading: "Reading the users",
  count: { one: "{n} user", other: "{n} users" },
  countMore: { one: "more than {n} user", other: "more than {n} users" },
  countAtLeast: { one: "at least {n} user", other: "at least {n} users" },
  found: "Users found",
  nothingYet: "Nothing found so far",
  searchOn: "Search on",
  noMatch: "No user matches",
  aboutNoMatch:
    "A filter compares upper and lower case. Deactivated users are found only with a filter or search on their status.",
  none: "No users yet",
  aboutNone:
    "Rules on logins, addresses and devices need none. Users are for rules on attributes, such as the department.",
});
