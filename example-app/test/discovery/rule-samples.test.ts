import { compilePolicyInSteps } from "../../src/discovery/analysis/policy.js";
import { compareSamples, MAX_SAMPLED, sampleRules } from "../../src/discovery/analysis/rule-samples.js";
import { runAtOnce } from "../../src/pace/steps.js";
import { runInSlices, SLICE_COST } from "../../src/pace/slices.js";
import type { Rule } from "../../src/model/records.js";
import { buildIdp, buildRule, identifier } from "../support/routing.js";

const rule = (name: string, priority: number, values: string[]) =>
  ({
    id: name,
    name,
    priority,
    status: "ACTIVE",
    conditions: {
      userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType: "SUFFIX", value })) },
    },
    actions: { idp: { idpSelectionType: "SPECIFIC", providers: [{ type: "SVC" }] } },
  }) as unknown as Rule;

const sample = (rules: Rule[]) => {
  const policy = runAtOnce(compilePolicyInSteps({ rules, idps: [], zones: [] }));
  return runAtOnce(sampleRules(policy, policy.rules));
};

it.each([MAX_SAMPLED - 1, MAX_SAMPLED, MAX_SAMPLED + 1])("samples the first rules of %i", (count) => {
  const rules = Array.from({ length: count }, (_, i) => rule(`r${i}`, i + 1, [`r${i}.example`]));
  expect(sample(rules)).toHaveLength(Math.min(count, MAX_SAMPLED));
});

it("proposes logins of three patterns, and takes the one that the rule decides now", async () => {
  const [found] = sample([rule("own", 1, ["a.example", "b.example", "c.example", "d.example"])]);
  expect(found!.logins).toEqual(["joe@a.example", "joe@b.example", "joe@c.example"]);
  const route = (asked: { login: string }) => ({
    rule: { id: asked.login === "joe@b.example" ? "own" : "other", name: "" },
    providers: ["org" as const],
    reason: "matched" as const,
  });
  let turns = 0;
  const compared = await compareSamples([found!], route, route, async () => {
    await Promise.resolve(turns++);
  });
  expect(compared.map(({ login, changed }) => [login, changed])).toEqual([
    ["joe@b.example", false],
    ["joe@elsewhere.example", false],
  ]);
  expect(turns).toBe(1);
});

it("others take turns while it tries names of providers that take long to read", async () => {
  const idps = Array.from({ length: 8 }, (_, i) => buildIdp(`${i}`, { name: `${i}${".xn--a".repeat(21)}` }));
  const conditions = identifier("CONTAINS", "no", "nor", "none");
  const rules = Array.from({ length: MAX_SAMPLED }, (_, i) =>
    buildRule({ id: `r${i}`, priority: i + 1, conditions, providers: "login.identifier.substringAfter('@')" }),
  );
  const policy = runAtOnce(compilePolicyInSteps({ rules, idps, zones: [] }));
  const { slices, longest } = await runInSlices(sampleRules(policy, policy.rules), () => Promise.resolve());
  expect(slices).toBeGreaterThan(MAX_SAMPLED / 2);
  expect(longest).toBeLessThan(SLICE_COST + 100);
});
