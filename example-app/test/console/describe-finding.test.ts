/** @jest-environment node */
import type { PolicyFinding } from "../../console/src/api/types.js";
import { describeFinding } from "../../console/src/pages/rules/describe-finding.js";
import * as german from "../../console/src/texts/de/index.js";
import { setRooms } from "../../console/src/texts/define.js";
import { analyseInSteps, FINDING_TYPES } from "../../src/discovery/analysis/analyse.js";
import { compilePolicyInSteps, NEVER_REASONS } from "../../src/discovery/analysis/policy.js";
import type { RuleConditions } from "../../src/model/records.js";
import { runAtOnce } from "../../src/pace/steps.js";
import { presentFinding } from "../../src/resources/finding-shapes.js";
import { buildIdp, buildRule, buildZone, identifier, type RuleFacts } from "../support/routing.js";

const suffix = (value: string): Partial<RuleFacts> => ({ conditions: identifier("SUFFIX", value) });
const inZones = (include: string[], exclude: string[] = []): RuleConditions => ({
  network: { connection: "ZONE", include, ...(exclude.length > 0 && { exclude }) },
});
const IOS = [{ type: "MOBILE" as const, os: { type: "IOS" as const } }];

/** Rules of which each has something wrong, in their order. */
const RULES: Partial<RuleFacts>[] = [
  suffix("@acme.example"),
  suffix("@x.acme.example"),
  { ...suffix("@b.example"), providers: ["b"] },
  { conditions: identifier("SUFFIX", "@acme.example", "@b.example") },
  { conditions: identifier("CONTAINS", "@c.example") },
  { ...suffix("c.example"), providers: ["b"] },
  { providers: ["off"] },
  { conditions: identifier("SUFFIX", "") },
  { conditions: inZones(["gone"]) },
  { conditions: inZones(["z1"], ["z1"]) },
  { conditions: { platform: { include: IOS, exclude: [{ type: "MOBILE" }] } } },
];

function analyse(): PolicyFinding[] {
  const rules = RULES.map((fact, index) =>
    buildRule({ id: `r${index + 1}`, providers: ["a"], priority: index + 1, ...fact }),
  );
  const idps = [buildIdp("a"), buildIdp("b"), buildIdp("off", { status: "INACTIVE" })];
  const policy = runAtOnce(compilePolicyInSteps({ idps, zones: [buildZone("z1", ["192.0.2.0/24"])], rules }));
  return runAtOnce(analyseInSteps(policy)).map((finding) => presentFinding(finding));
}

describe("describeFinding()", () => {
  const findings = analyse();

  afterEach(() => {
    setRooms({});
  });

  it("has samples of all types and reasons", () => {
    expect(new Set(findings.map(({ type }) => type))).toEqual(new Set(FINDING_TYPES));
    expect(new Set(findings.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(NEVER_REASONS));
  });

  it("says in English what the server says of rules that others shadow", () => {
    for (const finding of findings) {
      if (["UNREACHABLE", "OVERLAP"].includes(finding.type)) {
        expect(describeFinding(finding)).toBe(finding.detail.replace(/such as "(.*)"\.$/, "such as $1."));
      }
    }
  });

  it("says it in German", () => {
    setRooms(german);
    expect(findings.map(describeFinding)).toEqual([
      "„Rule r4“ (Platz 4) wird nie erreicht: Alles, was sie erfasst, geht an „Rule r1“ (Platz 1) und 1 weitere Regel.",
      "„Rule r3“ (Platz 3) kommt vor „Rule r5“ (Platz 5) und führt einige ihrer Logins zu anderen Anbietern, zum Beispiel @c.example@b.example.",
      "Das Muster „@c.example“ erfasst auch Logins anderer Domains, zum Beispiel joe@c.example.evil.example. Nur „ist bei oder unterhalb von“ und „ist“ enden dort, wo eine Domain endet.",
      "„Rule r5“ (Platz 5) kommt vor „Rule r6“ (Platz 6) und führt einige ihrer Logins zu anderen Anbietern, zum Beispiel joe@c.example.",
      "Das Muster „c.example“ erfasst auch Logins anderer Domains, zum Beispiel joe@evil.c.example. „@c.example“ erfasst keine Subdomains.",
      "„Rule r7“ trifft nie zu: Sie führt zu keinem aktiven Identitätsanbieter.",
      "„Rule r8“ trifft nie zu: Ihre Muster passen auf keinen Text.",
      "„Rule r9“ trifft nie zu: Keine der Zonen, die sie einschließt, ist aktiv und hat Gateways.",
      "„Rule r10“ trifft nie zu: Sie schließt alle Zonen aus, die sie einschließt.",
      "„Rule r11“ trifft nie zu: Sie schließt alle Geräte aus, die sie einschließt.",
    ]);
  });

  it("leaves a type that it doesn't know to the server's own words", () => {
    const [finding] = findings;
    expect(describeFinding({ ...finding, type: "OTHER" } as unknown as PolicyFinding)).toBeUndefined();
  });
});
