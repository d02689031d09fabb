"use strict";

const { idp, rule } = require("../servers/orgs.js");

/** So many providers, named P0 and so on: each change of a rule selects the next one. */
const PROVIDERS = 10;

/** Orgs whose first rule changes, with so many rules beside it. The first one has users, too. */
const CHANGING = { demo: 0, many: 2_000 };

/** Orgs that are suspended and activated. */
const SUSPENDED = ["shut", "open"];

/** An org of which nothing changes. */
const CALM = ["calm"];

const ORGS = [...Object.keys(CHANGING), ...SUSPENDED, ...CALM];

/** The file to import. Each org sends logins of its own domain to P0. */
function createDocument() {
  return { orgs: ORGS.map((subdomain) => createOrg(subdomain, CHANGING[subdomain] ?? 0)) };
}

function createOrg(subdomain, rules) {
  const idps = Array.from({ length: PROVIDERS }, (_, index) => idp(nameOf(index)));
  const others = Array.from({ length: rules }, (_, index) =>
    withProvider(rule(`Rule ${index}`, `@other${index}.example`)),
  );
  return {
    subdomain,
    name: `The ${subdomain} org`,
    idps,
    rules: [withProvider(rule("First", `@${subdomain}.example`)), ...others],
  };
}

const withProvider = (one) => ({ ...one, actions: { idp: { providers: [{ idp: nameOf(0) }] } } });

const nameOf = (index) => `P${index % PROVIDERS}`;

module.exports = { CHANGING, createDocument, nameOf, ORGS, SUSPENDED };
