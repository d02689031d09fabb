import type { Rule } from "../../console/src/api/types.js";
import { createSearch, prepareSearch } from "../../console/src/pages/rules/search-rules.js";
import { until } from "../../../test/support/until.js";

const COUNT = 500;

describe("The search of rules", () => {
  let read = 0;
  const ruleNamed = (name: string) =>
    ({
      get name() {
        read++;
        return name;
      },
      conditions: {},
      actions: { idp: { idpSelectionType: "SPECIFIC", providers: [] } },
    }) as unknown as Rule;
  const rules = Array.from({ length: COUNT }, (_, index) => ruleNamed(`Rule ${index}`));
  beforeEach(() => {
    read = 0;
  });

  it("has gone through all rules before somebody looks for one", async () => {
    const search = createSearch({ idps: [], zones: [] });
    prepareSearch(rules, search);
    expect(read).toBe(0);
    await until(() => read === COUNT);
    expect(rules.filter((rule) => search(rule, ["rule", "499"]))).toEqual([rules[499]]);
    expect(read).toBe(COUNT);
  });

  it("stops when the rules are others", async () => {
    prepareSearch(rules, createSearch({ idps: [], zones: [] }))();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read).toBe(0);
  });
});
