"use strict";

/** Parts of an import file. */

const idp = (name) => ({
  name,
  type: "OIDC",
  protocol: {
    type: "OIDC",
    endpoints: { sso: { url: "https://idp.example.com/authorize", binding: "HTTP-REDIRECT" } },
  },
});

const profile = (login) => ({
  login,
  email: `${login.replace("@", ".")}@example.com`,
  firstName: "Joe",
  lastName: "Doe",
});

const user = (login) => ({ profile: profile(login) });

const rule = (name, value, matchType = "SUFFIX") => ({
  name,
  conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType, value }] } },
  actions: { idp: { providers: [{ idp: "Login" }] } },
});

/** An org with a provider, a rule and, if asked for, users. */
const org = (subdomain, { users = 0 } = {}) => ({
  subdomain,
  name: `The ${subdomain} org`,
  idps: [idp("Login")],
  rules: [rule("First", `${subdomain}.example`)],
  users: Array.from({ length: users }, (_, index) => user(`user${index}@${subdomain}.example`)),
});

module.exports = { idp, org, profile, rule, user };
