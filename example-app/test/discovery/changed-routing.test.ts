import { applyToRules } from "../../src/discovery/changed-routing.js";
import type { Rule } from "../../src/model/records.js";

const ruleOf = (id: string, priority: number, values: Partial<Rule> = {}): Rule => ({
  ...{ id, name: id, priority, status: "ACTIVE", system: id === "default", conditions: {} },
  actions: { idp: { idpSelectionType: "SPECIFIC", providers: [{ type: "SVC" }] } },
  ...{ created: "", lastUpdated: "" },
  ...values,
});

/** Three rules and the default one; every second one may be inactive. */
const rulesOf = (isGappy: boolean): Rule[] => [
  ruleOf("a", 1),
  ruleOf("b", 2, { status: isGappy ? "INACTIVE" : "ACTIVE" }),
  ruleOf("c", 3),
  ruleOf("default", 4),
];

const isActive = ({ status }: Rule) => status === "ACTIVE";

describe("applyToRules", () => {
  it.each([true, false])("gives the order in which a write leaves the rules (with inactive ones: %j)", (isGappy) => {
    const all = rulesOf(isGappy);
    for (const before of [undefined, ...all.slice(0, 3)]) {
      for (const priority of [undefined, 1, 2, 3, 4, 5, Infinity]) {
        const after = priority === undefined ? undefined : ruleOf(before?.id ?? "new", priority);
        const left = all.filter(({ id }) => id !== before?.id);
        const [ordinary, last] = [left.slice(0, -1), left.slice(-1)];
        if (after) ordinary.splice(after.priority - 1, 0, after);
        const expected = [...ordinary, ...last].filter(isActive).map(({ id }) => id);
        const found = [...applyToRules(all.filter(isActive), { before, after })].map(({ id }) => id);
        // the default rule has no place among the others
        expect([before?.id, priority, found.filter((id) => id !== "default")]).toEqual([
          before?.id,
          priority,
          expected.filter((id) => id !== "default"),
        ]);
        expect(found).toContain("default");
      }
    }
  });

  it("replaces the default rule", () => {
    const all = rulesOf(false);
    const [before] = all.slice(-1);
    const after = ruleOf("default", 4, { name: "other" });
    const found = [...applyToRules(all, { before, after })];
    expect(found.map(({ name }) => name).sort()).toEqual(["a", "b", "c", "other"]);
  });
});
