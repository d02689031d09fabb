import { Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { idpsQuery, zonesQuery } from "../../api/queries.js";
import type { Rule } from "../../api/types.js";
import { describeIdentifier, describeNetwork, describePlatform, describeProviders } from "../../parts/describe-rule.js";
import { FieldConflict, isSame, type ConflictField } from "../../parts/field-conflict.js";
import { Problem } from "../../parts/problem.js";
import { useScope } from "../../session/use-session.js";
import { fromDraft, NO_RULE, toDraft, type Draft } from "./draft.js";
import { readRule, type RuleBody } from "./requests.js";

interface ConflictProps {
  policyId: string;
  /** As one has read it. */
  before: Rule;
  mine: Draft;
  isSaving: boolean;
  /** @param etag of the version that one has seen */
  onSave: (draft: Draft, etag: string | undefined) => void;
  onTakeTheirs: () => void;
}

/** The fields of the form, each with the members of the draft that it has. */
const FIELDS: readonly { label: string; members: readonly (keyof Draft)[] }[] = [
  { label: "Name", members: ["name"] },
  { label: "Place", members: ["priority"] },
  { label: "The rule is on", members: ["isActive"] },
  { label: "Which logins", members: ["attribute", "patterns"] },
  { label: "Where from", members: ["zones"] },
  { label: "With which device", members: ["platforms"] },
  { label: "Who signs them in", members: ["expression", "providers"] },
];

/** The fields of a rule that differ from what somebody else was faster to save. */
export function Conflict({ policyId, before, mine, isSaving, onSave, onTakeTheirs }: Readonly<ConflictProps>) {
  const format = useWords();
  const current = useQuery({
    queryKey: ["conflict", before.id],
    queryFn: ({ signal }) => readRule(policyId, before.id, signal),
    staleTime: 0,
    gcTime: 0,
  });
  if (current.error) return <Problem error={current.error} />;
  if (!current.data) return <Loader aria-label="Reading the rule again" />;
  const { data: rule, etag } = current.data;
  const [first, theirs] = [toDraft(before), toDraft(rule)];
  const own = { ...mine, priority: mine.priority ?? theirs.priority }; // without a place it stays where it is
  const editable = before.system ? FIELDS.filter(({ members }) => members.includes("providers")) : FIELDS;
  const fields = editable.map(({ label, members }): ConflictField => {
    const [was, is, wanted] = [first, theirs, own].map((draft) => pick(draft, members));
    return { name: label, label, before: was, theirs: is, mine: wanted, format };
  });
  return (
    <FieldConflict
      key={etag}
      what="rule"
      fields={fields.filter((field) => !isSame(field.theirs, field.mine))}
      isSaving={isSaving}
      onSave={(values) => {
        onSave(Object.assign({}, theirs, ...values.values()) as Draft, etag);
      }}
      onTakeTheirs={onTakeTheirs}
    />
  );
}

/** One field of a draft in words, with every pattern, zone and device. */
function useWords(): (value: Partial<Draft>) => string {
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

function pick(draft: Draft, members: readonly (keyof Draft)[]): Partial<Draft> {
  return Object.fromEntries(members.map((member) => [member, draft[member]]));
}
