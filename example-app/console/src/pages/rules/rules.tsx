import { Button, Paper } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useCounts } from "../../parts/counts/use-counts.js";
import { PlusIcon } from "../../parts/icons.js";
import { Page } from "../../parts/page.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { NEW } from "../../parts/records/kind.js";
import { useOpened } from "../../parts/records/use-opened.js";
import { Skeletons } from "../../parts/skeletons.js";
import { useScope } from "../../session/use-session.js";
import { pages } from "../../texts/en/pages.js";
import { rules as texts } from "../../texts/en/rules.js";
import { BulkBar } from "./bulk-bar.js";
import { RuleFilters } from "./rule-filters.js";
import { RuleForm } from "./rule-form.js";
import { RuleList } from "./rule-list.js";
import { readRuleSearch } from "./search.js";
import { useBulk } from "./use-bulk.js";
import { useFindings } from "./use-findings.js";
import { useNames } from "./use-names.js";
import { useRules } from "./use-rules.js";
import { useShownRules } from "./use-shown-rules.js";

/** The routing rules in their order. The first one whose conditions hold decides. */
export function Rules() {
  const { policyId, rules, isComplete, error } = useRules();
  const opened = useOpened("/rules");
  const mayWrite = useScope("policies.manage");
  const findings = useFindings(policyId);
  const [counts, names] = [useCounts(), useNames()];
  const found = useShownRules(rules, findings, counts, names);
  const [selected, setChosen] = useState<ReadonlySet<string>>(new Set());
  const chosen = new Set(rules.filter(({ id }) => selected.has(id)).map(({ id }) => id)); // others may have deleted some
  const bulk = useBulk(policyId, rules, (ids) => {
    setChosen((before) => new Set([...before].filter((id) => !ids.includes(id))));
  });
  const start = readRuleSearch(useSearch({ strict: false }));
  const navigate = useNavigate();

  return (
    <Page
      title={pages.rules}
      help="rules"
      about={texts.about}
      actions={
        mayWrite && (
          <Button
            leftSection={<PlusIcon />}
            onClick={() => {
              opened.open(NEW);
            }}
          >
            {texts.add}
          </Button>
        )
      }
    >
      <ReadingProblem error={error} />
      <Paper withBorder>
        <RuleFilters rules={found} count={rules.length} isReading={!isComplete && !error} />
        {mayWrite && isComplete && (
          <BulkBar shown={found.shown} chosen={chosen} onChoose={setChosen} bulk={bulk} count={rules.length} />
        )}
        {rules.length === 0 && !isComplete && <Skeletons />}
        <RuleList
          policyId={policyId}
          rules={found.shown}
          findings={findings}
          counts={counts}
          names={names}
          canMove={mayWrite && isComplete && !found.isFiltered}
          canWrite={mayWrite}
          words={found.words}
          chosen={chosen}
          onChoose={({ id }) => {
            const others = [...chosen].filter((other) => other !== id);
            setChosen(new Set(chosen.has(id) ? others : [...others, id]));
          }}
          onEdit={({ id }) => {
            opened.open(id);
          }}
          onCopy={({ id }) => void navigate({ to: "/rules/$id", params: { id: NEW }, search: { copy: id } })}
        />
      </Paper>
      {opened.id !== undefined && (
        <RuleForm
          key={`${opened.id} ${start.copy ?? start.idp ?? ""}`}
          policyId={policyId}
          id={opened.id === NEW ? undefined : opened.id}
          count={rules.length}
          findings={findings.get(opened.id) ?? []}
          start={opened.id === NEW ? start : {}}
          onClose={opened.close}
        />
      )}
    </Page>
  );
}
