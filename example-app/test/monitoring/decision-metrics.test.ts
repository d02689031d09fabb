import { Registry } from "prom-client";
import type { EndedRequest } from "../../src/audit/request-facts.js";
import { createDecisionMetrics, MAX_PAIRS } from "../../src/monitoring/decision-metrics.js";
import { loadPromClient } from "../../src/monitoring/registration.js";
import type { RoutingDecision } from "../../src/tenancy/routing-cache.js";

type Answer = RoutingDecision["answer"];

describe("createDecisionMetrics()", () => {
  const create = (...orgs: string[]) => {
    const registry = new Registry();
    const count = createDecisionMetrics({ client: loadPromClient(), registers: [registry] }, { orgs, orgType: "SVC" });
    const send = (subdomain: string | undefined, rule: string, changes: Partial<Answer> = {}) => {
      const answer = {
        rule: { id: rule, name: "secret" },
        providers: ["org"],
        reason: "matched",
        ...changes,
      } as Answer;
      const tenant = subdomain === undefined ? undefined : { org: { subdomain } };
      count({ facts: { tenant }, decision: { policyId: "p", revision: 1, answer } } as unknown as EndedRequest);
    };
    const read = async () => {
      const [metric] = await registry.getMetricsAsJSON();
      return metric!.values.map(({ labels, value }) => [...Object.values(labels), value]);
    };
    return { send, read, count };
  };

  it("counts by org, rule and first provider, for the listed orgs alone", async () => {
    const { send, read, count } = create("demo", "acme");
    const idp = { id: "idp-1", type: "OIDC" as const, name: "secret" };
    send("demo", "a");
    send("demo", "a");
    send("demo", "a", { providers: [idp, "org"] });
    send("acme", "b", { reason: "provider inactive" });
    send("acme", "c", { reason: "no rule" });
    send("other", "a");
    send(undefined, "a");
    count({ facts: { tenant: { org: { subdomain: "demo" } } } } as unknown as EndedRequest);
    expect(await read()).toEqual([
      ["demo", "a", "SVC", 2],
      ["demo", "a", "idp-1", 1],
      ["acme", "b", "SVC", 1],
    ]);
  });

  it("has series for so many pairs, and one for all others of an org", async () => {
    const { send, read } = create("demo");
    for (let i = 0; i < MAX_PAIRS - 1; i++) send("demo", `rule-${i}`);
    expect(await read()).toHaveLength(MAX_PAIRS - 1);
    for (const rule of ["rule-0", "last"]) send("demo", rule);
    expect(await read()).toHaveLength(MAX_PAIRS);
    for (const rule of ["beyond", "beyond", "further", "last"]) send("demo", rule);
    const values = await read();
    expect(values).toHaveLength(MAX_PAIRS + 1);
    expect(values.slice(-2)).toEqual([
      ["demo", "last", "SVC", 2],
      ["demo", "other", "other", 3],
    ]);
  });
});
