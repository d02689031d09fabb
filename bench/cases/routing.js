"use strict";

const { existsSync } = require("node:fs");
const path = require("node:path");
const { piece, Unavailable } = require("../piece.js");

const COMPILED = path.join(__dirname, "../../example-app/dist/discovery/compile-routing.js");

const STAMPS = { created: "2024-03-01T09:12:33.000Z", lastUpdated: "2024-05-17T16:40:02.000Z" };

module.exports = [
  ...[10, 1_000, 100_000].map((count) =>
    piece({
      name: `routing/${count}`,
      prepare() {
        const domains = createDomains(count);
        const questions = createQuestions(domains);
        const route = compile(domains);
        const patterns = domains.map((domain) => `@${domain}`);
        return {
          ours: (index) => route(questions[index & 255]),
          peers: {
            "one rule after the other": (index) =>
              patterns.find((pattern) => questions[index & 255].login.endsWith(pattern)),
          },
        };
      },
    }),
  ),

  ...[1_000, 100_000].map((count) =>
    piece({
      name: `routing/flat/${count}`,
      prepare() {
        const [few, many] = [10, count].map((number) => {
          const domains = createDomains(number);
          return { route: compile(domains), questions: createQuestions(domains) };
        });
        return {
          ours: (index) => many.route(many.questions[index & 255]),
          peers: { "ours, 10 rules": (index) => few.route(few.questions[index & 255]) },
        };
      },
    }),
  ),
];

function createDomains(count) {
  return Array.from({ length: count }, (_, index) => `tenant-${index}.example.com`);
}

/** Logins of all domains, and some of none, in no order. */
function createQuestions(domains) {
  return Array.from({ length: 256 }, (_, index) => {
    const domain = index % 8 === 0 ? "elsewhere.example.org" : domains[(index * 7_919) % domains.length];
    return { login: `joe.${index}@${domain}`, clientIp: "203.0.113.7", platform: { type: "DESKTOP", os: "LINUX" } };
  });
}

/** The server's own routing: a rule for each domain, then the default rule. */
function compile(domains) {
  if (!existsSync(COMPILED)) throw new Unavailable("the server is not built (npm run build:server)");
  const { compileRouting } = require(COMPILED);
  const rules = domains.map((domain, index) => createRule(index + 1, { matchType: "SUFFIX", value: `@${domain}` }));
  return compileRouting({ rules: [...rules, { ...createRule(0), system: true }], idps: [IDP], zones: [] });
}

const IDP = { ...STAMPS, id: "idp1", type: "SAML2", name: "Directory", status: "ACTIVE", protocol: { type: "SAML2" } };

function createRule(priority, pattern) {
  return {
    ...STAMPS,
    id: `rule${priority}`,
    name: `Rule ${priority}`,
    priority,
    status: "ACTIVE",
    system: false,
    conditions: pattern ? { userIdentifier: { type: "IDENTIFIER", patterns: [pattern] } } : {},
    actions: { idp: { providers: [{ id: "idp1" }] } },
  };
}
