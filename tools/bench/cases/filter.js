"use strict";

const { piece } = require("../piece.js");
const { createUser } = require("../samples.js");

/** Expressions of so many terms, of which all must be looked at for a user that matches. */
const EXPRESSIONS = {
  3: 'status eq "ACTIVE" and profile.email sw "joe.1" and profile.lastName pr',
  50: Array.from({ length: 49 }, (_, index) => `profile.login eq "joe.${index + 100}@example.com"`)
    .join(" or ")
    .concat(' or status eq "ACTIVE"'),
};

module.exports = Object.entries(EXPRESSIONS).flatMap(([terms, text]) => [
  piece({
    name: `filter/parse/${terms}`,
    prepare() {
      const { parseFilter } = require("etiquette/filter");
      const { parse } = require("scim2-parse-filter");
      const { Types } = require("scimmy").default;
      return {
        ours: () => parseFilter(text),
        peers: { "scim2-parse-filter": () => parse(text), scimmy: () => new Types.Filter(text) },
      };
    },
  }),

  piece({
    name: `filter/evaluate/${terms}`,
    prepare() {
      const { compileFilter, parseFilter } = require("etiquette/filter");
      const { filter, parse } = require("scim2-parse-filter");
      const { Types } = require("scimmy").default;
      const users = Array.from({ length: 32 }, (_, number) => createUser(number));
      const matches = compileFilter(parseFilter(text), createSchema());
      const scim2 = filter(parse(text));
      const scimmy = new Types.Filter(text);
      return {
        ours: (index) => matches(users[index & 31]),
        peers: {
          "scim2-parse-filter": (index) => scim2(users[index & 31]),
          scimmy: (index) => scimmy.match([users[index & 31]]),
        },
      };
    },
  }),
]);

function createSchema() {
  const { compileFilterSchema } = require("etiquette/filter");
  return compileFilterSchema({
    attributes: {
      status: { type: "string" },
      "profile.email": { type: "string" },
      "profile.login": { type: "string" },
      "profile.lastName": { type: "string" },
    },
  });
}
