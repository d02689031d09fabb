import { useQuery } from "@tanstack/react-query";
import type { Rule } from "../../api/types.js";
import { FieldConflict, isSame, type ConflictField } from "../../parts/field-conflict.js";
import { Problem } from "../../parts/problem.js";
import { Waiting } from "../../parts/waiting.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import { toDraft, type Draft } from "./draft.js";
import { FIELDS, pick, useWords } from "./field-words.js";
import { readRule } from "./requests.js";

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
  if (!current.data) return <Waiting what={texts.readingAgain} />;
  const { data: rule, etag } = current.data;
  const [first, theirs] = [toDraft(before), toDraft(rule)];
  const own = { ...mine, priority: mine.priority ?? theirs.priority }; // without a place it stays where it is
  const editable = before.system ? FIELDS.filter(({ members }) => members.includes("providers")) : FIELDS;
  const fields = editable.map(({ text, members }): ConflictField => {
    const [was, is, wanted] = [first, theirs, own].map((draft) => pick(draft, members));
    return { name: text, label: texts[text], before: was, theirs: is, mine: wanted, format };
  });
  return (
    <FieldConflict
      key={etag}
      what={texts.rule}
      fields={fields.filter((field) => !isSame(field.theirs, field.mine))}
      isSaving={isSaving}
      onSave={(values) => {
        onSave(Object.assign({}, theirs, ...values.values()) as Draft, etag);
      }}
      onTakeTheirs={onTakeTheirs}
    />
  );
}
