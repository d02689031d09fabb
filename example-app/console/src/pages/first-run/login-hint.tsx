import type { Rule } from "../../api/types.js";
import { useRulePages } from "../../parts/use-rule-pages.js";
import { visible } from "../../parts/visible.js";
import { loginHint } from "../../texts/en/login-hint.js";

const DOMAIN_REGEXP = /^@?([\w-]+(?:\.[\w-]+)+)$/;

/** A login that is worth a try, if the first rule is for everyone at a domain, as that of the demonstration. */
export function LoginHint() {
  const { rules } = useRulePages("tried", 0);
  const first = rules.find(({ status }) => status === "ACTIVE");
  const domain = first && domainOf(first);
  if (domain === undefined) return loginHint.rules;
  return loginHint.domain({ rule: visible(first?.name ?? ""), domain });
}

/** The domain of a rule whose only condition is that a login ends in it. */
function domainOf({ conditions: { userIdentifier, network, platform } }: Rule): string | undefined {
  if (network || platform || userIdentifier?.type !== "IDENTIFIER") return undefined;
  const [pattern] = userIdentifier.patterns;
  if (pattern?.matchType !== "SUFFIX") return undefined;
  return DOMAIN_REGEXP.exec(pattern.value)?.[1];
}
