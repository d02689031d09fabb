import type { Rule } from "../../api/types.js";
import { describeIdentifier, describeNetwork, describePlatform, describeProviders } from "../../parts/describe-rule.js";
import type { Describe } from "../../parts/history/lines.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import { rules } from "../../texts/en/rules.js";
import { fromDraft, NO_RULE, toDraft, type Draft } from "./draft.js";
import type { RuleBody } from "./requests.js";
import { useNames } from "./use-names.js";

/** What names a field. */
type FieldText = "name" | "place" | "isOn" | "logins" | "from" | "device" | "providers";

/** The fields of the form, each with the members of the draft that it has. */
export const FIELDS: readonly { text: FieldText; members: readonly (keyof Draft)[] }[] = [
  { text: "name", members: ["name"] },
  { text: "place", members: ["priority"] },
  { text: "isOn", members: ["isActive"] },
  { text: "logins", members: ["attribute", "patterns"] },
  { text: "from", members: ["zones"] },
  { text: "device", members: ["platforms"] },
  { text: "providers", members: ["expression", "providers"] },
];

/** One field of a draft in words, with every pattern, zone and device. */
export function useWords(): (value: Partial<Draft>) => string {
  const { idps, zones } = useNames();
  return (value) => {
    if (value.name !== undefined) return value.name;
    if ("priority" in value) return String(value.priority);
    if (value.isActive !== undefined) return value.isActive ? texts.yes : texts.no;
    const { conditions, actions }: RuleBody = fromDraft({ ...NO_RULE, ...value }, () => "", "");
    if (value.providers) return describeProviders(actions.idp, { idps }).join(rules.then) || texts.nobody;
    if (value.patterns) return describeIdentifier(conditions, Infinity) ?? texts.everyLogin;
    if (value.zones) return describeNetwork(conditions, { zones }, Infinity) ?? texts.everyAddress;
    return describePlatform(conditions, Infinity) ?? texts.everyDevice;
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
    return FIELDS.map(({ text, members }) => ({ label: texts[text], text: format(pick(draft, members)) }));
  };
}
