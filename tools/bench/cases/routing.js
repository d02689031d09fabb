"use strict";

const { requireCompiled } = require("../../kit/compiled.js");
const { piece } = require("../piece.js");

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

  piece({
    name: "routing/full",
    prepare() {
      const routes = { full: compileFull(10_000), few: compileFull(10) };
      return {
        ours: (index) => routes.full(FULL_QUESTIONS[index & 255]),
        peers: { "ours, 10 rules": (index) => routes.few(FULL_QUESTIONS[index & 255]) },
      };
    },
  }),
];

/** Every quota of routing: a fiftieth of the rules select a provider by its name, half of the others have an attribute. */
function compileFull(count) {
  const { compileRouting } = requireCompiled("discovery/compile-routing.js");
  const zones = Array.from({ length: 100 }, (_, zone) => ({
    ...STAMPS,
    id: `zone${zone}`,
    name: `Zone ${zone}`,
    status: "ACTIVE",
    gateways: Array.from({ length: 150 }, (_each, block) => ({ type: "CIDR", value: `10.${zone}.${block}.0/24` })),
    proxies: [],
  }));
  const rules = Array.from({ length: count }, (_, index) => ({
    ...createRule(index + 1),
    ...(index % 50 === 0
      ? { actions: { idp: createCriteria(index) } }
      : { conditions: index % 2 === 0 ? createAttributeCondition(index) : createClientCondition(zones, index) }),
  }));
  return compileRouting({ rules: [...rules, { ...createRule(0), system: true }], idps: [IDP], zones });
}

function createCriteria(index) {
  const providerExpression = `login.identifier.substringAfter('@').substringBefore('.${index}')`;
  return { idpSelectionType: "DYNAMIC", matchCriteria: [{ propertyName: "name", providerExpression }] };
}

function createAttributeCondition(index) {
  const patterns = [{ matchType: "CONTAINS", value: `department ${index}` }];
  return { userIdentifier: { type: "ATTRIBUTE", attribute: "department", patterns } };
}

/** It holds for nobody who asks here. */
function createClientCondition(zones, index) {
  const include = zones.slice(index % 50, (index % 50) + 50).map(({ id }) => id);
  const patterns = Array.from({ length: 5 }, (_, place) => ({ matchType: "CONTAINS", value: `${index}.${place}` }));
  return {
    network: { connection: "ZONE", include },
    platform: { include: [{ type: "MOBILE" }], exclude: [{ type: "ANY", os: { type: "IOS" } }] },
    userIdentifier: { type: "IDENTIFIER", patterns },
  };
}

const PROFILE = { department: "Research and development", groups: ["staff", "europe"] };

const FULL_QUESTIONS = Array.from({ length: 256 }, (_, index) => ({
  login: `joe.${index}@tenant-${index}.example.com`,
  clientIp: `10.${index % 100}.7.7`,
  platform: { type: "DESKTOP", os: "LINUX" },
  lookupProfile: () => Promise.resolve(PROFILE),
}));

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
  const { compileRouting } = requireCompiled("discovery/compile-routing.js");
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
