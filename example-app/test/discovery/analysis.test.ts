import fc from "fast-check";
import { analyseInSteps, describeFinding, type Finding } from "../../src/discovery/analysis/analyse.js";
import { applyChange, findNewlyShadowed } from "../../src/discovery/analysis/change.js";
import { compareFindings, MAX_LISTED } from "../../src/discovery/analysis/compare.js";
import { MAX_CANDIDATES } from "../../src/discovery/analysis/overlaps.js";
import { MAX_CONDITIONS } from "../../src/discovery/analysis/pattern-buckets.js";
import { compilePolicyInSteps, type AnalysedPolicy } from "../../src/discovery/analysis/policy.js";
import { compileRouting } from "../../src/discovery/compile-routing.js";
import type { Profile } from "../../src/discovery/conditions.js";
import { matchesPattern } from "../../src/discovery/identifier.js";
import type { Rule, RuleConditions } from "../../src/model/records.js";
import { runAtOnce, type Steps } from "../../src/pace/steps.js";
import { randomConditions, randomPattern, randomPerson } from "../support/random-rules.js";
import {
  ask,
  attribute,
  buildIdp,
  buildRule,
  buildZone,
  DEFAULT_RULE,
  identifier,
  type RuleFacts,
} from "../support/routing.js";

const IDPS = [
  buildIdp("a"),
  buildIdp("b"),
  buildIdp("off", { status: "INACTIVE" }),
  buildIdp("named", { name: "acme.example" }),
];

const ZONES = [
  buildZone("z1", ["192.0.2.0/24"]),
  buildZone("z2", ["192.0.2.0-192.0.2.9", "198.51.100.0/24"]),
  buildZone("z3", ["203.0.113.0/24"], { status: "INACTIVE" }),
  buildZone("empty", []),
];

const RECORDS = { idps: IDPS, zones: ZONES };

/** Rules in this order. */
function build(facts: readonly Partial<RuleFacts>[]): Rule[] {
  return facts.map((fact, index) => buildRule({ id: `r${index + 1}`, providers: ["a"], priority: index + 1, ...fact }));
}

function compile(rules: readonly Rule[]): AnalysedPolicy {
  return runAtOnce(compilePolicyInSteps({ ...RECORDS, rules }));
}

function analyse(...facts: readonly Partial<RuleFacts>[]): Finding[] {
  return runAtOnce(analyseInSteps(compile(build(facts))));
}

/** Type, rule and the other rule of each finding, without those about boundaries. */
function summarise(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ type }) => type !== "NO_LABEL_BOUNDARY")
    .map(({ type, rule, by }) => [type, rule.id, by?.id ?? ""].join(" ").trim());
}

const suffix = (...values: string[]): Partial<RuleFacts> => ({ conditions: identifier("SUFFIX", ...values) });

const inZones = (include?: string[], exclude?: string[]): RuleConditions => ({
  network: { connection: "ZONE", ...(include && { include }), ...(exclude && { exclude }) },
});

