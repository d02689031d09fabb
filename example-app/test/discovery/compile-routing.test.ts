import fc from "fast-check";
import { compileRouting, compileRoutingInSteps } from "../../src/discovery/compile-routing.js";
import type { Profile, Question } from "../../src/discovery/conditions.js";
import type { DynamicProvider, Idp, PlatformCondition, Rule, RuleConditions, Zone } from "../../src/model/records.js";
import { compileRecordsInSteps } from "../../src/discovery/records.js";
import { runAtOnce } from "../../src/pace/steps.js";
import { randomConditions, randomPerson } from "../support/random-rules.js";
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

const IDPS: Idp[] = [buildIdp("a"), buildIdp("b"), buildIdp("off", { status: "INACTIVE" })];

/** Providers that expressions select. */
const NAMED: Idp[] = [buildIdp("n1", { name: "a" }), buildIdp("n2", { name: "b", status: "INACTIVE" })];

/** Expressions, and what they compute. */
const EXPRESSIONS: Record<string, (login: string) => string> = {
  "login.identifier": (login) => login,
  "login.identifier.toLowerCase()": (login) => login.toLowerCase(),
  "login.identifier.substringBefore('@')": (login) => login.replace(/@.*/, ""),
  "login.identifier.substringBefore('@').substringBefore('.')": (login) => login.replace(/[@.].*/, ""),
};

interface Policy {
  rules?: Rule[];
  idps?: Idp[];
  zones?: Zone[];
}

function compile({ rules = [], idps = IDPS, zones = [] }: Policy) {
  return compileRouting({ rules: [...rules, DEFAULT_RULE], idps, zones });
}

/** The id of the rule that answers when one rule has `conditions`. */
async function matches(conditions: RuleConditions, question: Question, zones: Zone[] = []): Promise<boolean> {
  const route = compile({ rules: [buildRule({ id: "only", providers: ["a"], conditions })], zones });
  return (await route(question)).rule.id === "only";
}

describe("compileRouting() on identifiers", () => {
  it.each([
    ["example.com", "joe@example.com", true],
    ["example.com", "joe@sub.example.com", true],
    ["example.com", "joe@badexample.com", false],
    ["example.com", "joe@example.com.evil.example", false],
    ["example.com", "joe@example.co", false],
    ["example.com", "example.com", true],
    ["example.com", "example.com@evil.example", false],
    ["@example.com", "joe@example.com", true],
    ["@example.com", "joe@sub.example.com", false],
    ["@example.com", "joe@badexample.com", false],
    ["@example.com", "@example.com", true],
    [".example.com", "joe@sub.example.com", true],
    [".example.com", "joe@a.b.example.com", true],
    [".example.com", "joe@example.com", false],
    ["Example.COM", "JOE@eXample.com", true],
    ["com", "joe@example.com", true],
    ["bücher.example", "joe@BÜCHER.example", true],
    ["bücher.example", "joe@xn--bcher-kva.example", true],
    ["xn--bcher-kva.example", "joe@bücher.example", true],
    ["xn--a.example", "joe@xn--a.example", true],
    ["joe@example.com", "joe@example.com", true],
    ["joe@example.com", "moe.joe@example.com", true],
    ["joe@example.com", "moejoe@example.com", false],
    ["", "joe@example.com", false],
  ])("W4 matches the suffix %j against %j: %s", async (value, login, expected) => {
    expect(await matches(identifier("SUFFIX", value), ask(login))).toBe(expected);
  });

  it.each([
    ["EQUALS", "Joe@example.com", "joe@Example.com", true],
    ["EQUALS", "joe@example.com", "joe@example.com ", false],
    ["EQUALS", "jos\u00e9", "jose\u0301", true],
    ["EQUALS", "ΟΔΟΣ", "οδος", true],
    ["EQUALS", "", "joe", false],
    ["STARTS_WITH", "admin", "ADMIN.joe@example.com", true],
    ["STARTS_WITH", "admin", "joe.admin", false],
    ["STARTS_WITH", "ΟΔΟΣ", "οδοσα", true],
    ["STARTS_WITH", "", "joe", false],
    ["CONTAINS", "+Test", "joe+testing@example.com", true],
    ["CONTAINS", "test+", "joe+testing@example.com", false],
    ["CONTAINS", "", "joe", false],
  ] as const)("W4 matches %s %j against %j: %s", async (matchType, value, login, expected) => {
    expect(await matches(identifier(matchType, value), ask(login))).toBe(expected);
  });

  it("W4 takes several patterns as any of them, and none as everyone", async () => {
    const several = identifier("SUFFIX", "example.com", "example.org");
    expect(await matches(several, ask("joe@example.org"))).toBe(true);
    expect(await matches(several, ask("joe@example.net"))).toBe(false);
    expect(await matches({ userIdentifier: { type: "IDENTIFIER", patterns: [] } }, ask("joe"))).toBe(true);
    expect(await matches({}, ask("joe"))).toBe(true);
  });

  it("W1 answers an empty login with the default rule", async () => {
    const route = compile({ rules: [buildRule({ id: "everyone", providers: ["a"] })] });
    expect((await route(ask(""))).rule.id).toBe("default");
    expect((await route(ask("joe"))).rule.id).toBe("everyone");
  });
});

