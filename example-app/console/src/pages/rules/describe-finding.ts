import type { PolicyFinding } from "../../api/types.js";
import { matchWords } from "../../parts/describe-rule.js";
import { visible } from "../../parts/visible.js";
import { findings as texts } from "../../texts/en/findings.js";

/** A finding in one sentence; `undefined` for one of a type that the console doesn't know. */
export function describeFinding(finding: PolicyFinding): string | undefined {
  const { type, reason, count = 1, sample, pattern } = finding;
  const rule = visible(finding.ruleName);
  const places = {
    rule,
    place: finding.priority,
    by: visible(finding.by?.name ?? ""),
    byPlace: finding.by?.priority ?? 0,
    login: visible(sample?.login ?? ""),
  };
  switch (type) {
    case "UNREACHABLE":
      return count === 1 ? texts.unreachable(places) : texts.unreachableMore({ ...places, n: count - 1 });
    case "OVERLAP":
      return texts.overlap(places);
    case "NEVER_MATCHES":
      return reason && texts[reason]({ rule });
    case "NO_LABEL_BOUNDARY":
      return pattern && describeUnbounded(pattern, places.login);
    default:
      return undefined; // a newer server knows more types
  }
}

function describeUnbounded({ matchType, value }: NonNullable<PolicyFinding["pattern"]>, login: string): string {
  if (matchType === "SUFFIX" && !value.includes("@")) return texts.subdomains({ value: visible(value), login });
  const { SUFFIX, EQUALS } = matchWords(true);
  return texts.anyText({ value: visible(value), login, suffix: SUFFIX, equals: EQUALS });
}