describe("analyseInSteps() finds rules that can't be reached", () => {
  it("and names the first of the rules that take everything, not the widest", () => {
    const findings = analyse(suffix("a.example"), suffix("example"), suffix("@x.a.example"));
    expect(summarise(findings)).toEqual(["UNREACHABLE r3 r1"]);
  });

  it.each<[string, Partial<RuleFacts>, Partial<RuleFacts>]>([
    ["a suffix of a domain", suffix("acme.example"), suffix("@partner.acme.example")],
    ["a suffix, whatever the case and the form are", suffix("BÜCHER.example"), suffix("@xn--bcher-kva.example")],
    ["a substring", { conditions: identifier("CONTAINS", "acme") }, suffix("@acme.example")],
    ["a prefix", { conditions: identifier("STARTS_WITH", "adm") }, { conditions: identifier("STARTS_WITH", "admin@") }],
    ["a rule for everyone", {}, suffix("@acme.example")],
    ["a rule for everyone and an attribute", {}, { conditions: attribute("team", "EQUALS", "x") }],
    [
      "the same attribute",
      { conditions: attribute("team", "CONTAINS", "x") },
      { conditions: attribute("team", "EQUALS", "xy") },
    ],
    ["more zones", { conditions: inZones(["z1", "z2"]) }, { conditions: inZones(["z1"], ["z2"]) }],
    ["all zones", { conditions: inZones(["ALL_ZONES"]) }, { conditions: inZones(["z1"]) }],
    [
      "an excluded zone that can't hold anybody",
      { conditions: inZones(undefined, ["empty", "z3"]) },
      suffix("x.example"),
    ],
    [
      "more platforms",
      { conditions: { platform: { include: [{ type: "MOBILE" }] } } },
      { conditions: { platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }] } } },
    ],
    [
      "the same expression",
      { providers: "login.identifier.substringAfter('@')" },
      { providers: "login.identifier.substringAfter('@')", ...suffix("x.example") },
    ],
  ])("that %s shadows", (_, first, second) => {
    expect(summarise(analyse(first, second))).toEqual(["UNREACHABLE r2 r1"]);
  });

  it("says which rules shadow, and that several do together", () => {
    const [finding] = analyse(suffix("@a.example"), suffix("@b.example"), suffix("@b.example", "@a.example"));
    expect(finding).toMatchObject({ type: "UNREACHABLE", rule: { id: "r3" }, by: { id: "r1" }, count: 2 });
    expect(finding && describeFinding(finding)).toBe(
      `"Rule r3" (priority 3) can't be reached: everything that it takes goes to "Rule r1" (priority 1) and 1 other rule.`,
    );
  });

  it.each<[string, Partial<RuleFacts>, Partial<RuleFacts>]>([
    ["a suffix inside a label", suffix("acme.example"), suffix("@badacme.example")],
    ["one of two patterns", suffix("@a.example"), suffix("@a.example", "@b.example")],
    ["an inactive rule", { status: "INACTIVE" }, suffix("@a.example")],
    ["a rule without an active provider", { providers: ["off"] }, suffix("@a.example")],
    ["fewer zones", { conditions: inZones(["z1"]) }, { conditions: inZones(["z1", "z2"]) }],
    ["a further zone that is excluded", { conditions: inZones(["z1"], ["z2"]) }, { conditions: inZones(["z1"]) }],
    ["an attribute", { conditions: attribute("team", "EQUALS", "x") }, {}],
    [
      "another attribute",
      { conditions: attribute("team", "EQUALS", "x") },
      { conditions: attribute("role", "EQUALS", "x") },
    ],
    ["an expression", { providers: "login.identifier" }, {}],
  ])("but not that %s shadows", (_, first, second) => {
    expect(summarise(analyse(first, second))).not.toContain("UNREACHABLE r2 r1");
  });

  it(`compares with ${MAX_CONDITIONS} rules of a pattern with different conditions, and with one that has none`, () => {
    const zones = Array.from({ length: MAX_CONDITIONS + 1 }, (_, i) => buildZone(`n${i}`, [`10.0.${i}.0/24`]));
    const shadowed = (last: number) => {
      const rules = build([
        ...zones.map(({ id }) => ({ conditions: inZones([id]) })),
        { conditions: inZones([`n${last}`], ["n1"]) },
      ]);
      const policy = runAtOnce(compilePolicyInSteps({ idps: IDPS, zones, rules }));
      return summarise(runAtOnce(analyseInSteps(policy))).filter((text) => text.startsWith("UNREACHABLE"));
    };
    expect(shadowed(MAX_CONDITIONS - 1)).toEqual([`UNREACHABLE r${MAX_CONDITIONS + 2} r${MAX_CONDITIONS}`]);
    expect(shadowed(MAX_CONDITIONS)).toEqual([]);
    const everyone = build([
      ...zones.map(({ id }) => ({ conditions: inZones([id]) })),
      {},
      { conditions: inZones(["n3"], ["n1"]) },
      suffix("x"),
    ]);
    const policy = runAtOnce(compilePolicyInSteps({ idps: IDPS, zones, rules: everyone }));
    expect(summarise(runAtOnce(analyseInSteps(policy)))).toEqual([
      `UNREACHABLE r${MAX_CONDITIONS + 3} r4`,
      `UNREACHABLE r${MAX_CONDITIONS + 4} r${MAX_CONDITIONS + 2}`,
    ]);
  });
});

describe("analyseInSteps() finds rules that never match", () => {
  it.each<[string, Partial<RuleFacts>, string]>([
    ["no active provider", { providers: ["off"] }, "leads to no active identity provider"],
    ["a zone that is gone", { conditions: inZones(["gone"]) }, "none of the zones"],
    ["an inactive zone and one without gateways", { conditions: inZones(["z3", "empty"]) }, "none of the zones"],
    ["a zone that is included and excluded", { conditions: inZones(["z1"], ["z1"]) }, "excludes all zones"],
    ["all zones excluded", { conditions: inZones(["z1"], ["ALL_ZONES"]) }, "excludes all zones"],
    [
      "a platform that is included and excluded",
      {
        conditions: { platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }], exclude: [{ type: "MOBILE" }] } },
      },
      "excludes all platforms",
    ],
  ])("with %s", (_, fact, detail) => {
    const findings = analyse(fact, { ...fact, ...suffix("@x.example"), ...fact });
    expect(findings.map(({ type }) => type)).toEqual(["NEVER_MATCHES", "NEVER_MATCHES"]);
    expect(findings[0] && describeFinding(findings[0])).toContain(detail);
  });
});

