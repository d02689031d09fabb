import type { z } from "zod";
import { createFileRuleShapes } from "../../src/model/rule-shapes.js";
import { IDP_SHAPE, LIMITS, NAME_SHAPE, ZONE_SHAPE } from "../../src/model/shapes.js";
import { USER_SHAPE } from "../../src/model/user-shapes.js";
import { rule, samlIdp, user, zone } from "../support/documents.js";

const RULE = createFileRuleShapes("SVC").rule;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const profile = (more: object) => ({ profile: { ...user("a").profile, ...more } });
const pattern = (value: string) => ({ matchType: "EQUALS", value });
const condition = (patterns: object[]) => ({
  ...rule("a"),
  conditions: { userIdentifier: { type: "IDENTIFIER", patterns } },
});
const own = Object.keys(user("a").profile).length;

/** What makes a value of this size. */
const CASES: [limit: string, size: number, shape: z.ZodType, make: (size: number) => unknown][] = [
  ["characters of a name", LIMITS.name, NAME_SHAPE, (size) => "n".repeat(size)],
  ["characters of a login", LIMITS.login, USER_SHAPE, (size) => profile({ login: "l".repeat(size) })],
  ["characters of an e-mail address", LIMITS.login, USER_SHAPE, (size) => profile({ email: "@x".padStart(size, "e") })],
  ["characters of a first name", LIMITS.name, USER_SHAPE, (size) => profile({ firstName: "f".repeat(size) })],
  ["characters of an attribute", LIMITS.text, USER_SHAPE, (size) => profile({ note: "t".repeat(size) })],
  ["elements of an attribute", LIMITS.elements, USER_SHAPE, (size) => profile({ note: times(size, String) })],
  [
    "attributes of a user",
    LIMITS.attributes,
    USER_SHAPE,
    (size) => profile(Object.fromEntries(times(size - own, (i) => [`x${i}`, i]))),
  ],
  ["patterns of a rule", LIMITS.patterns, RULE, (size) => condition(times(size, (i) => pattern(`p${i}`)))],
  ["characters of a pattern", LIMITS.pattern, RULE, (size) => condition([pattern("p".repeat(size))])],
  [
    "platforms of a rule",
    LIMITS.platforms,
    RULE,
    (size) => ({ ...rule("a"), conditions: { platform: { include: times(size, () => ({ type: "ANY" })) } } }),
  ],
  [
    "zones of a rule",
    LIMITS.ranges,
    RULE,
    (size) => ({ ...rule("a"), conditions: { network: { connection: "ZONE", include: times(size, (i) => `z${i}`) } } }),
  ],
  ["providers of a rule", LIMITS.providers, RULE, (size) => rule("a", ...times(size, (i) => `p${i}`))],
  [
    "ranges of a zone",
    LIMITS.ranges,
    ZONE_SHAPE,
    (size) => ({ ...zone("a"), gateways: times(size, (i) => ({ type: "CIDR", value: `10.0.${i}.0/24` })) }),
  ],
  ["characters of a provider's name", LIMITS.name, IDP_SHAPE, (size) => samlIdp("i".repeat(size))],
];

test.each(CASES)("%s: at most %i", (_limit, size, shape, make) => {
  const accepted = [size - 1, size, size + 1].map((each) => shape.safeParse(make(each)).success);
  expect(accepted).toEqual([true, true, false]);
});