describe("compileRouting() on order and providers", () => {
  it("W4 answers with the first rule by priority that matches, whatever its kind", async () => {
    const rules = [
      buildRule({ id: "third", priority: 3, providers: ["b"] }),
      buildRule({ id: "second", priority: 2, providers: ["b"], conditions: identifier("CONTAINS", "joe") }),
      buildRule({ id: "first", priority: 1, providers: ["a"], conditions: identifier("SUFFIX", "example.com") }),
    ];
    const route = compile({ rules });
    expect((await route(ask("joe@example.com"))).rule).toEqual({ id: "first", name: "Rule first" });
    expect((await route(ask("joe@example.org"))).rule.id).toBe("second");
    expect((await route(ask("moe@example.org"))).rule.id).toBe("third");
  });

  it("orders rules of the same priority by id", async () => {
    const rules = [buildRule({ id: "y", providers: ["b"] }), buildRule({ id: "x", providers: ["a"] })];
    expect((await compile({ rules })(ask("joe"))).rule.id).toBe("x");
  });

  it("W4 leaves out inactive rules", async () => {
    const rules = [buildRule({ id: "off", status: "INACTIVE", providers: ["a"] })];
    expect((await compile({ rules })(ask("joe"))).rule.id).toBe("default");
  });

  it("gives the providers in order of preference, each once, the org itself among them", async () => {
    const rules = [buildRule({ id: "r", providers: ["b", "org", "a", "b"] })];
    const { providers } = await compile({ rules })(ask("joe"));
    expect(providers).toEqual([
      { id: "b", type: "SAML2", name: "IdP b" },
      "org",
      { id: "a", type: "SAML2", name: "IdP a" },
    ]);
  });

  it("does not offer inactive or unknown IdPs, and passes over a rule that has no other", async () => {
    const rules = [
      buildRule({ id: "1", priority: 1, providers: ["off"], conditions: identifier("SUFFIX", "example.com") }),
      buildRule({ id: "2", priority: 2, providers: ["gone"] }),
      buildRule({ id: "3", priority: 3, providers: ["off", "b"] }),
    ];
    const { rule, providers } = await compile({ rules })(ask("joe@example.com"));
    expect(rule.id).toBe("3");
    expect(providers).toEqual([{ id: "b", type: "SAML2", name: "IdP b" }]);
  });

  it("W4 always answers: the default rule ends at the org itself, also when its IdP is inactive or it is missing", async () => {
    const data = { rules: [], idps: IDPS, zones: [] };
    expect(await compileRouting(data)(ask("joe"))).toMatchObject({ providers: ["org"], reason: "no rule" });
    const inactive = buildRule({ id: "default", system: true, providers: ["off"] });
    expect(await compileRouting({ ...data, rules: [inactive] })(ask("joe"))).toEqual({
      rule: { id: "default", name: "Rule default" },
      providers: ["org"],
      reason: "provider inactive",
    });
    const leads = buildRule({ id: "default", system: true, providers: ["a"] });
    expect((await compileRouting({ ...data, rules: [leads] })(ask("joe"))).providers).toEqual([
      { id: "a", type: "SAML2", name: "IdP a" },
    ]);
  });

  it.each([
    [["a"], "matched", "default"],
    [["b", "a"], "matched", "default"],
    [["org"], "matched", "default"],
    [["off", "a"], "provider inactive", "provider inactive"],
    [["a", "gone"], "provider inactive", "provider inactive"],
  ])("W10 a rule that leads to %j says %j, the default rule %j", async (providers, reason, ofDefault) => {
    expect(await compile({ rules: [buildRule({ id: "r", providers })] })(ask("joe"))).toMatchObject({ reason });
    const rules = [buildRule({ id: "default", system: true, providers })];
    expect(await compileRouting({ rules, idps: IDPS, zones: [] })(ask("joe"))).toMatchObject({ reason: ofDefault });
  });

  it("W10 a rule that selects a provider by its name says that it matched", async () => {
    const rules = [buildRule({ id: "r", providers: "login.identifier" })];
    expect(await compile({ rules, idps: NAMED })(ask("a"))).toMatchObject({ rule: { id: "r" }, reason: "matched" });
    expect(await compile({ rules, idps: NAMED })(ask("b"))).toMatchObject({ reason: "default" });
  });

  it("tries the default rule last, whatever its priority", async () => {
    const rules = [
      buildRule({ id: "default", system: true, priority: 0, providers: ["org"] }),
      buildRule({ id: "r", priority: 5, providers: ["a"] }),
    ];
    expect((await compileRouting({ rules, idps: IDPS, zones: [] })(ask("joe"))).rule.id).toBe("r");
  });
});

