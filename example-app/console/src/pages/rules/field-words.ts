import { useQuery } from "@tanstack/react-query";
import { idpsQuery, zonesQuery } from "../../api/queries.js";
import type { Rule } from "../../api/types.js";
import { describeIdentifier, describeNetwork, describePlatform, describeProviders } from "../../parts/describe-rule.js";
import type { Describe } from "../../parts/history/lines.js";
import { useScope } from "../../session/use-session.js";
import { fromDraft, NO_RULE, toDraft, type Draft } from "./draft.js";
import type { RuleBody } from "./requests.js";

/** The fields of the form, each with the members of the draft that it has. */
export const FIELDS: readonly { label: string; members: readonly (keyof Draft)[] }[] = [
  { label: "Name", members: ["name"] },
  { label: "Place", members: ["priority"] },
  { label: "The rule is on", members: ["isActive"] },
  { label: "Which logins", members: ["attribute", "patterns"] },
  { label: "Where from", members: ["zones"] },
  { label: "With which device", members: ["platforms"] },
  { label: "Who signs them in", members: ["expression", "providers"] },
];

/** One field of a draft in words, with every pattern, zone and device. */
export function useWords(): (value: Partial<Draft>) => string {
  const { data: idps = [] } = useQuery(idpsQuery);
  const { data: zones = [] } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  return (value) => {
    if (value.name !== undefined) return value.name;
    if ("priority" in value) return String(value.priority);
    if (value.isActive !== undefined) return value.isActive ? "yes" : "no";
    const { conditions, actions }: RuleBody = fromDraft({ ...NO_RULE, ...value }, () => "", "");
    if (value.providers) return describeProviders(actions.idp, { idps }).join(", then ") || "nobody";
    if (value.patterns) return describeIdentifier(conditions, Infinity) ?? "every login";
    if (value.zones) return describeNetwork(conditions, { zones }, Infinity) ?? "every address";
    return describePlatform(conditions, Infinity) ?? "every device";
  };
}

export function pick(draft: Draft, members: readonly (keyof Draft)[]): Partial<Draft> {
  return Object.fromEntries(members.map((member) => [member, draft[member]]));
}

/** Every field of a rule in words. */
export function useRuleLines(): Describe {
  const format = useWords();
  return (record) => {
    const draft = toDraft(record as Rule);
    return FIELDS.map(({ label, members }) => ({ label, text: format(pick(draft, members)) }));
  };
}
