import { checkFilter, compileFilterSchema, FilterError, parseFilter } from "etiquette/filter";
import type { z } from "zod";
import { describeShadow } from "../../src/discovery/analysis/analyse.js";
import type { AnalysedRule } from "../../src/discovery/analysis/policy.js";
import { describeProvider } from "../../src/metadata/describe-provider.js";
import { explain, faultOf } from "../../src/model/faults.js";
import { parseProviderExpression } from "../../src/model/provider-expression.js";
import { describeExcess, QUOTA_NAMES } from "../../src/model/quotas.js";
import { createFileRuleShapes } from "../../src/model/rule-shapes.js";
import { IDP_SHAPE, ORG_SHAPE, ZONE_SHAPE } from "../../src/model/shapes.js";
import { ADDRESSES_SHAPE } from "../../src/model/token-shapes.js";
import { TRUSTED_ORIGIN_SHAPE } from "../../src/model/trust-shapes.js";
import { findLengthFault, USER_SHAPE } from "../../src/model/user-shapes.js";
import { findQueryFault } from "../../src/model/words.js";
import { runAtOnce } from "../../src/pace/steps.js";
import { createTestShapes } from "../../src/resources/routing-test-shapes.js";
import { createApiRuleShape, createDefaultRuleShape } from "../../src/resources/rule-shape.js";
import { DATE_SHAPE } from "../../src/rest/date-shape.js";
import { findTextFaults } from "../../src/transfer/text-faults.js";
import { oidcIdp, rule, samlIdp, trustedOrigin, user } from "./documents.js";

const ID = "0oa1mR5tYq8WnC3xJd6F";
const RULE = createApiRuleShape("SVC");
const TEST = createTestShapes("SVC").body;
const profile = (more: object) => ({ profile: { ...user("a").profile, ...more } });
const conditions = (found: object) => ({ ...rule("a"), actions: DYNAMIC, conditions: found });
const DYNAMIC = {
  idp: {
    idpSelectionType: "DYNAMIC",
    matchCriteria: [{ propertyName: "name", providerExpression: "login.identifier" }],
  },
};
const saml = (protocol: object) => ({ ...samlIdp("a"), protocol: { ...samlIdp("a").protocol, ...protocol } });
const range = (type: string, value: string, list = "gateways") => ({ name: "a", [list]: [{ type, value }] });
const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Values that a form, or a file, may have, each with what is wrong in it. */
const VALUES: [shape: z.ZodType, value: unknown][] = [
  [IDP_SHAPE, {}],
  [IDP_SHAPE, { ...samlIdp(" "), type: "SAML", more: 1 }],
  [IDP_SHAPE, { ...samlIdp("a\u202eb"), id: "1" }],
  [IDP_SHAPE, { ...samlIdp("n".repeat(129)), protocol: { ...oidcIdp("a").protocol } }],
  [IDP_SHAPE, saml({ endpoints: { sso: { url: "ftp://a", binding: "POST" } }, metadata: { url: "http://a.example" } })],
  [IDP_SHAPE, saml({ credentials: { trust: { certificate: "none" } }, metadata: { url: "https://a.example" } })],
  [IDP_SHAPE, { ...oidcIdp("a"), protocol: { ...oidcIdp("a").protocol, type: "OAUTH2", metadata: { url: "" } } }],
  [IDP_SHAPE, { ...samlIdp("a"), protocol: 1, type: ["OIDC"] }],
  [ZONE_SHAPE, { name: "ALL_ZONES", status: 7, gateways: "192.0.2.1" }],
  ...["192.0.2.1", "192.0.2.0/33", "192.0.2.9/24", "x/24"].map((text): [z.ZodType, unknown] => [
    ZONE_SHAPE,
    range("CIDR", text),
  ]),
  ...["192.0.2.0/24", "x", "192.0.2.1-::1", "192.0.2.9-192.0.2.1"].map((text): [z.ZodType, unknown] => [
    ZONE_SHAPE,
    range("RANGE", text),
  ]),
  [ZONE_SHAPE, range("CIDR", "0.0.0.0/1", "proxies")],
  [ZONE_SHAPE, { name: "a", gateways: many(151, { type: "CIDR", value: "192.0.2.0/24" }) }],
  [TRUSTED_ORIGIN_SHAPE, { ...trustedOrigin("a"), origin: "https://a.example/path", scopes: [] }],
  [TRUSTED_ORIGIN_SHAPE, { ...trustedOrigin("a"), origin: "http://a.example", scopes: many(2, { type: "CORS" }) }],
  [RULE, { name: "Default Rule", priority: 0, actions: { idp: { providers: [] } } }],
  [RULE, { name: "a", actions: { idp: { providers: [{ type: "SAML2" }, { type: "SVC", id: ID }] } } }],
  [
    RULE,
    {
      name: "a",
      actions: {
        idp: {
          providers: [
            { type: "X", id: ID },
            { type: "OIDC", id: "1" },
          ],
        },
      },
    },
  ],
  [RULE, { name: "a", actions: { idp: { idpSelectionType: "DYNAMIC", providers: [], matchCriteria: [] } } }],
  [RULE, conditions({ network: { connection: "ANYWHERE", include: ["office"] } })],
  [RULE, conditions({ network: { connection: "ZONE" } })],
  [RULE, conditions({ userIdentifier: { type: "IDENTIFIER", attribute: "1", patterns: [] } })],
  [RULE, conditions({ userIdentifier: { type: "IDENTIFIER", attribute: "a", patterns: [] } })],
  [RULE, conditions({ userIdentifier: { type: "ATTRIBUTE", patterns: [] } })],
  [createDefaultRuleShape("SVC"), { actions: DYNAMIC }],
  [createFileRuleShapes("SVC").rule, { name: "a", actions: { idp: { providers: [{}] } } }],
  [ORG_SHAPE, { subdomain: "Demo", name: "a", domains: ["a"] }],
  [USER_SHAPE, profile({ login: "l".repeat(256), email: "joe", firstName: "\u202e", lastName: 1 })],
  [USER_SHAPE, profile({ "first name": "a", nul: "\0", long: "a".repeat(2_049), deep: {} })],
  [USER_SHAPE, profile(Object.fromEntries(many(101, 1).map((_, i) => [`x${i}`, i])))],
  [USER_SHAPE, profile({ tags: many(101, "a"), texts: ["a".repeat(2_049)] })],
  [TEST, { name: "a", login: "a", clientIp: "1", zone: "1", expected: { rule: "1", provider: { type: "SVC" } } }],
  [TEST, { name: "a", login: "a", clientIp: "192.0.2.1", zone: ID, expected: {} }],
  [ADDRESSES_SHAPE, ["x"]],
  [ADDRESSES_SHAPE, []],
  [DATE_SHAPE, "today"],
];