describe("compileRouting() on networks", () => {
  const zones = [
    buildZone("office", ["192.0.2.0/24", "2001:db8::/32"]),
    buildZone("lab", ["198.51.100.10-198.51.100.20"]),
    buildZone("closed", ["203.0.113.0/24"], { status: "INACTIVE" }),
  ];

  it.each([
    [["office"], undefined, "192.0.2.77", true],
    [["office"], undefined, "2001:db8::1", true],
    [["office"], undefined, "::ffff:192.0.2.77", true],
    [["office"], undefined, "198.51.100.10", false],
    [["office", "lab"], undefined, "198.51.100.20", true],
    [["lab"], undefined, "198.51.100.21", false],
    [["ALL_ZONES"], undefined, "198.51.100.15", true],
    [["ALL_ZONES"], undefined, "203.0.113.1", false],
    [["closed"], undefined, "203.0.113.1", false],
    [["unknown"], undefined, "192.0.2.1", false],
    [undefined, ["office"], "192.0.2.1", false],
    [undefined, ["office"], "198.51.100.10", true],
    [undefined, ["ALL_ZONES"], "203.0.113.1", true],
    [["ALL_ZONES"], ["lab"], "198.51.100.15", false],
    [["ALL_ZONES"], ["lab"], "192.0.2.1", true],
    [undefined, undefined, "192.0.2.1", false],
    [["office"], undefined, undefined, false],
    [undefined, ["office"], undefined, true],
  ])("W4 holds for zones %j without %j at %s: %s", async (include, exclude, clientIp, expected) => {
    const network = { connection: "ZONE", ...(include && { include }), ...(exclude && { exclude }) } as const;
    expect(await matches({ network }, ask("joe", { clientIp }), zones)).toBe(expected);
  });

  it("W4 holds anywhere for ANYWHERE", async () => {
    expect(await matches({ network: { connection: "ANYWHERE" } }, ask("joe", { clientIp: undefined }))).toBe(true);
  });
});

describe("compileRouting() on platforms", () => {
  it.each<[PlatformCondition, Question["platform"], boolean]>([
    [{ include: [{ type: "MOBILE" }] }, { type: "MOBILE", os: "IOS" }, true],
    [{ include: [{ type: "MOBILE" }] }, { type: "DESKTOP", os: "OSX" }, false],
    [{ include: [{ type: "MOBILE", os: { type: "IOS" } }] }, { type: "MOBILE", os: "ANDROID" }, false],
    [{ include: [{ type: "MOBILE", os: { type: "ANY" } }] }, { type: "MOBILE", os: "ANDROID" }, true],
    [{ include: [{ type: "ANY", os: { type: "WINDOWS" } }] }, { type: "DESKTOP", os: "WINDOWS" }, true],
    [{ include: [{ type: "ANY" }] }, { type: "OTHER", os: "OTHER" }, true],
    [{ include: [{ type: "ANY" }], exclude: [{ type: "MOBILE" }] }, { type: "MOBILE", os: "IOS" }, false],
    [{ exclude: [{ type: "ANY", os: { type: "IOS" } }] }, { type: "DESKTOP", os: "LINUX" }, true],
    [{ exclude: [{ type: "ANY", os: { type: "IOS" } }] }, { type: "MOBILE", os: "IOS" }, false],
    [{ include: [], exclude: [] }, { type: "OTHER", os: "OTHER" }, true],
    [{}, { type: "OTHER", os: "OTHER" }, true],
  ])("W4 holds for %j on %j: %s", async (platform, asked, expected) => {
    expect(await matches({ platform }, ask("joe", { platform: asked }))).toBe(expected);
  });
});