describe("analyseInSteps() finds overlaps with other providers", () => {
  const b = { providers: ["b"] };

  it.each<[string, Partial<RuleFacts>, Partial<RuleFacts>, object]>([
    ["a subdomain", suffix("@sub.a.example"), suffix("a.example"), { login: "joe@sub.a.example" }],
    ["a login", { conditions: identifier("EQUALS", "ann@a.example") }, suffix("a.example"), { login: "ann@a.example" }],
    [
      "a prefix",
      { conditions: identifier("STARTS_WITH", "admin@") },
      suffix("a.example"),
      { login: "admin@a.example" },
    ],
    ["a substring", { conditions: identifier("CONTAINS", "ops") }, suffix("@a.example"), { login: "ops@a.example" }],
    [
      "a zone",
      { conditions: inZones(["z1"]) },
      suffix("@a.example"),
      { login: "joe@a.example", clientIp: "192.0.2.0" },
    ],
    [
      "a platform",
      { conditions: { platform: { exclude: [{ type: "DESKTOP" }] } } },
      suffix("@a.example"),
      { login: "joe@a.example", platform: { type: "MOBILE", os: "ANDROID" } },
    ],
    [
      "an expression",
      { providers: "login.identifier.substringAfter('@')" },
      suffix("example"),
      { login: "joe@acme.example" },
    ],
  ])("in %s", (_, first, second, sample) => {
    const findings = analyse(first, { ...b, ...second }).filter(({ type }) => type === "OVERLAP");
    expect(findings).toMatchObject([{ rule: { id: "r2" }, by: { id: "r1" }, count: 1, sample }]);
  });

  it.each<[string, Partial<RuleFacts>, Partial<RuleFacts>]>([
    ["the same provider", suffix("@sub.a.example"), suffix("a.example")],
    ["other domains", suffix("@a.example"), { ...b, ...suffix("@b.example") }],
    ["zones without a common address", { conditions: inZones(["z1"], ["z2"]) }, { ...b, conditions: inZones(["z2"]) }],
    [
      "other platforms",
      { conditions: { platform: { include: [{ type: "MOBILE" }] } } },
      { ...b, conditions: { platform: { include: [{ type: "DESKTOP" }] } } },
    ],
  ])("but not with %s", (_, first, second) => {
    expect(analyse(first, second).filter(({ type }) => type === "OVERLAP")).toEqual([]);
  });

  it(`compares a rule with ${MAX_CANDIDATES} others, and names the first`, () => {
    const others = Array.from({ length: MAX_CANDIDATES + 1 }, (_, i) => suffix(`@d${i}.example`));
    const all = { ...b, ...suffix(...others.flatMap((_, i) => [`d${i}.example`])) };
    const find = (count: number) =>
      analyse(...others.slice(0, count), all).find(({ type }) => type === "OVERLAP")?.count;
    expect([MAX_CANDIDATES - 1, MAX_CANDIDATES, MAX_CANDIDATES + 1].map(find)).toEqual([
      MAX_CANDIDATES - 1,
      MAX_CANDIDATES,
      MAX_CANDIDATES,
    ]);
  });
});

describe("analyseInSteps() finds patterns without a label boundary", () => {
  it.each([
    ["SUFFIX", "acme.example", "joe@evil.acme.example"],
    ["CONTAINS", "acme.example", "joe@evilacme.example"],
    ["CONTAINS", "@acme.example", "joe@acme.example.evil.example"],
    ["CONTAINS", ".acme.example", "joe@sub.acme.example.evil.example"],
    ["STARTS_WITH", "joe@acme.example", "joe@acme.example.evil.example"],
  ] as const)("%s %s", (matchType, value, login) => {
    expect(analyse({ conditions: identifier(matchType, value) })).toMatchObject([
      { type: "NO_LABEL_BOUNDARY", patternIndex: 0, count: 1, sample: { login } },
    ]);
  });

  it.each([
    ["SUFFIX", "@acme.example"],
    ["SUFFIX", ".acme.example"],
    ["EQUALS", "joe@acme.example"],
    ["CONTAINS", "admin"],
    ["STARTS_WITH", "admin@"],
  ] as const)("not %s %s", (matchType, value) => {
    expect(analyse({ conditions: identifier(matchType, value) })).toEqual([]);
  });
});