const EXPRESSIONS = [
  "",
  "user",
  "login.identifier+",
  "login.identifier.trim()",
  "login.identifier.toLowerCase(1)",
  "login.identifier.substringAfter(@)",
  "login.identifier.substringAfter('')",
  "login.identifier.substringAfter('@",
  `login.identifier${".toLowerCase()".repeat(9)}`,
  "login.identifier".repeat(20),
];

const SCHEMA = compileFilterSchema({
  not: false,
  minimumOperandLength: { co: 3 },
  attributes: {
    status: { type: "string", operators: ["eq", "co"] },
    age: { type: "number", operators: ["eq", "pr"] },
    on: { type: "boolean" },
    created: { type: "date" },
    "profile.*": { type: "any" },
  },
});

const FILTERS = [
  "",
  "status",
  "status is",
  'status eq "a',
  'status eq "a" x',
  '(status eq "a"',
  "status eq 'a'",
  "status eq +",
  "status eq 1x",
  "status eq 1e999",
  "status eq ?",
  "status. eq 1",
  'status eq "\n"',
  'status eq "\\x"',
  'status eq "\\u0000"',
  'status eq "😀"',
  "not status",
  'not (status eq "a")',
  'other eq "a"',
  'status gt "a"',
  'status co "a"',
  "status eq 5",
  "status eq true",
  'age eq "a"',
  'on eq "a"',
  'created eq "a"',
  "profile.a co 5",
  "profile.a gt true",
  "(".repeat(33),
  many(201, 'status eq "a"').join(" or "),
  "a".repeat(8_193),
];

const TEXTS = [
  "{",
  "[",
  "x",
  "[1 2]",
  '{"a" 1}',
  "{a: 1}",
  '{"a": }',
  "[1] 2",
  '["a]',
  "[1.]",
  '["\\x"]',
  '["\\u12"]',
  '["\n"]',
  "// a\n[]",
  '{"a": 1, "a": 2}',
  '["😀"]',
  '["\\u0000"]',
  "[".repeat(100_000),
];

const METADATA = [
  "",
  "<html>",
  "metadata",
  "{}",
  "{",
  "<a/>",
  '{"issuer":"https://a.example"}',
  "<a",
  "<!DOCTYPE a><a/>",
];

const analysed = (name: string, priority: number) => ({ name, priority }) as AnalysedRule;