describe("compileRouting() on attributes", () => {
  const profile = { department: "Sales EU", level: 3, remote: true, groups: ["staff", "Admins"] };
  const known = ask("joe", { lookupProfile: () => Promise.resolve(profile) });

  it.each<[RuleConditions, boolean]>([
    [attribute("department", "STARTS_WITH", "sales"), true],
    [attribute("department", "EQUALS", "sales"), false],
    [attribute("level", "EQUALS", "3"), true],
    [attribute("remote", "EQUALS", "TRUE"), true],
    [attribute("groups", "EQUALS", "admins"), true],
    [attribute("groups", "CONTAINS", "guest"), false],
    [attribute("title", "CONTAINS", "e"), false],
    [attribute("constructor", "CONTAINS", "function"), false],
  ])("W4 matches %j: %s", async (conditions, expected) => {
    expect(await matches(conditions, known)).toBe(expected);
  });

  it("W9 takes an absent user for one who matches nothing", async () => {
    expect(await matches(attribute("department", "CONTAINS", "e"), ask("joe"))).toBe(false);
  });

  it("W9 asks for the profile only when a rule that needs it is reached, and then once", async () => {
    const rules = [
      buildRule({ id: "1", priority: 1, providers: ["a"], conditions: identifier("SUFFIX", "example.com") }),
      buildRule({ id: "2", priority: 2, providers: ["a"], conditions: attribute("department", "EQUALS", "hr") }),
      buildRule({
        id: "3",
        priority: 3,
        providers: ["b"],
        conditions: { ...attribute("level", "EQUALS", "3"), platform: { include: [{ type: "DESKTOP" }] } },
      }),
    ];
    const lookupProfile = jest.fn(() => Promise.resolve<Profile | undefined>(profile));
    const route = compile({ rules });
    expect(route(ask("joe@example.com", { lookupProfile }))).toMatchObject({ rule: { id: "1" } });
    expect(lookupProfile).not.toHaveBeenCalled();
    expect(await route(ask("joe@example.org", { lookupProfile }))).toMatchObject({ rule: { id: "3" } });
    expect(lookupProfile).toHaveBeenCalledTimes(1);
  });

  it("does not ask for the profile when another condition of the rule fails", () => {
    const conditions = { ...attribute("level", "EQUALS", "3"), platform: { include: [{ type: "MOBILE" as const }] } };
    const route = compile({ rules: [buildRule({ id: "r", providers: ["a"], conditions })] });
    expect(route(known)).toMatchObject({ rule: { id: "default" } });
  });

  it("hands on the failure of the look-up", async () => {
    const route = compile({
      rules: [buildRule({ id: "r", providers: ["a"], conditions: attribute("level", "EQUALS", "3") })],
    });
    const failing = ask("joe", { lookupProfile: () => Promise.reject(new Error("gone")) });
    await expect(route(failing)).rejects.toThrow("gone");
  });
});