describe("analyseInSteps() on random policies", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "B", ".", "@", "é"), minLength: 0, maxLength: 5 });
  const conditions = randomConditions(text, ["z1", "z2", "z3", "empty", "ALL_ZONES"]);
  const rule = fc.record({
    status: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "INACTIVE" as const),
    conditions,
    providers: fc.oneof(
      { weight: 4, arbitrary: fc.subarray(["a", "b", "off", "org"], { minLength: 1 }) },
      fc.constantFrom("login.identifier", "login.identifier.substringAfter('@')"),
    ),
  });
  const question = fc.record({
    login: fc.oneof(text, fc.constantFrom("acme.example", "a@acme.example")),
    clientIp: fc.constantFrom("192.0.2.1", "192.0.2.77", "198.51.100.1", "203.0.113.1", undefined),
    ...randomPerson(text),
  });
  const route = (rules: readonly Rule[]) => compileRouting({ ...RECORDS, rules: [...rules, DEFAULT_RULE] });

  it("W4 no rule that is said to be unreachable, or never to match, answers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 12 }),
        fc.array(question, { minLength: 1, maxLength: 12 }),
        async (facts, questions) => {
          const rules = build(facts);
          const dead = analyse(...facts).filter(({ type }) => type === "UNREACHABLE" || type === "NEVER_MATCHES");
          const ids = dead.map((finding) => finding.rule.id);
          const ask = route(rules);
          for (const { profile, ...asked } of questions) {
            const answer = await ask({ ...asked, lookupProfile: () => Promise.resolve(profile as Profile) });
            expect(ids).not.toContain(answer.rule.id);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("every sample of an overlap matches both rules, which lead elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 12 }), async (facts) => {
        const rules = build(facts);
        for (const { type, by, sample, rule } of analyse(...facts)) {
          if (type !== "OVERLAP" || !sample || !by) continue;
          const asked = ask(sample.login, {
            clientIp: sample.clientIp,
            ...(sample.platform && { platform: sample.platform }),
          });
          const answers = [];
          for (const { id } of [rule, by]) answers.push(await route(rules.filter((each) => each.id === id))(asked));
          expect(answers.map((answer) => answer.rule.id)).toEqual([rule.id, by.id]);
          expect(answers[0]?.providers).not.toEqual(answers[1]?.providers);
          expect(by.priority).toBeLessThan(rule.priority);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("finds all that one pattern shadows", () => {
    const simple = randomPattern(text.map((value) => value || "a"));
    fc.assert(
      fc.property(fc.uniqueArray(simple, { maxLength: 12, selector: (each) => JSON.stringify(each) }), (patterns) => {
        const covers = (wide: (typeof patterns)[0], narrow: (typeof patterns)[0]) =>
          (wide.matchType === "CONTAINS" || narrow.matchType === "EQUALS" || narrow.matchType === wide.matchType) &&
          matchesPattern({ ...wide, value: wide.value.toLowerCase() }, narrow.value.toLowerCase());
        const expected = patterns.flatMap((each, index) =>
          patterns.slice(0, index).some((earlier) => covers(earlier, each)) ? [`r${index + 1}`] : [],
        );
        const findings = analyse(
          ...patterns.map(({ matchType, value }) => ({ conditions: identifier(matchType, value) })),
        );
        expect(findings.filter(({ type }) => type === "UNREACHABLE").map((found) => found.rule.id)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("finds what one change shadows as the whole analysis does", () => {
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 10 }),
        rule,
        fc.nat(),
        fc.nat(),
        fc.constantFrom("create", "replace", "delete"),
        (facts, fact, from, to, verb) => {
          const rules = build(facts);
          const index = verb === "create" ? undefined : from % rules.length;
          const before = index === undefined ? undefined : rules[index];
          const others = rules.filter((each) => each !== before);
          const place = to % (others.length + 1);
          const after =
            verb === "delete" ? undefined : buildRule({ ...fact, id: before?.id ?? "new", priority: place + 1 });
          const changed = [...others.slice(0, place), ...(after ? [after] : []), ...others.slice(place)].map(
            (each, i) => ({ ...each, priority: i + 1 }),
          );
          const [old, whole] = [compile(rules), compile(changed)];
          const stepped = runAtOnce(applyChange(old, { before, after }));
          const order = (policy: AnalysedPolicy) => policy.rules.map(({ id, priority }) => [id, priority]);
          expect(order(stepped)).toEqual(order(whole));
          const unreachable = (policy: AnalysedPolicy) =>
            runAtOnce(analyseInSteps(policy)).flatMap((found) => (found.type === "UNREACHABLE" ? found.rule.id : []));
          const known = new Set([...unreachable(old), before?.id, "new"]);
          const shadowed = [...runAtOnce(findNewlyShadowed(old, stepped, after?.id ?? "")).keys()].map(({ id }) => id);
          expect(shadowed).toEqual(unreachable(whole).filter((id) => !known.has(id)));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("findNewlyShadowed() compares", () => {
  /** The rules that a new first rule for `example` shadows, if an earlier one takes every second of the others already. */
  function shadowedAmong(count: number): string[] {
    const rules = build([
      suffix(...Array.from({ length: count }, (_, i) => `taken${2 * i}.example`)),
      ...Array.from({ length: 2 * count }, (_, i) => suffix(`taken${i}.example`)),
    ]);
    const after = buildRule({ id: "new", providers: ["b"], priority: 1, ...suffix("example") });
    const old = compile(rules);
    const changed = runAtOnce(applyChange(old, { before: undefined, after }));
    return [...runAtOnce(findNewlyShadowed(old, changed, "new")).keys()].map(({ id }) => id);
  }

  it.each([
    ["few patterns", 10],
    ["more than are looked for one by one", 200],
  ])("%s: what was shadowed before is not new", (_, count) => {
    const reachable = Array.from({ length: count }, (_rule, i) => `r${2 * i + 3}`);
    expect(shadowedAmong(count)).toEqual(["r1", ...reachable]);
  });

  it("a rule with the new one and others, and names each", () => {
    const old = compile(build([suffix("a.example"), suffix("@x.a.example", "@x.b.example"), suffix("@x.c.example")]));
    const after = buildRule({ id: "new", providers: ["b"], priority: 2, ...suffix("b.example") });
    const changed = runAtOnce(applyChange(old, { before: undefined, after }));
    const shadows = runAtOnce(findNewlyShadowed(old, changed, "new"));
    expect([...shadows].map(([{ id }, by]) => [id, by.map((rule) => rule.id)])).toEqual([["r2", ["r1", "new"]]]);
  });
});

describe("compareFindings()", () => {
  it.each([MAX_LISTED - 1, MAX_LISTED, MAX_LISTED + 1])(
    "lists %d findings as far as it may, and counts all",
    (count) => {
      const findings = analyse(...Array.from({ length: count }, (_, i) => suffix(`c${i}.example`)));
      const listed = findings.slice(0, MAX_LISTED);
      expect(runAtOnce(compareFindings([], findings))).toEqual({
        ...{ added: listed, addedCount: count },
        ...{ removed: [], removedCount: 0 },
      });
      expect(runAtOnce(compareFindings(findings, findings.slice(1)))).toEqual({
        ...{ added: [], addedCount: 0 },
        ...{ removed: findings.slice(0, 1), removedCount: 1 },
      });
    },
  );
});

describe("analyseInSteps() pauses", () => {
  /** The largest cost of a step. */
  function longest(steps: Steps<unknown>): number {
    let most = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) most = Math.max(most, step.value);
    return most;
  }

  it("between the patterns of a rule, and between rules", () => {
    const long = Array.from({ length: 1_000 }, (_, i) => `${"a.".repeat(110)}${i}.example`);
    const rules = build([
      suffix(...long),
      { providers: ["b"], ...suffix(...long, "example") },
      ...long.map((value) => suffix(value)),
    ]);
    expect(longest(compilePolicyInSteps({ ...RECORDS, rules }))).toBeLessThan(1_000);
    expect(longest(analyseInSteps(compile(rules)))).toBeLessThan(1_000);
  });

  it("often enough where each rule costs little", () => {
    const rules = build(Array.from({ length: 5_000 }, (_, i) => suffix(`c${i}.example`)));
    const policy = compile(rules);
    const after = buildRule({ id: "new", providers: ["b"], priority: 1, ...suffix("example") });
    const changed = runAtOnce(applyChange(policy, { before: undefined, after }));
    const findings = runAtOnce(analyseInSteps(policy));
    for (const steps of [
      analyseInSteps(policy),
      findNewlyShadowed(policy, changed, "new"),
      compareFindings(findings, []),
    ]) {
      let [count, most, cost] = [0, 0, 0];
      for (let step = steps.next(); step.done !== true; step = steps.next()) {
        count++;
        cost += step.value;
        most = Math.max(most, step.value);
      }
      expect(most).toBeLessThan(1_000);
      expect(cost).toBeGreaterThan(5_000);
      expect(count).toBeGreaterThan(50);
    }
  });
});