/** What the server puts together from parts. */
const JOINED = [
  `filter: found term 31 that no index serves, status co, at offset 9, expected at most 30 of them. For 60, join "eq" with id, login to them by "and".`,
  `filter: found term 61 that no index serves, status co, at offset 9, expected at most 60 of them.`,
  `filter: found term 31 that no index serves, status co, at offset 9, expected at most 30 of them. For 60, join "eq" with uuid to them by "and", or give since and until that are an hour or less apart.`,
  `orgs[0]: has 1501 records; at most 1500 are allowed here: the operator of the server can import more, with the command import`,
  `orgs[0].rules[1].id: belongs to another record; an import does not rename`,
  `orgs[0].rules[1].id: belongs to "Acme"; an import does not rename`,
  `orgs[0].routingTests[1].zone: no zone is named "Office"`,
  `orgs[0].routingTests[1].expected.rule: no rule is named "Acme"`,
  `orgs[0].routingTests[1].expected.provider.idp: no identity provider is named "Acme"`,
  `orgs[0].routingTests: fails: "Joe": joe@example.com: expected "Acme", got the org itself (rule "Default Rule")`,
  `"Joe": joe@example.com from "Office": expected the org itself by the rule "Acme", got "Acme" (rule "Default Rule")`,
  `"Joe": joe@example.com from 192.0.2.1: expected the rule "Acme", got "Acme" (rule "Default Rule")`,
  `"Joe": joe@example.com: the zone is gone or has no gateway`,
  `name: another rule has it already`,
  `name: another routing test has it already`,
  `name: another Zone has it already`,
  `filter, q: give one of them.`,
  `url: the connection failed`,
  `url: the connection failed (ECONNREFUSED)`,
  `url: the metadata can't be stored: name must not be empty; certificate is too long: 17000 characters; at most 16384 are allowed`,
  `The file would have 1501 records or more; at most 1500 are allowed here. users=false leaves users out; the operator of the server can export everything.`,
  `conditions.userIdentifier: a condition on an attribute needs the scope svc.users.read, which the credentials lack.`,
  `A rule has a condition on an attribute; a routing test that comes to it needs the scope svc.users.read, which the credentials lack.`,
  `since: a replay of the log needs the scope svc.logs.read, which the credentials lack.`,
  `A rule has a condition on an attribute; this preview needs the scope svc.users.read, which the credentials lack.`,
  `The rule "Acme" has a condition on an attribute; its trace needs the scope svc.users.read, which the credentials lack.`,
  `The credentials lack the scope svc.zones.manage.`,
  `profile.login: another object has this value.`,
  `name: a character takes four bytes in UTF-8, or is half of a surrogate pair; characters of up to three are supported.`,
  `name: U+1F600 at byte 12 takes four bytes in UTF-8; characters of up to three are supported.`,
  `Query parameter "q", offset 3: "😀" is a character of four bytes; characters of up to three bytes in UTF-8 are supported.`,
  `Not found: Resource not found: 0oa1mR5tYq8WnC3xJd6F (User)`,
  `Not found`,
  `Api validation failed: profile.login`,
  `API call exceeded rate limit due to too many requests. The limit of read is 600 for this org.`,
  `Invalid token provided The API token "Nightly" is not allowed from this address.`,
  `The connection was lost before the answer was complete.`,
  `HTTP status 502`,
  `Content-Length is 1048577; the limit is 1048576 bytes.`,
  `The body is longer; the limit is 1048576 bytes.`,
  `The body has more than 15000 members and elements; the next one is at byte 100.`,
  `The body: the bracket at byte 33 opens level 33; 32 are supported.`,
  `The body is a number; send an object or an array.`,
];

/** What the server says about wrong input. Most of it is provoked. */
export function listFaultSamples(): string[] {
  const others = [
    ...EXPRESSIONS.map((text) => faultOf(() => parseProviderExpression(text))),
    ...FILTERS.map((text) => `filter: ${tellFilter(text)}.`),
    ...[
      "?",
      many(21, "a ")
        .map((word, i) => word + String(i))
        .join(" "),
    ].map(findQueryFault),
    ...TEXTS.flatMap((text) => findTextFaults(text).faults.map(({ reason }) => reason)),
    ...METADATA.map((text) => faultOf(() => runAtOnce(describeProvider(text, "2026-01-31T08:00:00.000Z")))),
    ...[0, 1, 2].map((more) => describeShadow(analysed("a", 7), analysed("b", 2), more)),
    ...QUOTA_NAMES.map((quota) => describeExcess({ quota, limit: 5, before: 5, after: 6 })),
    ...QUOTA_NAMES.map(
      (quota) =>
        `${quota}: ${describeExcess({ quota, limit: 5, before: 5, after: 6 })}. Remove some, or ask the operator of the server for a higher quota.`,
    ),
    findLengthFault({ a: "a".repeat(66_000) }),
    findLengthFault({ a: "a".repeat(67_000) }, { a: "a".repeat(66_000) }),
  ];
  const values = VALUES.flatMap(([shape, value]) => {
    const { issues = [] } = shape.safeParse(value, { error: explain }).error ?? {};
    return issues.length > 0 ? issues.map(({ message }) => message) : [`NOTHING IS WRONG: ${JSON.stringify(value)}`];
  });
  return [...new Set([...values, ...JOINED, ...others.map((text) => text ?? "NOTHING IS WRONG")])];
}

function tellFilter(text: string): string {
  try {
    checkFilter(parseFilter(text), SCHEMA);
  } catch (error) {
    if (error instanceof FilterError) return error.message;
    throw error;
  }
  return `NOTHING IS WRONG: ${text}`;
}