describe("compileRouting() and a scan of the rules", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "B", ".", "@", "é"), minLength: 0, maxLength: 6 });
  const conditions = randomConditions(text, ["z1", "z2", "z3", "ALL_ZONES"]);
  const rule = fc.record({
    priority: fc.integer({ min: 1, max: 5 }),
    status: fc.constantFrom("ACTIVE" as const, "ACTIVE" as const, "INACTIVE" as const),
    conditions,
    providers: fc.oneof(
      { weight: 4, arbitrary: fc.subarray(["a", "b", "off", "org"], { minLength: 1 }) },
      fc.constantFrom(...Object.keys(EXPRESSIONS)),
    ),
  });
  const question = fc.record({
    login: text,
    clientIp: fc.constantFrom("192.0.2.1", "198.51.100.1", "203.0.113.1", undefined),
    ...randomPerson(text),
  });
  const zones = [
    buildZone("z1", ["192.0.2.0/24"]),
    buildZone("z2", ["198.51.100.1-198.51.100.9"]),
    buildZone("z3", ["203.0.113.0/24"], { status: "INACTIVE" }),
  ];

  it("W4 agrees on random rules and random logins", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 9, arbitrary: fc.array(rule, { maxLength: 12 }) },
          fc.array(rule, { minLength: 60, maxLength: 80 }),
        ),
        fc.array(question, { minLength: 1, maxLength: 8 }),
        async (facts, questions) => {
          const rules = facts.map((fact, index) => buildRule({ id: `r${index + 100}`, ...fact }));
          const route = compile({ rules, zones, idps: [...IDPS, ...NAMED] });
          for (const { profile, ...asked } of questions) {
            const answer = await route({ ...asked, lookupProfile: () => Promise.resolve(profile as Profile) });
            expect(answer.rule.id).toBe(scan(rules, asked, profile as Profile | undefined));
            const { idp } = rules.find(({ id }) => id === answer.rule.id)?.actions ?? {};
            if (idp?.idpSelectionType === "DYNAMIC") expect(answer.providers).toEqual([select(idp, asked.login)]);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  /** The active provider whose name is the value of the expression. */
  function select({ matchCriteria: [{ providerExpression }] }: DynamicProvider, login: string) {
    const value = EXPRESSIONS[providerExpression]!(login);
    const idp = [...IDPS, ...NAMED].find(({ name, status }) => name === value && status === "ACTIVE");
    return idp && { id: idp.id, type: idp.type, name: idp.name };
  }

  /** The specification read aloud, rule by rule. */
  function scan(rules: Rule[], asked: Omit<Question, "lookupProfile">, profile: Profile | undefined): string {
    if (asked.login === "") return "default";
    const sorted = [...rules].sort((a, b) => a.priority - b.priority || a.id.localeCompare(b.id));
    const match = sorted.find(
      ({ status, conditions: { network, platform, userIdentifier }, actions }) =>
        status === "ACTIVE" &&
        (actions.idp.idpSelectionType === "DYNAMIC"
          ? select(actions.idp, asked.login) !== undefined
          : actions.idp.providers.some(({ id }) => id !== "off")) &&
        identifies(userIdentifier) &&
        (network?.connection !== "ZONE" || isInNetwork(network)) &&
        isPlatform(platform),
    );
    return match?.id ?? "default";

    function identifies(condition: RuleConditions["userIdentifier"]): boolean {
      if (!condition || condition.patterns.length === 0) return true;
      const value = condition.type === "IDENTIFIER" ? asked.login : profile?.[condition.attribute ?? ""];
      const texts = value === undefined ? [] : [value].flat().map((element) => String(element).toLowerCase());
      return condition.patterns.some(({ matchType, value: given }) => {
        const wanted = given.toLowerCase();
        if (wanted === "") return false;
        if (matchType === "EQUALS") return texts.includes(wanted);
        if (matchType === "STARTS_WITH") return texts.some((candidate) => candidate.startsWith(wanted));
        if (matchType === "CONTAINS") return texts.some((candidate) => candidate.includes(wanted));
        return texts.some(
          (candidate) =>
            candidate.endsWith(wanted) &&
            /(^|[.@])$/.test(/^[.@]/.test(wanted) ? "" : candidate.slice(0, -wanted.length)),
        );
      });
    }

    function isInNetwork({ include = [], exclude = [] }: NonNullable<RuleConditions["network"]>): boolean {
      const zone = { "192.0.2.1": "z1", "198.51.100.1": "z2" }[asked.clientIp ?? ""];
      const isIn = (ids: string[]) => zone !== undefined && (ids.includes(zone) || ids.includes("ALL_ZONES"));
      if (include.length === 0 && exclude.length === 0) return false;
      return (include.length === 0 || isIn(include)) && !isIn(exclude);
    }

    function isPlatform({ include = [], exclude = [] }: PlatformCondition = {}): boolean {
      const isOne = (list: NonNullable<PlatformCondition["include"]>) =>
        list.some(
          ({ type, os }) =>
            ["ANY", asked.platform.type].includes(type) && ["ANY", asked.platform.os].includes(os?.type ?? "ANY"),
        );
      return (include.length === 0 || isOne(include)) && !isOne(exclude);
    }
  }
});

