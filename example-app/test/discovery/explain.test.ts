import fc from "fast-check";
import { compileRouting } from "../../src/discovery/compile-routing.js";
import type { Profile, Question } from "../../src/discovery/conditions.js";
import { createExplainer } from "../../src/discovery/explain.js";
import { compileRecordsInSteps } from "../../src/discovery/records.js";
import { runAtOnce } from "../../src/pace/steps.js";
import type { Rule, RuleConditions } from "../../src/model/records.js";
import { buildIdp, buildRule, buildZone, DEFAULT_RULE } from "../support/routing.js";

const IDPS = [
  buildIdp("a", { name: "a" }),
  buildIdp("b", { name: "b" }),
  buildIdp("off", { name: "é", status: "INACTIVE" }),
];
const ZONES = [
  buildZone("z1", ["192.0.2.0/24"]),
  buildZone("z2", ["198.51.100.1-198.51.100.9", "2001:db8::/32"]),
  buildZone("z3", ["203.0.113.0/24"], { status: "INACTIVE" }),
];

const RECORDS = runAtOnce(compileRecordsInSteps({ idps: IDPS, zones: ZONES }));

const text = fc.string({ unit: fc.constantFrom("a", "b", "B", ".", "@", "é", "e\u0301"), maxLength: 6 });
const pattern = fc.record({
  matchType: fc.constantFrom("SUFFIX", "EQUALS", "STARTS_WITH", "CONTAINS"),
  value: text,
});
const zoneList = fc.subarray(["z1", "z2", "z3", "gone", "ALL_ZONES"]);
const platformList = fc.array(
  fc.record(
    {
      type: fc.constantFrom("ANY" as const, "DESKTOP" as const, "MOBILE" as const, "OTHER" as const),
      os: fc.record({ type: fc.constantFrom("ANY" as const, "LINUX" as const, "IOS" as const) }),
    },
    { requiredKeys: ["type"] },
  ),
  { maxLength: 2 },
);
const conditions = fc.record(
  {
    network: fc.record(
      { connection: fc.constantFrom("ANYWHERE", "ZONE"), include: zoneList, exclude: zoneList },
      { requiredKeys: ["connection"] },
    ),
    platform: fc.record({ include: platformList, exclude: platformList }, { requiredKeys: [] }),
    userIdentifier: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ type: fc.constant("IDENTIFIER"), patterns: fc.array(pattern, { maxLength: 4 }) }),
      },
      fc.record({
        type: fc.constant("ATTRIBUTE"),
        attribute: fc.constantFrom("x", "y", "constructor"),
        patterns: fc.array(pattern, { minLength: 1, maxLength: 1 }),
      }),
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<RuleConditions>;
const facts = fc.record({
  status: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "INACTIVE" as const),
  conditions,
  providers: fc.oneof(
    fc.subarray(["a", "b", "off", "org"], { minLength: 1 }),
    fc.constantFrom(
      "login.identifier",
      "login.identifier.toLowerCase()",
      "login.identifier.substringAfter('@')",
      "login.identifier.toLowerCase().substringAfter('@').substringBefore('.')",
    ),
  ),
});
const question = fc.record({
  login: fc.string({ unit: fc.constantFrom("a", "b", "B", ".", "@", "é"), minLength: 1, maxLength: 6 }),
  clientIp: fc.constantFrom("192.0.2.1", "::ffff:198.51.100.1", "2001:db8::1", "203.0.113.1", undefined),
  platform: fc.record({
    type: fc.constantFrom("DESKTOP" as const, "MOBILE" as const, "OTHER" as const),
    os: fc.constantFrom("LINUX" as const, "IOS" as const, "OTHER" as const),
  }),
  profile: fc.option(
    fc.record({ x: fc.oneof(text, fc.boolean()), y: fc.array(text, { maxLength: 2 }) }, { requiredKeys: [] }),
    { nil: undefined },
  ),
});

describe("createExplainer()", () => {
  it("W10 finds the rule and the providers that the compiled routing finds, whatever rules and questions", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(facts, { maxLength: 12 }),
        fc.constantFrom("org", "a", "off"),
        fc.array(question, { minLength: 1, maxLength: 8 }),
        async (ordinary, fallback, questions) => {
          const last = { ...DEFAULT_RULE, actions: buildRule({ id: "x", providers: [fallback] }).actions };
          const rules = [...ordinary.map((fact, i) => buildRule({ id: `r${i}`, priority: i + 1, ...fact })), last];
          const route = compileRouting({ rules, idps: IDPS, zones: ZONES });
          for (const { profile, ...rest } of questions) {
            const asked: Question = { ...rest, lookupProfile: () => Promise.resolve(profile as Profile | undefined) };
            const answer = await route(asked);
            const explainInSteps = createExplainer({ records: RECORDS, question: asked, profile });
            const explain = (rule: Rule) => runAtOnce(explainInSteps(rule));
            const match = rules.find((rule) => explain(rule).result === "MATCH")!;
            expect(match.id).toBe(answer.rule.id);
            const selection = explain(match).conditions.find((one) => one.condition === "matchCriteria");
            expect(selection?.provider ? [selection.provider.id] : offered(match)).toEqual(
              answer.providers.map((one) => (one === "org" ? one : one.id)),
            );
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The active ones of a rule, or the org itself when the default rule has none. */
function offered({ actions, system }: Rule): string[] {
  const { providers = [] } = actions.idp;
  const named = providers.map(({ id }) => id ?? "org").filter((id) => id !== "off");
  return named.length === 0 && system ? ["org"] : named;
}