describe("compileRouting() on many rules", () => {
  it("finds the right one of 100,000 of each kind", async () => {
    const kinds = ["SUFFIX", "EQUALS", "STARTS_WITH", "CONTAINS"] as const;
    const rules = Array.from({ length: 100_000 }, (_, index) =>
      buildRule({
        id: `r${String(index).padStart(6, "0")}`,
        priority: index,
        providers: ["a"],
        conditions: identifier(kinds[index % 4]!, `k${index}.example`),
      }),
    );
    const route = compile({ rules });
    expect((await route(ask("joe@k99996.example"))).rule.id).toBe("r099996");
    expect((await route(ask("k99997.example"))).rule.id).toBe("r099997");
    expect((await route(ask("k99998.example.joe@x"))).rule.id).toBe("r099998");
    expect((await route(ask("joe+k99999.example@x"))).rule.id).toBe("r099999");
    expect((await route(ask("joe@k100000.example"))).rule.id).toBe("default");
  });
});

describe("compileRouting() at the limits", () => {
  /** The cost of each step of a lookup, and the rule that it finds. */
  async function measure(rules: Rule[], question: Question, zones: Zone[] = []) {
    const records = runAtOnce(compileRecordsInSteps({ idps: IDPS, zones }));
    const costs: number[] = [];
    const route = runAtOnce(
      compileRoutingInSteps({ rules: [...rules, DEFAULT_RULE], records }, async (steps) => {
        let step = steps.next();
        for (; step.done !== true; step = steps.next()) costs.push(step.value);
        await Promise.resolve();
        return step.value;
      }),
    );
    const answer = await route(question);
    return { id: answer.rule.id, costs, total: costs.reduce((sum, cost) => sum + cost, 0) };
  }

  const many = (count: number, build: (i: number) => RuleConditions, providers: RuleFacts["providers"] = ["a"]) =>
    Array.from({ length: count }, (_, i) =>
      buildRule({ id: `r${String(i).padStart(5, "0")}`, priority: i, providers, conditions: build(i) }),
    );

  it("S9 searches long attributes for 9,900 patterns in short steps, none of which asks each pattern", async () => {
    const rules = many(9_900, (i) => attribute("x", "CONTAINS", `${"a".repeat(200)}z${i}.`));
    const x = [...Array.from({ length: 99 }, () => "a".repeat(2_048)), `${"a".repeat(200)}z9899.`];
    const { id, costs, total } = await measure(rules, ask("joe", { lookupProfile: () => Promise.resolve({ x }) }));
    expect(id).toBe("r09899");
    expect(Math.max(...costs)).toBeLessThan(1_000);
    expect(total).toBeLessThan(100 * 2_048 * 2); // two microseconds a character
  });

  it("S9 folds internationalised domains of attributes in short steps", async () => {
    const x = Array.from({ length: 100 }, () => "xn--a.".repeat(341));
    const rules = many(1, () => attribute("x", "EQUALS", "bücher"));
    const { costs } = await measure(rules, ask("joe", { lookupProfile: () => Promise.resolve({ x }) }));
    expect(costs.length).toBeGreaterThan(90);
    expect(Math.max(...costs)).toBeLessThan(1_100);
  });

  it("S9 takes no steps for 10,000 rules with zones or platforms that fail", async () => {
    const zones = Array.from({ length: 100 }, (_, i) => buildZone(`z${i}`, [`10.${i}.0.0/16`]));
    const network = { connection: "ZONE" as const, include: zones.slice(1).map(({ id }) => id) };
    const question = ask("joe", { clientIp: "10.0.0.1" });
    expect(
      await measure(
        many(10_000, () => ({ network })),
        question,
        zones,
      ),
    ).toEqual({
      id: "default",
      costs: [],
      total: 0,
    });
    const platform = { include: [{ type: "MOBILE" as const }] };
    expect(
      (
        await measure(
          many(10_000, () => ({ platform })),
          question,
        )
      ).costs,
    ).toEqual([]);
  });

  it("S9 takes two microseconds for each rule that selects a provider by its name, and pauses after 500", async () => {
    const dynamic = (count: number) => many(count, () => ({}), "login.identifier.toLowerCase()");
    expect((await measure(dynamic(499), ask("joe"))).costs).toEqual([]);
    expect((await measure(dynamic(600), ask("joe"))).costs).toHaveLength(100);
  });

  it("asks for the attributes that rules name, each once", async () => {
    const lookupProfile = jest.fn(() => Promise.resolve({ y: "1" }));
    const rules = many(4, (i) => attribute(i % 2 === 0 ? "x" : "y", "EQUALS", String(i)));
    expect((await measure(rules, ask("joe", { lookupProfile }))).id).toBe("r00001");
    expect(lookupProfile.mock.calls).toEqual([[["x", "y"]]]);
  });
});
